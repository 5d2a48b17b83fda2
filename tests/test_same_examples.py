"""Property tests try the same examples whatever else has been imported, and others in `make fuzz`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
DRAW = """
import sys
import tests.conftest
from hypothesis import given, strategies as st

if len(sys.argv) > 1:
    import literals

@given(st.text(), st.integers())
def draw(text, number):
    print(ascii(text), number)

draw()
"""


def _drawn(folder: Path, *arguments: str, **environment: str) -> list[str]:
    env = {**os.environ, "HYPOTHESIS_PROFILE": "hin", **environment, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}"}
    done = subprocess.run(
        [sys.executable, "draw.py", *arguments], cwd=folder, env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_examples_do_not_depend_on_what_was_imported(tmp_path: Path) -> None:
    (tmp_path / "draw.py").write_text(DRAW)
    (tmp_path / "literals.py").write_text("".join(f"A{i} = 'word {i}', {10**9 + i}\n" for i in range(100)))
    first = _drawn(tmp_path)
    assert len(first) == 100
    assert _drawn(tmp_path, "with literals") == first
    found = _drawn(tmp_path, "with literals", HYPOTHESIS_PROFILE="fuzz")
    assert len(found) == 1000
    assert any("word " in line for line in found)
