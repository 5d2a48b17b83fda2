"""Categories in a tree among the findings: stored, shown as PART_OF, and refused where they point nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from hin.cypher_names import CypherNames
from hin.errors import DamagedGraph
from hin.stores.findings import Findings
from hin.stores.property_graph import project_findings
from motifs.samples import tiny_graph


def _found(parent: int = 2) -> Findings:
    return Findings.of(categories=[("space", 1.0), ("for sale", 2.0), ("science", None)], part_of=[(0, parent)])


def test_the_tree_is_kept_and_shown(tmp_path: Path) -> None:
    _found().save(tmp_path)
    opened = Findings.open([tmp_path])
    assert opened.identity() == _found().identity()
    assert (
        opened.identity() != Findings.of(categories=[("space", 1.0), ("for sale", 2.0), ("science", None)]).identity()
    )
    _, relationships = project_findings(opened, CypherNames.of_graph(tiny_graph()))
    (shown,) = [group for group in relationships if group.type == "PART_OF"]
    assert (shown.source, shown.target, shown.sources.tolist(), shown.targets.tolist()) == (
        "Category", "Category", [0], [2],
    )  # fmt: skip


def test_a_parent_that_is_not_there_is_damage(tmp_path: Path) -> None:
    _found(parent=7).save(tmp_path)
    with pytest.raises(DamagedGraph):
        Findings.open([tmp_path])
