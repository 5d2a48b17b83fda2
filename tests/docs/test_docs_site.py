"""The documentation site builds without a warning and asks no other server for anything."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.page_examples import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-b",
        "html",
        str(ROOT / "docs"),
        str(folder),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_is_there_and_has_a_heading(site: Path) -> None:
    for source in (ROOT / "docs").rglob("*.md"):
        page = site / source.relative_to(ROOT / "docs").with_suffix(".html")
        assert "<h1>" in page.read_text(encoding="utf-8")


def test_pages_fetch_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        fetched = re.findall(r"<(?:script|img|iframe)[^>]* src=\"([^\"]+)", text)
        fetched += re.findall(r"<link(?=[^>]*rel=\"(?:stylesheet|preload|icon)\")[^>]* href=\"([^\"]+)", text)
        assert fetched
        assert not [url for url in fetched if re.match(r"\w+:|//", url)], page
    for style in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(https?:|//)", style.read_text(encoding="utf-8")), style


def test_formulas_are_mathml_and_none_is_left_as_tex(site: Path) -> None:
    text = (site / "explanation" / "method.html").read_text(encoding="utf-8")
    assert text.count("<math") > 10
    assert "\\frac" not in text
    assert "\\kappa" not in text
