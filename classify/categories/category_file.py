"""The categories that a user names: one per line, optionally with keywords and an expected share."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from classify.categories.keywords import split_keywords
from classify.categories.tree_lines import NamedLine, arrange, indented, split_path
from hin.errors import BadInput

# A colon ends the name unless it is doubled, as in `use::games`.
_NAME_END = re.compile(r"(?<!:):(?!:)")
_BRACKET = re.compile(r"\s*\[([^\[\]]*)\]\s*$")
# A description begins at the first bar between spaces that is not within brackets.
_DESCRIBED = re.compile(r"((?:[^\[\]]|\[[^\]]*\])*?)\s\|\s(.*)", re.DOTALL)
#: The usual name of a labels file, and the longest list of names that a message repeats.
_USUAL, _SHORT = "labels.txt", 100
# A name in double quotes, as in CSV: no mark within it separates anything, and a quote is written twice.
_QUOTED = re.compile(r'(^|[;,\n>])(\s*"(?:[^"]|"")+")(?=\s*(?:$|[;,\n:\[|>]))')
_SHARE = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*%\s*")


@dataclass(frozen=True)
class Category:
    """A category: its name, keywords for and against it, and its expected share of the documents.

    Keywords are words, phrases, or metadata values as hin prints them (`VENUE[KDD]`).
    In a tree the path holds the names above it, from the top. A description is read by pretrained models only.

    Examples
    --------
    >>> Category("games", keywords=("gameplay",), share=0.12)
    Category(name='games', keywords=('gameplay',), share=0.12, excluded=(), path=(), description='')
    """

    name: str
    keywords: tuple[str, ...] = ()
    share: float | None = None
    excluded: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    description: str = ""

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Category:
        """Make a category from the result of `dataclasses.asdict`.

        >>> Category.of_record({"name": "games", "keywords": ["arcade"], "share": None}).keywords
        ('arcade',)
        """
        listed = ("keywords", "excluded", "path")
        given: dict[str, Any] = {name: tuple(value) if name in listed else value for name, value in record.items()}
        return cls(**given)


def read_categories(path: str | Path, several: bool = False, most: int | None = None) -> tuple[Category, ...]:
    """Read a labels file: ``name``, ``name: keyword, -against, FIELD[value]`` or ``name [12%]: keyword`` per line.

    The text after `` | `` describes the category.

    If there is no such file, `path` itself is read as names between commas, semicolons or line breaks; double quotes
    hold a name together, as in CSV. If a document may have `several` categories, the shares may add up to more than 1.
    More than `most` categories are an error, as time and memory grow with them.

    Examples
    --------
    >>> [category.name for category in read_categories("billing, delivery, login")]
    ['billing', 'delivery', 'login']
    >>> read_categories("billing: invoice, refund; login")[0].keywords
    ('invoice', 'refund')
    >>> [category.name for category in read_categories('"nuts, nut products", seafood')]
    ['nuts, nut products', 'seafood']
    """
    if not os.path.exists(path) and (found := _split_typed(str(path))):
        names, mark = found
        if mark == "," and 0 < sum(":" in _masked(name) for name in names) < len(names):
            raise BadInput(
                f"{str(path)!r}: a comma separates categories or keywords, and it is not clear which",
                hint="put semicolons between categories: 'billing: invoice, refund; login'",
            )
        return _check_number(parse_categories(names, "the categories", several=several), most, "the categories")
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 text (byte {error.start})", hint="save it as UTF-8") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(
            f"cannot read {path}: {reason}", hint="give a text file with one category per line, or names: 'a, b, c'"
        ) from error
    return _check_number(parse_categories(text.splitlines(), str(path), several=several), most, str(path))


def _split_typed(text: str) -> tuple[list[str], str] | None:
    """Split typed names, at line breaks if there are any, else at semicolons, else at commas; None if there are none.

    >>> _split_typed('"a, b"; c'), _split_typed('"a, b"')
    ((['"a, b"', 'c'], ';'), None)
    """
    masked = _masked(text)
    mark = next((mark for mark in "\n;," if mark in masked), None)
    if mark is None:
        return None
    ends = [at for at, character in enumerate(masked) if character == mark]
    names = [text[begin:end] for begin, end in zip([0, *(at + 1 for at in ends)], [*ends, len(text)], strict=True)]
    # Indented lines make a tree; a space after a comma does not.
    return (names if mark == "\n" else [name.strip() for name in names]), mark


def _masked(text: str) -> str:
    """Return a text of the same length in which quoted names hold no mark.

    >>> _masked('"a: b", c'), _masked('the "a: b" c')
    ('______, c', 'the "a: b" c')
    """
    return _QUOTED.sub(lambda quoted: quoted[1] + "_" * len(quoted[2]), text)


def _unquoted(name: str) -> str:
    """Return a name without the double quotes around it.

    >>> _unquoted('"say ""hi"", then go"'), _unquoted('the "x" files')
    ('say "hi", then go', 'the "x" files')
    """
    return name[1:-1].replace('""', '"').strip() if _QUOTED.fullmatch(name) else name


def typed_names(categories: Sequence[Category]) -> str:
    """Format categories for `--categories`: their names, or the usual file where they are many or have keywords.

    >>> typed_names([Category("billing"), Category("login")]), typed_names([Category("billing", ("invoice",))])
    ("'billing, login'", 'labels.txt')
    """
    names = [category.name for category in categories]
    text = ", ".join(f'"{name}"' if "," in name and '"' not in name else name for name in names)
    if os.path.exists(_USUAL) or len(text) > _SHORT or any(mark in text for mark in "\n;:|["):
        return _USUAL
    same = len(categories) > 1 and read_categories(text) == tuple(categories)
    return shlex.quote(text) if same else _USUAL


def _check_number(found: tuple[Category, ...], most: int | None, source: str) -> tuple[Category, ...]:
    if most is not None and len(found) > most:
        what = f"{source}: {len(found):,} categories, the limit is {most:,}"
        raise BadInput(what, hint="raise it with `max_categories=`, if they are right")
    return found


def parse_categories(lines: Iterable[str], source: str = "categories", several: bool = False) -> tuple[Category, ...]:
    """Parse the lines of a labels file; empty lines and those that start with ``#`` are skipped.

    Examples
    --------
    >>> for category in parse_categories(["# two", "games [12%]: gameplay, arcade", "fonts"]):
    ...     print(category)
    Category(name='games', keywords=('gameplay', 'arcade'), share=0.12, excluded=(), path=(), description='')
    Category(name='fonts', keywords=(), share=None, excluded=(), path=(), description='')
    >>> parse_categories(["seafood | fish, shellfish and what is made of them", "meat"])[0].description
    'fish, shellfish and what is made of them'
    >>> [category.path for category in parse_categories(["science > space", "sports", "  hockey"])]
    [('science',), ('sports',)]
    """
    numbered = [(n, line) for n, line in enumerate(lines, start=1) if line.strip() and not line.strip().startswith("#")]
    named = []
    for number, text, above in indented(numbered, source):
        where = f"{source}, line {number}"
        named.append(_named(text.removeprefix("\\"), above, where))
    categories = arrange(named)
    if len(categories) < 2:
        found = "no category" if not categories else f"only the category {categories[0].name!r}"
        raise BadInput(f"{source}: {found}", hint="name at least two, one per line, e.g. `databases`")
    if not several:
        _check_shares(categories, source)
    return tuple(categories)


def as_categories(
    given: Iterable[str | Category] | Mapping[str, Iterable[str]] | str | Path, several: bool = False
) -> tuple[Category, ...]:
    """Convert categories given in any form: names, lines, `Category` objects, a mapping to keywords, or a file.

    Examples
    --------
    >>> as_categories({"games": ["arcade"], "fonts": []})[0].keywords
    ('arcade',)
    >>> [category.name for category in as_categories(["games: arcade", "fonts"])]
    ['games', 'fonts']
    """
    if isinstance(given, str | Path):
        return read_categories(given, several=several)
    if isinstance(given, Mapping):
        given = [_from_mapping(name, [str(word).strip() for word in words]) for name, words in given.items()]
    items = list(given)
    for item in items:
        if not isinstance(item, str | Category):
            raise BadInput(f"a category is a name, not {item!r}", hint='e.g. ["databases", "data mining"]')
    if any(isinstance(item, str) and not item.strip() for item in items):
        raise BadInput("one of the categories has an empty name", hint='e.g. ["databases", "data mining"]')
    # Strings go through the parser of the labels file; a `Category` only through the checks below.
    lines = [
        _named(item.strip(), (), f"category {number}")
        if isinstance(item, str)
        else NamedLine(item, item.path, f"category {number}")
        for number, item in enumerate(items, start=1)
    ]
    parsed = arrange(lines)
    if len(parsed) < 2:
        raise BadInput(f"{len(parsed)} categories given", hint="name at least two")
    if not several:
        _check_shares(parsed, "categories")
    return tuple(parsed)


def shares_of(categories: Iterable[Category]) -> list[float] | None:
    """Return expected shares of all categories, summing to one; None where the user gave none.

    The rest is divided equally among the categories without a share.

    >>> shares_of([Category("a", share=0.5), Category("b"), Category("c")])
    [0.5, 0.25, 0.25]
    """
    given = [category.share for category in categories]
    if all(share is None for share in given):
        return None
    known = sum(share for share in given if share is not None)
    without_share = sum(share is None for share in given)
    # A prior of 0 would rule a category out: even if the given shares add up to 1, the others get a little.
    rest = max(1.0 - known, 0.01) / without_share if without_share else 0.0
    full = [rest if share is None else share for share in given]
    return [share / sum(full) for share in full]


def _named(text: str, above: tuple[str, ...], where: str) -> NamedLine:
    category = _category(text, where)
    # An indented line is below the whole path of its parent line.
    over = tuple(_unquoted(part) for name in above for part in (*split_path(name)[0], split_path(name)[1]))
    path, own = split_path(category.name)
    path, own = tuple(map(_unquoted, path)), _unquoted(own)
    for name in (*over, *path, own):
        if not any(char.isalnum() for char in name):
            raise BadInput(f"{where}: a name is missing in {text!r}", hint="write `parent > name`")
    return NamedLine(replace(category, name=own), (*over, *path), where)


def _category(text: str, where: str) -> Category:
    matched, description = _DESCRIBED.fullmatch(_masked(text)), ""
    if matched:
        text, description = text[: matched.end(1)], " ".join(text[matched.start(2) :].split())
    end = _NAME_END.search(_masked(text))
    name, words = (text[: end.start()], text[end.end() :]) if end else (text, "")
    share = None
    bracket = _BRACKET.search(name)
    if bracket:
        number = _SHARE.fullmatch(bracket.group(1))
        share = float(number.group(1)) / 100 if number else -1.0
        if not 0 < share <= 1:
            raise BadInput(
                f"{where}: [{bracket.group(1)}] is not a share of the documents",
                hint="write a number above 0 and up to 100 with a per cent sign, e.g. `games [12%]`",
            )
        name = name[: bracket.start()]
    name = " ".join(name.split())
    if not any(char.isalnum() for char in name):
        raise BadInput(f"{where}: no category name in {text!r}", hint="write `name` or `name: keyword, keyword`")
    keywords, excluded = split_keywords(words, where)
    return Category(name, keywords, share, excluded, description=description)


def _from_mapping(path: str, words: Sequence[str]) -> Category:
    """Make a category from an item of a mapping, whose words may hold commas."""
    above, name = split_path(path)
    for word in words:
        if word == "-":
            raise BadInput(f"category {path!r}: a minus without a word after it", hint="write a word after it")
    wanted = tuple(dict.fromkeys(word for word in words if word and not word.startswith("-")))
    excluded = tuple(dict.fromkeys(word[1:].strip() for word in words if word.startswith("-")))
    return Category(name, wanted, excluded=excluded, path=above)


def _check_shares(categories: Iterable[Category], source: str) -> None:
    total = sum(category.share or 0.0 for category in categories)
    if total > 1.005:
        raise BadInput(f"{source}: the expected shares add up to {total:.0%}", hint="they may reach 100% at most")
