"""The categories as edited, and the undo steps, replayed from the journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from classify.categories.category_file import Category, as_categories, parse_categories
from classify.explore.state.journal import Journal
from classify.suggestions.category_lines import category_line
from hin.errors import BadInput


@dataclass(frozen=True)
class _Step:
    """The state that an edit replaced: the categories, the answers of the documents it changed, the switched fields."""

    what: str
    categories: tuple[Category, ...] | None
    answers: dict[str, str | None]
    renamed: dict[str, str | None]
    fields: dict[str, bool]
    measured: list[int]


class Edits:
    """The current categories, and the edits that can be undone, as far back as the journal goes.

    Parameters
    ----------
    journal : holds every edit; an undo is an entry too.
    first : the categories before the first edit.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> edits = Edits(Journal(pathlib.Path(tempfile.mkdtemp()) / "edits.jsonl"), (Category("web"),))
    >>> edits.record("added games", (Category("web"), Category("games")))
    >>> edits.undo().what, [category.name for category in edits.categories]
    ('added games', ['web'])
    """

    def __init__(self, journal: Journal, first: Sequence[Category] = ()) -> None:
        self.journal = journal
        self.categories = tuple(first)
        #: Metadata fields that the user switched on or off.
        self.fields: dict[str, bool] = {}
        self._steps: list[_Step] = []
        for entry in journal.entries:
            self._apply(entry)

    @property
    def revision(self) -> int:
        """The number of entries: two pages with the same number show the same state."""
        return len(self.journal.entries)

    @property
    def last(self) -> str | None:
        """The edit that `undo` would revert."""
        return self._steps[-1].what if self._steps else None

    def successor(self, name: str) -> str | None:
        """Return the present name of a category that was renamed or merged; None where it was removed."""
        found: str | None = name
        for step in self._steps:
            if found in {category.name for category in self.categories}:
                break
            found = step.renamed.get(found, found) if found is not None else None
        return found if found in {category.name for category in self.categories} else None

    def record(
        self,
        what: str,
        categories: Sequence[Category] | None = None,
        before: Mapping[str, str | None] | None = None,
        renamed: Mapping[str, str | None] | None = None,
        fields: Mapping[str, bool] | None = None,
        measured: Sequence[int] = (),
    ) -> None:
        """Write an edit to the journal.

        Parameters
        ----------
        categories : all of them, where they changed.
        before : the answers before new ones were given.
        renamed : the new names of categories.
        fields : metadata fields, switched on or off.
        measured : the numbers of answers that only measure.
        """
        content: dict[str, Any] = {"what": what}
        if categories is not None:
            content["categories"] = [asdict(category) for category in categories]
        for name, given in (("answers_before", before), ("renamed", renamed), ("fields", fields)):
            if given:
                content[name] = dict(given)
        if measured:
            content["measured"] = list(measured)
        self._apply(self.journal.append("edit", **content))

    def undo(self) -> _Step | None:
        """Undo the last edit, and return the state that it replaced; None if there is none."""
        if not self._steps:
            return None
        step = self._steps[-1]
        self._apply(self.journal.append("undo", what=step.what))
        return step

    def _apply(self, entry: Mapping[str, Any]) -> None:
        if entry["kind"] == "edit":
            given = entry.get("categories")
            replaced = None if given is None else self.categories
            answers, renamed = entry.get("answers_before", {}), entry.get("renamed", {})
            measured = entry.get("measured", [])
            self._steps.append(_Step(entry["what"], replaced, answers, renamed, dict(self.fields), measured))
            self.fields |= entry.get("fields", {})
            if given is not None:
                self.categories = tuple(Category.of_record(record) for record in given)
        elif entry["kind"] == "undo" and self._steps:
            step = self._steps.pop()
            self.fields = dict(step.fields)
            if step.categories is not None:
                self.categories = step.categories


def checked_categories(records: Sequence[Mapping[str, Any]], several: bool = False) -> tuple[Category, ...]:
    """Make categories from the page's records; raise where a labels file could not hold them.

    Fewer than two are allowed, as a session may begin with none.

    >>> checked_categories([{"name": "web", "keywords": ["page"]}])[0].keywords
    ('page',)
    >>> checked_categories([{"name": "web: site"}])
    Traceback (most recent call last):
    hin.errors.BadInput: 'web: site' cannot be a name in a labels file; leave out `:`, `[`, ` | ` and ` > `
    """
    found = []
    for record in records:
        category = _category(record)
        line = category_line(category)
        try:
            read = parse_categories([line, "\x7fother x"])[0]
        except BadInput as error:
            raise BadInput(str(error).split(": ", 1)[-1]) from error
        if read != category:
            what = category.name if read.name != category.name else line
            raise BadInput(
                f"{what!r} cannot be {'a name' if what == category.name else 'a line'} in a labels file",
                hint="leave out `:`, `[`, ` | ` and ` > `",
            )
        found.append(category)
    return as_categories(found, several) if len(found) > 1 else tuple(found)


def _category(record: Mapping[str, Any]) -> Category:
    name, share = record.get("name"), record.get("share")
    lists = {key: record.get(key) or [] for key in ("keywords", "excluded", "path")}
    described = record.get("description") or ""
    texts = [name, described, *(text for some in lists.values() for text in some)]
    if not all(isinstance(text, str) for text in texts) or not isinstance(share, float | int | None):
        raise BadInput("a category is a name with lists of words", hint='e.g. {"name": "web", "keywords": ["page"]}')
    cleaned = {key: tuple(dict.fromkeys(" ".join(text.split()) for text in some)) for key, some in lists.items()}
    share = None if share is None else float(share)
    return Category(" ".join(str(name).split()), share=share, description=" ".join(described.split()), **cleaned)
