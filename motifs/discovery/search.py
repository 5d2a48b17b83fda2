"""Rank patterns by use: combinations of metadata fields and links, measured without labels (proposed in section 6).

An instance is specific when its documents are about the same topic, that is when their term profiles are more similar
than those of as many random documents. The mean cosine over pairs of different documents has the same expectation for
any number of documents: 0 for a random set, and the part's own value for a random subset of a part's documents. So

- specificity of a pattern: the mean over its (instance, document) pairs;
- gain: specificity minus that of the most specific part of the instance (for one field: minus 0), the parts' values
  shrunk towards their mean according to their noise, else the luckiest part would win;
- worth: coverage x gain, the contribution of the pattern to the average document;
- excess: the share of its (instance, document) pairs beyond what chance gives, where the comparison with chance says
  that the values belong together. All probabilities are divided by the number of patterns tried.
"""

from __future__ import annotations

from collections.abc import Sequence

from hin.errors import BadUsage
from hin.graph import Graph
from hin.notebook.watching import shows_progress
from hin.progress import Progress, silent
from motifs.discovery.candidates import candidates
from motifs.discovery.measure import Measured, measure
from motifs.discovery.profiles import make_profiles
from motifs.discovery.verdict import PatternWorth, judge_pattern
from motifs.joins.sorted_edges import Columns
from motifs.language.pattern import MAX_NODES, Pattern
from motifs.options import MotifOptions


@shows_progress
def discover(
    graph: Graph,
    max_size: int = 3,
    *,
    fields: Sequence[str] | None = None,
    options: MotifOptions | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> list[PatternWorth]:
    """Measure every combination of metadata fields and links up to a size; the most useful come first.

    Parameters
    ----------
    graph : Graph
    max_size : int
        Parts of the largest patterns; a link counts as one.
    fields : sequence of str, optional
        The fields to combine; default all metadata fields. `term` may be among them.
    options : MotifOptions, optional
    seed : int
        Seed of the sample from which the profiles are made.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> found = discover(tiny_graph(), max_size=2, options=MotifOptions(min_count=2))
    >>> sorted(worth.pattern for worth in found if "(" not in worth.pattern)[:3]
    ['author', 'author-author', 'author-venue']
    """
    if not 1 <= max_size < MAX_NODES:
        raise BadUsage(f"max size is {max_size}", hint=f"give a number from 1 to {MAX_NODES - 1}")
    chosen, progress = options or MotifOptions(), progress or silent
    progress("profiles", 0, None)
    profiles, columns = make_profiles(graph, seed), Columns(graph)
    tried = list(candidates(graph, list(graph.fields if fields is None else dict.fromkeys(fields)), max_size))
    measured: dict[Pattern, Measured] = {}
    for done, candidate in enumerate(tried):
        progress("discovering", done, len(tried), candidate.pattern.name)
        parts = [measured.get(pattern) for pattern, _ in candidate.parts]
        smaller = [part for part in parts if part is not None and part.instances]
        if len(smaller) == len(parts):  # an instance's parts are instances too
            measured[candidate.pattern] = measure(graph, candidate, smaller, profiles, columns, chosen)
    progress("discovering", len(tried), len(tried))
    shown = [found for found in measured.values() if found.instances or found.failure]
    best = max((found.coverage * found.gain for found in shown), default=0.0)
    ranked = [judge_pattern(found, profiles.spread, best, len(shown)) for found in shown]
    order = {"yes": 0, "maybe": 1, "no": 2}
    return sorted(ranked, key=lambda w: (order[w.use], -w.worth, -w.excess, w.pattern))
