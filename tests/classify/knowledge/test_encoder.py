"""Encoders: read from folders, a budget in work and not in time, a cache, and what is said when one cannot be had."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

import hin
from classify import MotifClassifier
from classify.knowledge.base import SECOND, KnowledgeModel
from classify.knowledge.cache import CachedEncoder
from classify.knowledge.corpus_knowledge import Knowledge
from classify.knowledge.encoder import EncoderFormat, EncoderModel, Network, reading_of
from classify.knowledge.networks import read_encoder_folder
from classify.knowledge.opening import open_model
from embed import EmbedOptions
from hin.errors import BadInput, BadUsage

WORDS = ["[UNK]", "red", "green", "blue", "rot", "apple", "grass", "sky"]
#: What each word means: three colours.
TABLE = np.array(
    [[1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.9, 0.1, 0], [0.8, 0.2, 0], [0.1, 0.9, 0], [0, 0.1, 0.9]],
    dtype=np.float32,
)


def tokenizer() -> Tokenizer:
    cutter = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    cutter.pre_tokenizer = pre_tokenizers.Whitespace()
    return cutter


class Counting:
    """A network that looks words up and counts how many texts it was given."""

    def __init__(self) -> None:
        self.texts = 0

    def __call__(self, ids: Any) -> Any:
        self.texts += len(ids)
        return TABLE[ids]


def encoder(network: Counting | None = None, size: float = 1e6) -> EncoderModel:
    return EncoderModel("colours", "f1", tokenizer(), Network(network or Counting(), size), EncoderFormat())


def test_an_encoder_is_a_model_and_a_text_does_not_depend_on_its_company() -> None:
    model = encoder()
    assert isinstance(model, KnowledgeModel)
    texts = ["red apple", "sky", "green grass grass", "rot", "sky sky"]
    together = model.encode(texts, 2)
    assert together.tobytes() == np.concatenate([model.encode([text]) for text in texts]).tobytes()
    assert np.allclose(np.linalg.norm(together, axis=1), 1)


def test_the_budget_counts_work_so_that_the_same_documents_are_read_everywhere() -> None:
    texts = ["red apple"] * 1000
    asked = Knowledge(encoder(size=SECOND / 1000), [["red"]], lambda rows: [texts[i] for i in rows], seconds=0.6)
    rows, vectors = asked.read(1000, np.random.default_rng(0))
    assert len(rows) == len(vectors) == 256  # 300 would do, in whole blocks
    again, _ = replace(asked, seconds=1e9).read(1000, np.random.default_rng(0))
    assert len(again) == 1000
    assert len(replace(asked, seconds=0.0).read(1000, np.random.default_rng(0))[0]) == 128


def test_a_text_is_read_once_and_a_damaged_cache_is_done_without(tmp_path: Path) -> None:
    network = Counting()
    cached = CachedEncoder(encoder(network), tmp_path / "cache")
    first = cached.encode(["red apple", "sky"])
    assert cached.encode(["sky", "red apple", "rot"])[:2].tobytes() == first[::-1].tobytes()
    assert network.texts == 3
    anew = CachedEncoder(encoder(network), tmp_path / "cache")
    assert anew.encode(["rot", "sky"]).shape == (2, 3)
    assert network.texts == 3
    for file in (tmp_path / "cache").iterdir():
        file.write_bytes(b"not vectors")
    assert anew.encode(["sky"]).tobytes() == first[1:].tobytes()
    other = CachedEncoder(replace(encoder(network), fingerprint="f2"), tmp_path / "cache")
    other.encode(["sky"])
    assert network.texts == 5


def protobuf(*fields: tuple[int, Any]) -> bytes:
    """The bytes of a protocol buffer: numbers as varints, all else by length."""

    def varint(number: int) -> bytes:
        out = bytearray()
        while number > 127:
            out.append(number & 127 | 128)
            number >>= 7
        return bytes([*out, number])

    parts = []
    for number, value in fields:
        data = value.encode() if isinstance(value, str) else value
        parts.append(varint(number << 3) + varint(data) if isinstance(data, int)
                     else varint(number << 3 | 2) + varint(len(data)) + data)  # fmt: skip
    return b"".join(parts)


def onnx_model() -> bytes:
    """A network that looks each token up: one Gather."""

    def value(name: str, kind: int, *dims: Any) -> bytes:
        shape = protobuf(*((1, protobuf((2 if isinstance(d, str) else 1, d))) for d in dims))
        return protobuf((1, name), (2, protobuf((1, protobuf((1, kind), (2, shape))))))

    table = protobuf((1, len(TABLE)), (1, 3), (2, 1), (8, "table"), (9, TABLE.tobytes()))
    node = protobuf((1, "table"), (1, "input_ids"), (2, "out"), (4, "Gather"))
    graph = protobuf(
        (1, node), (2, "g"), (5, table), (11, value("input_ids", 7, "n", "t")), (12, value("out", 1, "n", "t", 3))
    )
    return protobuf((1, 8), (7, graph), (8, protobuf((1, ""), (2, 13))))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tokenizer().save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "model.onnx").write_bytes(onnx_model())
    return tmp_path


def test_an_onnx_folder_classifies_and_keeps_what_it_read_in_the_graph(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    rng = np.random.default_rng(0)
    kinds = [["apple", "rot", "wine"], ["grass", "leaf"], ["sky", "sea"]]
    lines = [{"id": f"d{i}", "text": " ".join(rng.choice(kinds[i % 3], 6))} for i in range(300)]
    file = tmp_path / "documents.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    graph = hin.load(file)
    fitted = MotifClassifier(
        ["red", "green", "blue"], [], knowledge=str(folder), classifier="linear", embed=EmbedOptions(dim=8, epochs=2)
    ).fit(graph)
    assert (fitted.labels_ == np.arange(300) % 3).mean() > 0.95
    assert fitted.used_["knowledge"]["model"] == folder.name
    assert fitted.used_["knowledge"]["documents"] == 300
    assert sum(fitted.used_["views"].values()) == pytest.approx(1, abs=1e-3)
    # The built-in vectors of words stay beside an encoder, and each has its own weight.
    assert fitted.used_["knowledge"]["beside"] == "wordllama"
    assert set(fitted.used_["knowledge"]["kept"]) == {"corpus", "knowledge", "encoder"}
    assert fitted.used_["views"]["encoder"] > 0.4 > fitted.used_["views"]["knowledge"]  # which knows no such words


def test_what_a_folder_says_of_its_model_is_followed(folder: Path) -> None:
    assert reading_of(folder) == EncoderFormat()
    (folder / "modules.json").write_text(
        json.dumps([{"type": "sentence_transformers.models.Transformer", "path": ""}, {"type": "x.Pooling"}])
    )
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 64}')
    assert reading_of(folder) == EncoderFormat("first", "", 64)
    (folder / "modules.json").write_text('[{"type": "sentence_transformers.models.Dense"}]')
    with pytest.raises(BadInput, match="a layer Dense"):
        reading_of(folder)


def test_a_missing_library_and_a_missing_model_are_reported_with_the_remedy(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    from classify.knowledge import networks

    def absent(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(networks, "import_module", absent)
    networks._read.cache_clear()
    with pytest.raises(BadUsage, match=r"onnxruntime.*not installed.*hin-toolkit\[encoder\]"):
        read_encoder_folder(folder)
    asked = []

    def offline(name: str, **given: Any) -> str:
        asked.append((name, given["local_files_only"]))
        raise OSError("no network")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", offline)
    with pytest.raises(BadInput, match=r"no model minishlab/potion-base-8M is on the hub.*wordllama"):
        open_model("potion-base-8M")
    assert asked == [("minishlab/potion-base-8M", True), ("minishlab/potion-base-8M", False)]
    with pytest.raises(BadInput, match="no folder ./nowhere"):
        open_model("./nowhere")


@pytest.mark.slow
def test_a_sentence_transformers_folder_is_read_alike_at_any_number_of_threads(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    config = transformers.BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    transformers.BertModel(config).save_pretrained(tmp_path)
    tokenizer().save(str(tmp_path / "tokenizer.json"))
    model = open_model(tmp_path, tmp_path / "cache")
    assert isinstance(model, CachedEncoder)
    texts = ["red apple", "sky", "green grass", "rot"] * 5
    one, two = model.model.encode(texts, 1), model.model.encode(texts, 2)
    assert one.tobytes() == two.tobytes() == model.encode(texts).tobytes()
