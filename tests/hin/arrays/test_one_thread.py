"""Linear algebra stays on one thread while any block that asks for it is running."""

from __future__ import annotations

import threading

from threadpoolctl import threadpool_info, threadpool_limits

from hin.arrays.one_thread import one_blas_thread


def blas_threads() -> set[int]:
    return {found["num_threads"] for found in threadpool_info() if found["user_api"] == "blas"}


def in_thread(work: threading.Event, done: threading.Event) -> threading.Thread:
    """Start a thread that is inside a block until `done`, and wait until it is."""

    def inside() -> None:
        with one_blas_thread():
            work.set()
            done.wait(30)

    thread = threading.Thread(target=inside)
    thread.start()
    assert work.wait(30)
    return thread


def test_the_last_of_overlapping_blocks_restores_the_threads_whichever_thread_began() -> None:
    with threadpool_limits(2):
        for first_ends_first in (True, False):
            ends = [threading.Event(), threading.Event()]
            threads = [in_thread(threading.Event(), end) for end in ends]
            order = (0, 1) if first_ends_first else (1, 0)
            for number, one in enumerate(order):
                assert blas_threads() == {1}
                ends[one].set()
                threads[one].join()
                assert blas_threads() == ({2} if number else {1})


def test_a_users_own_limit_in_another_thread_does_not_prevent_it() -> None:
    with threadpool_limits(2):  # since version 3.8 of threadpoolctl, this thread alone may set BLAS's number
        end = threading.Event()
        thread = in_thread(threading.Event(), end)
        assert blas_threads() == {1}
        end.set()
        thread.join()
        assert blas_threads() == {2}
