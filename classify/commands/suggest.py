"""The body of `hin suggest`: words, documents and missing categories that would improve the labels."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from classify.categories.category_file import Category, read_categories, typed_names
from classify.categories.known_labels import read_known
from classify.commands.arguments import SuggestCommand
from classify.commands.opening import open_workspace
from classify.pipeline import Pipeline
from classify.stored_classification import stored_classification
from classify.suggestions.documents import DocumentOptions, as_csv, documents_to_label
from classify.suggestions.grounds import Grounds, stored_grounds
from classify.suggestions.labels_file import write_labels
from classify.suggestions.missing import MissingOptions, find_missing
from classify.suggestions.suggest import CategoryHelp, help_for
from hin.errors import BadUsage
from hin.files.atomic import atomic_file, check_outputs
from hin.human import plural

if TYPE_CHECKING:
    from hin.console import Console
    from hin.stores.base import Store


def run_suggest(command: SuggestCommand, console: Console) -> None:
    """Offer words for each category, or documents to label."""
    _check_options(command)
    categories = None
    if command.categories is not None:
        categories = read_categories(command.categories, most=command.max_categories)
    grounds = _grounds(command, categories, console)
    if command.missing:
        _offer_missing(command, grounds, console)
    elif command.documents is not None:
        _offer_documents(command, command.documents, grounds, console)
    else:
        _offer_words(command, grounds, console)


def _check_options(command: SuggestCommand) -> None:
    """Raise, before the work, if options contradict each other."""
    if command.documents is not None and command.write is not None:
        raise BadUsage("--documents and --write exclude one another", hint="run `hin suggest` twice")
    if command.missing and (command.documents is not None or command.write is not None):
        raise BadUsage("--missing goes with neither --documents nor --write", hint="run `hin suggest` twice")
    if command.documents is None and command.out is not None:
        raise BadUsage("--out goes with --documents", hint="for a labels file use --write")
    given = [path for path in (command.categories, command.known) if path is not None]
    check_outputs([command.write, command.out], given)


def _offer_words(command: SuggestCommand, grounds: Grounds, console: Console) -> None:
    found = help_for(grounds, command.suggestions)
    if command.write is not None:
        write_labels(command.write, found, command.suggestions.accepted)
    if console.as_json:
        console.json([one.as_dict() for one in found])
        return
    for one in found:
        _show_category(one, console)
    if command.write is not None:
        console.note(f"Written to {command.write}, to be edited.")
        console.next(f"`hin classify --categories {shlex.quote(str(command.write))}`")
    else:
        console.next("`hin suggest --write better.txt` for a labels file to edit")


def _offer_documents(command: SuggestCommand, number: int, grounds: Grounds, console: Console) -> None:
    found = documents_to_label(grounds, number, DocumentOptions(seed=command.options.first_seed))
    if command.out is not None:
        with atomic_file(command.out) as temporary:
            temporary.write_text(as_csv(found), encoding="utf-8")
    if console.as_json:
        console.json([one.as_dict() for one in found])
        return
    if command.out is None:
        console.line(as_csv(found).rstrip("\n"))
    else:
        console.note(f"{plural(len(found), 'document')} written to {command.out}: fill in the column category.")
    labels = typed_names(grounds.categories) if command.categories is None else shlex.quote(str(command.categories))
    few = "few.csv" if command.out is None else shlex.quote(str(command.out))
    console.next(f"`hin classify --categories {labels} --known {few}`")


def _offer_missing(command: SuggestCommand, grounds: Grounds, console: Console) -> None:
    """Show the groups of documents without a category, and words that could name them."""
    found = find_missing(grounds, MissingOptions(words=command.suggestions.words, seed=command.options.first_seed))
    ids = grounds.graph.documents
    if console.as_json:
        groups = [group.as_dict(ids) for group in found.groups]
        console.json({"documents": int(found.none.sum()), "groups": groups})
        return
    if not found.groups:
        console.line("There are too few documents to group.")
        return
    none, number = int(found.none.sum()), plural(len(found.groups), "group")
    total = f"{plural(none, 'document')} probably {'fits' if none == 1 else 'fit'} no category"
    total = total if none else "Every document probably fits a category"
    console.line(f"{total}. Those farthest from all categories, in {number}:\n")
    for group in found.groups:
        console.line(group.summary())
        console.line(f"  such as {', '.join(ids[int(row)] for row in group.documents[:3])}")
    console.next("add the groups that are real to your category names, then `hin classify --categories FILE`")


def _show_category(one: CategoryHelp, console: Console) -> None:
    console.line(f"{one.category}{': ' if one.check.problems else ''}{'; '.join(one.check.problems)}")
    rows = [[word.keyword, word.documents, word.share, word.corpus, word.meaning] for word in one.words]
    if rows:
        console.table(rows, ["would help", "documents", "share in category", "cosine in the corpus", "in meaning"])
    else:
        console.line("  nothing to offer")
    if one.moving is not None:
        doubtful = plural(one.moving.doubtful, "doubtful document")
        console.line(f"most useful: {one.moving.keyword}, in {doubtful} for which this category is the second choice")
    console.line()


def _grounds(command: SuggestCommand, categories: tuple[Category, ...] | None, console: Console) -> Grounds:
    """Return the input of suggestions: the stored classification, or a quick fit if other names are given."""
    options = replace(command.options, classifier="linear")
    with open_workspace(command, console) as (workspace, run):
        store, graph, known = workspace.store, workspace.graph, None
        assert store is not None
        if command.known is None and (categories is None or _is_stored(store, categories)):
            return stored_grounds(store)
        if categories is None:
            categories = stored_classification(store).given_categories
        if command.known is not None:
            known = read_known(command.known, graph, [category.name for category in categories])
        pipeline = Pipeline(graph, categories, options, known=known, workspace=workspace, run=run)
        return pipeline.grounds_of(pipeline.classification)


def _is_stored(store: Store, categories: tuple[Category, ...]) -> bool:
    stage = store.stage("classify")
    stored: Any = None if stage is None else stage.options.get("categories")
    return stored is not None and [Category.of_record(c) for c in stored] == list(categories)
