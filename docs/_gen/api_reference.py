"""The reference of the Python packages, read from their `__all__` and docstrings without importing them."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

import griffe

__all__ = ["public_names", "python_page"]

ROOT = Path(__file__).parent.parent.parent
#: Longer signatures are broken up, one parameter a line.
WIDTH = 88


@cache
def _package(name: str) -> Any:
    return griffe.load(name, search_paths=[str(ROOT)], docstring_parser="numpy")


def public_names(package: str) -> list[str]:
    """What the package lists as public, without the names of another package that can be imported from it too.

    >>> "load" in public_names("hin"), "MotifClassifier" in public_names("hin")
    (True, False)
    """
    module = _package(package)
    names = [str(name) for name in module.exports or [] if not str(name).startswith("__")]
    return [name for name in names if not module[name].is_alias or _home(module[name]) == package]


def _home(alias: Any) -> str:
    return str(alias.target_path).partition(".")[0]


def python_page(package: str) -> str:
    """The page of a package: each public name with its docstring, in Markdown.

    >>> python_page("hin").splitlines()[0]
    '# Python: hin'
    """
    module = _package(package)
    intro = module.docstring.value if module.docstring else ""
    parts = [f"# Python: {package}", re.split(r"^>>>", intro, flags=re.MULTILINE)[0].strip()]
    parts.append("Made from the docstrings; every example here runs in the test suite.")
    for name in public_names(package):
        thing = module[name]
        parts += _entry(thing.final_target if thing.is_alias else thing, f"{package}.{name}", 2)
    return "\n\n".join(part for part in parts if part) + "\n"


def _entry(thing: Any, path: str, level: int) -> list[str]:
    name = path.rpartition(".")[2] if level > 2 else path
    parts = [f"({path})=\n{'#' * level} {_heading(thing, name)}"]
    signature = _signature(thing, path.rpartition(".")[2])
    if signature:
        parts.append(f"```python\n{signature}\n```")
    if thing.docstring:
        parts += _docstring(thing)
    if thing.kind.value == "class":
        for child_name, child in _members(thing).items():
            public = not child_name.startswith("_") and not child.is_alias
            if public and child.docstring and child.kind.value in ("function", "attribute"):
                parts += _entry(child, f"{path}.{child_name}", level + 1)
    return parts


def _members(thing: Any) -> dict[str, Any]:
    """The members of a class, after those of the classes of ours that it is made of."""
    inherited = {name: member.final_target for name, member in thing.inherited_members.items()}
    return {**inherited, **thing.members}


def _heading(thing: Any, name: str) -> str:
    kind = "property" if "property" in thing.labels else thing.kind.value
    return f"`{name}`" if kind == "function" else f"{kind} `{name}`"


def _signature(thing: Any, name: str) -> str:
    function = thing
    if thing.kind.value == "class":
        function = _members(thing).get("__init__")
        if function is None or function.is_alias:
            if "dataclass" not in thing.labels:
                return ""
            return _written(name, [_parameter(p) for p in thing.parameters if p.name != "self"], None)
    elif thing.kind.value != "function":
        return ""
    parameters = [p for p in function.parameters if p.name not in ("self", "cls")]
    returns = str(function.returns) if function.returns and thing is function else None
    if options := _options(function):
        keywords = [f"{name}: {kind} = {default}" for name, kind, default, _ in options]
        return _written(name, [_parameter(parameters[0]), "*", *keywords], returns)
    return _written(name, _with_markers(parameters), returns)


def _options(function: Any) -> list[tuple[str, str, str, str]]:
    """Name, type, default and help of the keywords that `takes_options` gives a function."""
    decorators = " ".join(str(decorator.value) for decorator in getattr(function, "decorators", ()))
    named = re.search(r"takes_options\((\w+)\)", decorators)
    found = []
    for parameter in function.module[named[1]].parameters if named else ():
        if parameter.name != "self":
            call = ast.parse(str(parameter.default), mode="eval").body
            assert isinstance(call, ast.Call)
            default, said = call.args[:2]
            if isinstance(said, ast.Name):  # a text that several options share
                said = ast.parse(str(_package("hin")["option_fields"][said.id].value), mode="eval").body
            found.append((parameter.name, str(parameter.annotation), ast.unparse(default), ast.literal_eval(said)))
    return found


def _with_markers(parameters: list[Any]) -> list[str]:
    out: list[str] = []
    starred = False
    for parameter in parameters:
        kind = parameter.kind.value if parameter.kind else ""
        if kind == "keyword-only" and not starred:
            out.append("*")
            starred = True
        starred = starred or kind == "variadic positional"
        out.append({"variadic positional": "*", "variadic keyword": "**"}.get(kind, "") + _parameter(parameter))
    return out


def _parameter(parameter: Any) -> str:
    text = f"{parameter.name}: {parameter.annotation}" if parameter.annotation else str(parameter.name)
    variadic = parameter.kind and parameter.kind.value.startswith("variadic")
    if parameter.default is None or variadic:
        return text
    default = "..." if "lambda" in str(parameter.default) else parameter.default
    return f"{text} = {default}"


def _written(name: str, parameters: list[str], returns: str | None) -> str:
    end = f" -> {returns}" if returns else ""
    line = f"{name}({', '.join(parameters)}){end}"
    if len(line) <= WIDTH:
        return line
    return f"{name}(\n" + "".join(f"    {p},\n" for p in parameters) + f"){end}"


def _docstring(thing: Any) -> list[str]:
    parts: list[str] = []
    for section in griffe.parse_numpy(thing.docstring, warnings=False):
        kind = section.kind.value
        if kind == "text":
            parts.append(_text(section.value))
        elif kind == "examples":
            for sort, value in section.value:
                code = sort.value == "examples"
                parts.append(f"```pycon\n{value}\n```" if code else _text(value))
        elif kind in ("parameters", "other parameters", "attributes", "returns", "yields", "raises"):
            items = []
            for item in section.value:
                name = getattr(item, "name", "")
                annotation = f" ({item.annotation})" if item.annotation and kind != "raises" else ""
                head = f"`{name or item.annotation}`" + (annotation if name else "")
                said = " ".join(_text(item.description).split())
                items.append(f"- {head}: {said}" if said else f"- {head}")
            if kind == "parameters":
                items += [f"- `{name}` ({annotation}): {said}" for name, annotation, _, said in _options(thing)]
            parts.append(f"**{kind.capitalize()}**\n\n" + "\n".join(items))
    return parts


def _text(text: str) -> str:
    """Prose whose doctest lines are shown as code, and whose headings do not become headings of the page."""
    text = re.sub(r"^(\S[^\n]*)\n-{3,}$", r"**\1**\n", text, flags=re.MULTILINE)
    return re.sub(r"((?:^>>> .*\n?)(?:^\S.*\n?)*)", r"```pycon\n\1\n```\n", text, flags=re.MULTILINE)
