# ruff: noqa: E501 - queries are read in one line
"""A wider family of random queries: pages everywhere, subqueries, several MATCH, nulls in lists, deep nesting."""

from __future__ import annotations

from collections.abc import Callable

from tests.neo4j.query_family import STEPS, Family

Names = list[tuple[str, str]]


def ordered_patterns() -> list[str]:
    """490 patterns of one and two steps, in both directions, with a page of their rows."""
    key = {"Document": "id"}

    def name(variable: str, label: str) -> str:
        return f"{variable}.{key.get(label, 'name')}"

    def both(source: str, kind: str, target: str) -> list[tuple[str, str, str]]:
        return [(source, f"-[:{kind}]->", target), (target, f"<-[:{kind}]-", source)]

    ways = [way for step in STEPS for way in both(*step)]
    found = []
    pages = ["a, b LIMIT 4", "b DESC, a SKIP 2 LIMIT 4", "a DESC, b DESC LIMIT 1", "b, a SKIP 1 LIMIT 9"]
    longer = ["c, a, b LIMIT 5", "a DESC, c, b LIMIT 3", "b, c DESC, a SKIP 2 LIMIT 4", "c DESC, b, a LIMIT 1"]
    for start, arrow, end in ways:
        columns = f"{name('a', start)} AS a, {name('b', end)} AS b"
        found += [f"MATCH (a:{start}){arrow}(b) RETURN {columns} ORDER BY {page}" for page in pages]
        for middle, further, last in ways:
            if middle == end:
                path = f"(a:{start}){arrow}(b){further}(c:{last})"
                three = f"{columns}, {name('c', last)} AS c"
                found += [f"MATCH {path} RETURN {three} ORDER BY {page}" for page in longer]
    return list(dict.fromkeys(found))[:490]


