"""The data of a report, gathered from the graph and the findings; parts that do not exist are left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from classify.report.answers import answers_of, strongest
from classify.report.charts.base import CHARTS
from classify.report.gathering import ChartSource, ReportInputs
from classify.report.options import ReportOptions
from classify.report.rows import category_rows, evaluation_of, graph_sizes, pattern_rows
from classify.report.sets import SetColumns, set_columns
from hin.errors import MissingStage
from hin.human import plural


@dataclass(frozen=True, eq=False)
class ReportData:
    """The data of the page: `summary` as plain JSON; the documents' columns come from `source` and `sets`."""

    source: ChartSource
    summary: dict[str, Any]
    sets: SetColumns | None = None


def report_data(inputs: ReportInputs, options: ReportOptions | None = None) -> ReportData:
    """Gather the data of the page.

    Examples
    --------
    >>> import tempfile, pathlib, hin
    >>> from hin.stores.findings import Findings
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "papers.jsonl"
    >>> _ = path.write_text('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    >>> found = Findings.of(motifs=[("venue", "VENUE[KDD]", 1, [("venue", 0)])])
    >>> data = report_data(ReportInputs(hin.load(path), found))
    >>> data.summary["patterns"][0]["name"], data.summary["graph"]["nodes"][0]
    ('venue', {'type': 'document', 'count': 1})
    """
    options = options or ReportOptions()
    if len(inputs.graph) == 0:
        raise MissingStage("the graph has no documents to report on", hint="load some with `hin load`")
    source = ChartSource(inputs, options)
    categories = category_rows(source)
    used = inputs.settings.get("classify", {}).get("used") or {}
    summary = {
        "title": options.title or inputs.name,
        "answers": answers_of(
            categories,
            source.predicted,
            source.ranked.confidence,
            _words(source),
            None if source.ranked.second is None else source.ranked.second[0],
            inputs.truth,
            inputs.abstain_below,
        ),
        "graph": graph_sizes(inputs.graph),
        "patterns": pattern_rows(source),
        "categories": categories,
        "evaluation": evaluation_of(source, categories),
        "charts": {name: CHARTS.get(name).numbers(source) for name in CHARTS.names()},
        "notes": [note for note in inputs.notes if not any(note.startswith(f"{name}: ") for name in source.categories)],
        "views": [{"view": name, "share": share} for name, share in (used.get("views") or {}).items()],
        "knowledge": used.get("knowledge"),
        "abstain_label": "no category",
        "settings": [
            {
                "stage": stage,
                "options": sorted(row for row in _flat(chosen) if row[1] and not row[0].startswith("used.")),
            }
            for stage, chosen in inputs.settings.items()
        ],
    }
    return ReportData(source, summary, set_columns(source))


def _words(source: ChartSource) -> list[list[str]] | None:
    """Return the names of the instances that contribute most to each category's documents."""
    if source.reasons is None:
        return None
    names = source.motifs.names
    found = strongest(source.reasons.motifs, source.reasons.weights, source.predicted, len(source.categories))
    return [[names[motif].as_py() for motif in motifs] for motifs in found]


def _flat(options: Mapping[str, Any], before: str = "") -> list[list[str]]:
    """Flatten nested options to pairs such as `["embed.dim", "100"]`."""
    rows: list[list[str]] = []
    for key, value in options.items():
        name = f"{before}{key}"
        if key == "patterns" and isinstance(value, Mapping):
            rows += [[name, _matched(value)]]
            continue
        if key == "columns" and isinstance(value, Sequence) and all(isinstance(item, Mapping) for item in value):
            rows += [[name, "; ".join(f"{item['column']}: {item['use']}, {item['why']}" for item in value)]]
            continue
        rows += _flat(value, f"{name}.") if isinstance(value, Mapping) else [[name, _plain(value)]]
    return rows


def _matched(limits: Mapping[str, Sequence[int]]) -> str:
    """List the patterns that were matched, with their limits.

    >>> _matched({"venue": [5, 1000], "year": [5, 1000], "term": [1, 1000]})
    'venue, year (in 5 documents or more, at most 1,000 in one), term (in 1 document or more, at most 1,000 in one)'
    """
    alike: dict[tuple[int, ...], list[str]] = {}
    for name, bounds in limits.items():
        alike.setdefault(tuple(bounds), []).append(name)
    return ", ".join(
        f"{', '.join(names)} (in {plural(least, 'document')} or more, at most {most:,} in one)"
        for (least, most), names in alike.items()
    )


def _plain(value: Any) -> str:
    """Format an option's value for people.

    >>> _plain([{"bytes": 7, "file": "a.csv"}, {"name": "games", "keywords": ["chess", "go"], "share": None}])
    'a.csv (bytes 7), games (keywords chess, go)'
    """
    if isinstance(value, (list, tuple)):
        return ", ".join(_plain(item) for item in value)
    if isinstance(value, Mapping):
        head = next((_plain(value[key]) for key in ("file", "name") if key in value), "")
        more = [
            f"{key} {_plain(item)}"
            for key, item in sorted(value.items())
            if key not in ("file", "name") and item not in (None, "", [], ())
        ]
        return f"{head} ({', '.join(more)})".strip() if more else head
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
