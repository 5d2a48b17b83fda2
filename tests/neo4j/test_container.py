"""What the container of hin does, run without Docker."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

DOCKER = Path(__file__).resolve().parents[2] / "docker"


def _instructions() -> list[tuple[str, str]]:
    text = (DOCKER / "hin.Dockerfile").read_text(encoding="utf-8")
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", "")
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in text.splitlines()]


def test_dockerfile_installs_what_is_there_and_starts_hin(hin_process: Callable) -> None:
    instructions = _instructions()
    assert instructions[0][0] == "FROM"
    assert {name for name, _ in instructions} <= {"FROM", "COPY", "WORKDIR", "RUN", "USER", "ENTRYPOINT", "CMD"}
    for name, line in instructions:
        if name == "RUN":
            subprocess.run(["sh", "-n", "-c", line], check=True)
            for file in re.findall(r"[\w./-]+\.(?:txt|sh)\b", line):
                assert (DOCKER.parent / file).is_file(), file
    starts = dict(instructions)
    program, *arguments = json.loads(starts["ENTRYPOINT"]) + json.loads(starts["CMD"])
    assert program == "hin"
    assert "hin classify" in hin_process(*arguments).out


@pytest.mark.neo4j
@pytest.mark.slow
def test_compose_loads_the_demo_into_neo4j(neo4j_server: Any, tmp_path: Path) -> None:
    service = yaml.safe_load((DOCKER / "demo-compose.yaml").read_text(encoding="utf-8"))["services"]["hin"]
    assert (DOCKER / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    assert set(service["depends_on"]) <= set(yaml.safe_load((DOCKER / "compose.yaml").read_text())["services"])
    command = [*service["entrypoint"], *(line.replace("$$", "$") for line in service["command"])]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    given = {name: str(value) for name, value in service["environment"].items()}
    # The container's name for the server, its password and its folder are other ones here.
    environment = {**os.environ, **given, **neo4j_server.environment, "HIN_MODEL": "demo.model", "PATH": path}
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "copied 3,000 documents" in done.stdout
    assert (tmp_path / "demo" / "report.html").exists()
