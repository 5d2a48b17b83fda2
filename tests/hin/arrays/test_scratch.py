"""Scratch folders go with the work, and a killed process's with the next one's."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hin.arrays.scratch import scratch_folder
from hin.errors import NoSpace

HOLD = """
import sys, time
from hin.arrays.scratch import scratch_folder
with scratch_folder(sys.argv[1]) as folder:
    (folder / "block").write_bytes(b"x")
    print("ready", flush=True)
    time.sleep(60)
"""


def test_a_folder_in_use_stays_and_an_abandoned_one_goes(tmp_path: Path) -> None:
    other = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout is not None and other.stdout.readline() == "ready\n"
        with scratch_folder(tmp_path):
            assert len(list(tmp_path.iterdir())) == 2
        assert len(list(tmp_path.glob("*/files/block"))) == 1
        os.kill(other.pid, signal.SIGKILL)
        other.wait()
        with scratch_folder(tmp_path) as folder:
            assert [folder.parent] == list(tmp_path.iterdir())
    finally:
        other.kill()
        other.communicate()
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(NoSpace, match="no space left to write"), scratch_folder(tmp_path):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert not list(tmp_path.iterdir())
