"""The `hin` command: thin, one function a command. Everything heavy is imported when a command runs."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hin.console import Console
from hin.errors import HinError

if TYPE_CHECKING:
    from embed.options import EmbedOptions

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
    neo4j_import = "neo4j-import"


class QueryFormat(StrEnum):
    """How rows are shown."""

    table = "table"
    json = "json"
    csv = "csv"


class Objective(StrEnum):
    """Whether vectors stay on the sphere during training."""

    free = "free"
    paper = "paper"


class Specificity(StrEnum):
    """Which kappa is used."""

    estimated = "estimated"
    learned = "learned"


class Preset(StrEnum):
    """Two ways from names to labels."""

    default = "default"
    paper = "paper"


class Classifier(StrEnum):
    """What is trained in the end."""

    average = "average"
    cnn = "cnn"
    linear = "linear"


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


FilesArgument = Annotated[
    list[str], typer.Argument(metavar="FILE", help="Files or patterns; `-` is the standard input.")
]
IdOption = Annotated[
    str | None,
    typer.Option("--id", metavar="FIELD", help="The field with the id; `@line` makes one. Default: document or id."),
]
TextOption = Annotated[
    str | None,
    typer.Option(
        "--text",
        metavar="FIELDS",
        help="Text fields, joined in this order. Default: title (or subject), abstract, text, body, ... where there.",
    ),
]
MetadataOption = Annotated[
    str | None,
    typer.Option(
        "--metadata",
        metavar="FIELDS",
        help="Metadata fields; `kind=category` renames one. Default: all other fields with strings, numbers or "
        "lists of them.",
    ),
]
SeparatorOption = Annotated[
    str | None, typer.Option("--separator", metavar="TEXT", help="What stands between the values of one CSV cell.")
]
FormatOption = Annotated[
    FileFormat | None, typer.Option("--format", help="What the files are. Default: told by the file.")
]
OnErrorOption = Annotated[OnError, typer.Option("--on-error", help="At a bad record.")]
CategoriesOption = Annotated[
    Path, typer.Option("--categories", "-c", metavar="FILE", help="The category names, one a line.")
]
PatternOption = Annotated[
    list[str] | None,
    typer.Option(
        "--pattern",
        "-p",
        metavar="PATTERN",
        help="A motif pattern such as venue-year; may be repeated. Default: every field and pair of fields.",
    ),
]
MinCountOption = Annotated[int, typer.Option("--min-count", min=1, help="Leave out instances in fewer documents.")]
SizeOption = Annotated[int, typer.Option("--instances", min=1, help="Indicative instances a category.")]
EtaOption = Annotated[
    float | None,
    typer.Option(
        "--eta", min=0, help="How many times as specific as the name. Default: 1, or 2 for the learned kappa."
    ),
]
HigherOrderOption = Annotated[
    bool, typer.Option("--higher-order/--no-higher-order", help="Ablation: only single fields and terms.")
]
UseSpecificityOption = Annotated[
    bool, typer.Option("--use-specificity/--no-specificity", help="Ablation: select without looking at kappa.")
]
AllowMissingOption = Annotated[
    bool, typer.Option("--allow-missing", help="Compose names that occur nowhere of their words or similar ones.")
]
AbstainOption = Annotated[
    float | None, typer.Option("--abstain-below", min=0, max=1, help="No category below this confidence.")
]
DimOption = Annotated[int, typer.Option("--dim", min=1, help="Length of the vectors.")]
WindowOption = Annotated[int, typer.Option("--window", min=0, help="Terms to each side that are context.")]
NegativesOption = Annotated[int, typer.Option("--negatives", min=1, help="Negative samples for each edge.")]
EpochsOption = Annotated[int | None, typer.Option("--epochs", min=1, help="Passes over the edges. Default: by size.")]
ObjectiveOption = Annotated[Objective, typer.Option("--objective", help="`paper` stays on the sphere in training.")]
SpecificityOption = Annotated[
    Specificity, typer.Option("--specificity", help="Which kappa: closed form, or learned with the vectors.")
]


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
    files: FilesArgument,
    id: IdOption = None,
    text: TextOption = None,
    metadata: MetadataOption = None,
    label: Annotated[
        str | None,
        typer.Option(
            "--label", metavar="FIELD", help="The true category, to evaluate and for nothing else. Default: label."
        ),
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
    separator: SeparatorOption = None,
    format: FormatOption = None,
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
    on_error: OnErrorOption = OnError.stop,
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
    from hin.commands.ground import LoadCommand, run_load
    from hin.reading.options import LoadOptions

    options = LoadOptions(
        id=id, text=text, metadata=metadata, label=label, links=links, edges=edges, separator=separator,
        format=format.value if format else None, phrases=phrases, min_count=min_count, append=append, replace=replace,
        update=update, on_error=on_error.value, rejected=rejected,
    )  # fmt: skip
    command = LoadCommand(files, options, graph)
    run_load(command, Console(json, quiet, verbose, graph))


@app.command(short_help="Show what is in the graph.")
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
    from hin.commands.ground import run_info

    run_info(graph, top, check, Console(json, quiet, verbose, graph))


@app.command()
def motifs(
    pattern: Annotated[
        list[str] | None,
        typer.Option(
            "--pattern",
            "-p",
            metavar="PATTERN",
            help="A template such as venue-year; may be repeated. Default: those matched before.",
        ),
    ] = None,
    discover: Annotated[
        bool, typer.Option("--discover", help="Which patterns are worth using, without labels.")
    ] = False,
    max_size: Annotated[int, typer.Option("--max-size", min=1, help="With --discover: fields in a pattern.")] = 3,
    min_count: MinCountOption = 5,
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
      hin motifs --pattern '(d:document)-[:cites]->(e:document)-[:venue]->(v)'
      hin motifs --discover
    """
    from motifs.commands import MotifsCommand, run_motifs

    command = MotifsCommand(
        patterns=pattern or [], discover=discover, max_size=max_size, min_count=min_count,
        max_per_document=max_per_document, top=top, sort=sort.value, contains=contains, document=document, out=out,
        csv=csv, graph=graph, model=model, threads=threads,
    )  # fmt: skip
    run_motifs(command, Console(json, quiet, verbose, graph, model))


