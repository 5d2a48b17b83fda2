"""Encoders from a folder: ONNX files run by onnxruntime, sentence-transformers folders by transformers and Torch."""

from __future__ import annotations

from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from classify.knowledge.encoder import EncoderModel, Network, reading_of
from classify.learners.torch_thread import one_torch_thread
from hin.arrays.types import Floats, Int64
from hin.errors import BadInput, BadUsage, HinError
from hin.files.checked import file_hash


def is_encoder_folder(folder: Path) -> bool:
    """Whether a folder holds a network and its tokeniser."""
    return _tokenizer_file(folder) is not None and (_onnx_file(folder) is not None or _weights(folder).exists())


def read_encoder_folder(folder: Path, name: str | None = None) -> EncoderModel:
    """Load the encoder in a folder: `model.safetensors` or a `.onnx` file, and `tokenizer.json`."""
    weights = _onnx_file(folder) or _weights(folder)
    return _read(folder.resolve(), name or folder.name, weights.stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _read(folder: Path, name: str, changed: int) -> EncoderModel:
    """Read a folder once, unless its weights have changed."""
    from tokenizers import Tokenizer

    cutter, network = _tokenizer_file(folder), _onnx_file(folder)
    assert cutter is not None
    reading = reading_of(folder)
    try:
        tokenizer = Tokenizer.from_file(str(cutter))
        tokenizer.no_padding()
        tokenizer.enable_truncation(reading.length)
        vocabulary = tokenizer.get_vocab_size()
        made = _onnx(network, vocabulary) if network is not None else _torch(folder)
        digest = file_hash(network or _weights(folder))[:16]
    except HinError:
        raise
    except Exception as error:  # each library raises classes of its own
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise BadInput(
            f"cannot read the encoder in {folder}: {reason}", hint="name another model, or --knowledge none"
        ) from None
    return EncoderModel(name, f"{digest}-{reading.length}", tokenizer, made, reading)


def _weights(folder: Path) -> Path:
    return folder / "model.safetensors"


def _tokenizer_file(folder: Path) -> Path | None:
    return next(iter([*folder.glob("tokenizer.json"), *sorted(folder.glob("*tokenizer.json"))]), None)


def _onnx_file(folder: Path) -> Path | None:
    return next(iter([*sorted(folder.glob("*.onnx")), *folder.glob("onnx/model.onnx")]), None)


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise BadUsage(
            f"an encoder needs {name}, which is not installed",
            hint="`pip install 'hin-toolkit[encoder]'`, or use the built-in word vectors with --knowledge wordllama",
        ) from None


def _onnx(file: Path, vocabulary: int) -> Network:
    runtime = _library("onnxruntime")
    options = runtime.SessionOptions()
    # With one thread per text, sums have the same order however many texts are read at once.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    inputs = [entry.name for entry in session.get_inputs()]

    def forward(ids: Int64) -> Floats:
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        feed = {name: given.get(name, np.zeros_like(ids)) for name in inputs}
        return np.asarray(session.run(None, feed)[0], dtype=np.float32)

    width = forward(np.ones((1, 2), dtype=np.int64)).shape[-1]
    # A quantised network has a byte per weight and takes about half the time; embedding rows cost no multiplication.
    whole = file.read_bytes()
    small = b"MatMulInteger" in whole
    size = len(whole) / (1 if small else 4) - vocabulary * width
    return Network(forward, max(size, width**2) * (0.5 if small else 1.0))


def _torch(folder: Path) -> Network:
    transformers, torch = _library("transformers"), _library("torch")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    model = transformers.AutoModel.from_pretrained(str(folder), local_files_only=True, use_safetensors=True).eval()
    looked_up = {id(weight) for table in model.modules() if isinstance(table, torch.nn.Embedding)
                 for weight in table.parameters()}  # fmt: skip
    size = float(sum(weight.numel() for weight in model.parameters() if id(weight) not in looked_up))

    def forward(ids: Int64) -> Floats:
        with torch.inference_mode():
            return np.asarray(model(input_ids=torch.from_numpy(ids)).last_hidden_state.numpy(), dtype=np.float32)

    return Network(forward, size, one_torch_thread, partial(torch.set_num_threads, 1))
