"""The documentation site: `make docs` builds it into build/site and fails on any warning.

Nothing is fetched from a network, neither while the site is built nor by its pages.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE / "_gen")]

import mathml  # noqa: E402
from api_reference import python_page  # noqa: E402
from command_reference import command_page  # noqa: E402

from hin import __version__  # noqa: E402

project = "hin"
release = __version__
extensions = ["myst_parser"]
root_doc = "index"
exclude_patterns = ["_gen"]
nitpicky = True
# A snippet with an ellipsis in it is not an error.
suppress_warnings = ["misc.highlighting_failure"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "attrs_block"]
myst_heading_anchors = 4

html_theme = "furo"
html_title = f"hin {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_math_renderer = "mathml"
html_last_updated_fmt = None

# Pages made from the code; the files in reference/ only hold their places.
MADE = {
    "reference/commands": command_page,
    **{
        f"reference/python-{name}": lambda name=name: python_page(name)
        for name in ("hin", "motifs", "embed", "classify")
    },
}


def _fill(app: Any, name: str, source: list[str]) -> None:
    if name in MADE:
        source[0] = MADE[name]()


def setup(app: Any) -> None:
    """Tell Sphinx about the generated pages and the formulas."""
    app.connect("source-read", _fill)
    # They depend on the code, which Sphinx does not watch.
    app.connect("env-get-outdated", lambda app, env, added, changed, removed: [n for n in MADE if n in env.found_docs])
    mathml.setup(app)