@app.command(short_help="Write the graph for another tool.")
def export(
    kind: Annotated[
        ExportFormat | None, typer.Argument(metavar="FORMAT", help="Whom the graph is for. Default: graphml.")
    ] = None,
    format: Annotated[ExportFormat | None, typer.Option("--format", "-f", help="The same, as an option.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write it.")] = None,
    graph: GraphOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Write the graph for another tool; `hin load` reads every format but neo4j-import back.

    \b
    Example:
      hin export graphml --out papers.graphml
      hin export --format neo4j-import --out import/
    """
    from hin.commands.ground import run_export

    chosen = format or kind or ExportFormat.graphml
    run_export(graph, chosen.value, out, Console(json, quiet, verbose, graph))


def _embedding(
    dim: int,
    window: int,
    negatives: int,
    epochs: int | None,
    objective: Objective,
    specificity: Specificity,
    threads: int | None,
    seed: int,
) -> EmbedOptions:
    from embed.options import EmbedOptions

    return EmbedOptions(
        dim=dim, window=window, negatives=negatives, epochs=epochs, objective=objective.value,
        specificity=specificity.value, threads=threads, seed=seed,
    )  # fmt: skip


@app.command(short_help="Learn a vector and a specificity for every instance.")
def embed(
    pattern: PatternOption = None,
    min_count: MinCountOption = 5,
    dim: DimOption = 100,
    window: WindowOption = 5,
    negatives: NegativesOption = 5,
    epochs: EpochsOption = None,
    objective: ObjectiveOption = Objective.free,
    specificity: SpecificityOption = Specificity.estimated,
    subsample: Annotated[float, typer.Option("--subsample", help="Drop frequent terms; 0 keeps all.")] = 1e-5,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a training that was stopped.")] = False,
    nearest: Annotated[
        str | None,
        typer.Option("--nearest", metavar="INSTANCE", help="Show what is near, such as 'TERM[data mining]'."),
    ] = None,
    of: Annotated[
        str | None, typer.Option("--of", metavar="PATTERN", help="With --nearest: only this pattern.")
    ] = None,
    min_kappa: Annotated[float | None, typer.Option("--min-kappa", help="With --nearest: only so specific.")] = None,
    top: Annotated[int, typer.Option("--top", min=1, help="With --nearest: how many.")] = 10,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    graph: GraphOption = None,
    model: ModelOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Learn a vector and a specificity (kappa) for every motif instance; classify runs this when needed.

    \b
    Example:
      hin embed --pattern venue-year --pattern author-author --seed 1
      hin embed --nearest 'TERM[data mining]' --of venue
    """
    from dataclasses import replace

    from embed.commands import EmbedCommand, run_embed

    options = _embedding(dim, window, negatives, epochs, objective, specificity, threads, seed)
    options = replace(options, subsample=subsample)
    command = EmbedCommand(
        patterns=pattern or [], min_count=min_count, options=options, resume=resume, nearest=nearest, pattern=of,
        min_kappa=min_kappa, top=top, graph=graph, model=model,
    )  # fmt: skip
    run_embed(command, Console(json, quiet, verbose, graph, model))


@app.command(short_help="Show what speaks for each category.")
def select(
    categories: CategoriesOption,
    pattern: PatternOption = None,
    top: Annotated[int | None, typer.Option("--top", min=1, help="Show only the first instances of each.")] = None,
    min_count: MinCountOption = 5,
    size: SizeOption = 50,
    eta: EtaOption = None,
    higher_order: HigherOrderOption = True,
    use_specificity: UseSpecificityOption = True,
    allow_missing: AllowMissingOption = False,
    dim: DimOption = 100,
    window: WindowOption = 5,
    negatives: NegativesOption = 5,
    epochs: EpochsOption = None,
    objective: ObjectiveOption = Objective.free,
    specificity: SpecificityOption = Specificity.estimated,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    graph: GraphOption = None,
    model: ModelOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Show the indicative motif instances of each category, with kappa and cosine.

    \b
    Example:
      hin select --categories labels.txt --top 10
    """
    from classify.commands.labels import ClassifyCommand, run_select

    command = ClassifyCommand(
        categories, pattern or [], min_count=min_count, size=size, eta=eta, higher_order=higher_order,
        specificity=use_specificity, allow_missing=allow_missing, seed=seed, threads=threads, graph=graph, model=model,
        embed=_embedding(dim, window, negatives, epochs, objective, specificity, threads, seed),
    )  # fmt: skip
    run_select(command, top, Console(json, quiet, verbose, graph, model))


@app.command()
def classify(
    categories: CategoriesOption,
    pattern: PatternOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Predictions as .jsonl, .csv or .parquet.")
    ] = None,
    preset: Annotated[
        Preset, typer.Option("--preset", help="The best we know, or the paper as written.")
    ] = Preset.default,
    classifier: Annotated[
        Classifier | None, typer.Option("--classifier", help="What is trained in the end. Default: the preset's.")
    ] = None,
    abstain_below: AbstainOption = None,
    allow_missing: AllowMissingOption = False,
    min_count: MinCountOption = 5,
    size: SizeOption = 50,
    eta: EtaOption = None,
    higher_order: HigherOrderOption = True,
    use_specificity: UseSpecificityOption = True,
    retrieved: Annotated[
        int, typer.Option("--retrieved", min=0, help="Preset paper: documents retrieved a category.")
    ] = 50,
    generated: Annotated[
        int, typer.Option("--generated", min=0, help="Preset paper: documents generated a category.")
    ] = 50,
    save_model: Annotated[
        Path | None, typer.Option("--save-model", metavar="FOLDER", help="Also save the model, for `hin predict`.")
    ] = None,
    dim: DimOption = 100,
    window: WindowOption = 5,
    negatives: NegativesOption = 5,
    epochs: EpochsOption = None,
    objective: ObjectiveOption = Objective.free,
    specificity: SpecificityOption = Specificity.estimated,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    graph: GraphOption = None,
    model: ModelOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Label every document from the category names alone.

    labels.txt has one category a line: `name`, `name: keyword, keyword` or `name [12%]: keyword`, where the share is
    the expected part of the documents.

    \b
    Example:
      hin classify --categories labels.txt --out predictions.jsonl
      hin classify --categories labels.txt --preset paper --pattern venue-year
    """
    from classify.commands.labels import ClassifyCommand, run_classify

    command = ClassifyCommand(
        categories, pattern or [], preset=preset.value, classifier=classifier.value if classifier else None, out=out,
        min_count=min_count, eta=eta, size=size, higher_order=higher_order, specificity=use_specificity,
        retrieved=retrieved, generated=generated, allow_missing=allow_missing, abstain_below=abstain_below,
        save_model=save_model, seed=seed, threads=threads, graph=graph, model=model,
        embed=_embedding(dim, window, negatives, epochs, objective, specificity, threads, seed),
    )  # fmt: skip
    run_classify(command, Console(json, quiet, verbose, graph, model))


@app.command(short_help="Label documents that were not in the graph.")
def predict(
    files: FilesArgument,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Predictions as .jsonl, .csv or .parquet.")
    ] = None,
    id: IdOption = None,
    text: TextOption = None,
    metadata: MetadataOption = None,
    separator: SeparatorOption = None,
    format: FormatOption = None,
    abstain_below: AbstainOption = None,
    on_error: OnErrorOption = OnError.stop,
    rejected: Annotated[
        Path | None, typer.Option("--rejected", metavar="FILE", help="Where skipped records go.")
    ] = None,
    threads: ThreadsOption = None,
    graph: GraphOption = None,
    model: Annotated[
        str | None, typer.Option("--model", metavar="FOLDER", help="A saved model. Default: the graph's own.")
    ] = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Label documents that were not in the graph, from text and metadata.

    \b
    Example:
      hin predict new.jsonl --out new-labels.csv
      hin predict new.jsonl --model saved-model
    """
    from classify.commands.labels import PredictCommand, run_predict

    command = PredictCommand(
        files=files, out=out, id=id, text=text, metadata=metadata, separator=separator,
        format=format.value if format else None, abstain_below=abstain_below, on_error=on_error.value,
        rejected=rejected, threads=threads, graph=graph, model=model,
    )  # fmt: skip
    run_predict(command, Console(json, quiet, verbose, graph))


@app.command(short_help="Show why a document has its label.")
def explain(
    document: Annotated[str, typer.Argument(metavar="DOCUMENT", help="The document's id.")],
    category: Annotated[str | None, typer.Option("--category", help="Why this one, rather than the label.")] = None,
    top: Annotated[int, typer.Option("--top", min=0, help="Reasons to show; 0 for all.")] = 15,
    graph: GraphOption = None,
    model: ModelOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Show why a document has its label: instances and terms with weights that add up to its score.

    \b
    Example:
      hin explain p42
      hin explain p42 --category databases
    """
    from classify.commands.labels import run_explain

    run_explain(document, category, top, graph, model, Console(json, quiet, verbose, graph, model))


@app.command(short_help="Compare the labels with the true ones.")
def evaluate(
    pseudo: Annotated[
        bool, typer.Option("--pseudo", help="Also the pseudo documents and the selected instances.")
    ] = False,
    confusion: Annotated[bool, typer.Option("--confusion", help="Also print the confusion matrix.")] = False,
    graph: GraphOption = None,
    model: ModelOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Compare the labels with the true ones, where the graph has them: F1, a table by category, the confusion matrix.

    \b
    Example:
      hin evaluate --pseudo
    """
    from classify.commands.evaluation import run_evaluate

    run_evaluate(graph, model, pseudo, confusion, Console(json, quiet, verbose, graph, model))


@app.command(short_help="Write one HTML file that shows everything.")
def report(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where to write it.")] = Path("report.html"),
    title: Annotated[str | None, typer.Option("--title", help="What stands at the top.")] = None,
    max_megabytes: Annotated[float, typer.Option("--max-megabytes", min=1, help="The file's size at most.")] = 10.0,
    seed: SeedOption = 0,
    graph: GraphOption = None,
    model: ModelOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Write one self-contained HTML file with plots, the categories' instances and every document's reasons.

    \b
    Example:
      hin report --out report.html
    """
    from classify.commands.report import ReportCommand, run_report

    command = ReportCommand(out=out, title=title, max_megabytes=max_megabytes, seed=seed, graph=graph, model=model)
    run_report(command, Console(json, quiet, verbose, graph, model))


@app.command(short_help="Ask the graph, and what was found in it, in Cypher.")
def query(
    text: Annotated[str, typer.Argument(metavar="CYPHER", help="The query; `-` reads it from the standard input.")],
    param: Annotated[
        list[str] | None, typer.Option("--param", metavar="NAME=VALUE", help="A value for $NAME; may be repeated.")
    ] = None,
    format: Annotated[QueryFormat, typer.Option("--format", "-f", help="How rows are shown.")] = QueryFormat.table,
    limit: Annotated[int, typer.Option("--limit", min=0, help="Rows at most; 0 for all.")] = 1000,
    timeout: Annotated[float, typer.Option("--timeout", min=0, help="Seconds at most; 0 for no limit.")] = 60.0,
    write: Annotated[bool, typer.Option("--write", help="Let the query change a database.")] = False,
    graph: GraphOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Query the graph and everything found in it in Cypher, on a folder or on Neo4j.

    \b
    Example:
      hin query 'MATCH (m:Motif)-[:INDICATES]->(c:Category) RETURN c.name, m.name'
      hin query 'MATCH (d)-[:HAS_VENUE]->({name: $v}) RETURN d.id' --param v=KDD
    """
    from hin.commands.queries import QueryCommand, run_query

    command = QueryCommand(
        text=sys.stdin.read() if text == "-" else text, parameters=param or [], format=format.value, write=write,
        timeout=timeout, limit=limit, graph=graph,
    )  # fmt: skip
    run_query(command, Console(json, quiet, verbose, graph))


@app.command(short_help="Copy a graph between folders and databases.")
def copy(
    source: Annotated[str, typer.Argument(metavar="FROM", help="A folder or a database.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="A folder or a database.")],
    replace: Annotated[bool, typer.Option("--replace", help="Put it in the place of a graph that is there.")] = False,
    model: ModelOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Copy a graph with all that was found in it from one place to another, without loss.

    \b
    Example:
      hin copy papers.hin neo4j://localhost:7687
    """
    from hin.commands.queries import CopyCommand, run_copy

    run_copy(CopyCommand(source, target, model, replace), Console(json, quiet, verbose))


@app.command(short_help="Go the whole way on a corpus made on the spot.")
def demo(
    documents: Annotated[int, typer.Option("--documents", min=100, help="How many documents to make.")] = 3000,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where the corpus, the predictions and the report go.")
    ] = Path("hin-demo"),
    replace: Annotated[bool, typer.Option("--replace", help="Start anew where a demo has been.")] = False,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Go the whole way on a corpus made on the spot: load, motifs, classify, evaluate, explain, report.

    \b
    Example:
      hin demo
    """
    from classify.commands.demo import DemoCommand, run_demo

    run_demo(DemoCommand(documents, out, replace, seed, threads), Console(json, quiet, verbose))


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; whatever goes wrong ends in one line and an exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    console = Console(as_json="--json" in arguments)
    try:
        code = _run(arguments)
        if code == 130:  # Typer's way to hand Ctrl-C on
            raise KeyboardInterrupt
        # What was printed last may still be on its way to a pipe that has closed.
        sys.stdout.flush()
        sys.exit(code or 0)
    except typer.TyperException as error:
        message = error.format_message().strip().removesuffix(".") or "a command is missing"
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


def _run(arguments: list[str]) -> Any:
    """Run a command; a reader that has gone away (`| head`) is told as what it is."""
    out = sys.stdout
    try:
        return app(arguments, prog_name="hin", standalone_mode=False)
    except SystemExit:
        if sys.stdout is not out:  # Typer wraps it for a broken pipe, and ends with 1
            raise BrokenPipeError from None
        raise


class _Usage(HinError):
    """Options the command line does not know."""

    exit_code = 2
    kind = "bad_usage"


class _Interrupted(HinError):
    """Ctrl-C."""

    kind = "interrupted"


if __name__ == "__main__":
    main()
