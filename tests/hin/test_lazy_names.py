"""Everything public is in `hin`; a `classify.py`, `embed.py`, `cli.py` or `motifs/` of the user is not taken for it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
import warnings
from importlib import import_module
from pathlib import Path

import pytest

import hin

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("motifs", "embed", "classify")


def python(*arguments: str, cwd: Path, path: str = str(ROOT)) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def crowded(tmp_path: Path, papers: Path) -> Path:
    """A folder of the user's with modules of our names, which cannot be imported."""
    (tmp_path / "motifs").mkdir()
    for name in ("classify.py", "embed.py", "cli.py", "motifs/__init__.py"):
        (tmp_path / name).write_text("raise AssertionError('a module of the user')\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_can_be_imported_from_hin(package: str) -> None:
    module = import_module(package)
    assert set(module.__all__) <= set(hin.__all__)
    assert set(module.__all__) <= set(dir(hin))
    assert all(getattr(hin, name) is getattr(module, name) for name in module.__all__)


def test_importing_hin_imports_nothing_heavy(tmp_path: Path) -> None:
    code = "import sys, hin; print(*{name.split('.')[0] for name in sys.modules})"
    loaded = set(python("-c", code, cwd=tmp_path).stdout.split())
    assert "hin" in loaded
    assert loaded.isdisjoint({*PACKAGES, "cli", "numpy", "pyarrow", "torch", "typer"})


def test_nothing_has_to_be_imported_before(tmp_path: Path) -> None:
    """Without `site`, and so without what an editable install imports at the start."""
    code = "import hin; print(hin.BadPattern.__module__)"
    done = python("-S", "-c", code, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "motifs.errors\n"), done.stderr[-500:]


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_finds_the_ones_on_its_left_in_a_folder_of_such_names(name: str, crowded: Path) -> None:
    (crowded / f"{name}.py").unlink(missing_ok=True)
    shutil.rmtree(crowded / "motifs") if name == "motifs" else None
    names = f"from {name} import *; import sys; print(sys.modules['motifs'].__file__)"
    done = python("-c", names, cwd=crowded)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == str(ROOT / "motifs" / "__init__.py")


def test_python_m_hin_runs_its_own_modules(crowded: Path) -> None:
    for command in ("load papers.jsonl --min-count 1 -q", "motifs --pattern venue --min-count 1 --json -q"):
        done = python("-m", "hin", *command.split(), cwd=crowded)
        assert done.returncode == 0, done.stderr
    assert {"VENUE[VLDB]", "VENUE[KDD]"} == {row["instance"] for row in json.loads(done.stdout)}


def test_the_console_script_runs_its_own_modules(crowded: Path) -> None:
    script = str(Path(sys.executable).with_name("hin"))
    for path in ("", str(crowded)):  # even if the folder comes first on the path
        done = python(script, "load", "papers.jsonl", "--replace", cwd=crowded, path=path)
        assert done.returncode == 0, done.stderr
        assert "3 documents" in done.stdout


@pytest.mark.slow
def test_a_notebook_in_such_a_folder_runs_our_modules(crowded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)  # it would come before the folder
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Jupyter's own
        nbformat = pytest.importorskip("nbformat")
        nbclient = pytest.importorskip("nbclient")
    book = nbformat.v4.new_notebook()
    code = """
        import hin, importlib.util
        print(importlib.util.find_spec("classify").origin)
        print(hin.Pattern("venue"), hin.MotifClassifier.__name__)
    """
    book.cells = [nbformat.v4.new_code_cell(textwrap.dedent(code))]
    nbclient.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(crowded)}}).execute()
    first, ours = "".join(output.text for output in book.cells[0].outputs if output.name == "stdout").splitlines()
    assert first == str(crowded / "classify.py"), "the folder comes first on a kernel's path"
    assert ours == "venue MotifClassifier"


def test_a_module_of_the_user_that_was_imported_before_is_named(crowded: Path) -> None:
    (crowded / "classify.py").write_text("mine = 1\n", encoding="utf-8")
    done = python("-c", "import classify, hin; hin.Pattern('venue'); hin.MotifClassifier", cwd=crowded)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"hin.errors.NameTaken: hin needs its own `classify`, and that name is taken by {crowded / 'classify.py'}; "
        "rename it, or use it in a process without hin"
    )


def install(place: Path, name: str = "embed") -> Path:
    """Install another package that has one of our names."""
    about = place / f"{name}_tool-1.0.dist-info"
    for folder in (place / name, about):
        folder.mkdir(parents=True, exist_ok=True)
    (place / name / "__init__.py").write_text("def embed(): ...\n", encoding="utf-8")
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-tool\nVersion: 1.0\n", encoding="utf-8")
    (about / "RECORD").write_text(f"{name}/__init__.py,,\n", encoding="utf-8")
    return place


def test_another_installed_package_that_was_imported_before_is_named(tmp_path: Path) -> None:
    other = install(tmp_path / "site")
    path = os.pathsep.join([str(other), str(ROOT)])
    done = python("-c", "import hin; hin.JointEmbedding", cwd=tmp_path, path=path)
    assert (done.returncode, done.stderr) == (0, ""), "ours is found whatever comes first"
    done = python("-c", "import embed, hin; hin.JointEmbedding", cwd=tmp_path, path=path)
    assert done.returncode == 1
    assert f"the package embed-tool 1.0, in {other}/embed/__init__.py; install" in done.stderr.splitlines()[-1]


def test_another_package_installed_over_ours_is_one_line(tmp_path: Path) -> None:
    site = tmp_path / "site"
    for name in ("hin", *PACKAGES):
        shutil.copytree(ROOT / name, site / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "cli.py", site)
    install(site)
    done = python("-m", "hin", "info", cwd=tmp_path, path=str(site))
    assert done.returncode == 1
    assert done.stderr == (
        f"hin: hin needs its own `embed`, and that name is taken by the package embed-tool 1.0, in "
        f"{site}/embed/__init__.py; install hin-toolkit where embed-tool 1.0 is not\n"
    )
    done = python("-m", "hin", "info", "--json", cwd=tmp_path, path=str(site))
    assert json.loads(done.stderr)["error"]["kind"] == "name_taken"


def test_an_old_name_works_with_a_warning() -> None:
    with pytest.warns(FutureWarning, match="TrainingData"):
        assert getattr(hin, "Lesson") is hin.TrainingData  # noqa: B009
