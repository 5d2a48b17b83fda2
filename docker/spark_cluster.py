"""A Spark standalone cluster without Docker: a master and workers from the pip package, on loopback, with a secret.

Needs Java 17 or newer and `pip install hin-toolkit[spark]`. Everything listens on 127.0.0.1 and speaks only to
processes that know the secret, which is made anew for each cluster and kept in a file that its owner alone can read.

    python docker/spark_cluster.py start            prints what to export, runs until `stop`
    python docker/spark_cluster.py stop
    python docker/spark_cluster.py run -- COMMAND   starts a cluster, runs COMMAND with HIN_ENGINE set, stops it again
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import importlib.util
import itertools
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"
SETTINGS = """\
spark.authenticate                  true
spark.authenticate.secret           {secret}
spark.driver.host                   127.0.0.1
spark.driver.bindAddress            127.0.0.1
spark.driver.memory                 {memory}
spark.executor.memory               {memory}
spark.executor.heartbeatInterval    5s
spark.network.timeout               60s
spark.pyspark.python                {python}
spark.ui.enabled                    false
spark.worker.timeout                20
"""
LOGGING = """\
rootLogger.level = {level}
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %d %p %c{{1}}: %m%n
"""


class ClusterError(RuntimeError):
    """The cluster could not be started or stopped; the message says what to do."""


def missing_tools() -> str | None:
    """Why a cluster cannot run here, or None."""
    if shutil.which("java") is None:
        return "no `java` on the PATH: install Java 17 or newer"
    if importlib.util.find_spec("pyspark") is None:
        return "no pyspark: run `pip install hin-toolkit[spark]`"
    return None


def spark_home() -> Path:
    """The pyspark package, which holds a whole Spark."""
    found = importlib.util.find_spec("pyspark")
    if found is None or not found.origin:
        raise ClusterError("no pyspark: run `pip install hin-toolkit[spark]`")
    return Path(found.origin).parent


def free_port() -> int:
    """A loopback port that nothing listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _die_with_parent() -> None:
    """Ask Linux to end the process when the thread that started it ends, as it does when a test process is killed."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class Cluster:
    """A master and its workers with a folder of their own.

    Parameters
    ----------
    home : Path
        Configuration, logs and the workers' folders.
    workers, cores : int
        How many workers, and cores of each.
    memory : str
        Java memory of the driver and of each worker's executor; Python's comes on top.
    """

    def __init__(self, home: Path, workers: int = 2, cores: int = 1, memory: str = "512m") -> None:
        self.home = home
        self.port, self._web = free_port(), free_port()
        self.cores = cores
        self.memory = memory
        self.master: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []
        self._wanted, self._numbers = workers, itertools.count()
        self._configure()

    @property
    def url(self) -> str:
        """What to give to --engine."""
        return f"spark://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that hin and Spark read."""
        return {
            "HIN_ENGINE": self.url,
            "SPARK_HOME": str(spark_home()),
            "SPARK_CONF_DIR": str(self.home / "conf"),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": sys.executable,
        }

    def start(self, *, timeout: float = 120, detached: bool = False) -> Cluster:
        """Start everything and wait until all workers are there."""
        arguments = ["--host", "127.0.0.1", "--port", str(self.port), "--webui-port", str(self._web)]
        self.master = self._launch("master", MASTER, arguments, detached)
        self._wait(0, timeout)
        for _ in range(self._wanted):
            self.add_worker(detached=detached)
        self._wait(self._wanted, timeout)
        return self

    def add_worker(self, *, detached: bool = False) -> subprocess.Popen[bytes]:
        """Start one more worker."""
        name = f"worker-{next(self._numbers)}"  # also when another one has ended meanwhile
        arguments = ["--cores", str(self.cores), "--memory", "1g", "--host", "127.0.0.1", "--webui-port"]
        arguments += [str(free_port()), "--work-dir", str(self.home / name), self.url]
        worker = self._launch(name, WORKER, arguments, detached)
        self.workers.append(worker)
        return worker

    def alive(self) -> int:
        """How many workers the master knows; -1 while it does not answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._web}/json/", timeout=2) as answer:
                return int(json.load(answer)["aliveworkers"])
        except (OSError, ValueError, KeyError):
            return -1

    def kill_worker(self, number: int) -> None:
        """End a worker and what runs on it without warning, as a power cut would."""
        worker = self.workers[number]
        with contextlib.suppress(ProcessLookupError):
            os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()

    def stop(self, *, timeout: float = 30) -> None:
        """Stop the workers, then the master; kill what does not end in time."""
        running = [*self.workers, *([self.master] if self.master else [])]
        for process in running:
            process.terminate()
        deadline = time.monotonic() + timeout
        for process in running:
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.master, self.workers = None, []

    def __enter__(self) -> Cluster:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def pids(self) -> list[int]:
        """The processes of the cluster, the master last."""
        return [process.pid for process in [*self.workers, *([self.master] if self.master else [])]]

    def _wait(self, workers: int, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        while (there := self.alive()) < workers:
            started = [*self.workers, *([self.master] if self.master else [])]
            ended = any(process.poll() is not None for process in started)
            if ended or time.monotonic() > deadline:
                self.stop()
                why = "a process ended" if ended else f"{max(0, there)} of {workers} workers after {timeout:g} s"
                log = max((self.home / "logs").iterdir(), key=lambda path: path.stat().st_mtime)
                raise ClusterError(f"Spark did not start ({why}): {log.read_text(errors='replace')[-800:]}")
            time.sleep(0.2)

    def _launch(self, name: str, kind: str, arguments: list[str], detached: bool) -> subprocess.Popen[bytes]:
        environment = {**os.environ, **self.environment, "SPARK_DAEMON_MEMORY": "256m"}
        # A process group of its own: killing a worker takes its executors with it.
        with (self.home / "logs" / f"{name}.log").open("ab") as output:
            return subprocess.Popen(
                [str(spark_home() / "bin" / "spark-class"), kind, *arguments],
                stdout=output, stderr=output, stdin=subprocess.DEVNULL, env=environment,
                start_new_session=True, preexec_fn=None if detached else _die_with_parent,
            )  # fmt: skip

    def _configure(self) -> None:
        conf = self.home / "conf"
        for folder in (conf, self.home / "logs"):
            folder.mkdir(parents=True, exist_ok=True)
        kept = conf / "spark-defaults.conf"
        kept.unlink(missing_ok=True)
        kept.touch(mode=0o600)
        secret = secrets.token_urlsafe(24)
        kept.write_text(SETTINGS.format(secret=secret, memory=self.memory, python=sys.executable))
        (conf / "log4j2.properties").write_text(LOGGING.format(level="warn"))


@contextlib.contextmanager
def temporary_cluster(workers: int = 2, cores: int = 1, memory: str = "512m") -> Iterator[Cluster]:
    """A new cluster that is stopped and removed at the end."""
    with tempfile.TemporaryDirectory(prefix="hin-spark-", ignore_cleanup_errors=True) as home:
        with Cluster(Path(home), workers, cores, memory) as cluster:
            yield cluster


def _default_home() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "hin" / "spark"


def _alive(pid: int) -> bool:
    """Whether a process is there and is a Java of ours, not another one that got its number."""
    try:
        return b"org.apache.spark.deploy" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def _start(home: Path, workers: int, cores: int, memory: str) -> None:
    kept = home / "running.json"
    if kept.exists() and any(map(_alive, json.loads(kept.read_text())["pids"])):
        raise ClusterError(f"a cluster is running from {home}; stop it with `stop`")
    cluster = Cluster(home, workers, cores, memory).start(detached=True)
    kept.write_text(json.dumps({"pids": cluster.pids()}))
    for name, value in cluster.environment.items():
        print(f"export {name}={value}")


def _stop(home: Path) -> None:
    kept = home / "running.json"
    pids = [pid for pid in json.loads(kept.read_text())["pids"] if _alive(pid)] if kept.exists() else []
    if not pids:
        raise ClusterError(f"no cluster is running from {home}")
    for pid in pids:
        os.kill(pid, signal.SIGTERM)
    while any(map(_alive, pids)):
        time.sleep(0.2)
    kept.unlink()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["start", "stop", "run"])
    parser.add_argument("rest", nargs=argparse.REMAINDER, help="the command of `run`")
    parser.add_argument("--home", type=Path, default=_default_home(), help="configuration and logs")
    parser.add_argument("--workers", type=int, default=2, help="how many workers")
    parser.add_argument("--cores", type=int, default=1, help="cores of each worker")
    parser.add_argument("--memory", default="512m", help="Java memory of the driver and of each executor")
    options = parser.parse_args(arguments)
    rest = options.rest[1:] if options.rest[:1] == ["--"] else options.rest
    if options.action == "run" and (not rest or rest[0].startswith("-")):
        parser.error("write `run -- COMMAND`; options of this script come before `run`")
    if options.action == "run" and shutil.which(rest[0]) is None:
        parser.error(f"there is no command {rest[0]!r}")
    try:
        if problem := missing_tools():
            raise ClusterError(problem)
        if options.action == "start":
            _start(options.home, options.workers, options.cores, options.memory)
        elif options.action == "stop":
            _stop(options.home)
        else:
            with temporary_cluster(options.workers, options.cores, options.memory) as cluster:
                return subprocess.run(rest, env={**os.environ, **cluster.environment}, check=False).returncode
    except ClusterError as error:
        print(f"spark_cluster: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
