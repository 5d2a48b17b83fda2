"""The `hin` command: thin, one function per command.

Options come from the dataclasses that a command takes (see `hin.commands.command_line`); everything heavy is imported
when a command runs.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from typing import Annotated, Any

import typer

from classify.commands.arguments import (
    AskCommand,
    ClassifyCommand,
    CompareCommand,
    DemoCommand,
    DiffCommand,
    EmbedCommand,
    EvaluateCommand,
    ExplainCommand,
    ExploreCommand,
    PredictCommand,
    ReportCommand,
    SelectCommand,
    SuggestCommand,
)
from hin.commands.arguments import CopyCommand, ExportCommand, InfoCommand, LoadCommand, QueryCommand
from hin.commands.command_line import Command, with_options
from hin.commands.streams import Interrupts, discard_output, ready_streams
from hin.console import Console
from hin.errors import HinError, NoSpace
from hin.files.atomic import is_full
from motifs.arguments import MotifsCommand

__all__ = ["app", "main"]

app = typer.Typer(
    name="hin",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Classify documents from the categories' names alone, and show the reasons for every label. The documents,\n"
    "their words and their metadata become a graph, in a folder or in Neo4j.\n\n\b\nExample:\n"
    "  hin classify reviews.csv --categories labels.txt --out labelled.csv\n  hin report --graph reviews.csv.hin",
)


def command(summary: str | None = None) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add a function to the command line, with the options of the dataclasses that it takes."""

    def add(run: Callable[..., None]) -> Callable[..., None]:
        app.command(cls=Command, short_help=summary)(with_options(run))
        return run

    return add


