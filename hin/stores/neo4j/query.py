"""Cypher on a Neo4j database: read-only unless it may write, within a limit of time and rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hin.cypher.options import QueryOptions
from hin.cypher.result import QueryResult, collected
from hin.errors import BadUsage, QueryTimeout
from hin.stores.neo4j.deadline import DeadlinePassed, run_within
from hin.stores.neo4j.failures import not_cypher
from hin.stores.neo4j.notes import correction_for, probable_mistakes
from hin.stores.neo4j.read_only import check_plan, check_words, explain_query

if TYPE_CHECKING:
    import neo4j

    from hin.stores.base import Database

#: How long to wait after the server's own time limit, in seconds.
GRACE = 2.0


def query_database(database: Database, text: str, options: QueryOptions) -> QueryResult:
    """Run a query on a Neo4j database, within the server's time limit or, if it does not answer, within ours."""
    if not options.write:
        check_words(text)
    parameters = {name: _to_driver_value(name, value) for name, value in options.parameters.items()}
    if not options.timeout:
        return _run(database, text, parameters, options)
    try:
        seconds = options.timeout + GRACE
        return run_within(seconds, lambda: _run(database, text, parameters, options), database.abandon)
    except DeadlinePassed:
        raise QueryTimeout(
            "the query ran out of time, and the server has not answered",
            hint="does it still run? If it is busy, give it more with `timeout=SECONDS`",
        ) from None


def _run(database: Database, text: str, parameters: dict[str, Any], options: QueryOptions) -> QueryResult:
    with database.session(write=options.write, notes=True) as session:
        timeout = options.timeout or None
        with session.begin_transaction(timeout=timeout) as transaction:
            if not options.write:
                _check_plan_of(text, parameters, transaction)
            answer = transaction.run(text, parameters)
            result = collected(tuple(answer.keys()), (record.values() for record in answer), options.limit)
            summary = answer.consume()
            meant: tuple[str, ...] = ()
            if options.write:
                transaction.commit()
            elif not (summary.plan or summary.profile):
                meant = probable_mistakes(text, result.rows, transaction)
            found = [(status.gql_status, status.status_description) for status in summary.gql_status_objects]
            if (plan := summary.profile or summary.plan) is not None:  # EXPLAIN and PROFILE, as on a folder
                result = QueryResult(("step", "runs", "detail"), list(_plan_rows(plan)))
                if summary.profile is not None:
                    result.rows.append(("run", "", f"{plan.get('rows', 0)} rows in {_seconds(summary):.3f} s"))
            return replace(result, notes=(*_unknown_names(found), *meant))


def _check_plan_of(text: str, parameters: dict[str, Any], transaction: neo4j.Transaction) -> None:
    """Ask the server for the plan of a query, and raise if it would do more than read."""
    from neo4j.exceptions import CypherSyntaxError

    try:
        summary = transaction.run(explain_query(text), parameters).consume()
    except CypherSyntaxError as error:  # its position, without the line that was put before the query
        said = re.sub(
            r"\(line (\d+), column (\d+) \(offset: (\d+)\)\)",
            lambda m: f"(line {int(m[1]) - 1}, column {m[2]} (offset: {int(m[3]) - len(explain_query(''))}))",
            " ".join((error.message or "").split()),
        )
        raise not_cypher(said, correction_for(text)) from None
    check_plan(summary.query_type or "", summary.plan)


def _seconds(summary: neo4j.ResultSummary) -> float:
    return ((summary.result_available_after or 0) + (summary.result_consumed_after or 0)) / 1000


def _plan_rows(plan: Mapping[str, Any], depth: int = 0) -> Iterator[tuple[str, str, str]]:
    """Yield a server's plan, one operator per row; its inputs follow it, indented."""
    yield "  " * depth + str(plan.get("operatorType", "")), "server", str(plan.get("args", {}).get("Details", ""))
    for child in plan.get("children", ()):
        yield from _plan_rows(child, depth + 1)


def _to_driver_value(name: str, value: Any) -> Any:
    """Convert a parameter to a value that the driver accepts.

    >>> _to_driver_value("x", [1, "a"])
    [1, 'a']
    """
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise BadUsage(f"the parameter ${name} is too large an integer", hint="integers end at 9223372036854775807")
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise BadUsage(f"the parameter ${name} is not valid Unicode", hint="give it in UTF-8") from None
    if isinstance(value, (list, tuple)):
        return [_to_driver_value(name, item) for item in value]
    if isinstance(value, dict):
        return {key: _to_driver_value(name, item) for key, item in value.items()}
    return value


def _unknown_names(statuses: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return names of a query that the database lacks: Neo4j finds no rows where the embedded engine raises.

    >>> _unknown_names([("01N50", "warn: label does not exist. The label `Venu` does not exist. ...")])
    ("the database has no label 'Venu'",)
    """
    kinds = {"01N50": "label", "01N51": "relationship", "01N52": "property"}
    found = [(kinds[code], re.search(r"`(.*)`", said, re.DOTALL)) for code, said in statuses if code in kinds]
    return tuple(dict.fromkeys(f"the database has no {kind} {name[1]!r}" for kind, name in found if name))
