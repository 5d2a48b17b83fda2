"""The arguments of the commands about labels.

The command line makes its options from these dataclasses, so they are imported before anything heavy: keep it so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from classify.answers.options import TeacherOptions
from classify.options import PATTERNS_HELP, ClassifyOptions
from classify.report.options import ReportOptions
from classify.suggestions.options import SuggestOptions
from hin.commands.arguments import CsvCells, EnginePlace, ModelPlace, Place
from hin.demo.options import DemoOptions
from hin.option_fields import RARELY_NEEDED, THREADS_HELP, nested, option, shown
from hin.reading.options import LoadOptions

#: Options of `hin load` that say how a file of new documents is read.
_READING = ("id", "text", "metadata", "separator", "html", "columns", "encoding", "format")
_CATEGORIES = "The category names: a file, one per line, or 'a, b, c'; double quotes hold a name with a comma together."


def _categories(help_text: str = f"{_CATEGORIES} Default: those of the last `hin classify`.") -> Any:
    """Declare the option `--categories` of a command that also runs without it."""
    return option(None, help_text, "--categories", "-c", metavar="FILE")


@dataclass(frozen=True, kw_only=True)
class CategoryCount:
    """The limit on the number of categories."""

    max_categories: int = option(
        1000, "Stop if the categories file names more than this.", least=2, heading=RARELY_NEEDED
    )


@dataclass(frozen=True, kw_only=True)
class DeprecatedOptions:
    """A deprecated option, which is accepted and ignored."""

    allow_missing: bool = option(
        False, "Deprecated, does nothing: a missing name no longer stops a run.", heading=RARELY_NEEDED
    )


@dataclass(frozen=True)
class EmbedCommand(EnginePlace, CategoryCount, ModelPlace):
    """The arguments of `hin embed`."""

    options: ClassifyOptions = nested(ClassifyOptions, "patterns", "min_count", "embed", heading="")
    categories: Path | None = _categories(
        "The category names of a later `hin classify`. Phrases among them become terms now, so that it need not train "
        "again."
    )
    resume: bool = option(False, "Resume a training that was interrupted.")
    nearest: str | None = option(
        None, "Show the instances nearest to this one, such as 'TERM[data mining]'.", metavar="INSTANCE"
    )
    pattern: str | None = option(None, "With --nearest: only instances of this pattern.", "--of", metavar="PATTERN")
    min_kappa: float | None = option(None, "With --nearest: only instances of at least this kappa.")
    top: int = option(10, "With --nearest: how many to show.", least=1)


@dataclass(frozen=True)
class SelectCommand(DeprecatedOptions, EnginePlace, CategoryCount, ModelPlace):
    """The arguments of `hin select`."""

    categories: Path = field(metadata=shown(_CATEGORIES, "--categories", "-c", metavar="FILE"))
    options: ClassifyOptions = nested(
        ClassifyOptions,
        "patterns",
        "strict_names",
        "min_count",
        "embed",
        "knowledge",
        "paper.selection",
        heading="",
    )
    top: int | None = option(None, "Show at most this many instances of each category.", least=1)


@dataclass(frozen=True)
class ClassifyCommand(DeprecatedOptions, EnginePlace, CsvCells, CategoryCount, ModelPlace):
    """The arguments of `hin classify`."""

    categories: Path = field(metadata=shown(_CATEGORIES, "--categories", "-c", metavar="FILE"))
    file: str | None = option(
        None,
        "Documents to load into FILE.hin or --graph; `-` is the standard input. Default: those in the graph.",
        argument=True,
        metavar="FILE",
    )
    out: Path | None = option(
        None,
        "Write your rows with the columns category, confidence and because, as .csv, .tsv, .jsonl, .json, .parquet or "
        ".xlsx; `-` for the standard output.",
        "--out",
        "-o",
        metavar="FILE",
    )
    plain: bool = option(False, "With --out: only document, category and confidence.")
    scores: bool = option(False, "With --out: also the scores of all categories.")
    known: Path | None = option(
        None, "A few labelled documents: CSV, TSV or JSONL with document and category.", metavar="FILE"
    )
    save_model: Path | None = option(
        None,
        "Also save the model, for `hin predict`. A name that ends in .json saves a linear model as JSON, for other "
        "programs.",
        metavar="FOLDER",
    )
    options: ClassifyOptions = nested(ClassifyOptions, heading="")
    vectors: Path | None = option(
        None,
        "Your own vectors of the documents: .npy (in the order of the documents) or .parquet (by id).",
        metavar="FILE",
    )
    reading: LoadOptions = nested(
        LoadOptions, *_READING, "label", "links", "ignore", "on_error", "replace", heading="How FILE is read"
    )

    @property
    def to_stdout(self) -> bool:
        """Whether the labelled table goes to the standard output."""
        return self.out is not None and str(self.out) == "-"


@dataclass(frozen=True)
class PredictCommand(CsvCells, Place):
    """The arguments of `hin predict`."""

    files: list[str] = field(
        metadata=shown("Files or glob patterns; `-` is the standard input.", argument=True, metavar="FILE")
    )
    out: Path | None = option(None, "Write the predictions as .jsonl, .csv or .parquet.", "--out", "-o", metavar="FILE")
    vectors: Path | None = option(None, "Vectors of these documents, as for `hin classify --vectors`.", metavar="FILE")
    abstain_below: float | None = option(None, "Give no category below this confidence.", least=0, most=1)
    rejected: Path | None = option(
        None, "Write skipped records to this file. Default: they are only counted.", metavar="FILE"
    )
    options: LoadOptions = nested(
        LoadOptions,
        *_READING,
        "on_error",
        "max_record",
        "max_fields",
        "max_unpacked",
        "engine",
        heading="How the files are read",
    )
    threads: int | None = option(None, THREADS_HELP, least=1, common=True)
    model: str | None = option(
        None, "A saved model. Default: the one stored with the graph.", metavar="FOLDER", common=True
    )


@dataclass(frozen=True)
class ExplainCommand(ModelPlace):
    """The arguments of `hin explain`."""

    document: str | None = option(
        None, "The document's id; with --file, one of its documents.", argument=True, metavar="DOCUMENT"
    )
    file: str | None = option(None, "A file with new documents to explain, as for `hin predict`.", metavar="FILE")
    category: str | None = option(None, "Explain the score of this category instead of the document's own.")
    flip: bool = option(
        False,
        "Also show the smallest set of reasons without which the label would change (with --category: to that one).",
    )
    top: int = option(15, "Reasons to show; 0 for all.", least=0)
    options: LoadOptions = nested(LoadOptions, *_READING, heading="How the file is read")


@dataclass(frozen=True)
class ExploreCommand(CategoryCount, ModelPlace):
    """The arguments of `hin explore`."""

    file: str | None = option(
        None, "Documents to load into FILE.hin or --graph. Default: those in the graph.", argument=True, metavar="FILE"
    )
    categories: Path | None = _categories(f"{_CATEGORIES} Default: those of the last session.")
    port: int = option(0, "The port on this machine; 0 for any free one.", least=0, most=65535)
    browser: bool = option(True, "Whether to open the page in the browser.", "--browser/--no-browser")
    read_only: bool = option(False, "Let the page change nothing.")


@dataclass(frozen=True)
class DiffCommand(CsvCells, ModelPlace):
    """The arguments of `hin diff`."""

    before: int | None = option(
        None, "A classification's number, from `hin info`. Default: the last but one.", argument=True, metavar="BEFORE"
    )
    after: int | None = option(
        None, "The number of the classification to compare it with. Default: the last.", argument=True, metavar="AFTER"
    )
    top: int = option(15, "How many flows (from one category to another) to show; 0 for all.", least=0)
    examples: int = option(5, "How many documents to show with their reasons.", least=0)
    reasons: int = option(5, "How many reasons to show for each of these documents.", least=0)
    out: Path | None = option(
        None, "Write all documents that moved, as .csv, .jsonl, .json or .parquet.", "--out", "-o", metavar="FILE"
    )


@dataclass(frozen=True)
class EvaluateCommand(ModelPlace):
    """The arguments of `hin evaluate`."""

    pseudo: bool = option(False, "Also evaluate the pseudo documents and the selected instances.")
    confusion: bool = option(False, "Also print the confusion matrix.")


@dataclass(frozen=True)
class ReportCommand(EnginePlace, ReportOptions, ModelPlace):
    """The arguments of `hin report`."""

    out: Path = option(Path("report.html"), "The file to write.", "--out", "-o", metavar="FILE")


@dataclass(frozen=True)
class SuggestCommand(CategoryCount, ModelPlace):
    """The arguments of `hin suggest`."""

    options: ClassifyOptions = nested(ClassifyOptions, "patterns", "min_count", "embed", "knowledge", heading="")
    categories: Path | None = _categories()
    known: Path | None = option(None, "Documents with their categories, as for `hin classify --known`.", metavar="FILE")
    write: Path | None = option(None, "Write a labels file with the suggestions, to be edited.", metavar="FILE")
    documents: int | None = option(
        None, "Instead of words, list this many documents that are most worth labelling, as CSV.", least=1
    )
    out: Path | None = option(
        None, "With --documents: write this file, for you to fill in.", "--out", "-o", metavar="FILE"
    )
    missing: bool = option(
        False, "Instead of words, show groups of documents that fit no category, with words for each."
    )
    suggestions: SuggestOptions = nested(SuggestOptions, heading="")


@dataclass(frozen=True)
class AskCommand(CategoryCount, ModelPlace):
    """The arguments of `hin ask`."""

    categories: Path | None = _categories()
    teaching: TeacherOptions = nested(TeacherOptions, heading="Who answers")
    documents: int = option(50, "How many documents to ask about.", "--documents", "-n", least=1)
    rounds: int = option(1, "The number of rounds; each chooses documents by the answers so far.", least=1)
    measure: int | None = option(
        None, "Ask about this many random documents instead, to estimate how many labels are right.", least=10
    )
    names: bool = option(False, "Instead of documents, ask for words of each category, in one request.")
    words: int = option(8, "With --names: how many words of each category to ask for.", least=1, most=50)
    write: Path | None = option(None, "With --names: write a labels file with the words.", metavar="FILE")
    show_prompt: bool = option(
        False, "Print the template of the prompt, or with --categories the prompt for one document; send nothing."
    )
    yes: bool = option(False, "Do not ask for confirmation; still show what is sent, and where.", "--yes", "-y")
    threads: int | None = option(None, THREADS_HELP, least=1, common=True)


@dataclass(frozen=True)
class DemoCommand:
    """The arguments of `hin demo`."""

    out: Path = option(
        Path("hin-demo"), "Where the corpus, the predictions and the report go.", "--out", "-o", metavar="FOLDER"
    )
    replace: bool = option(False, "Replace an earlier demo.")
    explore: bool = option(False, "Open the workbench on it at the end, as `hin explore` does.")
    threads: int | None = option(None, THREADS_HELP, least=1, common=True)
    corpus: DemoOptions = nested(DemoOptions)


@dataclass(frozen=True)
class CompareCommand(DeprecatedOptions, CategoryCount, Place):
    """The arguments of `hin compare`."""

    categories: Path | None = _categories(_CATEGORIES)
    systems: list[str] = option(
        [],
        "Systems, or `all`, `paper` (its Table 2), `light` (no language model). Default: light.",
        "--system",
        "-s",
        metavar="NAMES",
    )
    seeds: int = option(5, "How many runs of each system.", least=1)
    documents: int | None = option(None, "Compare on a random sample of this many documents. Default: all.", least=10)
    patterns: list[str] = option([], PATTERNS_HELP, "--pattern", "-p", metavar="PATTERN")
    min_count: int | None = option(
        None, "Leave out instances in fewer documents than this. Default: that of `hin classify`.", least=1
    )
    time_limit: str | None = option(None, "Time limit of each run: 90s, 10m, 2h. Default: none.", metavar="TIME")
    resume: bool = option(False, "Reuse the stored runs, and run only the missing ones.")
    tables: bool = option(
        False, "Make the paper's other tables and figures instead: patterns, specificity, pseudo labels."
    )
    list_systems: bool = option(False, "List the systems, the papers that they follow and their settings.", "--list")
    models: list[str] = option(
        [],
        "A pretrained model: bert=FOLDER, encoder=FOLDER. A FOLDER alone is the local folder of a database's vectors.",
        "--model",
        metavar="ROLE=FOLDER",
    )
    seed: int = option(0, "The first seed.", common=True, least=0)
    threads: int | None = option(None, THREADS_HELP, least=1, common=True)
