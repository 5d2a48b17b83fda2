"""A process that runs `hin` commands in forked children and kills them: imports and kernels are paid for once.

Reads one job a line, `{"arguments": [...], "after": seconds, "at": n}`, and answers with `{"killed": bool, "seconds":
s, "steps": n}`. `after` kills from outside at a moment in time; `at` makes the child kill itself right before its n-th
step that touches the file system, so that every step can be tried in turn.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

STEPS = {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.scandir", "os.listdir", "shutil.rmtree"}


def child(arguments: list[str], at: int | None, report: int) -> None:
    import cli

    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    folder = os.path.abspath(arguments[arguments.index("--graph") + 1])
    steps = 0

    def watch(event: str, details: tuple[Any, ...]) -> None:
        nonlocal steps
        if event in STEPS and details and os.path.abspath(os.fsdecode(str(details[0]))).startswith(folder):
            steps += 1
            if steps == at:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    try:
        cli.main(arguments)
    except SystemExit as end:
        os.write(report, json.dumps([end.code, steps]).encode())


def run(arguments: list[str], after: float | None, at: int | None) -> dict[str, Any]:
    read, write = os.pipe()
    start = time.monotonic()
    pid = os.fork()
    if not pid:
        os.close(read)
        child(arguments, at, write)
        os._exit(0)
    os.close(write)
    if after is not None:
        time.sleep(max(0.0, after - (time.monotonic() - start)))
        os.kill(pid, signal.SIGKILL)  # an ended child that nobody waited for yet can be signalled, too
    _, status = os.waitpid(pid, 0)
    reported = os.read(read, 1000)
    os.close(read)
    code, steps = json.loads(reported) if reported else (None, None)
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    return {"killed": killed, "seconds": time.monotonic() - start, "code": code, "steps": steps}


def warm_up() -> None:
    """Have everything imported and compiled that a load needs."""
    import cli

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.jsonl")
        rows = ({"id": i, "text": "a black hole, a black hole and more", "author": ["Ann"]} for i in range(40))
        path.write_text("\n".join(map(json.dumps, rows)))
        for extra in ([], ["--replace"]):
            with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
                cli.main(["load", str(path), "--graph", str(Path(folder, "g.hin")), "--quiet", *extra])


def main() -> None:
    warm_up()
    for line in sys.stdin:
        job = json.loads(line)
        print(json.dumps(run(job["arguments"], job.get("after"), job.get("at"))), flush=True)


if __name__ == "__main__":
    main()
