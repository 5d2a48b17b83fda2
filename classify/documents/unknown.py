"""Words and values of new documents that a model does not know, which are no evidence for any category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hin.human import plural

if TYPE_CHECKING:
    from classify.documents.encoder import Encoder
    from hin.reading.records import RecordBatch

#: The number of unknown words, and of values, that a message lists.
_SHOWN = 5


@dataclass
class Unknown:
    """Words and values that a model does not know, counted over documents.

    Attributes
    ----------
    n_words : how many words the documents have, known or not.
    n_values : how many values they have in the fields that the model uses.
    words : how often each unknown word occurs.
    values : in how many documents each unknown (field, value) is.
    """

    n_words: int = 0
    n_values: int = 0
    words: Counter[str] = field(default_factory=Counter)
    values: Counter[tuple[str, str]] = field(default_factory=Counter)

    @classmethod
    def in_batch(cls, encoder: Encoder, batch: RecordBatch) -> Unknown:
        """Count what an encoder does not know of some documents.

        Examples
        --------
        >>> import numpy as np
        >>> from classify.documents.encoder import Encoder
        >>> from hin.reading.records import RecordBatch
        >>> tables = (("term",), (("mail",),)), (("agent",), (("Ann",),))
        >>> encoder = Encoder(("agent",), tables, np.array([0, 1, 2]), (9, 9))
        >>> batch = RecordBatch(["a"], [("Mail, fax",)], {"agent": [["Ann", "Bob"]]}, [None], {}, [("-", 1)])
        >>> print(Unknown.in_batch(encoder, batch).summary())
        The model does not know 1 of 2 words (50 %): fax; nor 1 of 2 values: agent Bob.
        """
        n_words, words = encoder.unknown_words(batch)
        found = cls(n_words, 0, words)
        metadata = encoder.as_loaded(batch.metadata)
        for name, known in encoder.known_values.items():
            for row in metadata.get(name, ()):
                found.n_values += len(row)
                found.values.update((name, value) for value in row if value not in known)
        return found

    def add(self, other: Unknown) -> None:
        """Add the counts of other documents."""
        self.n_words += other.n_words
        self.n_values += other.n_values
        self.words.update(other.words)
        self.values.update(other.values)

    def summary(self) -> str:
        """Describe the unknown words and values in a sentence; empty where everything is known."""
        parts = []
        if self.words:
            some = _listed(self.words.most_common(_SHOWN + 1), str)
            count = self.words.total()
            parts.append(f"{count:,} of {plural(self.n_words, 'word')} ({_percent(count, self.n_words)}): {some}")
        if self.values:
            some = _listed(self.values.most_common(_SHOWN + 1), " ".join)
            parts.append(f"{self.values.total():,} of {plural(self.n_values, 'value')}: {some}")
        return f"The model does not know {'; nor '.join(parts)}." if parts else ""

    def as_dict(self) -> dict[str, Any]:
        """Return the counts as a record for machines, the most frequent first."""
        return {
            "words": [word for word, _ in self.words.most_common()],
            "values": [{"field": name, "value": value} for (name, value), _ in self.values.most_common()],
        }


def _listed(found: list[tuple[Any, int]], name: Any) -> str:
    shown = [name(key) + (f" ({count:,})" if count > 1 else "") for key, count in found[:_SHOWN]]
    return ", ".join([*shown, "…"] if len(found) > _SHOWN else shown)


def _percent(count: int, total: int) -> str:
    share = 100 * count / total
    return "under 1 %" if share < 1 else f"{share:.0f} %"


def unknown_names(found: Mapping[str, Any] | None) -> list[str]:
    """Return the unknown words and values of an explanation, each as people write it.

    >>> unknown_names({"words": ["cider"], "values": [{"field": "venue", "value": "KDD"}]}), unknown_names(None)
    (['cider', 'venue KDD'], [])
    """
    if not found:
        return []
    return [*found["words"], *(f"{value['field']} {value['value']}" for value in found["values"])]
