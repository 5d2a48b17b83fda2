"""Torch on one thread, whose order of additions is fixed; the threads are over documents instead."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hin.arrays.one_thread import one_blas_thread


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Limit Torch and BLAS to one thread, whose order of additions is fixed, and restore the previous number."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with one_blas_thread():
            yield
    finally:
        torch.set_num_threads(before)
