"""The wheel holds every file of the packages and nothing else, whether it is built from the tree or from the sdist."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("hin", "motifs", "embed", "classify")
#: What Python, Numba and editors leave beside the sources.
LEFT_OVER = ("__pycache__", "*.pyc", "*.nbi", "*.nbc", ".*")


def build(source: Path, kind: str, out: Path) -> Path:
    """Build a `wheel` or an `sdist` with the setuptools that is installed: no network."""
    code = f"from setuptools import build_meta; build_meta.build_{kind}({str(out)!r})"
    done = subprocess.run([sys.executable, "-c", code], cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = out.iterdir()
    return built


def files_of(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, as a developer's folder is: with compiled files and a data file nobody listed."""
    tree = tmp_path_factory.mktemp("tree")
    for name in (*PACKAGES, "tests", "benchmarks", "docs", "examples"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns(*LEFT_OVER))
    for path in ROOT.glob("*.*"):
        if path.is_file() and not path.name.startswith("."):
            shutil.copy(path, tree)
    shutil.copy(ROOT / "LICENSE", tree)
    (tree / "hin" / "text" / "new" / "folder").mkdir(parents=True)
    (tree / "hin" / "text" / "new" / "folder" / "words.txt").write_text("one\n", encoding="utf-8")
    (tree / "hin" / "__pycache__").mkdir()
    for name in ("graph.cpython-311.pyc", "kernel.run-1.py311.nbi", "kernel.run-1.py311.1.nbc"):
        (tree / "hin" / "__pycache__" / name).write_bytes(b"compiled")
    return tree


@pytest.fixture(scope="module")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return files_of(build(tree, "wheel", tmp_path_factory.mktemp("wheel")))


def test_the_wheel_has_every_file_of_the_packages_and_no_other(tree: Path, wheel: dict[str, bytes]) -> None:
    paths = [path for name in PACKAGES for path in (tree / name).rglob("*") if path.is_file()]
    wanted = {path.relative_to(tree).as_posix(): path.read_bytes() for path in [*paths, tree / "cli.py"]}
    wanted = {name: content for name, content in wanted.items() if "__pycache__" not in name}
    about = {name for name in wheel if name.split("/")[0].endswith(".dist-info")}
    assert set(wheel) - about == set(wanted)
    assert {name: wheel[name] for name in wanted} == wanted
    assert {name.split("/", 1)[1] for name in about} == {
        "METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "top_level.txt",
    }  # fmt: skip


def test_the_sdist_builds_the_same_wheel(tree: Path, wheel: dict[str, bytes], tmp_path: Path) -> None:
    for name in ("sdist", "source", "wheel"):
        (tmp_path / name).mkdir()
    with tarfile.open(build(tree, "sdist", tmp_path / "sdist")) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    again = files_of(build(source, "wheel", tmp_path / "wheel"))
    assert again == wheel


def test_the_metadata_is_whole(wheel: dict[str, bytes]) -> None:
    (name,) = [name for name in wheel if name.endswith(".dist-info/METADATA")]
    about = message_from_bytes(wheel[name])
    assert about["Name"] == "hin-toolkit"
    assert about["Author"] == "The hin authors"
    assert about["License-Expression"] == "MIT"
    kinds = about.get_all("Classifier", [])
    assert {f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13)} <= set(kinds)
    extras = set(about.get_all("Provides-Extra", []))
    assert extras == {"all", "cjk", "compare", "encoder", "ladybug", "spark", "url"}, (
        "what only developers need is no extra"
    )
    assert f'hin-toolkit[{",".join(sorted(extras - {"all"}))}]; extra == "all"' in about.get_all("Requires-Dist", [])


@pytest.mark.skipif(sys.platform == "win32", reason="the script is for a POSIX shell")
def test_a_release_names_the_repository_it_was_built_in(tree: Path, tmp_path: Path) -> None:
    source, home = tmp_path / "source", "https://example.org/owner/name"
    shutil.copytree(tree, source)
    subprocess.run(["sh", ROOT / "docker" / "project-urls.sh", home, "v1.2.3"], cwd=source, check=True)
    (tmp_path / "wheel").mkdir()
    files = files_of(build(source, "wheel", tmp_path / "wheel"))
    (name,) = [name for name in files if name.endswith(".dist-info/METADATA")]
    addresses = dict(line.split(", ") for line in message_from_bytes(files[name]).get_all("Project-URL", []))
    assert addresses["Repository"] == home
    assert addresses["Documentation"] == f"{home}/tree/v1.2.3/docs"
    assert addresses.keys() > {"Changelog", "Issues", "Paper"}