def _version(wanted: bool) -> None:
    if wanted:
        from hin import __version__

        print(f"hin {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Handle `--version`, the only option of `hin` itself."""


@command()
def load(wanted: LoadCommand, console: Console) -> None:
    """Load documents with their metadata into a graph.

    Reads jsonl, json, csv, tsv, txt (one document per line), parquet, arrow, xlsx, sqlite and duckdb, compressed or
    not (.gz .xz .zst .bz2 .zip), and folders of .txt .md .html .eml (one document per file). If a load fails, the
    graph stays as it was.

    \b
    Example:
      hin load papers.jsonl --text title,abstract --metadata author,venue,year
      hin load reviews.csv.gz --metadata user,product --separator ';' --replace
    """
    from hin.commands.load import run_load

    run_load(wanted, console)


@command("Show what is in the graph.")
def info(wanted: InfoCommand, console: Console) -> None:
    """Show what is in the graph: schema, counts, degrees, the most frequent values, text lengths.

    \b
    Example:
      hin info --graph papers.hin --top 10
    """
    from classify.store_check import unreadable
    from hin.commands.info import run_info

    run_info(wanted, console, unreadable)


@command()
def motifs(wanted: MotifsCommand, console: Console) -> None:
    """Match motif patterns and count the documents of each instance.

    A pattern is field names joined by `-`, or a Cypher-like template around the document d.

    \b
    Example:
      hin motifs --pattern venue-year --top 20
      hin motifs --pattern author-author --max-q 0.05 --sort lift
      hin motifs --pattern '(d:document)-[:cites]->(e:document)-[:venue]->(v)'
      hin motifs --discover
    """
    from motifs.commands import run_motifs

    run_motifs(wanted, console)


@command("Write the graph for another tool.")
def export(wanted: ExportCommand, console: Console) -> None:
    """Write the graph for another tool; `hin load` reads back every format except ladybug, neo4j-import and pyg.

    \b
    Example:
      hin export graphml --out papers.graphml
      hin export pyg --out papers.pt
      hin export --format neo4j-import --out import/
    """
    from hin.commands.export import run_export

    run_export(wanted, console)


@command("Learn a vector and a specificity for every instance.")
def embed(wanted: EmbedCommand, console: Console) -> None:
    """Learn a vector and a specificity (kappa) for every motif instance; `hin classify` runs this when needed.

    \b
    Example:
      hin embed --pattern venue-year --pattern author-author --seed 1
      hin embed --categories labels.txt
      hin embed --nearest 'TERM[data mining]' --of venue
    """
    from classify.commands.embed import run_embed

    run_embed(wanted, console)


@command("Show which words and metadata indicate each category.")
def select(wanted: SelectCommand, console: Console) -> None:
    """Show the indicative motif instances of each category, with kappa and cosine.

    \b
    Example:
      hin select --categories labels.txt --top 10
    """
    from classify.commands.select import run_select

    run_select(wanted, console)


@command()
def classify(wanted: ClassifyCommand, console: Console) -> None:
    """Label every document from the category names alone.

    With FILE, its documents are loaded into a graph of their own and labelled; without it, the documents of --graph
    are labelled. A categories file has one category per line: `name`, `name: keyword, keyword` or
    `name [12%]: keyword`, where 12% is the share of the documents that you expect.

    \b
    Example:
      hin classify reviews.csv -c 'billing, delivery, login' --out labelled.csv
      hin classify --categories labels.txt --out labelled.jsonl
      hin classify --categories labels.txt --preset paper --pattern venue-year
    """
    from classify.commands.classification import run_classify

    run_classify(wanted, console)


@command("Label documents that were not in the graph.")
def predict(wanted: PredictCommand, console: Console) -> None:
    """Label documents that were not in the graph, from text and metadata.

    \b
    Example:
      hin predict new.jsonl --out new-labels.csv
      hin predict new.jsonl --model saved-model
    """
    from classify.commands.prediction import run_predict

    run_predict(wanted, console)


@command("Show why a document has its label.")
def explain(wanted: ExplainCommand, console: Console) -> None:
    """Show why a document has its label: the instances and terms whose weights add up to its score.

    \b
    Example:
      hin explain p42
      hin explain p42 --category databases
      hin explain p42 --flip
      hin explain --file new.jsonl
    """
    from classify.commands.explain import run_explain

    run_explain(wanted, console)


@command("Suggest words for each category, and documents worth labelling.")
def suggest(wanted: SuggestCommand, console: Console) -> None:
    """Suggest improvements: words for each category, problems of its name, documents worth labelling.

    \b
    Example:
      hin suggest --categories labels.txt
      hin suggest --categories labels.txt --write better.txt
      hin suggest --documents 20 --out few.csv
      hin suggest --missing
    """
    from classify.commands.suggest import run_suggest

    run_suggest(wanted, console)


@command("Ask a person, a file, a command or a language model about documents.")
def ask(wanted: AskCommand, console: Console) -> None:
    """Ask for the category of documents, the most informative first; `hin classify` learns from the answers.

    Each answer is stored with the graph before the next question: you can stop at any time and continue later.

    \b
    Example:
      hin ask --documents 50
      hin ask --documents 200 --rounds 4 --teacher 'python my_teacher.py'
      hin ask --documents 200 --rounds 4 \\
        --teacher http://localhost:11434/v1 --teacher-model llama3.1
      hin ask --names --write better.txt \\
        --teacher http://localhost:11434/v1 --teacher-model llama3.1
    """
    from classify.commands.ask import run_ask
    from hin.commands.streams import read_key

    run_ask(wanted, console, read_key)


@command("Show what changed between two classifications, and why.")
def diff(wanted: DiffCommand, console: Console) -> None:
    """Compare two classifications: which documents changed category, and which reasons gained or lost weight.

    The graph keeps its last ten classifications, the last three with their reasons; `hin info` lists them.

    \b
    Example:
      hin diff
      hin diff 3 5 --examples 10 --out moved.csv
    """
    from classify.commands.diff import run_diff

    run_diff(wanted, console)


@command("Compare the labels with the true ones.")
def evaluate(wanted: EvaluateCommand, console: Console) -> None:
    """Compare the labels with the true ones, where the graph has them: F1, overall and by category.

    \b
    Example:
      hin evaluate --confusion
    """
    from classify.commands.evaluation import run_evaluate

    run_evaluate(wanted, console)


@command("Write one HTML file that shows everything.")
def report(wanted: ReportCommand, console: Console) -> None:
    """Write one self-contained HTML file with plots, the categories' instances and every document's reasons.

    \b
    Example:
      hin report --out report.html
    """
    from classify.commands.report import run_report

    run_report(wanted, console)


@command("Compare systems by name on a graph with labels.")
def compare(wanted: CompareCommand, console: Console) -> None:
    """Compare systems on a graph with labels: the paper's Table 2 with spread and significance, time and memory.

    Every run is stored with the graph; a system that fails or takes too long gets a row that says so.

    \b
    Example:
      hin compare --categories labels.txt --system hin,motifclass,tf-idf --seeds 3
      hin compare -c labels.txt --system all --model bert=FOLDER --resume
      hin compare --categories labels.txt --tables --seeds 3
    """
    from classify.commands.compare import run_compare

    run_compare(wanted, console)


@command("Query the graph, and what was found in it, with Cypher.")
def query(wanted: QueryCommand, console: Console) -> None:
    """Query the graph, and everything found in it, with Cypher, on a folder or on Neo4j.

    \b
    Example:
      hin query 'MATCH (m:Motif)-[:INDICATES]->(c:Category) RETURN c.name, m.name'
      hin query 'MATCH (d)-[:HAS_VENUE]->({name: $v}) RETURN d.id' --param v=KDD
    """
    from hin.commands.query import run_query

    run_query(wanted, console)


@command("Open the workbench in the browser.")
def explore(wanted: ExploreCommand, console: Console) -> None:
    """Open the workbench on a graph: a page in the browser, served on this machine only.

    Edit the categories, label documents with single keys, see the reasons, classify, and download the labels. Every
    change is stored with the graph at once; Ctrl-C stops the server. The page opens only at the printed
    address, which contains a token.

    \b
    Example:
      hin explore --graph papers.hin
      hin explore reviews.csv --categories 'billing, delivery, login'
    """
    from classify.explore.command import run_explore

    run_explore(wanted, console)


@command("Copy a graph between folders and databases.")
def copy(wanted: CopyCommand, console: Console) -> None:
    """Copy a graph, with everything found in it, from one place to another, without loss.

    \b
    Example:
      hin copy papers.hin neo4j://localhost:7687
    """
    from hin.commands.copy import run_copy

    run_copy(wanted, console)


@command("Run every step on a small generated corpus.")
def demo(wanted: DemoCommand, console: Console) -> None:
    """Run every step on a small generated corpus: load, motifs, classify, evaluate, explain, report.

    \b
    Example:
      hin demo
      hin demo --explore
    """
    from classify.commands.demo import run_demo

    run_demo(wanted, console)
    if wanted.explore:
        from classify.explore.command import run_explore

        run_explore(ExploreCommand(graph=str(wanted.out / "graph.hin")), console)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; whatever goes wrong ends in one line and an exit code."""
    interrupts, closed = Interrupts(), ready_streams()
    arguments = sys.argv[1:] if arguments is None else arguments
    console = Console(as_json="--json" in arguments, quiet=not {"--quiet", "-q"}.isdisjoint(arguments))
    try:
        with console.log():
            code = _run(arguments)
        if code == 130:  # how Typer passes Ctrl-C on
            raise KeyboardInterrupt
        # What was printed last may still be on its way to a pipe that has closed.
        sys.stdout.flush()
        if closed:
            raise HinError("the standard output is closed", hint="the work is done; its result was not shown")
        sys.exit(code or 0)
    except Exception as error:
        if isinstance(error, typer.TyperException) and "help" in type(error).__name__.lower():
            print(error.format_message().strip(), file=sys.stderr)  # a command was called without anything
            sys.exit(error.exit_code)
        failure = _Interrupted() if interrupts.came else _failure(error)
        if isinstance(error, OSError):  # a full disk behind `>` must not be reported twice
            discard_output()
        if failure is not None:
            console.error(failure)
        sys.exit(failure.exit_code if failure is not None else 141)
    except KeyboardInterrupt:
        console.error(_Interrupted())
        sys.exit(_Interrupted.exit_code)


def _failure(error: Exception) -> HinError | None:
    """Convert an exception to the error to show; None if the output's reader has gone."""
    if isinstance(error, HinError):
        return error
    if isinstance(error, BrokenPipeError):  # the reader (`| head`) has closed the pipe
        return None
    if isinstance(error, typer.Abort):
        return _Interrupted()
    if isinstance(error, typer.TyperException):
        return _Usage(error)
    if isinstance(error, MemoryError):
        return HinError("out of memory", hint="load fewer documents, or use a machine with more memory")
    if isinstance(error, OSError) and is_full(error):
        return NoSpace("no space left to write what was made", hint="free some, and run the command again")
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return HinError(f"{where}{error.strerror or error}", hint="check the place and its permissions")
    return _Unexpected(error)


def _run(arguments: list[str]) -> Any:
    """Run a command; a closed pipe (`| head`) is raised as such, not as Typer's exit code."""
    out = sys.stdout
    try:
        return app(arguments, prog_name="hin", standalone_mode=False)
    except SystemExit:
        if sys.stdout is not out:  # Typer wraps it for a broken pipe, and ends with 1
            raise BrokenPipeError from None
        raise


class _Usage(HinError):
    """Options the command line does not know."""

    kind = "bad_usage"

    def __init__(self, error: typer.TyperException) -> None:
        message = error.format_message().strip().removesuffix(".") or "a command is missing"
        context = getattr(error, "ctx", None)
        super().__init__(message, hint=f"see `{'hin' if context is None else context.command_path} --help`")
        self.exit_code = error.exit_code


class _Interrupted(HinError):
    """Ctrl-C."""

    kind = "interrupted"
    exit_code = 130

    def __init__(self) -> None:
        super().__init__("interrupted", hint="what was stored before is unchanged; run the command again")


class _Unexpected(HinError):
    """A bug of this program: also shown in one line, which can be reported."""

    kind = "unexpected"

    def __init__(self, error: Exception) -> None:
        if os.environ.get("HIN_TRACEBACK"):
            traceback.print_exception(error)
        last = traceback.extract_tb(error.__traceback__)[-1:]
        where = "".join(f" in {os.path.basename(frame.filename)}, line {frame.lineno}" for frame in last)
        said = " ".join(str(error).split())[:300]
        super().__init__(
            f"unexpected {type(error).__name__}{where}: {said}",
            hint="this is a fault of hin, please report it; HIN_TRACEBACK=1 shows more",
        )


if __name__ == "__main__":
    main()
