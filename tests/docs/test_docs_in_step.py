"""Help, README and documentation keep in step with the command line and the packages."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.docs.page_examples import ROOT, blocks, pages, steps

sys.path.append(str(ROOT / "docs" / "_gen"))

from api_reference import public_names, python_page
from command_reference import command_page, commands, options_of

COMMANDS = commands()
PACKAGES = ("hin", "motifs", "embed", "classify")


def _options(command: Any) -> set[str]:
    return {name for p in command.params for name in (*p.opts, *p.secondary_opts)} | {"--help", "-h"}


@cache
def _run_commands() -> str:
    found = []
    for path in pages():
        for block in blocks(path.read_text(encoding="utf-8")):
            if block.language == "console" and "not run" not in block.notes:
                found += [step.command for step in steps(block)]
    return "\n".join(found)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained_in_the_help_and_the_reference(name: str) -> None:
    section = re.split(r"^## ", command_page(), flags=re.MULTILINE)
    (page,) = [text for text in section if text.startswith(f"hin {name} ")]
    for parameter, written, said in options_of(COMMANDS[name]):
        assert len((parameter.help or "").split()) > 1, f"hin {name} {written} has no help"
        assert said
        for option in parameter.opts if parameter.param_type_name == "option" else ():
            assert option in page


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_shows_an_example_that_its_options_allow(name: str) -> None:
    text = COMMANDS[name].help.replace("\b", "")
    assert "\nExample:" in text
    examples = text.partition("\nExample:")[2]
    assert f"hin {name}" in examples
    for line in re.findall(r"^\s*hin (.*)$", examples, flags=re.MULTILINE):
        _check(line, f"the help of hin {name}")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_readme_and_in_an_example_that_runs(name: str) -> None:
    assert f"`hin {name}" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(rf"\bhin {name}\b", _run_commands())


@pytest.mark.parametrize("path", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_name_only_commands_and_options_that_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    everything = set().union(*(_options(command) for command in COMMANDS.values()))
    everything |= {"--version", "--install-completion", "--show-completion"}
    for block in blocks(text):
        for step in steps(block) if block.language == "console" else ():
            for line in re.findall(r"(?:^|[|;&] *)hin ([^|;&]*)", step.command):
                _check(line, f"{path.name}, line {step.line}")
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for code in re.findall(r"`([^`\n]+)`", prose):
        if code.startswith("hin "):
            _check(code[4:], path.name)
        elif code.startswith("--"):
            option = re.split(r"[ =/]", code)[0]
            assert option in everything, f"{path.name}: {option}"


def _check(line: str, where: str) -> None:
    words = line.split()
    if words[0].startswith("-") or words[0].isupper():
        return
    assert words[0] in COMMANDS, f"{where}: hin {words[0]}"
    for option in re.findall(r"(?<=\s)(--?[a-zA-Z][\w-]*)", re.sub(r"'[^']*'|\"[^\"]*\"", "", line)):
        assert option in _options(COMMANDS[words[0]]), f"{where}: hin {words[0]} {option}"


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_in_the_reference_with_a_docstring(package: str) -> None:
    page = python_page(package)
    assert public_names(package)
    for name in public_names(package):
        _, heading, rest = page.partition(f"({package}.{name})=\n")
        assert heading
        described = re.sub(r"```python.*?```", "", rest.split("\n(", 1)[0], flags=re.DOTALL)
        assert len(described.split()) > 5, f"{package}.{name} has no docstring"


def test_the_reference_has_what_a_class_inherits_from_ours() -> None:
    page = python_page("classify")
    for method in ("fit", "predict", "explain", "save", "load"):
        assert f"(classify.MotifClassifier.{method})=" in page
    assert "categories: Sequence[str | Category]" in page