class Wide(Family):
    """Draws queries of more shapes than `Family`."""

    def query(self) -> str:
        shapes: list[Callable[[], str]] = [
            self.paged, self.paged, self.counting, self.several, self.optionals, self.listed, self.nested, self.piped_page,
            self.unwound, self.texts, self.numbers, self.called, self.collected, self.comprehended, super().query,
        ]  # fmt: skip
        return self.random.choice(shapes)()

    def scalar(self, names: Names, relationships: Names) -> str:
        """A value that can be ordered by."""
        number = self.number_value(names, relationships)
        return number if number and self.random.random() < 0.4 else self.text_value(names)

    def page(self, columns: int) -> str:
        r = self.random
        order = [f"k{i}{r.choice(['', ' DESC', ' ASC'])}" for i in r.sample(range(columns), columns)]
        skip = f" SKIP {r.choice([0, 1, 3])}" if r.random() < 0.4 else ""
        return f" ORDER BY {', '.join(order)}{skip} LIMIT {r.choice([1, 2, 4, 7, 50])}"

    def paged(self) -> str:
        text, names, relationships = self.start()
        columns = [self.scalar(names, relationships) for _ in range(self.random.randint(1, 3))]
        if self.random.random() < 0.3:
            columns.append(self.random.choice(["count(*)", f"count(DISTINCT {self.random.choice(names)[0]})"]))
        named = ", ".join(f"{column} AS k{i}" for i, column in enumerate(columns))
        return f"{text} RETURN {self.random.choice(['', '', 'DISTINCT '])}{named}{self.page(len(columns))}"

    def piped_page(self) -> str:
        text, names, relationships = self.start(2)
        columns = [self.scalar(names, relationships) for _ in range(2)]
        named = ", ".join(f"{column} AS k{i}" for i, column in enumerate(columns))
        after = self.random.choice(
            [
                "RETURN k0, k1",
                "RETURN count(*) AS n, min(k0) AS m",
                "RETURN k0 AS k, count(*) AS n",
                "RETURN size(collect(k1)) AS n",
            ]
        )
        return f"{text} WITH {named}{self.page(2)} {after}"

    def inner(self, name: str, label: str) -> str:
        """A pattern around a node that is known."""
        r = self.random
        steps = [(k, t, True) for s, k, t in STEPS if s == label] + [(k, s, False) for s, k, t in STEPS if t == label]
        kind, there, ahead = r.choice(steps)
        edge = r.choice([f"[:{kind}]", f"[:{kind}]", f"[:{kind}|CITES]", ""])
        target = r.choice([f"(:{there})", "()", f"(in0:{there})", f"(:{there}|Author)", f"(:{there}&!Term)"])
        return f"({name})-{edge}->{target}" if ahead else f"({name})<-{edge}-{target}"

    def counting(self) -> str:
        r = self.random
        text, names, relationships = self.start(2)
        name, label = r.choice(names)
        count = f"COUNT {{ {self.inner(name, label)} }}"
        other = r.choice(["count(*)", self.scalar(names, relationships)])
        where = f" WITH * WHERE {count} {r.choice(['<', '>', '='])} {r.randint(0, 3)}" if r.random() < 0.4 else ""
        exists = f", EXISTS {{ {self.inner(name, label)} }} AS e" if r.random() < 0.4 else ""
        return f"{text}{where} RETURN {count} AS k0, {other} AS k1{exists}"

    def several(self) -> str:
        r = self.random
        text, names, relationships = self.start(1)
        name, label = r.choice(names)
        more = f" MATCH {self.inner(name, label)}"
        if r.random() < 0.5:
            more += f" MATCH {self.inner(name, label).replace('in0', 'in1')}"
        return f"{text}{more} RETURN {self.scalar(names, relationships)} AS k0, count(*) AS n"

    def optionals(self) -> str:
        r = self.random
        text, names, _ = self.start(1)
        name, label = r.choice(names)
        first = self.inner(name, label).replace("in0", "o0")
        second = self.inner(name, label).replace("in0", "o1")
        o0, o1 = ("o0" in first, "o1" in second)
        values = [f"{name}.{self.key(label)} AS k0", "count(*) AS n"]
        values += ["count(o0.name) AS c0"] * o0 + ["count(DISTINCT o1) AS c1"] * o1
        test = f" WHERE {name}.number > 1" if r.random() < 0.3 else ""
        return f"{text} OPTIONAL MATCH {first}{test} OPTIONAL MATCH {second} RETURN {', '.join(values)}"

    def listed(self) -> str:
        r = self.random
        text, names, relationships = self.start(1)
        value, other = self.text_value(names), self.text_value(names)
        items = r.choice([f"[{value}, null]", f"[{value}, {other}, 'a']", f"[null, {value}]", f"[1, {value}]", "[]"])
        expression = r.choice(
            [
                f"{other} IN {items}", f"NOT {other} IN {items}", f"{items}[0]", f"{items}[-1]", f"size({items})",
                f"head({items})", f"last({items})", f"{items}[0..1]", f"{items} = [{other}]", f"{items} + {other}",
                f"[x IN {items} WHERE x IS NOT NULL]", f"any(x IN {items} WHERE x = {other})", f"reverse({items})",
                f"all(x IN {items} WHERE x > 'p')", f"none(x IN {items} WHERE x CONTAINS '1')", f"{items} < [{other}]",
                f"reduce(t = '', x IN {items} | t + coalesce(toString(x), '-'))", f"coalesce({items}[1], {value}, 'z')",
                f"single(x IN {items} WHERE x = {value})", f"tail({items})", f"{items}[1..]", f"{items}[..-1]",
            ]
        )  # fmt: skip
        return f"{text} RETURN {expression} AS k0, count(*) AS n"

    def nested(self) -> str:
        text, names, relationships = self.start(1)
        test = self.test(names, relationships)
        for _ in range(self.random.randint(3, 30)):
            test = self.random.choice(
                [
                    f"({test})",
                    f"NOT ({test})",
                    f"({test} AND true)",
                    f"(false OR {test})",
                    f"({test}) = true",
                    f"coalesce({test}, false)",
                    f"CASE WHEN {test} THEN true ELSE null END",
                ]
            )
        return f"{text} WITH * WHERE {test} RETURN count(*) AS n, {'(' * 20}1{')' * 20} AS one"

    def unwound(self) -> str:
        r = self.random
        items = r.choice(
            [
                "[1, 2, 3]",
                "[1, null, 2]",
                "[3, 1, 2.5]",
                "range(1, 4)",
                "['a', 'b', null]",
                "[[1], [2, null]]",
                "[]",
                "null",
                "[true, false, null]",
                "[1, 'a', true, null, 2.5]",
            ]
        )
        expression = r.choice(
            [
                "x",
                "x = 1",
                "x IN [1, null]",
                "x IS NULL",
                "[x, x]",
                "coalesce(x, 0)",
                "CASE x WHEN 1 THEN 'one' ELSE 'other' END",
                "{a: x}.a",
                "toString(x)" if "[[" not in items else "size(x)",
                "x > 1",
                "x <> 2",
            ]
        )
        ending = r.choice([" ORDER BY k0", " ORDER BY k0 DESC LIMIT 2", "", ""])
        if r.random() < 0.4:
            return f"UNWIND {items} AS x RETURN {expression} AS k0, count(*) AS n{ending}"
        return f"UNWIND {items} AS x RETURN {expression} AS k0{ending}"

    def texts(self) -> str:
        r = self.random
        text, names, _ = self.start(1)
        value = self.text_value(names)
        expression = r.choice(
            [
                f"substring({value}, {r.randint(0, 4)})", f"left({value}, {r.randint(0, 4)})", f"right({value}, 2)", f"trim({value} + ' ')",
                f"replace({value}, 'a', 'é')", f"split({value}, ' ')", f"size({value})", f"reverse({value})", f"{value} + 1", f"{value} + 1.5",
                f"toInteger({value})", f"toFloat({value})", f"toBoolean({value})", f"toUpper({value}) =~ 'A.*'", f"{value} + toString(1.0)",
                f"ltrim('  ' + {value})", f"toInteger(right({value}, 1))", f"{value} < toLower({value})", f"isEmpty({value})",
            ]
        )  # fmt: skip
        return f"{text} RETURN {expression} AS k0, count(*) AS n"

    def numbers(self) -> str:
        r = self.random
        text, names, relationships = self.start(1)
        number = self.number_value(names, relationships) or "1"
        expression = r.choice(
            [
                f"abs(-{number})", f"sign({number})", f"floor({number} * 1.5)", f"ceil({number} / 2.0)", f"round({number} * 0.37)",
                f"sqrt(abs({number}))", f"{number} ^ 2", f"-{number} / 3", f"-{number} % 3", f"{number} = {number} + 0.0", f"toString({number})",
                f"toInteger({number} * 1.7)", f"toFloat({number})", f"{number} > 1 XOR {number} < 3", f"1 < {number} <= 3", f"round({number} / 7.0, 2)",
                f"{number} IN [1, 2.0, null]", f"CASE WHEN {number} > 2 THEN 'big' WHEN {number} IS NULL THEN 'none' ELSE {number} END",
                f"exp({number} % 3)", f"{number} / 2.0 < 1.5", f"coalesce({number}, -1) + 1",
            ]
        )  # fmt: skip
        aggregate = r.choice(
            [
                "count(*)",
                f"sum({number})",
                f"max({number})",
                f"avg({number})",
                f"stDev({number})",
                f"percentileDisc({number}, 0.5)",
                f"count(DISTINCT {number})",
            ]
        )
        return f"{text} RETURN {expression} AS k0, {aggregate} AS n"

    def called(self) -> str:
        text, names, _ = self.start(1)
        name, label = self.random.choice(names)
        inner = self.random.choice(
            ["RETURN count(*) AS c", f"RETURN {name}.number + 1 AS c", "RETURN count(*) AS c UNION RETURN -1 AS c"]
        )
        return f"{text} CALL ({name}) {{ MATCH {self.inner(name, label)} {inner} }} RETURN c AS k0, count(*) AS n"

    def collected(self) -> str:
        text, names, relationships = self.start(1)
        name, label = self.random.choice(names)
        kept = self.scalar(names, relationships)
        expression = self.random.choice(
            [
                f"size(collect({kept}))",
                f"size(collect(DISTINCT {kept}))",
                f"[x IN collect({kept}) WHERE x IS NULL]",
                f"size([x IN collect(DISTINCT {kept}) WHERE x > 'm'])",
            ]
        )
        return f"{text} RETURN {name}.{self.key(label)} AS k0, {expression} AS k1, max({kept}) AS m"

    def comprehended(self) -> str:
        text, names, _ = self.start(1)
        name, label = self.random.choice(names)
        pattern = self.inner(name, label)
        expression = self.random.choice(
            [
                f"size([{pattern} | 1])",
                f"size(COLLECT {{ MATCH {pattern} RETURN 1 }})",
                f"{name} {{.number, n: COUNT {{ {pattern} }}}}",
                f"EXISTS {{ MATCH {pattern} RETURN 1 }}",
            ]
        )
        return f"{text} RETURN {expression} AS k0, count(*) AS n"
