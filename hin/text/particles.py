"""Drop the particles of Korean nouns (은, 를, 에서 ...), which are written onto the word and make others of it.

A fixed list and no dictionary: at least two syllables stay, so that 국가 is left alone, but 전문가 becomes 전문; names
are cut as the texts are, so they still meet.
"""

from __future__ import annotations

import re

_SYLLABLES = "\uac00-\ud7a3"
_PLACES = "(?:에|에서|에게|로|으로|와|과|까지|부터)[는도의만]?"
_OTHERS = "[은는이가을를의도만나]|이나|하고|이?라고|이?라는|이란|보다|처럼|마다|조차|마저|밖에|께서|한테"
#: A particle at the end of a word, as a regular expression for Python and JavaScript.
PARTICLE = f"(?<=[{_SYLLABLES}]{{2}})(?:들?(?:{_OTHERS}|{_PLACES})|들|이다|입니다)(?![{_SYLLABLES}])"

_HANGUL, _PARTICLE = re.compile(f"[{_SYLLABLES}]"), re.compile(PARTICLE)


def drop_particles(text: str) -> str:
    """Return a folded text without the particles of its Korean words.

    >>> drop_particles("아파트에서는 강아지를, 국가의 제도로 plain text")
    '아파트 강아지, 국가 제도 plain text'
    """
    return text if text.isascii() or _HANGUL.search(text) is None else _PARTICLE.sub("", text)
