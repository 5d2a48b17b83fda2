"""Options of learners as a user writes them: `cnn.epochs=5`, by the learner's name and the field of its `Options`."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from classify.learners.base import LEARNERS
from hin.errors import BadUsage

_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


def with_settings(base: Mapping[str, Any], settings: Sequence[Any]) -> dict[str, Any]:
    """Return the options of the learners by name, with the user's settings applied.

    Parameters
    ----------
    base : the options of the preset, by the learner's name.
    settings : texts such as `cnn.epochs=5`, or option objects of learners.

    Examples
    --------
    >>> with_settings({}, ["linear.rounds=3"])["linear"].rounds
    3
    >>> with_settings({}, ["linear.round=3"])
    Traceback (most recent call last):
    hin.errors.BadUsage: the classifier linear has no option round; did you mean rounds?
    """
    found = dict(base)
    for one in settings:
        if isinstance(one, str):
            name, changed = _apply(found, one)
            found[name] = changed
        else:
            owner = next((name for name, options in found.items() if type(options) is type(one)), type(one).__name__)
            found[owner] = one
    return found


def _apply(held: Mapping[str, Any], setting: str) -> tuple[str, Any]:
    """Return the name of a learner and its options with one of them set."""
    place, equals, text = setting.partition("=")
    name, _, option = place.strip().partition(".")
    if not (name and option and equals):
        raise BadUsage(f"{setting!r} is no option of a classifier", hint="write NAME.OPTION=VALUE, e.g. cnn.epochs=5")
    kind = LEARNERS.get(name).Options
    names = [] if kind is None else [entry.name for entry in fields(kind)]
    if kind is None or option not in names:
        near = difflib.get_close_matches(option, names, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(names) or 'none'}"
        raise BadUsage(f"the classifier {name} has no option {option}", hint=hint)
    options = held.get(name) or kind()
    try:
        return name, replace(options, **{option: _value(text.strip(), getattr(options, option))})
    except ValueError:
        like = getattr(options, option)
        raise BadUsage(f"{setting!r}: {text.strip()!r} does not fit", hint=f"give a value like {like}") from None


def _value(text: str, like: Any) -> Any:
    """Parse a value as the type of an option's present value."""
    if isinstance(like, bool):
        if text not in _TRUTHS:
            raise ValueError(text)
        return _TRUTHS[text]
    if isinstance(like, tuple):
        return tuple(_value(part.strip(), like[0]) for part in text.split(","))
    if isinstance(like, int | None):
        return None if like is None and text == "none" else int(text)
    return type(like)(text)
