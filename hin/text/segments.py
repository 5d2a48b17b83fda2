"""Words of text that is written without spaces: Chinese, Japanese, Thai.

Where a segmenter is installed (`hin-toolkit[cjk]`), it cuts Japanese and Thai into words; else, and in Chinese, every
character is a term and phrase mining joins them: words of jieba made labels worse (docs/experiments/text.md). What was
found is marked in the text itself: an invisible glue between the characters of one word, which the tokeniser honours.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib.util import find_spec
from threading import Lock
from typing import Any

from hin.errors import BadUsage

__all__ = ["GLUE", "check_cut", "glued", "how_cut", "installed", "kanji_of", "segmented", "without_spaces"]

#: Unicode's word joiner; it is taken out of every text before, so that it means nothing else.
GLUE = "\u2060"

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u30ff"
_THAI = "\u0e01-\u0e3a\u0e40-\u0e4e"
_MARKS = "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u3099\u309a"  # they stay with the letter before them
_BETWEEN = re.compile(f"(?<=[{_HAN}{_KANA}{_THAI}])(?=[{_HAN}{_KANA}{_THAI}])(?![{_MARKS}])")
_THAIS = re.compile(f"[{_THAI}]")
_RUNS = re.compile(f"[{_HAN}{_KANA}]+|[{_THAI}]+")
_JAPANESE = re.compile(f"[{_KANA}]")
#: The package that cuts each script, None for one that stays characters.
_PACKAGES = {"chinese": None, "japanese": "janome", "thai": "pythainlp"}

Cutter = Callable[[str], Iterable[str]]


def segmented(text: str, kanji: str = "chinese") -> str:
    """Return a folded text in which the characters of each word are glued, where a segmenter for its script is there.

    Chinese characters without kana beside them are of the language `kanji`.

    >>> segmented("plain text") == "plain text"
    True
    """
    if not without_spaces(text):
        return text
    # Kanji are Chinese characters: the kana around them decide.
    script = "japanese" if _JAPANESE.search(text) else kanji

    def cut(found: re.Match[str]) -> str:
        run = found[0]
        cutter = _cutter("thai" if "\u0e00" <= run[0] <= "\u0e7f" else script)
        return run if cutter is None else " ".join(glued(word) for word in cutter(run) if word.strip())

    return _RUNS.sub(cut, text)


def glued(word: str) -> str:
    """Return a word with glue between its characters, so that the tokeniser keeps it whole.

    >>> glued("\u673a\u5668") == "\u673a" + GLUE + "\u5668", glued("graph")
    (True, 'graph')
    """
    return word if word.isascii() else _BETWEEN.sub(GLUE, word)


def without_spaces(text: str) -> bool:
    """Return whether some of a text is written in a script that a segmenter could cut."""
    return not text.isascii() and _RUNS.search(text) is not None


def how_cut(terms: Iterable[str]) -> tuple[str, bool] | None:
    """Return the script without spaces that most of the terms are in, and whether a segmenter made words of it.

    None where there is hardly such a term.

    >>> how_cut(["\u673a\u5668", "\u5b66"]), how_cut(["\u673a", "\u5668 \u5b66"]), how_cut(["graph"])
    (('chinese', True), ('chinese', False), None)
    """
    scripts = dict.fromkeys(_PACKAGES, 0)
    words, spelled = False, list(terms)
    for term in spelled:
        if not without_spaces(term):
            continue
        kind = "thai" if _THAIS.search(term) else "japanese" if _JAPANESE.search(term) else "chinese"
        scripts[kind] += 1
        words = words or _BETWEEN.search(term) is not None
    # Kanji look Chinese; a fifth of Japanese terms and more has kana.
    if scripts["japanese"] > 0.1 * scripts["chinese"]:
        scripts["japanese"] += scripts.pop("chinese")
    script = max(scripts, key=lambda name: scripts[name])
    return (script, words) if scripts[script] > 0.1 * len(spelled) else None


def kanji_of(terms: Iterable[str]) -> str:
    """Return the language that Chinese characters are of among these terms.

    >>> kanji_of(["\u6599\u7406", "\u306f"]), kanji_of(["\u6599\u7406"])
    ('japanese', 'chinese')
    """
    found = how_cut(terms)
    return "japanese" if found is not None and found[0] == "japanese" else "chinese"


def check_cut(terms: Iterable[str]) -> None:
    """Raise where text without spaces would now be cut otherwise than these terms were.

    Raises
    ------
    BadUsage
        With the package to install, or the advice to load again.
    """
    found = how_cut(terms)
    if found is None:
        return
    script, words = found
    package, here = _PACKAGES[script] or "a segmenter", _cutter(script) is not None
    if words and not here:
        again = "load the documents again to do without"
        if _PACKAGES[script] is None:
            raise BadUsage(f"the {script} text was cut into words by an older version", hint=again)
        raise BadUsage(
            f"the text was cut into words by {package}, which is not installed here",
            hint=f"`pip install 'hin-toolkit[cjk]'`, or {again}",
        )
    if here and not words:
        raise BadUsage(
            f"the text was cut into characters, before {package} was installed",
            hint="load the documents again to cut it into words",
        )


@lru_cache(maxsize=1)
def installed() -> tuple[str, ...]:
    """Return the packages that cut text without spaces here, for a graph to remember."""
    return tuple(package for package in _PACKAGES.values() if package and find_spec(package) is not None)


@lru_cache(maxsize=8)
def _cutter(script: str) -> Cutter | None:
    if _PACKAGES[script] not in installed():
        return None
    with warnings.catch_warnings():  # old packages, new Pythons
        warnings.simplefilter("ignore")
        cut = {"japanese": _janome, "thai": _pythainlp}[script]()
    lock = Lock()

    def alone(run: str) -> list[str]:
        with lock:  # none of them promises to be safe with threads
            return list(cut(run))

    return alone


def _janome() -> Cutter:
    from janome.tokenizer import Tokenizer

    cut: Any = Tokenizer(wakati=True).tokenize
    return lambda run: cut(run)


def _pythainlp() -> Cutter:
    from pythainlp.tokenize import word_tokenize

    cut: Any = word_tokenize
    return lambda run: cut(run, engine="newmm", keep_whitespace=False)
