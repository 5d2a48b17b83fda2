"""The body of `hin suggest --missing`: groups of documents that belong to no named category."""

from __future__ import annotations

from typing import TYPE_CHECKING

from classify.commands.arguments import SuggestCommand
from classify.suggestions.grounds import Grounds
from classify.suggestions.missing import MissingOptions, find_missing
from hin.human import plural

if TYPE_CHECKING:
    from hin.console import Console

__all__ = ["offer_missing"]


def offer_missing(command: SuggestCommand, grounds: Grounds, console: Console) -> None:
    """Say which groups of documents have no category, and what would name them."""
    found = find_missing(grounds, MissingOptions(words=command.suggestions.words, seed=command.options.first_seed))
    ids = grounds.graph.documents
    if console.as_json:
        groups = [group.as_dict(ids) for group in found.groups]
        console.json({"documents": int(found.none.sum()), "groups": groups})
        return
    if not found.groups:
        console.line("There are too few documents to group.")
        return
    total, number = plural(int(found.none.sum()), "document"), plural(len(found.groups), "group")
    console.line(f"{total} likely to belong to no category; those farthest from all, in {number}:\n")
    for group in found.groups:
        console.line(group.told())
        console.line(f"  such as {', '.join(ids[int(row)] for row in group.documents[:3])}")
    console.next("name the groups that are real in labels.txt, then `hin classify` again")
