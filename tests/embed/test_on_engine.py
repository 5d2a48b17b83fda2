"""Training in groups: every document once a pass, the same bytes on any number of workers, and topics are found."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import numpy as np
import pytest

from embed import EmbedOptions
from embed.on_engine import DocumentGroups, train_groups
from embed.sgd.trainer import Trainer
from embed.vectors import centred_units
from hin.engines.local import LocalEngine
from tests.embed.planted import planted_edges


def test_groups_hold_every_document_once() -> None:
    edges, _ = planted_edges(documents=400)
    grouping = DocumentGroups(parallel=3, turns=4, epochs=2)
    held = [grouping.documents(group, edges.n_documents) for group in range(12)]
    assert sorted(np.concatenate(held).tolist()) == list(range(400))
    assert DocumentGroups.of(edges, EmbedOptions(epochs=5)) == DocumentGroups(parallel=2, turns=1, epochs=5)


def test_a_trainer_is_released_at_once() -> None:
    edges, _ = planted_edges(documents=50)
    gc.disable()  # a worker trains hundreds of groups; none may wait for a collection
    try:
        trainer = Trainer(edges, EmbedOptions(dim=8, epochs=1, threads=1))
        trainer.run()
        gone = weakref.ref(trainer.parameters.table)
        del trainer
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("objective", ["free", "paper"])
def test_groups_find_planted_topics_and_workers_change_no_byte(objective: str, tmp_path: Path) -> None:
    edges, topics = planted_edges(documents=400)
    options = EmbedOptions(dim=16, epochs=20, objective=objective)  # type: ignore[arg-type]
    tables = []
    for workers in (1, 3):
        place = tmp_path / str(workers)
        place.mkdir()
        parameters, report = train_groups(edges, options, LocalEngine(f"local:{workers}"), place)
        tables.append(parameters.table.tobytes())
    assert tables[0] == tables[1] and report.epochs == 20 and report.edges > 0
    documents = centred_units(parameters.table[edges.n_instances + edges.n_terms :, :16])
    means = np.stack([documents[topics == topic].mean(axis=0) for topic in range(4)])
    assert np.mean((documents @ means.T).argmax(axis=1) == topics) > 0.9
