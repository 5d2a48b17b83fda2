"""Neo4j 5 Community without Docker: fetched from Maven Central, started on a free loopback port, stopped again.

Needs Java 17 or newer, and Maven for the first fetch (about a minute, 123 MB, kept in the user's cache). Neo4j
Community is GPLv3; nothing of it is shipped with hin.

    python docker/neo4j_server.py start            prints what to export, runs until `stop`
    python docker/neo4j_server.py stop
    python docker/neo4j_server.py run -- COMMAND   starts a new server, runs COMMAND against it, stops and removes it
    python docker/neo4j_server.py admin ARGS...    neo4j-admin on the stopped server, e.g. `database import full ...`
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
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
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from xml.etree import ElementTree

POM = Path(__file__).with_name("pom.xml")
PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
JAVA_OPTIONS = (
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
)
CONFIGURATION = """\
dbms.usage_report.enabled=false
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
server.directories.import=import
server.memory.pagecache.size={pagecache}
"""


class ServerError(RuntimeError):
    """The server could not be fetched, started or stopped; the message says what to do."""


def version() -> str:
    """The exact version that the pom names."""
    node = ElementTree.parse(POM).find(".//{*}dependency/{*}version")
    assert node is not None and node.text
    return node.text


def cache_folder() -> Path:
    """Where the jars are kept: `$XDG_CACHE_HOME/hin/neo4j-VERSION`."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "hin" / f"neo4j-{version()}"


def missing_tools() -> str | None:
    """Why the server cannot run here, or None."""
    if shutil.which("java") is None:
        return "no `java` on the PATH: install Java 17 or newer"
    if not (cache_folder() / "lib").is_dir() and shutil.which("mvn") is None:
        return "no `mvn` on the PATH to fetch Neo4j with: install Maven"
    return None


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock file, so that two test runs do not fetch at once."""
    import fcntl

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def fetch() -> Path:
    """The folder with Neo4j's jars, fetched on first use."""
    cache = cache_folder()
    library = cache / "lib"
    if library.is_dir():
        return library
    if problem := missing_tools():
        raise ServerError(problem)
    with _locked(cache.with_suffix(".lock")):
        if library.is_dir():  # somebody else was faster
            return library
        print(f"fetching Neo4j {version()} (once, about a minute)", file=sys.stderr)
        cache.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix="fetch-", dir=cache))
        try:
            shutil.copy(POM, staging / "pom.xml")
            options = ["-DincludeScope=runtime", "-DoutputDirectory=lib"]
            command = ["mvn", "-q", "-B", PLUGIN, *options]
            done = subprocess.run(command, cwd=staging, capture_output=True, text=True, check=False)
            if done.returncode:
                raise ServerError(f"Maven could not fetch Neo4j: {(done.stdout + done.stderr).strip()[-600:]}")
            os.rename(staging / "lib", library)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    return library


