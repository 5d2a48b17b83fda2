"""The body of `hin explain`: why a document of the graph, or a new one from a file, has its label."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from classify.commands.arguments import ExplainCommand
from classify.commands.prediction import model_folder, reading_options
from classify.documents.unknown import unknown_names
from classify.model.fitted import FittedModel
from classify.stored_classification import StoredClassification, stored_classification
from hin.errors import BadUsage, UnknownName
from hin.reading.documents import BatchReader
from hin.reading.records import Record, RecordBatch
from hin.stores.answers import Answer, AnswerLog
from hin.stores.base import open_store

if TYPE_CHECKING:
    from hin.console import Console

#: In the built-in model the similarity of synonyms is above this, that of words of the same subject below.
_MUCH_THE_SAME = 0.4
#: The number of documents of a file that are explained if none is named.
_SOME = 10


def run_explain(command: ExplainCommand, console: Console) -> None:
    """Show why a document has its label."""
    if command.file is not None:
        _explain_file(command, console)
        return
    if command.document is None:
        raise BadUsage("no document is named", hint="give the id of one, or new ones with --file")
    document = command.document
    store = open_store(command.graph, command.model)
    stored = stored_classification(store)
    opened = store.read_graph()
    row = opened.documents.index(document)
    explanation = _explain(stored.open_model(), command, document, opened)
    explanation["answers"] = _answers(AnswerLog(store).current(opened), document, stored)
    if console.as_json:
        console.json(explanation)
        return
    _show(explanation, opened.texts.title(row, 70), command.top, console)
    if explanation["runner_up"] is not None:
        kind, other = _other(explanation)
        against = shlex.quote(other["category"])
        console.next(f"`hin explain {shlex.quote(document)} --category {against}` for the {kind}, or `hin report`")


def _explain(model: FittedModel, command: ExplainCommand, document: Any, graph: Any = None) -> dict[str, Any]:
    """Explain a document; with --flip also find the reasons without which it would have another label."""
    explanation = model.explain(document, graph, command.category)
    if command.flip:
        found = model.flip(document, graph, command.category)
        explanation["flip"] = None if found is None else found.as_dict()
    return explanation


def _answers(logged: list[Answer], document: str, stored: StoredClassification) -> list[dict[str, Any]]:
    """Return the answers about a document with their teachers, and each teacher's reliability in the last fit."""
    sources = stored.used.get("sources", {})
    answers = [answer for answer in logged if answer.document == document and answer.purpose == "teach"]
    for source, given in (stored.stage.options.get("taught") or {}).items():  # those of a `--known` file are in no log
        said = given.get(document, ())
        if said and source not in {answer.source for answer in answers}:
            answers.append(Answer(document, (said,) if isinstance(said, str) else tuple(said), source))
    return [
        {
            "source": answer.source,
            "said": ", ".join(answer.categories) or answer.verdict,
            "confidence": answer.confidence,
            "at": answer.at,
            "right": sources.get(answer.source, {}).get("right"),
            "teaches": sources.get(answer.source, {}).get("teaches"),
        }
        for answer in answers
    ]


def _explain_file(command: ExplainCommand, console: Console) -> None:
    """Show why documents that are not in the graph would get their labels."""
    model = FittedModel.load(model_folder(command))
    reader = BatchReader(command.file or "", reading_options(command, model), required=command.options)
    records: Iterator[Record] = (record for batch in reader for record in batch.records())
    if command.document is not None:
        records = iter([_with_name(records, command.document, command.file or "")])
    explained = ((record, _explain(model, command, RecordBatch.of([record]))) for record in records)
    if console.as_json:
        found = [reasons for _, reasons in explained]
        console.json(found if command.document is None else found[0])
        return
    left = 0
    for number, (record, reasons) in enumerate(explained):
        if number >= _SOME:
            left = sum(1 for _ in records) + 1
            break
        if number:
            console.line()
        _show(reasons, next((text for text in record.texts if text.strip()), "")[:70], command.top, console)
    if left:
        console.note(f"{left:,} more in {command.file}: name one, or use --json for all.")


def _with_name(records: Iterator[Record], name: str, file: str) -> Record:
    found = next((record for record in records if record.id == name), None)
    if found is None:
        raise UnknownName(f"{file} has no document {name!r}", hint="leave the name out to explain the first ones")
    return found


def _show(explanation: dict[str, Any], title: str, top: int, console: Console) -> None:
    document = explanation["document"]
    if explanation["category"] is None:
        console.line(f"{document}: no category; {explanation['note']}")
        return
    category = " > ".join(explanation.get("path", [explanation["category"]]))
    console.line(
        f"{document}: {category} (confidence {explanation['confidence']:.2f}, score {explanation['score']:.3f})"
    )
    if title:
        console.line(f"  {title}")
    if explanation.get("known"):
        said = explanation["known"]
        console.line(f"  you labelled this: {said if isinstance(said, str) else ', '.join(said)}")
    for answer in explanation.get("answers", ()):
        if answer["right"] is not None:
            right = f"its answers are estimated {answer['right']:.0%} right"
            right = right if answer["teaches"] else "its answers are hardly better than chance and teach nothing"
            console.line(f"  {answer['source']} said {answer['said']}; {right}")
    if len(explanation.get("categories", ())) > 1:
        also = [c for c in explanation["categories"] if c["category"] != explanation["category"]]
        listed = [f"{c['category']} ({c['confidence']:.2f})" for c in also]
        console.line(f"  also: {', '.join(listed)}")
    kind, other = _other(explanation)
    console.line(f"  {kind}: {other['category']} (score {other['score']:.3f})")
    if unknown := _unknown(explanation.get("unknown")):
        console.line(f"  not known to the model: {unknown}")
    reasons = explanation["reasons"]
    shown = reasons[: top or None]
    rows = [[r["weight"], r["instance"], r["pattern"], r["kappa"], r["cosine"], r["meaning"]] for r in shown]
    if len(shown) < len(reasons):
        rest = float(sum(r["weight"] for r in reasons[len(shown) :]))
        rows.append([rest, f"{len(reasons) - len(shown)} more", None, None, None, None])
    columns = ["weight", "instance", "pattern", "kappa", "cosine", "meaning"]
    if all(r["meaning"] is None for r in reasons):
        rows, columns = [row[:-1] for row in rows], columns[:-1]
    console.line()
    console.table(rows, columns)
    same = [r["instance"] for r in shown if _means_the_name(r)]
    if same:
        console.line(f"\nMuch the same in meaning as the name: {', '.join(same)}.")
    console.line(f"\nThe weights add up to the score, {explanation['score']:.3f}.")
    if "flip" in explanation:
        flip = explanation["flip"]
        console.line(f"{flip['line']}." if flip else "No set of 30 or fewer reasons decides the label.")


def _other(explanation: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the category to compare with and its figures: the runner-up, or the label if another one is explained."""
    kind = "runner-up" if explanation["category"] == explanation["winner"]["category"] else "winner"
    return kind, explanation[kind.replace("-", "_")]


def _unknown(found: dict[str, Any] | None, most: int = 8) -> str:
    names = unknown_names(found)
    return ", ".join([*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])])


def _means_the_name(reason: dict[str, Any]) -> bool:
    """Check whether a reason is a near synonym of the name; metadata values such as persons have no meaning.

    >>> word = {"pattern": "term", "meaning": 0.7, "weight": 1.0}
    >>> _means_the_name(word), _means_the_name({**word, "pattern": "author"})
    (True, False)
    """
    return reason["pattern"] == "term" and (reason["meaning"] or 0.0) >= _MUCH_THE_SAME and reason["weight"] > 0
