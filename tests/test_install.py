"""What `make` installs: the build of Torch for this machine, and versions that can be had everywhere."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
UV = Path(sys.executable).with_name("uv")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripts are for a POSIX shell")


def _program(path: Path, code: int, text: str = "") -> Path:
    path.write_text(f'#!/bin/sh\necho "$@" >> {path}.calls\n{text}\nexit {code}\n')
    path.chmod(0o755)
    return path


def _backend(tmp_path: Path, uv: Path, *, card: bool = False, **variables: str) -> subprocess.CompletedProcess[str]:
    _program(tmp_path / "nvidia-smi", 0 if card else 9)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", **variables}
    command = ["sh", ROOT / "docker" / "torch-backend.sh", uv]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


@pytest.mark.parametrize(("card", "option"), [(False, "--torch-backend cpu\n"), (True, "--torch-backend auto\n")])
def test_torch_is_for_the_processor_unless_there_is_a_card(tmp_path: Path, card: bool, option: str) -> None:
    uv = _program(tmp_path / "uv", 0, "cat > /dev/null")
    done = _backend(tmp_path, uv, card=card)
    assert (done.stdout, done.stderr) == (option, "")
    assert option.strip() in Path(f"{uv}.calls").read_text()


def test_own_choice_of_torch_is_left_to_uv(tmp_path: Path) -> None:
    uv = _program(tmp_path / "uv", 0)
    assert _backend(tmp_path, uv, UV_TORCH_BACKEND="cu130").stdout == ""
    assert not Path(f"{uv}.calls").exists()


@pytest.mark.parametrize("answers", ["refuses", pytest.param("silent", marks=pytest.mark.slow)])
def test_registry_where_the_index_is_out_of_reach(tmp_path: Path, answers: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        if answers == "refuses":
            listening.close()
        began = time.monotonic()
        proxy = f"http://127.0.0.1:{port}"
        done = _backend(tmp_path, UV, HTTPS_PROXY=proxy, https_proxy=proxy, ALL_PROXY=proxy, NO_PROXY="", no_proxy="",
                        UV_CACHE_DIR=str(tmp_path / "cache"))  # fmt: skip
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "taking the registry's build" in done.stderr
    assert time.monotonic() - began < 30


def test_pinned_torch_may_be_the_build_for_the_processor(tmp_path: Path) -> None:
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    version = re.search(r"^torch==(.*)$", pins, re.MULTILINE)
    assert version
    folder = f"torch-{version[1]}+cpu"
    with zipfile.ZipFile(tmp_path / f"{folder}-py3-none-any.whl", "w") as wheel:
        files = {"METADATA": f"Metadata-Version: 2.1\nName: torch\nVersion: {version[1]}+cpu\n",
                 "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n", "RECORD": ""}  # fmt: skip
        for name, text in files.items():
            wheel.writestr(f"{folder}.dist-info/{name}", text)
    command = [UV, "pip", "compile", "--quiet", "--no-deps", "--no-index", "--find-links", tmp_path, "--no-header"]
    command += ["--constraint", ROOT / "constraints.txt", "-"]
    done = subprocess.run(command, input="torch", capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"torch=={version[1]}+cpu")


def test_constraints_hold_on_every_machine() -> None:
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    # A local version is only on Torch's index; what a CUDA build needs, that build names itself.
    assert not [pin for pin in pins if re.match(r"(cuda|nvidia|triton)|.*\+", pin)]
