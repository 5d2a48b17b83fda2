"""Options of training, shared by the command line and Python."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from hin.errors import BadUsage
from hin.option_fields import THREADS_HELP, check_limits, option


@dataclass(frozen=True)
class EmbedOptions:
    """How the joint embedding is trained (section 3.1.1; dim, window and negatives are the paper's).

    Parameters
    ----------
    dim : int
        Length of the vectors.
    window : int
        Terms on each side that are a term's context.
    negatives : int
        Negative samples for each positive edge.
    epochs : int, optional
        Passes over all edges. The default depends on the number of edges: few for large corpora, more for small ones.
    objective : {"free", "paper"}
        "paper" keeps all vectors on the unit sphere during training; "free" normalises them afterwards only, as the
        authors' code does.
    specificity : {"estimated", "learned"}
        Which kappa `JointEmbedding.kappa` is: the closed form from the documents' vectors, or the one SGD learned.
    learning_rate : float, optional
        Rate of the first round; it falls linearly. By default .05, on the sphere .02.
    subsample : float
        Occurrences of terms more frequent than this share of all are dropped with probability
        1 - sqrt(t/f) - t/f, in windows and in document edges; 0 drops nothing.
    shrink_window : bool
        Draw each centre's window from 1..window, so that near terms count more (as word2vec does).
    noise_power : float
        Negatives are drawn in proportion to degree ** noise_power.
    document_passes : int
        How often each document edge is visited in an epoch.
    kappa_start, kappa_speed : float, optional
        First value of every specificity, and its learning rate relative to the vectors'. By default 1 and .5 as in
        the authors' code; on the sphere, where a score cannot exceed kappa, 5 and 10.
    lanes, lane_documents : int
        A round is `lanes` independent lanes of about `lane_documents` documents. They shape the result, threads
        do not.
    worker_memory : int
        On a cluster: training that needs at most this many MB (of 1,000,000 bytes) runs on one worker, with the
        same result as on this machine. Larger ones are trained in rounds by all workers; with 0 all are.
    threads : int, optional
        Threads to use; all cores by default. The result is the same at any number.
    seed : int
        The same seed gives the same bytes.

    Examples
    --------
    >>> EmbedOptions(dim=50).window
    5
    """

    dim: int = option(100, "Length of the vectors.", least=1)
    window: int = option(5, "Size of the context window: terms on each side.", least=0)
    negatives: int = option(5, "Negative samples for each edge.", least=1, most=1000)
    epochs: int | None = option(None, "Passes over the edges. Default: depends on their number.", least=1)
    objective: Literal["free", "paper"] = option(
        "free", "`paper` keeps the vectors on the unit sphere during training, `free` normalises them afterwards."
    )
    specificity: Literal["estimated", "learned"] = option(
        "estimated", "How kappa is computed: in closed form after training, or learned with the vectors."
    )
    learning_rate: float | None = None
    subsample: float = option(
        1e-5, "Drop some occurrences of terms more frequent than this share; 0 keeps all.", least=0
    )
    shrink_window: bool = True
    noise_power: float = 0.75
    document_passes: int = 2
    kappa_start: float | None = None
    kappa_speed: float | None = None
    lanes: int = 8
    lane_documents: int = 8
    worker_memory: int = option(
        2000,
        "On a cluster: train on one worker if that needs no more than this memory, else on all workers in rounds; 0 "
        "always trains in rounds.",
        metavar="MB",
        least=0,
    )
    threads: int | None = option(None, THREADS_HELP, least=1, common=True)
    seed: int = option(0, "The random seed: the same seed gives the same bytes.", common=True, least=0)

    def __post_init__(self) -> None:
        check_limits(self, "embed")
        for name, least in (("document_passes", 0), ("lanes", 1), ("lane_documents", 1)):
            if getattr(self, name) < least:
                raise BadUsage(f"embed: {name} is {getattr(self, name)}", hint=f"give {least} or more")
        # the merge encodes a copy's lane and slot in 31 bits
        for name, most in (("lanes", 1024), ("lane_documents", 100)):
            if getattr(self, name) > most:
                raise BadUsage(f"embed: {name} is {getattr(self, name)}", hint=f"give at most {most}")
        for name in ("subsample", "noise_power", "kappa_speed", "learning_rate", "kappa_start"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < float("inf"):
                raise BadUsage(f"embed: {name} is {value}", hint="give a number of at least 0")

    @property
    def shaping(self) -> dict[str, Any]:
        """The options that shape the result: all but threads and a worker's memory (rounds are recorded separately)."""
        return {name: value for name, value in asdict(self).items() if name not in ("threads", "worker_memory")}

    @property
    def starting_rate(self) -> float:
        """The learning rate of the first round."""
        return self._value_or_default(self.learning_rate, free=0.05, sphere=0.02)

    @property
    def starting_kappa(self) -> float:
        """The first value of every specificity."""
        return self._value_or_default(self.kappa_start, free=1.0, sphere=5.0)

    @property
    def relative_kappa_rate(self) -> float:
        """The learning rate of specificities relative to the vectors'."""
        return self._value_or_default(self.kappa_speed, free=0.5, sphere=10.0)

    def _value_or_default(self, value: float | None, free: float, sphere: float) -> float:
        if value is not None:
            return value
        return sphere if self.objective == "paper" else free
