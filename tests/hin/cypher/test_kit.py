"""openCypher's own test kit: every reading case is answered as it wants, or refused."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

from tests.hin.cypher.kit.cases import judge, read_cases

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "cypher.md"


def test_the_whole_kit() -> None:
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    wrong = []
    for case in read_cases():
        verdict, why = judge(case)
        verdicts[case["family"]][verdict] += 1
        if verdict == "wrong":
            wrong.append(f"{case['id']}: {why}")
    assert not wrong
    total = sum(verdicts.values(), Counter())
    assert sum(total.values()) == 2540
    assert total["right"] >= 0.95 * sum(total.values())
    page = PAGE.read_text(encoding="utf-8")
    for family, counts in [*verdicts.items(), ("**all**", total)]:  # the table in the docs is this one
        row = f"| {family} | {sum(counts.values())} | {counts['right']} | {counts['refused']} |"
        assert row in page, row
