"""Patterns: which labels their nodes can have, and how their relationships are kept apart.

Neo4j uses a relationship once in a MATCH, the embedded engine as often as it fits. The engine also goes wrong in two
ways that were found by comparing answers: a condition on a relationship is lost when the pattern goes on after it, and
an OPTIONAL MATCH that no label allows finds rows all the same. So conditions on relationships are applied after the
pattern (`late`), relationships are told apart by their nodes where possible, and labels are worked out beforehand.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from hin.cypher.quoting import quote
from hin.cypher.reworded.expressions import Expressions, Variable, identifier
from hin.cypher.reworded.parse import source_of
from hin.cypher.reworded.types import NODE, REL, CypherDiffers, ViewSchema
from hin.errors import BadUsage

__all__ = ["Conditions", "Pattern", "read_pattern"]

#: The longest path that the embedded engine follows.
LONGEST_PATH = 30


@dataclass
class Conditions:
    """What must hold: `early` inside the MATCH, `late` after it."""

    early: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)


@dataclass
class _Node:
    variable: Variable
    labels: frozenset[str]
    bound: bool
    properties: str = ""


@dataclass
class _Step:
    name: str
    types: frozenset[str]
    named: list[str]
    left: int
    right: int
    forward: bool
    backward: bool
    length: str = ""
    variable: Variable | None = None


@dataclass
class Pattern:
    """A pattern in the engine's words, with the engine's names of its nodes and relationships."""

    text: str
    conditions: Conditions
    relationships: int
    variables: list[str]


class _Reader:
    def __init__(self, expressions: Expressions, fresh: Any) -> None:
        self.expressions = expressions
        self.schema: ViewSchema = expressions.schema
        self.fresh = fresh
        self.nodes: list[_Node] = []
        self.steps: list[_Step] = []
        self.chains: list[list[int]] = []  # node, step, node, ... of each path
        self.late: list[str] = []
        self.known = dict(expressions.scope)

    # Reading

    def path(self, tree: Any) -> None:
        if hasattr(tree, "functionInvocation") and tree.functionInvocation() is not None:
            raise CypherDiffers("shortestPath is not known to the embedded engine", hint="use it on Neo4j")
        if hasattr(tree, "patternElem") and tree.patternElem() is not None:
            self.path(tree.patternElem())
            return
        chain = [self.node(tree.nodePattern())]
        for link in tree.patternElemChain() or []:
            right = self.node(link.nodePattern())
            chain += [self.step(link.relationshipPattern(), chain[-1], right), right]
        self.chains.append(chain)

    def node(self, tree: Any) -> int:
        labels = [identifier(name) for name in tree.nodeLabels().name()] if tree.nodeLabels() is not None else []
        if len(labels) > 1:
            raise CypherDiffers(f"two labels at once: {source_of(tree)}", hint="every node has one label")
        for label in labels:
            self.expressions.known_label(label)
        possible = frozenset(labels or self.schema.nodes)
        scope = self.expressions.scope
        name = identifier(tree.symbol()) if tree.symbol() is not None else None
        if name is None:
            found = _Node(Variable(self.fresh(), NODE, possible), possible, False)
        elif name not in scope:
            scope[name] = Variable(self.fresh(), NODE, possible)
            found = _Node(scope[name], possible, False)
        else:
            if scope[name].type != NODE:
                raise BadUsage(f"`{name}` is a {scope[name].type.name}, not a node", hint="use another name")
            earlier = scope[name].labels or frozenset(self.schema.nodes)
            found = _Node(scope[name], earlier & possible, name in self.known)
            if found.bound and labels and earlier != possible:
                raise CypherDiffers(f"a label for `{name}`, which is matched already", hint="give it the first time")
        for index, other in enumerate(self.nodes):
            if other.variable is found.variable:
                other.labels &= found.labels
                other.properties += self.properties(tree.properties(), found.variable, other.labels)
                return index
        found.properties = self.properties(tree.properties(), found.variable, found.labels)
        self.nodes.append(found)
        return len(self.nodes) - 1

    def step(self, tree: Any, left: int, right: int) -> int:
        detail = tree.relationDetail()
        types = detail.relationshipTypes() if detail is not None else None
        named = [identifier(name) for name in types.name()] if types is not None else []
        for name in named:
            if name not in self.schema.relationships:
                known = ", ".join(sorted(self.schema.relationships))
                raise BadUsage(f"no relationship {name!r}", hint=f"there are {known}")
        possible = frozenset(named or self.schema.relationships)
        towards_left, towards_right = bool(tree.LT()), bool(tree.GT())
        step = _Step(
            self.fresh(), possible, named, left, right,
            forward=towards_right or not towards_left, backward=towards_left or not towards_right,
        )  # fmt: skip
        if detail is not None:
            if detail.rangeLit() is not None:
                step.length = self.length(detail, step)
            elif detail.symbol() is not None:
                given = identifier(detail.symbol())
                if given in self.expressions.scope:
                    raise CypherDiffers(f"the relationship `{given}` is matched twice", hint="match it once")
                step.variable = Variable(step.name, REL, possible)
                self.expressions.scope[given] = step.variable
            wanted = self.pairs(detail.properties(), Variable(step.name, REL, possible))
            self.late += [f"{step.name}.{quote(name)} = {text}" for name, text in wanted]
            if wanted and step.length:
                raise CypherDiffers(f"properties in {source_of(tree)}", hint="leave them out of a path of many lengths")
        self.steps.append(step)
        return len(self.steps) - 1

    def length(self, detail: Any, step: _Step) -> str:
        """`*1..3`: Neo4j walks no relationship twice, which the engine calls a trail."""
        tree = detail.rangeLit()
        text = "".join(tree.getText().split()).lstrip("*")
        low, dots, high = text.partition("..")
        high = high if dots else low
        shortest = int(low or 1)
        if not high or not 1 <= shortest <= int(high) <= LONGEST_PATH:
            raise CypherDiffers(
                f"the length {tree.getText()}", hint=f"give bounds from 1 to {LONGEST_PATH}, for example *1..3"
            )
        if detail.symbol() is not None:
            raise CypherDiffers("a name for a path of several lengths", hint="leave the name out")
        ends = {end for kind in step.types for pair in self.schema.ends(kind) for end in pair}
        if len(step.named) != 1 or len(ends) != 1:
            raise CypherDiffers(
                "a path of several lengths over nodes of several labels", hint="write the steps out one by one"
            )
        return f"* TRAIL {shortest}..{int(high)}"

    def properties(self, tree: Any, variable: Variable, labels: frozenset[str]) -> str:
        asked = Variable(variable.text, NODE, labels)
        return ", ".join(f"{quote(name)}: {text}" for name, text in self.pairs(tree, asked))

    def pairs(self, tree: Any, variable: Variable) -> list[tuple[str, str]]:
        if tree is None:
            return []
        if tree.parameter() is not None:
            raise CypherDiffers("properties from one parameter", hint="write {name: $name}")
        pairs = []
        for pair in tree.mapLit().mapPair() or []:
            name = identifier(pair.name())
            made = self.expressions.expression(pair.expression())
            wanted = self.expressions.property_type(variable, name)
            if made.type != wanted or made.type.kind == "LIST":
                raise CypherDiffers(
                    f"{source_of(pair)} compares a {wanted.name} with a {made.type.name}", hint="use the same type"
                )
            if not made.constant:
                raise CypherDiffers(f"{source_of(pair)} in a pattern", hint="compare the two in WHERE")
            pairs.append((name, made.text))
        return pairs

    # Labels

    def narrow(self, *, strict: bool) -> None:
        """Leave each node only the labels that its relationships allow."""
        before = [node.labels for node in self.nodes]
        changed = True
        while changed:
            changed = False
            for step in self.steps:
                left, right = self.nodes[step.left], self.nodes[step.right]
                allowed = {
                    pair
                    for kind in step.types
                    for source, target in self.schema.ends(kind)
                    for pair in ([(source, target)] * step.forward + [(target, source)] * step.backward)
                    if pair[0] in left.labels and pair[1] in right.labels
                }
                for node, labels in ((left, {a for a, _ in allowed}), (right, {b for _, b in allowed})):
                    if node.labels != labels & node.labels:
                        node.labels = frozenset(labels & node.labels)
                        changed = True
        for step in self.steps:
            step.types = frozenset(kind for kind in step.types if self.fits(kind, step))
            self.direct(step)
            if step.variable is not None:
                step.variable.labels = step.types
        for node, earlier in zip(self.nodes, before, strict=True):
            if not node.labels:
                raise CypherDiffers(
                    "no relationship in the graph fits this pattern", hint="check its directions and labels"
                )
            if strict and node.bound and node.labels != earlier:
                raise CypherDiffers(
                    "a pattern that fits only some labels of a node matched before",
                    hint="write the label where the node is first matched",
                )
            if not node.bound:
                node.variable.labels = node.labels

    def direct(self, step: _Step) -> None:
        """Write the direction where only one is possible: the engine mixes rows up without it."""
        if not (step.forward and step.backward):
            return
        forward = any(self.fits(kind, replace(step, backward=False)) for kind in step.types)
        backward = any(self.fits(kind, replace(step, forward=False)) for kind in step.types)
        if forward and backward and len(self.steps) > 1:
            raise CypherDiffers(
                "a relationship without direction beside others", hint="write its direction, or use UNION"
            )
        if forward and backward and (loops := step.types & self.schema.loops):
            raise CypherDiffers(
                f"a pattern without direction over {', '.join(sorted(loops))}, which joins some nodes to themselves",
                hint="write the direction, -[]-> or <-[]-",
            )
        step.forward, step.backward = forward, backward

    def fits(self, kind: str, step: _Step) -> bool:
        left, right = self.nodes[step.left].labels, self.nodes[step.right].labels
        return any(
            (step.forward and source in left and target in right)
            or (step.backward and source in right and target in left)
            for source, target in self.schema.ends(kind)
        )

    # Writing

    def text(self) -> str:
        written: set[int] = set()
        return ", ".join(
            "".join(self.step_text(at) if i % 2 else self.node_text(at, written) for i, at in enumerate(chain))
            for chain in self.chains
        )

    def node_text(self, at: int, written: set[int]) -> str:
        node = self.nodes[at]
        if at in written:
            return f"({node.variable.text})"
        written.add(at)
        label = f":{quote(next(iter(node.labels)))}" if len(node.labels) == 1 and not node.bound else ""
        return f"({node.variable.text}{label}{f' {{{node.properties}}}' if node.properties else ''})"

    def step_text(self, at: int) -> str:
        step = self.steps[at]
        types = ":" + "|".join(quote(kind) for kind in sorted(step.types))
        ends = ("", "") if step.forward and step.backward else ("", ">") if step.forward else ("<", "")
        return f"{ends[0]}-[{step.name}{types}{step.length}]-{ends[1]}"

    def keep_apart(self, conditions: Conditions) -> None:
        """Demand that relationships which could be the same are not."""
        for one, other in combinations(self.steps, 2):
            if not one.types & other.types:
                continue
            if one.length or other.length:
                raise CypherDiffers(
                    "a path of several lengths beside other relationships of its type",
                    hint="put it into a MATCH of its own",
                )
            directed = not (one.forward and one.backward) and not (other.forward and other.backward)
            single = one.types == other.types and len(one.types) == 1 and not one.types & self.schema.parallel
            if not (directed and single):
                conditions.late.append(f"id({one.name}) <> id({other.name})")
                continue
            # Two relationships of a type that joins no two nodes twice are one exactly if their nodes are.
            ends = [self.ends(step) for step in (one, other)]
            differ = [f"id({a}) <> id({b})" for a, b in zip(*ends, strict=True) if a != b]
            conditions.early.append(f"({' OR '.join(differ)})" if differ else "(1 = 0)")

    def ends(self, step: _Step) -> tuple[str, str]:
        left, right = (self.nodes[at].variable.text for at in (step.left, step.right))
        return (left, right) if step.forward else (right, left)


def read_pattern(
    parts: list[Any], expressions: Expressions, fresh: Any, *, strict: bool, optional: bool = False
) -> Pattern:
    """Read the comma-separated paths of a pattern and put their variables in scope.

    Parameters
    ----------
    strict : bool
        For OPTIONAL MATCH and subqueries: nodes matched before must fit as they are.
    """
    reader = _Reader(expressions, fresh)
    for part in parts:
        if hasattr(part, "symbol") and part.symbol() is not None:
            raise CypherDiffers(f"the path {source_of(part)}", hint="name the nodes and relationships instead")
        reader.path(part.patternElem() if type(part).__name__ == "PatternPartContext" else part)
    reader.narrow(strict=strict)
    if optional:
        for name, variable in expressions.scope.items():
            variable.optional |= name not in reader.known
    conditions = Conditions(late=reader.late)
    reader.keep_apart(conditions)
    names = [node.variable.text for node in reader.nodes] + [step.name for step in reader.steps if not step.length]
    if conditions.late and any(step.length for step in reader.steps):
        raise CypherDiffers(
            "a CASE or a condition on a relationship beside a path of several lengths",
            hint="put the path into a MATCH of its own",
        )
    return Pattern(reader.text(), conditions, len(reader.steps), names)
