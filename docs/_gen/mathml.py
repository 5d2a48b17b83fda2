"""Formulas as MathML, which browsers show without any script."""

from __future__ import annotations

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

    made: str = convert(latex.strip(), display="block" if block else "inline")
    return f'<div class="formula">{made}</div>\n' if block else made


def _writer(block: bool) -> Any:
    def visit(self: Any, node: Any) -> None:
        from docutils.nodes import SkipNode

        self.body.append(formula(node.astext(), block))
        raise SkipNode

    return visit


def setup(app: Any) -> None:
    """Register the renderer with Sphinx."""
    app.add_html_math_renderer("mathml", (_writer(block=False), None), (_writer(block=True), None))
