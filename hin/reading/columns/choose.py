"""Choose the columns for the id, the text and the metadata: by the options, by usual names, by their values."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from hin.errors import argument
from hin.reading.columns.kinds import are_codes, are_identifiers, share_a_pattern
from hin.reading.columns.samples import PROSE_WORDS, ColumnSample
from hin.reading.columns.titles import NAMES_DIFFER, UNIQUE_FROM, are_titles, are_worded, name_in_words, repeats_texts
from hin.reading.dates import PARTS
from hin.reading.fields import FieldSpec, field_key, free_name, reserved
from hin.reading.options import ID_FIELDS, LINE_ID, TEXT_FIELDS, LoadOptions
from hin.reading.parsers.header import ID_NAME, INDEX
from hin.visible import visible

Use = Literal["id", "text", "metadata", "label", "left out"]
#: A column with few values and such a word in its name may be the label.
_ANSWERS = frozenset(
    ("label", "labels", "category", "categories", "genre", "genres", "topic", "topics", "class", "classes")
) | {"target", "sentiment", "intent", "emotion"}
FEW = 300
#: The names of columns that say where something is, which is never the text.
_PLACE = re.compile(
    r"(?:^| )(?:address|adresse|anschrift|dirección|direccion|indirizzo|street|url|link|location)(?: |$)"
)
#: The words of a typical value and the different values of a column that may be the text although its values repeat.
PHRASE, MANY = 4, 100
#: An id may be missing in a few records.
IDS_FILLED = 0.98
#: The columns that `hin classify` adds to a file.
ADDED = ("category", "confidence", "because")


@dataclass(frozen=True)
class ColumnChoice:
    """The use that was chosen for a column the user did not name, the reason, and the parameter that changes it.

    Examples
    --------
    >>> print(ColumnChoice("status", "left out", "it is the same in every document", "`metadata='status,*'`"))
    status: left out, it is the same in every document [`metadata='status,*'`]
    """

    column: str
    use: Use
    why: str
    change: str

    def __str__(self) -> str:
        what = self.use if self.column == LINE_ID else f"{self.column}: {self.use}"
        return visible(f"{what}, {self.why} [{self.change}]", one_line=True)


@dataclass
class Choice:
    """The use of each column in a record."""

    id_field: str = ""
    label_field: str = ""
    text: tuple[FieldSpec, ...] = ()
    html: frozenset[str] = frozenset()
    left_out: set[str] = field(default_factory=set)
    renamed: list[FieldSpec] = field(default_factory=list)
    #: Columns of which only derived parts are fields: dates, and lists in one cell.
    derived: set[str] = field(default_factory=set)
    decisions: list[ColumnChoice] = field(default_factory=list)


def spelled_like(wishes: Iterable[str], names: Iterable[str]) -> list[str]:
    """Return those of the wanted fields that the records have, in order; case matters only if both spellings occur.

    >>> spelled_like(["title", "text"], ["Text", "TITLE", "title"])
    ['title', 'Text']
    """
    there = list(names)
    exact = set(there)
    known = {name.lower(): name for name in reversed(there)}
    return [wish if wish in exact else known[wish] for wish in wishes if wish in known]


def choose(options: LoadOptions, samples: Mapping[str, ColumnSample], known_fields: Iterable[str] = ()) -> Choice:
    """Choose a use for every column.

    Parameters
    ----------
    samples : the statistics of every column in the first records.
    known_fields : metadata fields of the graph that is appended to; they keep their use.

    Examples
    --------
    >>> from hin.reading.columns.samples import sample_column
    >>> story = "One evening a man finds an old map behind the mirror."
    >>> plots = [story, story + " He leaves."]
    >>> samples = {"id": sample_column(["a", "b"]), "plot": sample_column(plots), "genre": sample_column(["x", "x"])}
    >>> for decision in choose(LoadOptions(), samples).decisions:
    ...     print(decision.column, decision.use)
    genre left out
    plot text
    """
    chooser = _Chooser(options, samples, known_fields)
    chooser.choose_id()
    chooser.choose_label()
    chooser.choose_text()
    chooser.choose_html()
    chooser.choose_by_kind()
    chooser.rename_reserved()
    return chooser.choice


class _Chooser:
    def __init__(self, options: LoadOptions, samples: Mapping[str, ColumnSample], known_fields: Iterable[str]) -> None:
        self.options = options
        self.samples = samples
        self.known = set(known_fields)
        self.choice = Choice(left_out=set(options.ignored))
        #: Columns that the user named have a use already.
        named = (*options.named_metadata, *options.link_fields, *(options.text_fields or ()))
        self.named = {options.id or "", options.label or "", *options.ignored, *(spec.source for spec in named)}

    def decide(self, column: str, use: Use, why: str, change: str) -> None:
        self.choice.decisions.append(ColumnChoice(column, use, why, change))
        if use == "left out":
            self.choice.left_out.add(column)

    def free(self) -> list[str]:
        """Return the columns that have no use yet."""
        choice = self.choice
        taken = self.named | self.known | {choice.id_field, choice.label_field} | choice.left_out | choice.derived
        return [name for name in self.samples if name not in taken]

    def choose_id(self) -> None:
        if self.options.id:
            self.choice.id_field = self.options.id
            return
        usual = [name for name in ID_FIELDS if name in self.samples] or spelled_like(ID_FIELDS, self.samples)
        usual = [name for name in usual if name not in self.named and not _repeats(self.samples[name])]
        if usual:
            self.choice.id_field = usual[0]
            sample = self.samples[usual[0]]
            if sample.rows >= UNIQUE_FROM and not (sample.all_differ and sample.filled == sample.rows):
                why = "an id by its name; where it is missing or repeated, the line is added"
                self.decide(usual[0], "id", why, argument("id", LINE_ID))
            return
        texts = set(spelled_like(TEXT_FIELDS, self.samples)) if len(self.samples) > 1 else self.samples.keys()
        unique = [name for name in self.free() if name not in texts and self._identifies(self.samples[name])]
        likely = [name for name in unique if ID_NAME.fullmatch(name)]
        members = {name: self.samples[name].members for name in unique}
        unique = [name for name in unique if self.samples[name].words <= 1 or share_a_pattern(members[name])]
        likely = likely or [name for name in unique if name != INDEX and are_identifiers(name, members[name])]
        likely = likely or [name for name in unique if name == INDEX]
        if not likely and any(sample.prose for sample in self.samples.values()):  # beside a text, the first is a key
            likely = [name for name in unique[:1] if name == next(iter(self.samples))]
            likely = [name for name in likely if are_identifiers(name, members[name], first=True)]
        if likely:
            self.choice.id_field = likely[0]
            self.decide(
                likely[0],
                "id",
                "its values all differ",
                f"{argument('id', 'FIELD')}, or {argument('id', LINE_ID)} to number the records",
            )
            return
        self.choice.id_field = LINE_ID
        self.decide(LINE_ID, "id", "no column is an id: records are named by file and line", argument("id", "FIELD"))

    def _identifies(self, sample: ColumnSample) -> bool:
        rows = max(other.filled for other in self.samples.values())
        return (
            sample.all_differ
            and not sample.listed
            and sample.filled >= IDS_FILLED * rows
            and sample.words <= PHRASE  # "ODI # 1028"
            and sample.dates is None
        )

    def choose_label(self) -> None:
        options = self.options
        if options.label:
            self.choice.label_field = options.label
            return
        if options.label is None and "label" not in self.named:
            self.choice.label_field = next(iter(spelled_like(["label"], self.samples)), "label")
        if not options.takes_all:
            return
        if all(name in self.samples for name in ADDED):
            for name in (name for name in ADDED if name in self.free()):
                self.decide(name, "left out", "`hin classify` has added it", f"{_taken(name)} uses it")
        for name in self.free():
            sample = self.samples[name]
            mark = sample.separator or "\0"  # of lists in one cell, the parts count
            distinct = len({part.strip() for member in sample.members for part in member.split(mark)})
            few = distinct <= FEW and (sample.filled < 20 or 3 * distinct <= sample.mentions)
            if sample.filled and few and not sample.prose and _is_named_like_a_label(name):
                why = f"maybe the labels: {argument('label', _spelled(name))} evaluates by it"
                self.decide(name, "left out", why, f"{_taken(name)} uses it")

    def choose_text(self) -> None:
        options, samples = self.options, self.samples
        prose = [name for name in self.free() if samples[name].prose]
        if options.text_fields is not None:
            self.choice.text = options.text_fields
            if options.takes_all:
                for name in prose:
                    change = f"`text=` with {shlex.quote(_spelled(name))} added, or {_taken(name)}"
                    self.decide(name, "left out", "it is prose and not named as text", change)
            return
        free = set(self.free())
        texts = [name for name, sample in samples.items() if sample.strings or (sample.filled and sample.wrapped)]
        usual = [name for name in spelled_like(TEXT_FIELDS, texts) if name in free]
        if any(name.lower() == "title" for name in usual):
            usual = [name for name in usual if name.lower() != "subject"]
        phrases = [name for name in usual if options.takes_all and _names_a_kind(name, samples[name])]
        usual = [name for name in usual if name not in phrases]
        prose = [name for name in prose if name not in usual] if options.takes_all else []
        others = [name for name in self.free() if options.takes_all and name not in (*usual, *prose)]
        titles = [name for name in others if are_titles(name, samples[name])]
        entitled = any(name.lower() in ("title", "subject") for name in usual)
        found: list[str] = []
        for name in [*usual, *titles, *prose] if entitled else [*titles, *usual, *prose]:
            same = next(
                (other for other in found if repeats_texts(samples[other].members, samples[name].members)), None
            )
            if same is None or not samples[name].filled:
                found.append(name)
            else:
                self.decide(name, "left out", f"it says the same as {same}", argument("text", _spelled(name)))
        for name in (name for name in prose if name in found):
            why = f"it is prose, {round(samples[name].words)} words in a typical value"
            change = f"{argument('ignore', _spelled(name))}, or {_taken(name)}"
            self.decide(name, "text", why, change)
        for name in (name for name in titles if name in found):
            change = f"{argument('ignore', _spelled(name))}, or {_taken(name)}"
            self.decide(name, "text", "words that differ in nearly every record, as a title's do", change)
        if options.takes_all and not any(samples[name].prose for name in found):
            found += self._inside(found)
        if not found:
            found = self._longest() or phrases or self._most_varied()
        self.choice.text = tuple(FieldSpec(name, name) for name in found)

    def _inside(self, found: Collection[str]) -> list[str]:
        """Return the lists of sentences, and the texts inside objects and lists of them, if no column is prose."""
        lists = [name for name in self.free() if self.samples[name].prose_list and name not in found]
        parts = {name: parts for name in self.free() if (parts := self.samples[name].prose_parts)}
        for name in lists:
            self.decide(name, "text", "it holds lists of sentences", argument("ignore", _spelled(name)))
        inner = {f"{name}.{key}": name for name, keys in parts.items() for key in self._texts_of(name, keys)}
        for path, name in inner.items():
            self.decide(path, "text", f"{name} holds texts there", argument("ignore", _spelled(name)))
        for name in parts:
            self._open(name, inner)
        return [*lists, *inner]

    def _texts_of(self, name: str, prose: Collection[str]) -> list[str]:
        """Return the keys of a column's objects that hold texts, titles first."""
        parts = self.samples[name].parts
        titles = [key for key, part in parts.items() if key not in prose and part.filled and are_titles(key, part)]
        titles += [key for key in spelled_like(TEXT_FIELDS, parts) if parts[key].strings and not parts[key].listed]
        return [key for key in dict.fromkeys([*titles, *prose]) if "." not in key]

    def _open(self, name: str, texts: Collection[str]) -> None:
        """Take what stands beside a text in an object as fields: names, dates, lists."""
        for key, part in self.samples[name].parts.items():
            path = f"{name}.{key}"
            if path in texts or "." in key or not part.filled or part.objects or part.prose or part.prose_list:
                continue
            if part.nameless:
                continue
            if _is_named_like_a_label(key) or (part.numbers and not are_codes(key, part.members)):
                continue
            taken = {field_key(other) for other in (*self.samples, *(spec.name for spec in self.choice.renamed))}
            field = key if field_key(key) not in taken and not reserved(key) else f"{name} {key}"
            if part.dates is not None:
                for date_part in self.options.date_parts:
                    self._derive(f"{field}_{date_part}", path, f"{part.dates}.{date_part}")
            elif not (part.all_differ and part.filled >= UNIQUE_FROM):
                self.choice.renamed.append(FieldSpec(field, path))

    def _longest(self) -> list[str]:
        """Return the column with the longest values, if no column is prose: headlines, reasons, named goods.

        Its values seldom repeat, or they are many phrases.
        """
        words = {
            name: sample.words
            for name, sample in self._worded().items()
            if 3 * sample.distinct > sample.mentions or (sample.words >= PHRASE and sample.distinct >= MANY)
        }
        if not words:
            return []
        best = max(words, key=lambda name: words[name])
        why = f"its values are the longest, {round(words[best])} words in a typical one"
        self.decide(best, "text", why, argument("text", "FIELD"))
        return [best]

    def _most_varied(self) -> list[str]:
        """Return the column with the most different names of several words: kinds of goods or of animals."""
        found = {
            name: sample
            for name, sample in self._worded().items()
            if sample.distinct >= UNIQUE_FROM and are_worded(sample)
        }
        if not found:
            return []
        best = max(found, key=lambda name: found[name].distinct)
        why = f"no column is prose, and it has the most different names of several words, {found[best].distinct:,}"
        self.decide(best, "text", why, argument("text", "FIELD"))
        return [best]

    def _worded(self) -> dict[str, ColumnSample]:
        """Return the free columns with words that most records have, but for places."""
        if not self.options.takes_all:
            return {}
        samples = self.samples
        places = [samples[name] for name in samples if _PLACE.search(name_in_words(name))]
        rows = max((sample.filled for sample in samples.values()), default=0)
        return {
            name: sample
            for name in self.free()
            if (sample := samples[name]).strings
            and sample.words >= 2
            and sample.dates is None
            and 2 * sample.filled >= rows
            and not _PLACE.search(name_in_words(name))
            and not any(repeats_texts(place.members, sample.members) for place in places)
        }

    def choose_html(self) -> None:
        options = self.options
        if options.html_fields is not None:
            self.choice.html = frozenset(options.html_fields)
            return
        found = [spec.source for spec in self.choice.text if (sample := self.samples.get(spec.source)) and sample.html]
        self.choice.html = frozenset(found)
        for name in found:
            why = "it has HTML: tags and entities are taken out"
            self.decide(name, "text", why, f"{argument('html', '')} keeps them")

    def choose_by_kind(self) -> None:
        """Derive years and months from dates, split lists in one cell, and leave out numbers and lists of prose."""
        if not self.options.takes_all:
            return
        text = {spec.source for spec in self.choice.text}
        for name in self.free():
            sample = self.samples[name]
            if name in text or not sample.filled:
                continue
            if sample.prose_list:
                change = f"{argument('text', _spelled(name))}, or {_taken(name)}"
                self.decide(name, "left out", "it holds lists of sentences", change)
            elif sample.dates is not None:
                self._take_dates(name, sample.dates)
            elif sample.numbers and not are_codes(name, sample.members):
                self.decide(name, "left out", "numbers that do not look like codes", _taken(name))
            elif sample.separator is not None and self.options.separator is None:
                keys = {field_key(other) for other in self.samples}
                wish = reserved(name)
                field = free_name(wish, keys) if wish else name
                self._derive(field, name, sample.separator)
                why = f"{sample.separator!r} stands between several values"
                why += f"; it is {name}, a name that the graph itself uses" if wish else ""
                self.decide(name, "metadata", why, f"{argument('separator', 'none')} keeps them in one")

    def _take_dates(self, name: str, order: str) -> None:
        parts = self.options.date_parts
        for part in parts:
            self._derive(f"{name} {part}" if " " in name else f"{name}_{part}", name, f"{order}.{part}")
        if parts:
            why = f"dates: {' and '.join(parts)} are fields of their own"
            change = f"{argument('dates', ','.join(PARTS))} for these, {argument('dates', 'none')} for none"
            self.decide(name, "metadata", why, change)
        else:
            self.decide(name, "left out", "it holds dates", argument("dates", "year,month"))

    def _derive(self, field: str, column: str, part: str) -> None:
        """Derive a field from a part of a column, unless the user did already or the field turned out useless."""
        self.choice.derived.add(column)
        source = f"{column}.{part}"
        named = {spec.name for spec in self.options.named_metadata}
        if field not in named and source not in self.choice.left_out:
            self.choice.renamed.append(FieldSpec(field, source))

    def rename_reserved(self) -> None:
        """Rename the columns that the user did not name and whose names the graph or another column has."""
        if not self.options.takes_all:
            return
        text = {spec.source for spec in self.choice.text}
        keys = {field_key(name) for name in self.samples}
        first: dict[str, str] = {}
        for name in self.free():
            if name in text or not field_key(name):
                continue
            other = first.setdefault(field_key(name), name)
            if (wish := reserved(name) or (other if other != name else None)) is None:
                continue
            spec = FieldSpec(free_name(wish, keys), name)
            keys.add(field_key(spec.name))
            self.choice.renamed.append(spec)
            taken = f"which has nodes of its own named {field_key(name)}"
            why = f"called {spec.name} in the graph, {taken if reserved(name) else f'where {other} is another field'}"
            self.decide(name, "metadata", why, argument("metadata", f"NEW={_spelled(name)},*"))


def _repeats(sample: ColumnSample) -> bool:
    """Check whether a column an id by its name none: many of its values repeat, or are missing."""
    return sample.rows >= UNIQUE_FROM and (
        sample.distinct < NAMES_DIFFER * sample.mentions or sample.filled < NAMES_DIFFER * sample.rows
    )


def _names_a_kind(name: str, sample: ColumnSample) -> bool:
    """Check whether a column that is named as a text holds a few short values that repeat: it is metadata."""
    if name.lower() not in ("title", "subject", "summary", "description"):
        return False
    few = sample.distinct <= FEW and 5 * sample.distinct <= sample.mentions
    return sample.filled >= UNIQUE_FROM and few and sample.words < PROSE_WORDS


def _is_named_like_a_label(name: str) -> bool:
    return not _ANSWERS.isdisjoint(name_in_words(name).split())


def _spelled(name: str) -> str:
    """Return a column's name escaped as the options expect it."""
    return str(FieldSpec(name, name))


def _taken(name: str) -> str:
    return argument("metadata", f"{_spelled(name)},*")
