"""The `hin` command: thin, one function a command. Everything heavy is imported when a command runs."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from hin.console import Console
from hin.errors import HinError

__all__ = ["app", "main"]

app = typer.Typer(
    name="hin",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Sort documents into categories from the categories' names alone, with the reasons, through a graph of the\n"
    "documents, their words and their metadata.\n\n\b\nExample:\n  hin load papers.jsonl\n"
    "  hin classify --categories labels.txt --out predictions.jsonl\n  hin report",
)

GraphOption = Annotated[
    str | None,
    typer.Option("--graph", metavar="PLACE", help="A folder, or a database such as neo4j://localhost:7687. Default: "
                 "$HIN_GRAPH, or ./graph.hin."),
]  # fmt: skip
ModelOption = Annotated[
    str | None, typer.Option("--model", metavar="FOLDER", help="For a database: the local folder of its vectors.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No messages, no progress.")]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Tell more on the way.")]
SeedOption = Annotated[int, typer.Option("--seed", help="The same seed gives the same bytes.")]
ThreadsOption = Annotated[
    int | None, typer.Option("--threads", min=1, help="Default: all cores. Never changes results.")
]


class OnError(StrEnum):
    """What happens at a bad record."""

    stop = "stop"
    skip = "skip"


class FileFormat(StrEnum):
    """What a file can be read as."""

    jsonl = "jsonl"
    json = "json"
    csv = "csv"
    tsv = "tsv"
    parquet = "parquet"


class SortBy(StrEnum):
    """The order of motif instances."""

    by_count = "count"
    by_name = "name"


class ExportFormat(StrEnum):
    """What a graph can be written as."""

    graphml = "graphml"
    igraph = "igraph"
    networkx = "networkx"
    csv = "csv"
    parquet = "parquet"
    jsonl = "jsonl"


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
    """Only --version is an option of `hin` itself."""


@app.command()
def load(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Files or patterns; `-` is the standard input.")
    ],
    id: Annotated[
        str | None, typer.Option("--id", metavar="FIELD", help="The field with the id; `@line` makes one.")
    ] = None,
    text: Annotated[
        str | None, typer.Option("--text", metavar="FIELDS", help="Text fields, joined in this order.")
    ] = None,
    metadata: Annotated[
        str | None,
        typer.Option(
            "--metadata",
            metavar="FIELDS",
            help="Metadata fields; `kind=category` renames one. Default: all "
            "other fields with strings, numbers or lists of them.",
        ),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option("--label", metavar="FIELD", help="The field with the true category, for evaluation only."),
    ] = None,
    links: Annotated[
        str | None, typer.Option("--links", metavar="FIELDS", help="Fields with ids of other documents.")
    ] = None,
    edges: Annotated[
        list[str] | None,
        typer.Option(
            "--edges", metavar="FILE", help="A table of more edges: type, source_type, source, target_type, target."
        ),
    ] = None,
    separator: Annotated[
        str | None, typer.Option("--separator", metavar="TEXT", help="What stands between the values of one CSV cell.")
    ] = None,
    format: Annotated[
        FileFormat | None, typer.Option("--format", help="What the files are. Default: told by the file.")
    ] = None,
    phrases: Annotated[
        bool, typer.Option("--phrases/--no-phrases", help="Join frequent collocations into one term.")
    ] = True,
    min_count: Annotated[
        int, typer.Option("--min-count", min=1, help="Leave terms out that are in fewer documents.")
    ] = 1,
    append: Annotated[bool, typer.Option("--append", help="Add to the graph that is there.")] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Put this graph in the place of the one that is there.")
    ] = False,
    update: Annotated[
        bool, typer.Option("--update", help="With --append: documents with known ids replace the old ones.")
    ] = False,
    on_error: Annotated[OnError, typer.Option("--on-error", help="At a bad record.")] = OnError.stop,
    rejected: Annotated[
        Path | None,
        typer.Option("--rejected", metavar="FILE", help="Where skipped records go. Default: PLACE.rejected.jsonl."),
    ] = None,
    graph: GraphOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Load documents with their metadata into a graph.

    Reads JSONL, JSON, CSV, TSV and Parquet, also .gz .xz .zst. The graph is replaced as a whole or not at all.

    \b
    Example:
      hin load papers.jsonl --text title,abstract --metadata author,venue,year
      hin load reviews.csv.gz --metadata user,product --separator ';' --replace
    """
    from hin.commands import LoadCommand, run_load

    command = LoadCommand(
        files=files, id=id, text=text, metadata=metadata, label=label, links=links, edges=edges, separator=separator,
        format=format.value if format else None, phrases=phrases, min_count=min_count, append=append, replace=replace,
        update=update, on_error=on_error.value, rejected=rejected, graph=graph,
    )  # fmt: skip
    run_load(command, Console(json, quiet, verbose))


