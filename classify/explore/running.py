"""One run at a time in the background, with progress, which can be stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from hin.errors import GraphBusy, HinError
from hin.progress import Progress


class _Stopped(BaseException):
    """Raised to stop a run; a BaseException, so that no `except Exception` of the work catches it."""


class BackgroundRun:
    """Work in a thread of its own.

    Examples
    --------
    >>> run = BackgroundRun()
    >>> run.start(lambda progress: progress("counting", 1, 2))
    >>> run.wait()
    >>> run.status()["status"]
    'done'
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._status: dict[str, Any] = {"status": "idle"}
        self._began = 0.0

    @property
    def active(self) -> bool:
        """Whether a run is under way."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, work: Callable[[Progress], Any]) -> None:
        """Start `work` with a progress callback, which raises once the run is to stop."""
        with self._lock:
            if self.active:
                raise GraphBusy("a run is under way", hint="stop it, or wait until it is done")
            self._stop.clear()
            self._began = time.monotonic()
            self._status = {"status": "running", "step": "starting", "done": 0, "total": None}
            # A daemon: Ctrl-C does not wait for it. What it writes is written whole or not at all.
            self._thread = threading.Thread(target=self._work, args=(work,), name="hin-run", daemon=True)
            self._thread.start()

    def _work(self, work: Callable[[Progress], Any]) -> None:
        try:
            self._end("done", result=work(self._progress))
        except _Stopped:
            self._end("stopped")
        except HinError as error:
            self._end("failed", message=str(error), kind=error.kind)
        except Exception as error:  # after a bug of ours, the page must not wait forever
            self._end("failed", message=f"unexpected {type(error).__name__}: {error}", kind="unexpected")

    def _end(self, status: str, **more: Any) -> None:
        self._status = {"status": status, "seconds": round(time.monotonic() - self._began, 1), **more}

    def _progress(self, label: str, done: int, total: int | None, note: str = "") -> None:
        if self._stop.is_set():
            raise _Stopped
        self._status = {"status": "running", "step": label, "done": done, "total": total}

    def stop(self) -> None:
        """Ask the run to end at its next step; what is stored stays as it was before the run."""
        self._stop.set()

    def wait(self, timeout: float | None = None) -> None:
        """Wait until the run has ended."""
        if self._thread is not None:
            self._thread.join(timeout)

    def status(self) -> dict[str, Any]:
        """Return the status and progress of the run."""
        found = dict(self._status)
        if found["status"] == "running":
            found |= {"seconds": round(time.monotonic() - self._began, 1), "stopping": self._stop.is_set()}
        return found