def free_port() -> int:
    """A loopback port that nothing listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def answers_bolt(port: int) -> bool:
    """Whether something that speaks Bolt listens on a loopback port."""
    hello = bytes.fromhex("6060b017" + "00000505" + "00000404" + "00000000" * 2)
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(hello)
            answer = connection.recv(4)
            return len(answer) == 4 and answer != b"\0\0\0\0"
    except OSError:
        return False


def _die_with_parent() -> None:
    """Ask Linux to stop the server when the thread that started it ends, as it does when a test process is killed."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class Server:
    """One Neo4j server with a home folder of its own.

    Parameters
    ----------
    home : Path
        Configuration, data and logs.
    port : int, optional
        A free one when 0.
    """

    def __init__(self, home: Path, port: int = 0, heap: str = "1g", pagecache: str = "512m") -> None:
        self.home = home
        self.port = port or free_port()
        self.heap = heap
        self.pagecache = pagecache
        self.password = self._initial_password()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"neo4j://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that hin and the Neo4j driver read."""
        return {"NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": self.password, "HIN_GRAPH": self.url}

    @property
    def log(self) -> Path:
        """What the server printed."""
        return self.home / "logs" / "console.log"

    def admin(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `neo4j-admin` on this home."""
        command = [*self._java(), "org.neo4j.server.startup.Neo4jAdminCommand", *arguments]
        done = subprocess.run(command, env=self._java_environment(), capture_output=True, text=True, check=False)
        if done.returncode:
            raise ServerError(f"neo4j-admin {' '.join(arguments)} failed: {(done.stdout + done.stderr)[-800:]}")
        return done

    def start(self, *, timeout: float = 120, detached: bool = False) -> Server:
        """Start and wait until it answers."""
        self._configure()
        tie = None if detached else _die_with_parent
        command = [*self._java(f"-Xms{self.heap}", f"-Xmx{self.heap}", *JAVA_OPTIONS)]
        command += ["org.neo4j.server.CommunityEntryPoint", f"--home-dir={self.home}"]
        command += [f"--config-dir={self.home / 'conf'}", "--console-mode"]
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                command, stdout=output, stderr=output, stdin=subprocess.DEVNULL,
                start_new_session=True, preexec_fn=tie, env=self._java_environment(),
            )  # fmt: skip
        deadline = time.monotonic() + timeout
        while not answers_bolt(self.port):
            ended = self.process.poll() is not None
            if ended or time.monotonic() > deadline:
                self.stop()
                why = "ended" if ended else f"did not answer within {timeout:g} s"
                raise ServerError(f"Neo4j {why}: {self.log.read_text(errors='replace')[-800:]}")
            time.sleep(0.1)
        return self

    def stop(self, *, timeout: float = 60) -> None:
        """Stop cleanly; kill if it does not end in time."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
            self.process = None

    def kill(self) -> None:
        """End it without warning, as a power cut would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _java(self, *options: str) -> list[str]:
        return ["java", *options, f"-Dbasedir={self.home}", "-cp", f"{fetch()}/*"]

    def _java_environment(self) -> dict[str, str]:
        return {**os.environ, "NEO4J_HOME": str(self.home), "NEO4J_CONF": str(self.home / "conf")}

    def _configure(self) -> None:
        for folder in ("conf", "logs", "data", "import"):
            (self.home / folder).mkdir(parents=True, exist_ok=True)
        text = CONFIGURATION.format(port=self.port, pagecache=self.pagecache)
        (self.home / "conf" / "neo4j.conf").write_text(text)

    def _initial_password(self) -> str:
        """The password, kept readable by its owner only and set before the first start."""
        kept = self.home / "password"
        if kept.exists():
            return kept.read_text()
        self._configure()
        # In letters: one that begins with `-` would be read as an option.
        chosen = os.environ.get("NEO4J_PASSWORD") or secrets.token_hex(12)
        self.admin("dbms", "set-initial-password", chosen)
        kept.touch(mode=0o600)
        kept.write_text(chosen)
        return chosen


@contextlib.contextmanager
def temporary_server(heap: str = "1g", pagecache: str = "512m") -> Iterator[Server]:
    """A new server that is stopped and removed at the end."""
    with tempfile.TemporaryDirectory(prefix="hin-neo4j-", ignore_cleanup_errors=True) as home:
        with Server(Path(home), heap=heap, pagecache=pagecache) as server:
            yield server


def _default_home() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "hin" / "neo4j"


def _running(home: Path) -> dict[str, int] | None:
    """The process id and port of the server that `start` left running."""
    kept = home / "running.json"
    if not kept.exists():
        return None
    state: dict[str, int] = json.loads(kept.read_text())
    return state if answers_bolt(state["port"]) else None


def _start(home: Path, port: int) -> None:
    state = _running(home)
    server = Server(home, state["port"] if state else port)
    if state is None:
        server.start(detached=True)
        assert server.process is not None
        (home / "running.json").write_text(json.dumps({"pid": server.process.pid, "port": server.port}))
    for name, value in server.environment.items():
        print(f"export {name}={value}")


def _stop(home: Path) -> None:
    state = _running(home)
    if state is None:
        raise ServerError(f"no server is running from {home}")
    os.kill(state["pid"], signal.SIGTERM)
    while answers_bolt(state["port"]):
        time.sleep(0.2)
    (home / "running.json").unlink()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["fetch", "start", "stop", "run", "admin"])
    parser.add_argument("rest", nargs=argparse.REMAINDER, help="the command of `run`, the arguments of `admin`")
    parser.add_argument("--home", type=Path, default=_default_home(), help="configuration, data and logs")
    parser.add_argument("--port", type=int, default=0, help="Bolt port (default: a free one)")
    options = parser.parse_args(arguments)
    rest = options.rest[1:] if options.rest[:1] == ["--"] else options.rest
    if options.action == "run" and (not rest or rest[0].startswith("-")):
        parser.error("write `run -- COMMAND`; options of this script come before `run`")
    if options.action == "run" and shutil.which(rest[0]) is None:
        parser.error(f"there is no command {rest[0]!r}")
    try:
        if options.action == "fetch":
            print(fetch())
        elif options.action == "start":
            _start(options.home, options.port)
        elif options.action == "stop":
            _stop(options.home)
        elif options.action == "admin":
            print(Server(options.home).admin(*rest).stdout, end="")
        else:
            with temporary_server() as server:
                return subprocess.run(rest, env={**os.environ, **server.environment}, check=False).returncode
    except ServerError as error:
        print(f"neo4j_server: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
