"""A family of random Cypher queries over the sample graph, for running on both engines."""

from __future__ import annotations

import random
from collections.abc import Callable

#: (source label, relationship, target label)
STEPS = [
    ("Document", "HAS_AUTHOR", "Author"),
    ("Document", "HAS_VENUE", "Venue"),
    ("Document", "HAS_YEAR", "Year"),
    ("Document", "HAS_TERM", "Term"),
    ("Document", "CITES", "Document"),
    ("Author", "KNOWS", "Author"),
    ("Document", "HAS_MOTIF", "Motif"),
    ("Motif", "PART", "Venue"),
    ("Motif", "PART", "Author"),
    ("Motif", "INDICATES", "Category"),
    ("Document", "CLASSIFIED_AS", "Category"),
]
TEXT = {"Document": ["id", "title", "label"], "Motif": ["name", "pattern"]}
NUMBERS = {
    "Motif": ["documents", "number", "kappa"],
    "Category": ["kappa", "number"],
    "HAS_TERM": ["occurrences"],
    "HAS_AUTHOR": ["position"],
    "CITES": ["position"],
    "INDICATES": ["position", "cosine"],
    "CLASSIFIED_AS": ["confidence"],
}
SAMPLES = ["p1", "p17", "query", "Author 01", "Venue 1", "2003", "database", "a", "", "Q", "10"]


