"""Categories as a tree: `science > space` or indented lines, put in order and checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from hin.errors import BadInput
from hin.text.tokenize import fold

if TYPE_CHECKING:
    from classify.categories.category_file import Category

_ABOVE = re.compile(r"(?:^|\s+)>(?=\s|$)")
#: A child may have its parent's name, for what is in none of its siblings; this suffix makes its key unique.
_OWN = "\0own"


@dataclass(frozen=True)
class NamedLine:
    """A category with the names above it, and where it was named."""

    category: Category
    above: tuple[str, ...]
    where: str


class _Parent(NamedTuple):
    """The key of the category above one, and where it was named as such."""

    key: str
    where: str


def key_of(name: str) -> str:
    """Return the form of a name that is compared: without case, hyphens and underscores.

    >>> key_of("Data-Mining")
    'data mining'
    """
    return " ".join(re.split(r"[\s_-]+", fold(name)))


def split_path(name: str) -> tuple[tuple[str, ...], str]:
    """Split a path into the names above and the name itself.

    >>> split_path("science > space")
    (('science',), 'space')
    """
    *above, own = (part.strip() for part in _ABOVE.split(name.strip()))
    return tuple(above), own


def indented(lines: Iterable[tuple[int, str]], source: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield each line's number, its text and the names of the lines it is indented under.

    >>> list(indented([(1, "science"), (2, "  space: orbit"), (3, "sports")], "labels.txt"))
    [(1, 'science', ()), (2, 'space: orbit', ('science',)), (3, 'sports', ())]
    """
    stack: list[tuple[int, str]] = []
    for number, line in lines:
        depth = len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip())
        left = depth
        while stack and stack[-1][0] >= depth:
            left = stack.pop()[0]
        if stack and left > depth:
            raise BadInput(
                f"{source}, line {number}: it is indented unlike every line above it",
                hint="indent lines under the same category alike",
            )
        text = line.strip()
        yield number, text, tuple(name for _, name in stack)
        above, own = split_path(re.split(r"(?<!:):(?!:)|\s*\[", text)[0])
        stack.append((depth, " > ".join((*above, own))))


def arrange(named: Sequence[NamedLine]) -> tuple[Category, ...]:
    """Return the leaves in the order they were named, each with its path; raise where the lines make no tree.

    Examples
    --------
    >>> from classify.categories.category_file import Category
    >>> lines = [NamedLine(Category("space"), ("science",), "line 1"), NamedLine(Category("for sale"), (), "line 2")]
    >>> [(category.path, category.name) for category in arrange(lines)]
    [(('science',), 'space'), ((), 'for sale')]
    """
    parents: dict[str, _Parent] = {}
    spelled: dict[str, str] = {}
    ends: dict[str, NamedLine] = {}
    for line in named:
        keys = _keys(line)
        for key, name in zip(keys, (*line.above, line.category.name), strict=True):
            spelled.setdefault(key, name)
        for above, below in zip(keys, keys[1:], strict=False):
            _join(parents, above, below, line.where, spelled)
        if keys[-1] in ends:
            raise BadInput(
                f"{line.where}: category {line.category.name!r} was already named in {_line(ends[keys[-1]].where)}",
                hint="name each category once; give other words as keywords, `name: word, word`",
            )
        ends[keys[-1]] = line
    inner = {parent.key for parent in parents.values()}
    leaves = []
    for key, line in ends.items():
        if key not in inner:
            leaves.append(replace(line.category, path=tuple(spelled[k] for k in _above(parents, key))))
        elif line.category.keywords or line.category.excluded or line.category.share is not None:
            raise BadInput(
                f"{line.where}: {line.category.name!r} has categories under it",
                hint="give keywords and shares to those; a parent is learned from its name and from them",
            )
    return tuple(leaves)


def _keys(line: NamedLine) -> list[str]:
    keys = [key_of(name) for name in (*line.above, line.category.name)]
    if len(keys) > 1 and keys[-1] == keys[-2]:
        keys[-1] += _OWN
    twice = next((i for i, key in enumerate(keys) if key in keys[:i]), None)
    if twice is not None:
        path = " > ".join((*line.above, line.category.name))
        raise BadInput(f"{line.where}: {path} contains a cycle", hint="a category cannot be above itself")
    return keys


def _join(parents: dict[str, _Parent], above: str, below: str, where: str, spelled: dict[str, str]) -> None:
    if below in _above(parents, above):
        cycle = " > ".join(spelled[key] for key in (below, above, below))
        raise BadInput(f"{where}: the tree has a cycle: {cycle}", hint="a category cannot be above itself")
    before = parents.setdefault(below, _Parent(above, where))
    if before.key != above:
        other = f"{spelled[before.key]!r} in {_line(before.where)}"
        raise BadInput(
            f"{where}: {spelled[below]!r} is under {spelled[above]!r}, but under {other}",
            hint=f"name each category once, e.g. {spelled[above] + ' ' + spelled[below]!r}",
        )


def _line(where: str) -> str:
    """Return the line without its file, which the message names already."""
    return where.rpartition(", ")[2]


def _above(parents: dict[str, _Parent], key: str) -> list[str]:
    """Return the keys above a key, from the top."""
    found: list[str] = []
    while key in parents:
        key = parents[key].key
        found.insert(0, key)
    return found