@app.command()
def info(
    top: Annotated[int, typer.Option("--top", min=0, help="How many of the most frequent values of each field.")] = 5,
    check: Annotated[bool, typer.Option("--check", help="Verify every file against the manifest first.")] = False,
    graph: GraphOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Show what is in the graph: schema, counts, degrees, the most frequent values, text lengths.

    \b
    Example:
      hin info --graph papers.hin --top 10
    """
    from hin.commands import run_info

    run_info(graph, top, check, Console(json, quiet, verbose))


@app.command()
def motifs(
    pattern: Annotated[
        list[str] | None,
        typer.Option(
            "--pattern", "-p", help="A template such as venue-year; may be repeated. Default: those matched before."
        ),
    ] = None,
    discover: Annotated[
        bool, typer.Option("--discover", help="Which patterns are worth using, without labels.")
    ] = False,
    max_size: Annotated[int, typer.Option("--max-size", min=1, help="With --discover: fields in a pattern.")] = 3,
    min_count: Annotated[int, typer.Option("--min-count", min=1, help="Leave out instances in fewer documents.")] = 5,
    max_per_document: Annotated[
        int, typer.Option("--max-per-document", min=1, help="Skip documents with more candidates than this.")
    ] = 1_000_000,
    top: Annotated[int | None, typer.Option("--top", min=0, help="Rows to show of each pattern; 0 for all.")] = None,
    sort: Annotated[SortBy, typer.Option("--sort", help="The order of the rows.")] = SortBy.by_count,
    contains: Annotated[
        str | None, typer.Option("--contains", help="Only instances with this value, such as KDD.")
    ] = None,
    document: Annotated[
        str | None, typer.Option("--document", metavar="ID", help="Only one document's instances.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write all rows to .parquet, .csv or .jsonl.")
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print the rows as CSV.")] = False,
    graph: GraphOption = None,
    model: ModelOption = None,
    threads: ThreadsOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Match motif patterns and count the documents of each instance.

    A pattern is field names joined by `-`, or a Cypher-like template around the document d.

    \b
    Example:
      hin motifs --pattern venue-year --top 20
      hin motifs --pattern '(d:document)-[:cites]->(e:document)-[:venue]->(v:venue)'
      hin motifs --discover
    """
    from motifs.commands import MotifsCommand, run_motifs

    command = MotifsCommand(
        patterns=pattern or [], discover=discover, max_size=max_size, min_count=min_count,
        max_per_document=max_per_document, top=top, sort=sort.value, contains=contains, document=document, out=out,
        csv=csv, graph=graph, model=model, threads=threads,
    )  # fmt: skip
    run_motifs(command, Console(json, quiet, verbose))


@app.command()
def export(
    format: Annotated[
        ExportFormat, typer.Option("--format", "-f", help="Whom the graph is for.")
    ] = ExportFormat.graphml,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write it.")] = None,
    graph: GraphOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Write the graph for another tool; `hin load` reads every format but neo4j-import back.

    \b
    Example:
      hin export --format graphml --out papers.graphml
      hin export --format neo4j-import --out import/
    """
    from hin.commands import run_export

    run_export(graph, format.value, out, Console(json, quiet, verbose))


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; whatever goes wrong ends in one line and an exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    console = Console(as_json="--json" in arguments)
    try:
        code = app(arguments, prog_name="hin", standalone_mode=False)
        if code == 130:  # Typer's way to hand Ctrl-C on
            raise KeyboardInterrupt
        # What was printed last may still be on its way to a pipe that has closed.
        sys.stdout.flush()
        sys.exit(code or 0)
    except typer.TyperException as error:
        message = error.format_message().strip() or "a command is missing"
        if "help" not in type(error).__name__.lower():
            console.error(_Usage(message, hint="see `hin --help`, or `hin COMMAND --help`"))
        else:
            print(message, file=sys.stderr)
        sys.exit(error.exit_code)
    except HinError as error:
        console.error(error)
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        console.error(_Interrupted("interrupted", hint="what was stored before is unchanged; run the command again"))
        sys.exit(130)
    except BrokenPipeError:
        # The reader (`| head`) has seen enough; keep Python from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except MemoryError:
        console.error(HinError("out of memory", hint="load fewer documents, or use a machine with more memory"))
        sys.exit(1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        console.error(HinError(f"{where}{error.strerror or error}", hint="check the place and its permissions"))
        sys.exit(1)


class _Usage(HinError):
    """Options the command line does not know."""

    exit_code = 2
    kind = "bad_usage"


class _Interrupted(HinError):
    """Ctrl-C."""

    kind = "interrupted"


if __name__ == "__main__":
    main()
