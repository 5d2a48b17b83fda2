"""openCypher's own test kit: every reading case is answered as it wants, or refused; a small sample goes with us."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.hin.cypher.kit.cases import judge, kit_path, read_cases

SAMPLE = read_cases(Path(__file__).parent / "kit" / "sample.jsonl")
PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "cypher.md"


@pytest.mark.parametrize("case", SAMPLE, ids=[case["id"] for case in SAMPLE])
def test_the_sample(case: dict[str, Any]) -> None:
    verdict, why = judge(case)
    assert verdict == "right", why


def test_the_whole_kit() -> None:
    if not kit_path().exists():
        pytest.skip(f"no test kit at {kit_path()}; HIN_TCK names another place")
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    wrong = []
    for case in read_cases(kit_path()):
        verdict, why = judge(case)
        verdicts[case["family"]][verdict] += 1
        if verdict == "wrong":
            wrong.append(f"{case['id']}: {why}")
    assert not wrong
    total = sum(verdicts.values(), Counter())
    assert total["right"] >= 0.95 * sum(total.values())
    for family, counts in verdicts.items():  # the table in the docs is this one
        row = f"| {family} | {sum(counts.values())} | {counts['right']} | {counts['refused']} |"
        assert row in PAGE.read_text(encoding="utf-8"), row
