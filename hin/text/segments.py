"""Segment text that is written without spaces: Chinese, Japanese, Thai.

Where a segmenter is installed (`hin-toolkit[cjk]`), it cuts Japanese and Thai into words; else, and in Chinese, every
character is a term and phrase mining joins them: words of jieba made labels worse (docs/experiments/text.md). The
segmentation is marked in the text itself: an invisible joiner stands between the characters of one word, and the
tokeniser does not split there.
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

#: Unicode's word joiner; it is removed from every text first, so that it marks words only.
INVISIBLE_JOINER = "\u2060"

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u30ff"
_THAI = "\u0e01-\u0e3a\u0e40-\u0e4e"
_MARKS = "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u3099\u309a"  # they stay with the letter before them
_BETWEEN = re.compile(f"(?<=[{_HAN}{_KANA}{_THAI}])(?=[{_HAN}{_KANA}{_THAI}])(?![{_MARKS}])")
_THAIS = re.compile(f"[{_THAI}]")
_RUNS = re.compile(f"[{_HAN}{_KANA}]+|[{_THAI}]+")
#: Kana that are letters: Chinese writes the middle dot, too, between the parts of a foreign name.
_JAPANESE = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
#: The package that cuts each script, None for one that stays characters.
_PACKAGES = {"chinese": None, "japanese": "janome", "thai": "pythainlp"}

Cutter = Callable[[str], Iterable[str]]


def segment_words(text: str, kanji: str = "chinese") -> str:
    """Join the characters of each word of a folded text, if a segmenter for its script is installed.

    Chinese characters without kana beside them are of the language `kanji`.

    >>> segment_words("plain text") == "plain text"
    True
    """
    if not needs_segmenter(text):
        return text
    # Kanji are Chinese characters: the kana around them decide.
    script = "japanese" if _JAPANESE.search(text) else kanji

    def cut(found: re.Match[str]) -> str:
        run = found[0]
        cutter = _segmenter("thai" if "\u0e00" <= run[0] <= "\u0e7f" else script)
        return run if cutter is None else " ".join(join_characters(word) for word in cutter(run) if word.strip())

    return _RUNS.sub(cut, text)


def join_characters(word: str) -> str:
    """Put the joiner between the characters of a word, so that the tokeniser does not split it.

    >>> join_characters("\u673a\u5668") == "\u673a" + INVISIBLE_JOINER + "\u5668", join_characters("graph")
    (True, 'graph')
    """
    return word if word.isascii() else _BETWEEN.sub(INVISIBLE_JOINER, word)


def needs_segmenter(text: str) -> bool:
    """Check whether some of a text is written in a script that a segmenter could cut."""
    return not text.isascii() and _RUNS.search(text) is not None


def segmentation_of(terms: Iterable[str]) -> tuple[str, bool] | None:
    """Return the script without spaces that most of the terms are in, and whether a segmenter made words of it.

    None if there are hardly any such terms.

    >>> segmentation_of(["\u673a\u5668", "\u5b66"]), segmentation_of(["\u673a", "\u5668 \u5b66"])
    (('chinese', True), ('chinese', False))
    """
    scripts = dict.fromkeys(_PACKAGES, 0)
    words, spelled = 0, list(terms)
    for term in spelled:
        if not needs_segmenter(term):
            continue
        kind = "thai" if _THAIS.search(term) else "japanese" if _JAPANESE.search(term) else "chinese"
        scripts[kind] += 1
        words += _BETWEEN.search(term) is not None
    # Kanji look Chinese; a fifth of Japanese terms and more has kana.
    if scripts["japanese"] > 0.1 * scripts["chinese"]:
        scripts["japanese"] += scripts.pop("chinese")
    script = max(scripts, key=lambda name: scripts[name])
    # A few documents of another language may have words where the others have characters.
    return (script, words > 0.25 * sum(scripts.values())) if scripts[script] > 0.1 * len(spelled) else None


def language_of_kanji(terms: Iterable[str]) -> str:
    """Return the language (Chinese or Japanese) of the Chinese characters in these terms.

    >>> language_of_kanji(["\u6599\u7406", "\u306f"]), language_of_kanji(["\u6599\u7406"])
    ('japanese', 'chinese')
    """
    found = segmentation_of(terms)
    return "japanese" if found is not None and found[0] == "japanese" else "chinese"


def check_segmentation(terms: Iterable[str]) -> None:
    """Raise if text without spaces would now be segmented differently from these terms.

    Raises
    ------
    BadUsage
        With the package to install, or the advice to load again.
    """
    found = segmentation_of(terms)
    if found is None:
        return
    script, words = found
    package, here = _PACKAGES[script] or "a segmenter", _segmenter(script) is not None
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
    """Return the segmenters that are installed, to be stored with a graph."""
    return tuple(package for package in _PACKAGES.values() if package and find_spec(package) is not None)


@lru_cache(maxsize=8)
def _segmenter(script: str) -> Cutter | None:
    if _PACKAGES[script] not in installed():
        return None
    with warnings.catch_warnings():  # old packages, new Pythons
        warnings.simplefilter("ignore")
        cut = {"japanese": _janome, "thai": _pythainlp}[script]()
    lock = Lock()

    def alone(run: str) -> list[str]:
        with lock:  # none of them is documented as thread-safe
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
