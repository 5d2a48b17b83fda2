"""LOTClass: a masked language model finds category words, learns to predict categories at tokens, then self-trains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classify.comparators.parts.language_models import (
    Descent,
    document_texts,
    encode_texts,
    infer,
    load,
    padded,
    torch_set_up,
)
from classify.comparators.parts.self_training import sharpened
from classify.comparators.parts.system import SYSTEMS, About, Outcome, System, Task
from hin.arrays.types import Floats, Int64, Reals

#: The least documents of a category for training; the authors' code stops where there are fewer.
_FEWEST = 10
#: `match` is not lowered below this: half of the appendix's smaller one.
_LEAST = 5


@SYSTEMS.register("lotclass")
@dataclass(frozen=True)
class LOTClass(System):
    """`predicted` words per place, `vocabulary` words per category; more than `match` of them at a place mark it."""

    about = About(
        title="LOTClass",
        paper="Meng et al., Text Classification Using Label Names Only, EMNLP 2020",
        follows="Category vocabulary from the 50 words predicted in place of the names, masked category prediction "
        "(3 epochs, 2e-5) where more than 20 of 50 predicted words are a category's, self-training (1 epoch, 1e-6, new "
        "targets every 50 batches); 120 tokens (appendix A.3). Names that are phrases are split into words, and "
        "words of several names left out.",
        differs="Where a category finds 10 documents or fewer, its `match` is lowered, to 5 at the least (appendix: "
        "10 on MAG-CS, 20 on Amazon). Batches of 32, not 128: the samples that a machine without GPU can take are "
        "small. Repeats to the bit at one number of threads only.",
        transformer=True,
    )
    length: int = 120
    predicted: int = 50
    vocabulary: int = 100
    match: int = 20
    batch: int = 32
    epochs: int = 3
    rate: float = 2e-5
    self_epochs: float = 1.0
    self_rate: float = 1e-6
    interval: int = 50

    def run(self, task: Task) -> Outcome:
        """Find category words, train on the tokens that they fit, then self-train."""
        place = task.model("bert", "masked language model")
        with torch_set_up(task) as torch:
            tokenizer, language = load(place, "AutoModelForMaskedLM")
            model = _Model(torch, tokenizer, language, len(task.categories))
            rows = encode_texts(tokenizer, document_texts(task), self.length)
            words = own_words(task.names)
            vocabularies = self._vocabularies(model, rows, words, task)
            places, used = self._places(model, rows, vocabularies, task)
            notes = [f"{name}: no word of its own" for name, own in zip(task.names, words, strict=True) if not own]
            notes += [f"{name}: match lowered to {match}" for name, match in zip(task.names, used, strict=True)
                      if match < self.match]  # fmt: skip
            self._learn_places(model, rows, places, task)
            self._self_train(model, rows, task)
            scores = model.classify(rows, task, "predicting")
        return Outcome(scores, notes=tuple(notes))

    def _vocabularies(
        self, model: _Model, rows: list[list[int]], words: list[list[str]], task: Task
    ) -> list[list[int]]:
        """Return each category's vocabulary: the words that the model predicts in place of the names."""
        whole = {word: column for column, own in enumerate(words) for word in own}
        counts: list[Counter[int]] = [Counter() for _ in words]
        texts = [(row, model.name_places(row, whole)) for row in rows]
        texts = [(row, found) for row, found in texts if found]
        for start in range(0, len(texts), self.batch):
            task.progress("category vocabulary", start, len(texts))
            part = texts[start : start + self.batch]
            best = model.best_words([model.masked(row, found) for row, found in part],
                                    [[at for at, _, _ in found] for _, found in part], self.predicted)  # fmt: skip
            columns = [column for _, found in part for _, _, column in found]
            for column, predicted in zip(columns, best.tolist(), strict=True):
                counts[column].update(predicted)
        return category_vocabulary(counts, words, model.pieces, self.vocabulary)

    def _places(
        self, model: _Model, rows: list[list[int]], vocabularies: list[list[int]], task: Task
    ) -> tuple[list[tuple[int, list[int], int]], list[int]]:
        """Return (document, places, category) where enough words are a category's, and each category's `match`."""
        n, hits = len(vocabularies), []
        for start in range(0, len(rows), self.batch):
            task.progress("masked category prediction: places", start, len(rows))
            part = rows[start : start + self.batch]
            best = model.best_words(part, [list(range(len(row))) for row in part], self.predicted)
            cuts = np.cumsum([len(row) for row in part])[:-1]
            hits += np.split(count_matches(best, vocabularies), cuts)
        highest = np.stack([hit.max(axis=0) for hit in hits])
        used = [self._match(highest[:, column]) for column in range(n)]
        return [
            (document, np.flatnonzero(hit[:, column] > used[column]).tolist(), column)
            for document, hit in enumerate(hits)
            for column in np.flatnonzero(hit.max(axis=0) > used).tolist()
        ], used

    def _match(self, highest: Int64) -> int:
        """Return the `match` of a category: lowered where it finds too few documents, down to a minimum."""
        match = self.match
        while match > min(_LEAST, self.match) and (highest > match).sum() <= _FEWEST:
            match -= 1
        return match

    def _learn_places(
        self, model: _Model, rows: list[list[int]], places: list[tuple[int, list[int], int]], task: Task
    ) -> None:
        """Train to predict the category of a masked token."""
        steps = -(-len(places) // self.batch)
        descent = Descent(model.torch, model.trained(), self.rate, max(1, steps * self.epochs), warm_up=0.1)
        rng = task.rng(0x107)
        for epoch in range(self.epochs):
            order = rng.permutation(len(places))
            for step in range(steps):
                task.progress("masked category prediction", epoch * steps + step, self.epochs * steps)
                part = [places[i] for i in order[step * self.batch : (step + 1) * self.batch]]
                ids = [_with(rows[document], found, model.mask) for document, found, _ in part]
                at = [(k, place) for k, (_, found, _) in enumerate(part) for place in found]
                truth = [column for _, found, column in part for _ in found]
                descent.step(model.place_loss(ids, at, truth))

    def _self_train(self, model: _Model, rows: list[list[int]], task: Task) -> None:
        """Self-train on the sharpened predictions of the next documents, `interval` batches at a time."""
        total = int(len(rows) * self.self_epochs / self.batch)
        descent = Descent(model.torch, model.trained(), self.self_rate, max(1, total), warm_up=0.1)
        order = task.rng(0x108).permutation(len(rows))
        for start in range(0, total, self.interval):
            steps = min(self.interval, total - start)
            chosen = order[(start * self.batch + np.arange(steps * self.batch)) % len(rows)]
            part = [rows[i] for i in chosen]
            target = sharpened(model.classify(part, task, "self-training"))
            for step in range(steps):
                task.progress("self-training", start + step, total)
                span = slice(step * self.batch, (step + 1) * self.batch)
                descent.step(model.document_loss(part[span], target[span]))


def own_words(names: Sequence[str]) -> list[list[str]]:
    """Return the words of each name that no other name has (appendix A.3).

    >>> own_words(["computer vision", "computer security", "databases"])
    [['vision'], ['security'], ['databases']]
    """
    split = [list(dict.fromkeys(name.lower().replace("-", " ").split())) for name in names]
    seen = Counter(word for words in split for word in words)
    return [[word for word in words if seen[word] == 1 and word.isalnum()] for words in split]


def category_vocabulary(
    counts: Sequence[Counter[int]], words: Sequence[Sequence[str]], pieces: Sequence[str], size: int
) -> list[list[int]]:
    """Return each category's most frequent predictions, without stop words, odd pieces and words of two categories.

    Examples
    --------
    >>> pieces = ["sport", "game", "the", "##s", "music"]
    >>> counts = [Counter({0: 5, 1: 4, 2: 9, 3: 2}), Counter({4: 3, 1: 1})]
    >>> category_vocabulary(counts, [["sport"], ["music"]], pieces, 9)
    [[0], [4]]
    """
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    tops = [
        [word for word, _ in sorted(count.items(), key=lambda item: (-item[1], item[0]))[:size]] for count in counts
    ]
    seen = Counter(word for top in tops for word in top)

    def good(word: int, own: Sequence[str]) -> bool:
        text = pieces[word]
        plain = text.isalpha() and len(text) > 1 and text not in ENGLISH_STOP_WORDS
        return text in own or (plain and seen[word] == 1)

    return [[word for word in top if good(word, own)] for top, own in zip(tops, words, strict=True)]


def count_matches(words: Int64, vocabularies: Sequence[Sequence[int]]) -> Int64:
    """Count, at each token, the predicted words that are in each category's vocabulary.

    >>> count_matches(np.array([[7, 8, 9], [3, 8, 4]]), [[7, 8], [3], []]).tolist()
    [[2, 0, 0], [1, 1, 0]]
    """
    return np.stack([np.isin(words, vocabulary).sum(axis=1) for vocabulary in vocabularies], axis=1)


def _with(row: Sequence[int], places: Sequence[int], token: int) -> list[int]:
    out = list(row)
    for place in places:
        out[place] = token
    return out


class _Model:
    """The language model with its own head, and a classifier of token positions (the first stands for the document)."""

    def __init__(self, torch: Any, tokenizer: Any, language: Any, categories: int) -> None:
        self.torch, self.language = torch, language.eval()
        self.blank, self.mask = tokenizer.pad_token_id, tokenizer.mask_token_id
        self.unknown, self.special = tokenizer.unk_token_id, set(tokenizer.all_special_ids)
        self.pieces: list[str] = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
        self.vocabulary = {piece: number for number, piece in enumerate(self.pieces)}
        size = language.config.hidden_size
        self.head = torch.nn.Sequential(
            torch.nn.Linear(size, size), torch.nn.Tanh(), torch.nn.Dropout(0.1), torch.nn.Linear(size, categories)
        )
        for layer in (self.head[0], self.head[3]):  # as BERT starts its own layers
            torch.nn.init.normal_(layer.weight, std=0.02)
            torch.nn.init.zeros_(layer.bias)

    def trained(self) -> list[Any]:
        """Return the trained parameters: the encoder's and the classifier's, not the language model's head."""
        return [*self.language.base_model.parameters(), *self.head.parameters()]

    def states(self, ids: Any, mask: Any) -> Any:
        """Return the last layer's states."""
        return self.language.base_model(input_ids=ids, attention_mask=mask).last_hidden_state

    def name_places(self, row: Sequence[int], names: dict[str, int]) -> list[tuple[int, int, int]]:
        """Return (first, last + 1, category) of every name's word in a row of tokens."""
        found, start = [], 0
        texts = ["" if token in self.special else self.pieces[token] for token in row]
        while start < len(row):
            stop = start + 1
            while stop < len(row) and texts[stop].startswith("##"):
                stop += 1
            word = texts[start] + "".join(text[2:] for text in texts[start + 1 : stop])
            if word in names:
                found.append((start, stop, names[word]))
            start = stop
        return found

    def masked(self, row: Sequence[int], found: Sequence[tuple[int, int, int]]) -> list[int]:
        """Return the row with names of several pieces masked: the model has no word for them."""
        out = list(row)
        for start, stop, _ in found:
            if stop > start + 1:
                out[start:stop] = [self.mask] * (stop - start)
        return out

    def best_words(self, rows: Sequence[Sequence[int]], places: Sequence[Sequence[int]], size: int) -> Int64:
        """Return the most likely words at each place, one row per place."""
        torch = self.torch
        self.language.eval()
        with torch.inference_mode():
            ids, mask = padded(torch, rows, self.blank)
            at = [(k, place) for k, found in enumerate(places) for place in found]
            lines, columns = (torch.tensor([pair[side] for pair in at]) for side in (0, 1))
            states = self.states(ids, mask)[lines, columns]
            head = getattr(self.language, "cls", None) or self.language.get_output_embeddings()
            size = min(size, len(self.pieces))
            parts = [torch.topk(head(states[k : k + 512]), size, dim=-1).indices for k in range(0, len(states), 512)]
            return np.asarray(torch.cat(parts).numpy())

    def place_loss(self, rows: Sequence[Sequence[int]], at: Sequence[tuple[int, int]], truth: Sequence[int]) -> Any:
        """Return the loss of predicting the categories of masked tokens."""
        torch = self.torch
        self.language.train()
        self.head.train()
        states = self.states(*padded(torch, rows, self.blank))
        chosen = states[torch.tensor([line for line, _ in at]), torch.tensor([place for _, place in at])]
        return torch.nn.functional.cross_entropy(self.head(chosen), torch.tensor(truth))

    def document_loss(self, rows: Sequence[Sequence[int]], target: Reals) -> Any:
        """Return the divergence of the documents' category probabilities from the target."""
        torch = self.torch
        self.language.train()
        self.head.train()
        logits = self.head(self.states(*padded(torch, rows, self.blank))[:, 0])
        wanted = torch.from_numpy(np.asarray(target, dtype=np.float32))
        return torch.nn.functional.kl_div(torch.log_softmax(logits, dim=1), wanted, reduction="batchmean")

    def classify(self, rows: Sequence[Sequence[int]], task: Task, label: str) -> Floats:
        """Return the categories' probabilities of documents."""
        self.language.eval()
        self.head.eval()

        def forward(ids: Any, mask: Any) -> Any:
            return self.torch.softmax(self.head(self.states(ids, mask)[:, 0]), dim=1)

        return infer(self.torch, rows, 64, self.blank, forward, task, label)
