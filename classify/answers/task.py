"""Questions and replies: a reply is restricted to the list of categories."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from classify.categories.category_file import Category
from hin.stores.answers import Verdict

#: Replies for "no category fits", and for "the document does not show its category".
NONE, CANNOT_TELL = "none of these", "cannot tell"


@dataclass(frozen=True)
class Question:
    """A document that a teacher is asked about; `guess` is its label so far."""

    document: str
    title: str
    text: str
    metadata: dict[str, list[str]] = field(default_factory=dict)
    guess: str = ""
    confidence: float = 0.0

    def as_record(self, task: LabelTask) -> dict[str, Any]:
        """Return the question as a JSON line for a command."""
        return {
            "document": self.document,
            "title": self.title,
            "text": self.text,
            "metadata": self.metadata,
            "categories": [
                {
                    "name": one.name,
                    "path": list(one.path),
                    "keywords": list(one.keywords),
                    "description": one.description,
                }
                for one in task.categories
            ],
            "several": task.several,
        }


@dataclass(frozen=True)
class Reply:
    """A teacher's reply about a document; `undo` takes the last reply back."""

    document: str
    categories: tuple[str, ...] = ()
    verdict: Verdict = "category"
    confidence: float | None = None
    undo: bool = False


@dataclass(frozen=True)
class LabelTask:
    """The question asked about every document: the categories, and whether it may have several."""

    categories: tuple[Category, ...]
    several: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names an answer may have."""
        return tuple(category.name for category in self.categories)


def match_reply(document: str, said: Any, task: LabelTask, confidence: Any = None) -> Reply | None:
    """Match a reply to the list of categories; None where it names none of them.

    >>> task = LabelTask((Category("Sports"), Category("space", path=("science",))))
    >>> match_reply("d", "sports", task).categories, match_reply("d", "science > space", task).categories
    (('Sports',), ('space',))
    >>> match_reply("d", "none of these", task).verdict, match_reply("d", "politics", task)
    ('none', None)
    """
    listed = said if isinstance(said, list | tuple) else [said]
    spelled = {" > ".join((*one.path, one.name)).casefold(): one.name for one in task.categories}
    spelled |= {one.name.casefold(): one.name for one in task.categories}
    found: list[str] = []
    for one in listed:
        text = str(one).strip().strip("\"'`.").casefold() if isinstance(one, str) else ""
        if text in spelled:
            found.append(spelled[text])
        elif text in (NONE, "none", CANNOT_TELL, "unknown") and len(listed) == 1:
            return Reply(document, (), "none" if text.startswith("none") else "cannot tell", _probability(confidence))
        else:
            return None
    names = tuple(dict.fromkeys(found))
    if not names:
        return Reply(document, (), "none", _probability(confidence)) if task.several and said == [] else None
    return Reply(document, names, "category", _probability(confidence)) if task.several or len(names) == 1 else None


def _probability(value: Any) -> float | None:
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    return float(value) if good else None
