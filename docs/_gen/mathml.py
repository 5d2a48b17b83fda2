"""Formulas as MathML, which browsers show without any script."""

from __future__ import annotations

import contextlib
import html
import re
import unicodedata
from functools import cache
from typing import Any

__all__ = ["formula", "setup"]


@cache
def formula(latex: str, block: bool) -> str:
    """One formula.

    >>> formula("x", block=False).startswith("<math")
    True
    """
    from latex2mathml.converter import convert

    made = _lettered(convert(latex.strip(), display="block" if block else "inline"))
    return f'<div class="formula">{made}</div>\n' if block else made


def _lettered(mathml: str) -> str:
    """Say bold and script by the letters themselves: browsers pass over the attribute that should say it.

    >>> _lettered('<mi mathvariant="bold">e</mi>')
    '<mi>𝐞</mi>'
    """

    def letter(match: re.Match[str]) -> str:
        tag, style, character = match[1], match[2].upper(), html.unescape(match[3])
        name = unicodedata.name(character, "")
        kind, _, rest = name.partition(" LETTER ") if " LETTER " in name else ("", "", name)
        size = "SMALL" if "SMALL" in kind else "CAPITAL"
        wanted = f"MATHEMATICAL {style.replace('-', ' ')} {f'{size} {rest}' if kind else rest}"
        try:
            return f"<{tag}>{unicodedata.lookup(wanted)}</{tag}>"
        except KeyError:  # a few script letters are older than the rest, under names of their own
            with contextlib.suppress(KeyError):
                return f"<{tag}>{unicodedata.lookup(f'SCRIPT {size} {rest}')}</{tag}>"
            return match[0]

    return re.sub(r'<(m[in]) mathvariant="(bold|script|bold-italic)">([^<]+)</m[in]>', letter, mathml)


def _writer(block: bool) -> Any:
    def visit(self: Any, node: Any) -> None:
        from docutils.nodes import SkipNode

        self.body.append(formula(node.astext(), block))
        raise SkipNode

    return visit


def setup(app: Any) -> None:
    """Register the renderer with Sphinx."""
    app.add_html_math_renderer("mathml", (_writer(block=False), None), (_writer(block=True), None))
