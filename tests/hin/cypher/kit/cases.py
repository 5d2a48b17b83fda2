"""Cases of the kit, and how one is judged."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from pathlib import Path
from typing import Any

from hin.cypher.engine import prepare
from hin.cypher.run.budget import Budget
from hin.errors import HinError
from tests.hin.cypher.kit.interpreter import interpret
from tests.hin.cypher.kit.memory_graph import MemoryGraph
from tests.hin.cypher.kit.tables import loosened, plain, value_of

OUTSIDE = ("expressions/temporal", "clauses/call")


KIT = Path(__file__).with_name("cases.jsonl.xz")


def read_cases() -> list[dict[str, Any]]:
    """The reading cases outside temporal values and procedures."""
    with lzma.open(KIT, "rt", encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    by_id = {case["id"]: case for case in cases}
    for case in cases:
        base, _, further = case["id"].partition("+")
        if further:  # a look at what the scenario's own query, which writes, has made
            case["setup"] = [*case["setup"], by_id[base]["query"]]
    return [case for case in cases if not case["writes"] and case["family"] not in OUTSIDE]


def judge(case: dict[str, Any]) -> tuple[str, str]:
    """('right' | 'refused' | 'wrong', why): a refusal where the kit wants an error is right."""
    expected = case["expected"]
    try:
        if case["family"] == "useCases/triadicSelection" and not case["setup"]:
            return "refused", "the kit's file does not hold the graph of this case"
        graph = MemoryGraph()
        parameters = {key: value_from(text) for key, text in case["parameters"].items()}
        for text in case["setup"]:
            graph.fill(text, parameters)
        prepared = prepare(case["query"])
        rows = list(interpret(prepared, graph, parameters, Budget(20.0)))
    except HinError as error:
        return ("right" if "error" in expected else "refused"), str(error)
    if "error" in expected:
        return "wrong", f"wanted {expected['error']} {expected['detail']}, got {rows[:3]}"
    if tuple(expected["columns"] or ()) != prepared.columns:
        return "wrong", f"columns {prepared.columns} instead of {expected['columns']}"
    loose = expected.get("loose_lists", False)
    found = [tuple(plain(value, loose=loose) for value in row) for row in rows]
    wanted = [tuple(value_of(text) for text in row) for row in expected["rows"]]
    if loose:
        wanted = [tuple(map(loosened, row)) for row in wanted]
    same = found == wanted if expected.get("ordered") else Counter(found) == Counter(wanted)
    return ("right", "") if same else ("wrong", f"wanted {wanted[:4]}, got {found[:4]}")


def value_from(text: str) -> Any:
    """A parameter of the kit, which is written as Cypher, as Python has it."""
    return next(interpret(prepare(f"RETURN {text}"), MemoryGraph()))[0]
