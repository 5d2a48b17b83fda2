"""LOTClass and supervised BERT on a tiny model made on the spot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from classify.comparators import SYSTEMS
from classify.comparators.lotclass import LOTClass, _Model
from classify.comparators.parts.language_models import load
from classify.comparators.supervised_bert import SupervisedBert
from classify.comparators.zero_shot import ZeroShot
from classify.evaluation import true_codes
from hin.graph import Texts
from tests.classify.comparators.planted import NAMES, planted

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    """A BERT of two small layers that knows the words of the planted corpora."""
    transformers = pytest.importorskip("transformers")
    import torch

    folder = tmp_path_factory.mktemp("bert")
    words = [*NAMES, *(f"{name}{k}" for name in NAMES for k in range(8)), *(f"noise{k}" for k in range(60))]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words, "sail", "##ors"]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64
    )
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    return str(folder)


def test_lotclass_runs_all_its_steps_and_repeats_itself(bert):
    task, truth = planted("text", documents=60)
    system = LOTClass(match=3, predicted=8, vocabulary=20, rate=1e-3, self_rate=1e-4, batch=8)
    task = replace(task, models={"bert": bert})
    first, second = system.run(task), system.run(task)
    assert first.scores.shape == (len(truth), len(NAMES)) and np.isfinite(first.scores).all()
    assert np.allclose(first.scores.sum(axis=1), 1, atol=1e-5)
    assert np.array_equal(first.labels, second.labels)


def test_lotclass_finds_names_in_pieces_and_masks_them(bert):
    import torch

    tokenizer, language = load(bert, "AutoModelForMaskedLM")
    model = _Model(torch, tokenizer, language, 2)
    row = tokenizer("astronomy sailors noise1")["input_ids"]
    found = model.name_places(row, {"astronomy": 0, "sailors": 1})
    assert [column for _, _, column in found] == [0, 1] and found[1][1] - found[1][0] == 2
    masked = model.masked(row, found)
    assert masked.count(tokenizer.mask_token_id) == 2 and masked[1] == row[1]


def test_lotclass_takes_places_where_the_predicted_words_are_a_categorys(bert, monkeypatch):
    import torch

    tokenizer, language = load(bert, "AutoModelForMaskedLM")
    model = _Model(torch, tokenizer, language, 2)
    # The model would write words 10, 11, 12 at the third place of the second text, and 1, 2, 3 everywhere else.
    odd = {4: [10, 11, 12]}
    monkeypatch.setattr(
        model, "best_words", lambda rows, places, size: np.array([odd.get(i, [1, 2, 3]) for i in range(5)])
    )
    task, _ = planted("text", documents=12)
    places, used = LOTClass(match=2)._places(model, [[2, 5], [2, 6, 7]], [[10, 11, 12], [20]], task)
    assert places == [(1, [2], 0)] and used == [2, 2]


def test_supervised_bert_learns_and_is_tested_on_a_tenth(bert):
    task, truth = planted("text", documents=120)
    task = replace(task, truth=truth, models={"bert": bert})
    outcome = SupervisedBert(rate=5e-3, epochs=12).run(task)
    assert outcome.tested.sum() == 12
    assert np.mean(outcome.labels[outcome.tested] == truth[outcome.tested]) > 0.7


def test_the_zero_shot_encoder_gives_the_cosine_of_text_and_name(bert):
    task, _ = planted("text", documents=12)
    texts = ["astronomy", "cooking0 cooking1 cooking2", "sailing", ""] * 3
    graph = replace(task.graph, texts=Texts(pa.table({"text": texts})))
    task = replace(task, graph=graph, models={"encoder": bert})
    scores = ZeroShot(batch=5).run(task).scores
    assert scores[0, 0] == pytest.approx(1) and scores[2, 2] == pytest.approx(1)  # a text that is the name itself
    assert np.abs(scores).max() <= 1 + 1e-6 and np.allclose(scores[:4], scores[4:8], atol=1e-6)


@pytest.mark.parametrize("name", ["lotclass", "supervised-bert", "zero-shot"])
def test_a_missing_model_is_reported_with_the_remedy(name, demo_task):
    from classify.comparators.parts.system import MissingModel

    system = SYSTEMS.get(name)()
    truth = true_codes(demo_task.graph.labels, demo_task.names)
    with pytest.raises(MissingModel, match="was named") as reported:
        system.run(replace(demo_task, truth=truth))
    assert "--model" in str(reported.value.hint)