class Family:
    """Draws queries; the same seed gives the same query."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def query(self) -> str:
        """One query."""
        shapes: list[Callable[[], str]] = [
            self.rows,
            self.grouped,
            self.piped,
            self.optional,
            self.united,
            self.counted,
        ]
        return self.random.choice(shapes)()

    # Patterns

    def path(self, steps: int, names: list[tuple[str, str]], relationships: list[tuple[str, str]]) -> str:
        """A connected path; fills in the (variable, label) pairs it names."""
        r = self.random
        source, kind, target = r.choice(STEPS)
        node, forward = (source, True) if r.random() < 0.5 else (target, False)
        text = self.node(node, names)
        here = node
        for step in range(steps):
            ways = [(k, t, True) for s, k, t in STEPS if s == here] + [(k, s, False) for s, k, t in STEPS if t == here]
            if step == 0:
                ways = [(kind, target if forward else source, forward)]
            kind, there, ahead = r.choice(ways)
            text += self.edge(kind, ahead, relationships)
            text += self.node(there, names)
            here = there
        return text

    def node(self, label: str, names: list[tuple[str, str]]) -> str:
        r = self.random
        known = [name for name, known_label in names if known_label == label]
        if known and r.random() < 0.15:
            return f"({r.choice(known)})"
        if r.random() < 0.15:
            return f"(:{label})" if r.random() < 0.7 else "()"
        name = r.choice("abcdexyzABC") + str(len(names))
        names.append((name, label))
        return f"({name}:{label})" if r.random() < 0.8 else f"({name})" if r.random() < 0.3 else f"({name} :{label})"

    def edge(self, kind: str, ahead: bool, relationships: list[tuple[str, str]]) -> str:
        r = self.random
        name = ""
        if r.random() < 0.3:
            name = f"r{len(relationships)}"
            relationships.append((name, kind))
        inner = f"[{name}:{kind}]" if r.random() < 0.9 or name else ""
        if inner and not name and kind in ("CITES", "KNOWS") and r.random() < 0.15:
            inner = f"[:{kind}*1..2]"
        if r.random() < 0.12:
            return f"-{inner}-"
        return f"-{inner}->" if ahead else f"<-{inner}-"

    # Expressions

    def text_value(self, names: list[tuple[str, str]]) -> str:
        name, label = self.random.choice(names)
        value = f"{name}.{self.random.choice(TEXT.get(label, ['name']))}"
        wrap = self.random.random()
        if wrap < 0.08:
            return f"toLower({value})"
        if wrap < 0.12:
            return f"toUpper({value})"
        if wrap < 0.16:
            return f"substring({value}, 1, 3)"
        if wrap < 0.2:
            return f"coalesce({value}, 'none')"
        return f"({value} + '!')" if wrap < 0.23 else value

    def number_value(self, names: list[tuple[str, str]], relationships: list[tuple[str, str]]) -> str | None:
        r = self.random
        options = [f"{n}.{p}" for n, t in [*names, *relationships] for p in NUMBERS.get(t, [])]
        options += [f"size({n}.{TEXT.get(t, ['name'])[0]})" for n, t in names]
        options += [f"toInteger({n}.name)" for n, t in names if t == "Year"]
        if not options:
            return None
        value = r.choice(options)
        for _ in range(r.choice([0, 0, 0, 1, 2])):
            value = f"({value} {r.choice('+-*/%')} {r.choice(['1', '2', '3', '0.5', '7'])})"
        return value

    def test(self, names: list[tuple[str, str]], relationships: list[tuple[str, str]], depth: int = 0) -> str:
        r = self.random
        kind = r.random()
        if depth < 2 and kind < 0.3:
            word = r.choice(["AND", "OR", "XOR"])
            return f"({self.test(names, relationships, depth + 1)} {word} {self.test(names, relationships, depth + 1)})"
        if depth < 2 and kind < 0.36:
            return f"NOT {self.test(names, relationships, depth + 1)}"
        number = self.number_value(names, relationships)
        if number and kind < 0.55:
            return (
                f"{number} {r.choice(['<', '>', '<=', '>=', '=', '<>'])} {r.choice(['0', '1', '2', '5', '40', '0.7'])}"
            )
        if kind < 0.6 and len(names) > 1:
            a, b = r.sample(names, 2)
            if a[1] == b[1]:
                return f"{a[0]} {r.choice(['=', '<>'])} {b[0]}"
        documents = [n for n, t in names if t == "Document"]
        if kind < 0.68 and documents:
            d = r.choice(documents)
            return r.choice(
                [
                    f"({d})-[:CITES]->()",
                    f"EXISTS {{ ({d})-[:HAS_AUTHOR]->(q:Author) WHERE q.name > 'Author 1' }}",
                    f"EXISTS {{ MATCH ({d})-[:HAS_AUTHOR]->()<-[:HAS_AUTHOR]-(q) }}",
                    f"COUNT {{ ({d})-[:HAS_AUTHOR]->() }} > 1",
                    # Not `< 3`: under OPTIONAL MATCH the server loses the rows that count 0.
                    f"COUNT {{ ({d})-[:HAS_AUTHOR]->()<-[:HAS_AUTHOR]-() }} > 2",
                    f"NOT ({d})<-[:CITES]-()",
                ]
            )
        if kind < 0.72:
            name, label = r.choice(names)
            return f"{name}:{r.choice([label, 'Author', 'Venue'])}"
        value = self.text_value(names)
        sample = r.choice(SAMPLES)
        return r.choice(
            [
                f"{value} = '{sample}'",
                f"{value} < '{sample}'",
                f"{value} >= '{sample}'",
                f"{value} <> '{sample}'",
                f"{value} STARTS WITH '{sample}'",
                f"{value} ENDS WITH '{sample}'",
                f"{value} CONTAINS '{sample}'",
                f"{value} IN ['{sample}', 'p2', 'Venue 0']",
                f"{value} IS NULL",
                f"{value} IS NOT NULL",
            ]
        )

    def value(self, names: list[tuple[str, str]], relationships: list[tuple[str, str]]) -> str:
        r = self.random
        kind = r.random()
        number = self.number_value(names, relationships)
        if number and kind < 0.35:
            return number
        if kind < 0.4:
            return f"labels({r.choice(names)[0]})"
        if kind < 0.44 and relationships:
            return f"type({r.choice(relationships)[0]})"
        if kind < 0.5:
            return f"CASE WHEN {self.test(names, relationships, 2)} THEN 'yes' ELSE 'no' END"
        if kind < 0.55:
            return self.test(names, relationships, 2)
        if kind < 0.6:
            return r.choice(names)[0]
        return self.text_value(names)

    def aggregate(self, names: list[tuple[str, str]], relationships: list[tuple[str, str]]) -> str:
        r = self.random
        number = self.number_value(names, relationships) or "1"
        text = self.text_value(names)
        distinct = r.choice(["", "DISTINCT "])
        return r.choice(
            [
                "count(*)",
                f"count({distinct}{r.choice(names)[0]})",
                f"count({distinct}{text})",
                f"sum({number})",
                f"avg({number})",
                f"min({text})",
                f"max({number})",
                f"size(collect({distinct}{text}))",
                "count(*) + 1",
                "count(*) * 1.5",
            ]
        )

    # Queries

    def start(self, most: int = 3) -> tuple[str, list[tuple[str, str]], list[tuple[str, str]]]:
        r = self.random
        names: list[tuple[str, str]] = []
        relationships: list[tuple[str, str]] = []
        paths = [self.path(r.randint(1, most), names, relationships)]
        if r.random() < 0.2:
            paths.append(self.path(1, names, relationships))
        if not names:
            return self.start(most)
        text = f"MATCH {', '.join(paths)}"
        # A cross product of two paths is large; keep one of them small.
        tests = ["size(toString(1)) = 1"] if r.random() < 0.02 else []
        if r.random() < 0.7:
            tests.append(self.test(names, relationships))
        if len(paths) > 1:
            name, label = names[0]
            tests.append(f"{name}.number < 3")
        return text + (f" WHERE {' AND '.join(tests)}" if tests else ""), names, relationships

    def rows(self) -> str:
        text, names, relationships = self.start()
        columns = [self.value(names, relationships) for _ in range(self.random.randint(1, 3))]
        named = ", ".join(f"{column} AS k{i}" for i, column in enumerate(columns))
        return f"{text} RETURN {self.random.choice(['', 'DISTINCT '])}{named}"

    def grouped(self) -> str:
        text, names, relationships = self.start()
        keys = [self.value(names, relationships) for _ in range(self.random.randint(0, 2))]
        aggregates = [self.aggregate(names, relationships) for _ in range(self.random.randint(1, 2))]
        return f"{text} RETURN {', '.join(f'{c} AS k{i}' for i, c in enumerate([*keys, *aggregates]))}"

    def piped(self) -> str:
        r = self.random
        text, names, relationships = self.start(2)
        name, label = r.choice(names)
        steps = [(k, t, True) for s, k, t in STEPS if s == label] + [(k, s, False) for s, k, t in STEPS if t == label]
        kind, there, ahead = r.choice(steps)
        edge = f"-[:{kind}]->" if ahead else f"<-[:{kind}]-"
        test = f" WHERE n > {r.randint(0, 4)}" if r.random() < 0.6 else ""
        middle = f"WITH {name} AS z, {self.aggregate(names, relationships)} AS n{test}"
        after = f"MATCH (z){edge}(t:{there})"
        ending = r.choice(
            [
                f"RETURN z.{self.key(label)} AS k0, n, count(*) AS m",
                f"RETURN t.{self.key(there)} AS k0, sum(n) AS s",
                f"RETURN DISTINCT t.{self.key(there)} AS k0, n",
                f"WITH t, max(n) AS m WHERE m > 1 RETURN t.{self.key(there)} AS k0, m",
            ]
        )
        return f"{text} {middle} {after} {ending}"

    def key(self, label: str) -> str:
        return "id" if label == "Document" else "name"

    def optional(self) -> str:
        r = self.random
        text, names, relationships = self.start(1)
        name, label = r.choice(names)
        steps = [(k, t, True) for s, k, t in STEPS if s == label] + [(k, s, False) for s, k, t in STEPS if t == label]
        kind, there, ahead = r.choice(steps)
        edge = f"-[o:{kind}]->" if ahead else f"<-[o:{kind}]-"
        inner_names = [("w", there)]
        test = f" WHERE {self.test(inner_names, [], 1)}" if r.random() < 0.6 else ""
        return (
            f"{text} OPTIONAL MATCH ({name}){edge}(w:{there}){test} "
            f"RETURN {name}.{self.key(label)} AS k0, "
            + r.choice([f"w.{self.key(there)} AS k1", "count(w) AS k1", "count(DISTINCT w) AS k1, type(o) AS k2"])
        )

    def united(self) -> str:
        word = self.random.choice(["UNION", "UNION ALL"])
        parts = []
        for _ in range(2):
            text, names, _ = self.start(1)
            parts.append(f"{text} RETURN {self.text_value(names)} AS k0")
        return f" {word} ".join(parts)

    def counted(self) -> str:
        text, names, _ = self.start(2)
        name, label = self.random.choice(names)
        key = f"{name}.{self.key(label)}"
        n = self.random.randint(1, 6)
        return f"{text} RETURN {key} AS k0, count(*) AS n ORDER BY n DESC, k0 SKIP {n % 3} LIMIT {n}"
