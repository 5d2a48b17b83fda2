# ruff: noqa: E501 - queries are read in one line
"""Random queries where engines go wrong: nulls, values of several types, paths, cycles, chains of WITH, patterns that nothing fits."""

from __future__ import annotations

from collections.abc import Callable

from tests.neo4j.query_family import STEPS
from tests.neo4j.wide_family import Names, Wide

LABELS = ["Document", "Author", "Venue", "Year", "Term", "Motif", "Category"]
TYPES = ["HAS_AUTHOR", "HAS_VENUE", "CITES", "KNOWS", "PART", "INDICATES", "CLASSIFIED_AS", "HAS_YEAR"]
#: Properties that some labels have and others lack, of several types.
PROPERTIES = ["name", "id", "number", "label", "kappa", "documents", "title", "pattern"]
CONSTANTS = [
    "1",
    "2.0",
    "-3",
    "0.5",
    "'a'",
    "'p1'",
    "'2003'",
    "true",
    "null",
    "[1, null]",
    "['a']",
    "[]",
    "{a: 1}",
    "1.0",
]


class Deep(Wide):
    """Draws queries of harder shapes than `Wide`."""

    def query(self) -> str:
        shapes: list[Callable[[], str]] = [
            self.paths, self.lengths, self.mixed, self.unknowns, self.impossible, self.chains, self.keys, self.unions,
            self.cycles, self.constants, self.within, self.orders, self.rebound, self.shortest, self.projected, self.gathered,
        ]  # fmt: skip
        return self.random.choice(shapes)()

    # Small parts

    def pick(self, *texts: str) -> str:
        return self.random.choice(texts)

    def some(self, variable: str) -> str:
        """A property that may be absent, or be of another type than one thinks."""
        return f"{variable}.{self.random.choice(PROPERTIES)}"

    def unknown(self, variable: str) -> str:
        """A condition that is often unknown."""
        one, other = self.some(variable), self.some(variable)
        constant = self.random.choice(CONSTANTS)
        sign = self.pick("=", "<>", "<", ">", "<=", ">=")
        return self.pick(
            f"{one} {sign} {constant}", f"{one} {sign} {other}", f"NOT {one} {sign} {constant}", f"{one} IS NULL",
            f"{one} IN [{constant}, {other}, null]", f"NOT ({one} = {constant} AND {other} IS NOT NULL)",
            f"({one} = {constant}) = ({other} = {constant})", f"{one} = null", f"{one} STARTS WITH 'p' XOR {other} > 2",
            f"any(x IN [{one}, {other}] WHERE x {sign} {constant})", f"all(x IN [{one}, {other}] WHERE x IS NOT NULL)",
            f"[{one}] = [{other}]", f"coalesce({one}, {other}) {sign} {constant}", f"({one} {sign} {constant}) IS NULL",
            f"none(x IN [{one}, {constant}] WHERE x = {other})", f"single(x IN [{one}, {other}, {constant}] WHERE x = {one})",
        )  # fmt: skip

    def around(self, name: str, label: str, target: str) -> str:
        """A step from a node that is known to one that is named."""
        ways = [f"({name})-[:{k}]->({target})" for s, k, _ in STEPS if s == label]
        ways += [f"({name})<-[:{k}]-({target})" for _, k, t in STEPS if t == label]
        return self.random.choice([*ways, f"({name})--({target})"])

    # Queries

    def paths(self) -> str:
        source, kind, _ = self.random.choice(STEPS)
        arrow = self.pick("->", "-")
        step = self.pick(f"[:{kind}]", f"[:{kind}*0..1]", f"[:{kind}*1..2]", f"[r:{kind}]", "[:CITES|KNOWS*..2]")
        more = self.pick("", f"<-[:{kind}]-(c)", "-[:CITES]->(c)")
        value = self.pick(
            "length(p) AS k", "[n IN nodes(p) | coalesce(n.id, n.name)] AS k", "[r IN relationships(p) | type(r)] AS k",
            "p AS k", "size(nodes(p)) AS k, count(*) AS m", "[r IN relationships(p) | [startNode(r).number, endNode(r).number]] AS k",
            "head(nodes(p)) = a AS k, last(nodes(p)) = b AS l", "labels(nodes(p)[-1]) AS k, count(*) AS m",
        )  # fmt: skip
        bound = f" WHERE a.number < {self.random.randint(1, 12)}"
        return f"MATCH p = (a:{source})-{step}{arrow}(b){more}{bound} RETURN {value}"

    def lengths(self) -> str:
        kind, label, key = self.random.choice([("CITES", "Document", "id"), ("KNOWS", "Author", "name")])
        bounds = self.pick("*", "*1..3", "*0..2", "*2", "*..2", "*3..3", "*0..0", "*2..1", "*0")
        inner = self.pick(f"rs:{kind}{bounds}", f"rs:{kind}|HAS_AUTHOR{bounds if bounds != '*' else '*1..2'}")
        inner += self.pick("", "", " {position: 1}") if kind == "CITES" else ""
        left, right = self.random.choice([("-", "->"), ("<-", "-"), ("-", "-") if bounds != "*" else ("-", "->")])
        test = self.pick(f"a.number < {self.random.randint(2, 9)}", "a = b", "a.number > b.number AND a.number < 20")
        value = self.pick(
            f"a.{key} AS k, b.{key} AS l, size(rs) AS n", "size(rs) AS n, count(*) AS m", "[r IN rs | endNode(r).number] AS l",
            f"DISTINCT b.{key} AS k", "all(r IN rs WHERE type(r) = 'CITES') AS k, count(DISTINCT b) AS m",
            "last(rs) = head(rs) AS k, count(*) AS m",
        )  # fmt: skip
        return f"MATCH (a:{label}){left}[{inner}]{right}(b) WHERE {test} AND a.number < 25 RETURN {value}"

    def mixed(self) -> str:
        labels = self.random.sample(LABELS, 2)
        node = self.pick(f"(n:{labels[0]}|{labels[1]})", "(n)", f"(n:!{labels[0]})")
        one, other = self.some("n"), self.some("n")
        value = self.pick(
            f"coalesce({one}, {other})", f"CASE WHEN n.number > 2 THEN {one} ELSE {other} END", f"[{one}, {other}]", one,
            f"{one} < {other}", f"{one} = {other}", f"{{a: {one}, b: {other}}}", f"coalesce({one}, [{other}])",
            f"coalesce({one}, {self.random.choice(CONSTANTS)})",
        )  # fmt: skip
        ending = self.pick(
            f"RETURN {value} AS k, count(*) AS m", f"RETURN DISTINCT {value} AS k", f"RETURN min({value}) AS k, max({value}) AS l",
            f"WITH {value} AS k ORDER BY k LIMIT 9 RETURN k", f"RETURN {value} AS k ORDER BY k DESC SKIP 3 LIMIT 8",
            f"RETURN count({value}) AS k, count(DISTINCT {value}) AS l", f"WITH DISTINCT {value} AS k ORDER BY k RETURN collect(k) AS l",
        )  # fmt: skip
        return f"MATCH {node} WHERE {self.unknown('n')} {ending}"

    def unknowns(self) -> str:
        label = self.random.choice(LABELS)
        test = self.unknown("n")
        for _ in range(self.random.randint(0, 3)):
            test = f"({test} {self.pick('AND', 'OR', 'XOR')} {self.unknown('n')})"
        if self.random.random() < 0.5:
            return f"MATCH (n:{label}) WHERE {test} RETURN n.number AS k, {self.unknown('n')} AS l"
        return f"MATCH (n:{label}) RETURN {test} AS k, count(*) AS m"

    def impossible(self) -> str:
        """Patterns that no table of the graph fits, somewhere in the query."""
        a, b = self.random.sample(LABELS, 2)
        nothing = f"(x:{a})-[:{self.random.choice(TYPES)}]->(y:{b})"
        name = {"Document": "id"}.get(a, "name")
        return self.pick(
            f"MATCH {nothing} RETURN x.{name} AS k, count(*) AS m, max(y.number) AS o",
            f"MATCH {nothing} WHERE y.number > 1 MATCH (x)--(z) RETURN z.number AS k",
            f"MATCH (x:{a}) OPTIONAL MATCH {nothing} RETURN x.{name} AS k, y.number AS l, labels(y) AS m",
            f"OPTIONAL MATCH {nothing} RETURN x.number AS k, count(*) AS m, count(y) AS o",
            f"MATCH (x:{a}) WHERE EXISTS {{ {nothing} }} OR x.number < 3 RETURN x.{name} AS k",
            f"MATCH (x:{a}) RETURN COUNT {{ {nothing} }} AS k, count(*) AS m",
            f"MATCH (x:{a}) RETURN size([{nothing} | y.number]) AS k, count(*) AS m",
            f"MATCH (x:{a}) WHERE NOT EXISTS {{ {nothing} WHERE y.number > 2 }} RETURN count(*) AS m",
            f"MATCH {nothing} WITH x, count(*) AS c OPTIONAL MATCH (x)--(z) RETURN c AS k, count(z) AS m",
            f"OPTIONAL MATCH {nothing} WITH x, y MATCH (d:Document) WHERE d.number < 2 RETURN x AS k, d.id AS l",
            f"MATCH (x:{a}&{b}) RETURN x.{name} AS k, count(*) AS m", f"MATCH (x:{a}:{b})--(y) RETURN count(y) AS m",
            f"MATCH (x:{a}) CALL (x) {{ MATCH {nothing} RETURN count(*) AS c }} RETURN c AS k, count(*) AS m",
        )  # fmt: skip

    def chains(self) -> str:
        r = self.random
        text, names, relationships = self.start(1)
        name, label = r.choice(names)
        text += f" WITH {name} AS z, {self.aggregate(names, relationships)} AS n"
        for i in range(r.randint(1, 4)):
            text += self.pick(
                " WITH z, n WHERE n > 1", f" WITH DISTINCT z, n WHERE {self.unknown('z')}", " WITH z, max(n) AS n",
                f" MATCH {self.around('z', label, f't{i}')} WITH z, n, count(t{i}) AS c{i} WITH z, n + c{i} AS n",
                f" OPTIONAL MATCH {self.around('z', label, f't{i}')} WITH z, n, collect(t{i}.number) AS l{i} WITH z, n, size(l{i}) AS s{i} WITH z, coalesce(n, 0) + s{i} AS n",
                " WITH z, n ORDER BY z.number, n LIMIT 20", " WITH *, n AS o WITH z, o AS n", " WITH collect(z) AS zs, n UNWIND zs AS z WITH z, n",
                " UNWIND [n, null, 1] AS u WITH z, u AS n", f" WITH z, n WHERE EXISTS {{ {self.around('z', label, '')} }}",
            )  # fmt: skip
        return text + self.pick(
            f" RETURN z.{self.key(label)} AS k, n", " RETURN count(*) AS k, sum(n) AS s, min(n) AS l", " RETURN n AS k, count(DISTINCT z) AS m",
            " RETURN avg(n) AS k, max(z.number) AS m", " RETURN DISTINCT n AS k ORDER BY k DESC LIMIT 3",
        )  # fmt: skip

    def keys(self) -> str:
        text, names, relationships = self.start(1)
        (a, _), (b, _) = self.random.choice(names), self.random.choice(names)
        key = self.pick(
            f"{self.some(a)} IS NULL", f"{a}.number % 2", f"[{a}.number % 2, {self.some(b)}]", f"{{x: {a}.number % 3}}", f"{self.some(a)}",
            f"{a}.number / 2.0", f"{a}", f"labels({a})", f"CASE {a}.number % 3 WHEN 0 THEN 'x' WHEN 1 THEN {self.some(b)} END", "null", "1",
            f"{a} = {b}", f"{a}.number % 2 = 0", f"[x IN range(1, {a}.number % 3) | x]",
        )  # fmt: skip
        value = self.pick(
            "count(*)", f"count({self.some(a)})", f"count(DISTINCT {self.some(b)})", f"min({self.some(a)})", f"max({self.some(b)})",
            f"sum({a}.number) + count(*)", f"avg({b}.number)", f"size(collect({self.some(a)}))", f"count(DISTINCT [{self.some(a)}, null])",
            f"count(CASE WHEN {a}.number > 5 THEN 1 END)", f"sum(CASE WHEN {self.unknown(b)} THEN 1 ELSE 0 END)", f"count({a}) > 2",
            f"stDevP({a}.number)", f"percentileCont({a}.number, 0.3)", f"collect(DISTINCT {a}.number % 2 = 0)[0] IS NULL", f"sum(DISTINCT {b}.number)",
            f"{{m: max({a}.number), n: count(*)}}", f"[count(*), min({b}.number)]",
        )  # fmt: skip
        order = self.pick("", "", " ORDER BY k, v", " ORDER BY v DESC, k LIMIT 3")
        return f"{text} RETURN {key} AS k, {value} AS v{order}"

    def unions(self) -> str:
        parts = [
            self.pick(
                f"MATCH (n:{self.random.choice(LABELS)}) WHERE n.number < {self.random.randint(1, 6)} RETURN {self.some('n')} AS k",
                "UNWIND [1, 1.0, null, 'a', [1], [1.0]] AS k RETURN k",
                f"RETURN {self.random.choice(CONSTANTS)} AS k",
                f"MATCH (n:{self.random.choice(LABELS)}) WITH count(*) AS c RETURN c AS k",
                f"MATCH (n:{self.random.choice(LABELS)}) WHERE {self.unknown('n')} RETURN DISTINCT {self.some('n')} AS k ORDER BY k LIMIT 3",
                f"OPTIONAL MATCH (n:{self.random.choice(LABELS)} {{number: 99}}) RETURN n AS k",
            )  # fmt: skip
            for _ in range(self.random.randint(2, 4))
        ]
        word = self.pick(" UNION ", " UNION ALL ")
        if self.random.random() < 0.3:
            return f"CALL () {{ {word.join(parts)} }} RETURN k, count(*) AS m"
        return word.join(parts)

    def cycles(self) -> str:
        return self.pick(
            "MATCH (a)-[r]->(a) RETURN labels(a) AS k, type(r) AS t, count(*) AS m", "MATCH (a:Document)-[:CITES]-(a) RETURN a.id AS k",
            "MATCH (a:Author)-[r:KNOWS]-(b)-[s:KNOWS]-(a) RETURN a.name AS k, b.name AS l, r = s AS e",
            "MATCH (a:Document)-[:CITES]->(b)-[:CITES]->(c)-[:CITES]->(a) RETURN a.id AS k, b.id AS l, c.id AS m",
            "MATCH (a:Document)-[:CITES]-(b), (b)-[:CITES]-(c) WHERE a <> c RETURN count(*) AS m", "MATCH (a)-->(b)<--(a) RETURN count(*) AS m",
            "MATCH (a:Document)-[r:CITES]->(b) MATCH (b)<-[s:CITES]-(a) RETURN r = s AS k, count(*) AS m",
            f"MATCH (a:Document)-[:HAS_AUTHOR]->(b)-[:KNOWS*0..2]-(c)<-[:HAS_AUTHOR]-(a) WHERE a.number < {self.random.randint(3, 40)} RETURN a.id AS k, b.name AS l, c.name AS m",
            f"MATCH (a:Document)-[:CITES*1..3]->(a) WHERE a.number < {self.random.randint(3, 40)} RETURN a.id AS k, count(*) AS m",
            "MATCH (a:Author)-[:KNOWS]->(b:Author), (a)-[:KNOWS]->(c:Author) RETURN a.name AS k, count(*) AS m",
            "MATCH (a:Author)-[:KNOWS]->(b:Author) MATCH (a)-[:KNOWS]->(c:Author) RETURN a.name AS k, count(*) AS m",
            f"MATCH (a:Document)-[x]->(b)<-[y]-(c:Document) WHERE type(x) {self.pick('=', '<>')} type(y) AND a.number < 5 RETURN type(x) AS k, type(y) AS l, count(*) AS m",
        )  # fmt: skip

    def constants(self) -> str:
        one, two, three = (self.random.choice(CONSTANTS) for _ in range(3))
        number = self.pick("7", "-7", "2.5", "0", "-0.0", "9223372036854775807", "1e308", "0.1")
        other = self.pick("2", "-3", "0.5", "3.0", "1", "10")
        return "RETURN " + self.pick(
            f"{one} = {two} AS k, {one} <> {two} AS l, {one} < {two} AS m, {one} >= {two} AS n", f"{one} IN [{two}, {three}] AS k",
            f"{number} / {other} AS k, {number} % {other} AS l", f"{number} * {other} AS k, {number} - {other} AS l", f"{number} ^ {other} AS k",
            f"toString({number}) AS k, toInteger({number}) AS l, toFloat({number}) AS m", f"round({number}) AS k, floor({number}) AS l, sign({number}) AS m",
            f"[{one}, {two}] < [{one}, {three}] AS k", f"[{one}, {two}] = [{three}, {two}] AS k", f"CASE {one} WHEN {two} THEN 1 WHEN {three} THEN 2 ELSE 3 END AS k",
            f"[{one}, {two}, {three}][{self.pick('0', '-1', '5', '-9', 'null')}] AS k", f"[1, 2, 3, 4][{self.pick('1..3', '-2..', '..-1', '3..1', '0..99', 'null..2')}] AS k",
            f"reduce(t = 0, x IN [1, 2, {self.pick('3', 'null', '2.5')}] | t + x) AS k", f"[x IN [{one}, {two}, {three}] WHERE x IS NOT NULL | [x]] AS k",
            f"'ab' + {self.pick('1', '1.5', 'null', number)} AS k", f"[{one}] + {two} AS k", f"{one} IS NULL AND {two} IS NOT NULL AS k", f"size([{one}, {two}, null]) AS k",
            f"substring('héllo😀x', {self.pick('0', '3', '5', '6', '9')}, {self.pick('0', '1', '4')}) AS k, left('né😀', 2) AS l, reverse('a😀é') AS m",
            f"split('{self.pick('a,b,,c', '', ',', 'abc')}', ',') AS k", f"replace('aXbX', 'X', '{self.pick('', 'yy')}') AS k", f"coalesce({one}, {two}) AS k",
            f"toInteger('{self.pick('12', ' 12', '1.9', '-3', 'x', '', '1e3', '+5', '0x1F')}') AS k", f"toFloat('{self.pick('1', '.5', '1e-3', 'x', '1.', '-2.50')}') AS k",
            f"toBoolean('{self.pick('true', 'FALSE', 'x', 'True')}') AS k", f"{{a: {one}, b: {two}}} = {{b: {two}, a: {three}}} AS k", f"size(keys({{b: 1, a: {one}}})) AS k",
            f"range({self.pick('0', '5', '-2')}, {self.pick('3', '0', '9')}{self.pick('', ', 2', ', -1')}) AS k", f"abs({number}) AS k, sqrt({other}) AS l, exp({other}) AS m",
            f"{number} < {other} AS k, {number} = {number} + 0.0 AS l", f"trim('  {self.pick('a b', '')} ') AS k, toUpper('straße') AS l, size('😀é') AS m",
        )  # fmt: skip

    def within(self) -> str:
        """Subqueries in subqueries."""
        label = self.random.choice(LABELS)
        first, second = self.around("n", label, "m"), self.pick("(m)-->(o)", "(m)<--(o)", "(m)--(o)")
        deep = f"EXISTS {{ {second} WHERE {self.pick('o.number > n.number', 'o = n', 'o <> n AND o.number > 2')} }}"
        value = self.pick(
            f"COUNT {{ {first} WHERE {deep} }}", f"EXISTS {{ {first} WHERE NOT {deep} }}", f"size(COLLECT {{ MATCH {first} RETURN DISTINCT m.number }})",
            f"COLLECT {{ MATCH {first} RETURN m.number AS x ORDER BY x DESC LIMIT 2 }}", f"COUNT {{ MATCH {first} WITH DISTINCT m MATCH {second} }}",
            f"COUNT {{ MATCH {first} RETURN DISTINCT m.number }}", f"EXISTS {{ MATCH {first} WITH m, count(*) AS c WHERE c > 1 RETURN m }}",
            f"COUNT {{ {first} WHERE m.number > n.number }} > 1 AND {self.unknown('n')}", f"[x IN [1, 2] WHERE EXISTS {{ {first} WHERE m.number > x }}]",
            f"reduce(t = 0, x IN [{first} WHERE {deep} | m.number] | t + coalesce(x, 0))", f"COUNT {{ MATCH {first} RETURN m UNION MATCH (m:Venue) RETURN m }}",
            f"CASE WHEN {deep.replace('(m)', '(n)')} THEN 1 ELSE COUNT {{ {first} }} END",
        )  # fmt: skip
        return f"MATCH (n:{label}) WHERE n.number < {self.random.randint(2, 20)} RETURN n.number AS k, {value} AS l"

    def orders(self) -> str:
        text, names, relationships = self.start(2)
        name, _ = self.random.choice(names)
        first = self.scalar(names, relationships)
        order = self.pick(
            f"{first} DESC, k, l",
            "l, k DESC",
            "k + l, k, l",
            f"{name}.number, k, l",
            "k IS NULL, k, l",
            "size(toString(k)), k, l",
            "[l, k]",
            "l = k, l, k",
        )
        page = self.pick(" LIMIT 3", " SKIP 1 LIMIT 2", " SKIP 4", " LIMIT 0", " SKIP 2 LIMIT 1 + 2")
        distinct = self.pick("", "DISTINCT ") if name not in order and first not in order else ""
        named = f"{self.scalar(names, relationships)} AS k, {self.scalar(names, relationships)} AS l"
        if self.random.random() < 0.3:
            return f"{text} WITH {distinct}{named} ORDER BY {order}{page} RETURN k, l, count(*) AS m"
        return f"{text} RETURN {distinct}{named} ORDER BY {order}{page}"

    def rebound(self) -> str:
        """Names that are bound already: nodes, relationships, null."""
        label = self.random.choice(LABELS)
        other = self.random.choice(LABELS)
        step = self.around("n", label, "m")
        return self.pick(
            f"MATCH (n:{label}) MATCH (n:{other}) RETURN count(*) AS k", f"MATCH {step.replace('(n)', f'(n:{label})')} MATCH (n)--(m) RETURN count(*) AS k",
            f"OPTIONAL MATCH (n:{label} {{number: 999}}) MATCH (n)-->(m) RETURN count(*) AS k", f"OPTIONAL MATCH (n:{label} {{number: {self.pick('1', '999')}}}) OPTIONAL MATCH {step} RETURN n.number AS k, count(m) AS l",
            f"MATCH (n:{label})-[r]->(m) MATCH (x)-[r]->(y) RETURN x = n AS k, type(r) AS t, count(*) AS c", f"MATCH (n:{label})-[r]-(m) MATCH (m)-[r]-(n) RETURN count(*) AS c",
            f"MATCH (n:{label}) WITH n, n.number AS number MATCH (m:{other} {{number: number}}) RETURN n.number AS k, count(m) AS c",
            f"MATCH (n:{label}), (m:{other}) WHERE n.number = m.number RETURN count(*) AS c, count(DISTINCT n) AS d", f"MATCH (n:{label}) WITH collect(n) AS ns UNWIND ns AS n MATCH {step} RETURN count(*) AS c, count(DISTINCT m) AS d",
            f"MATCH (n:{label}) OPTIONAL MATCH {step} WHERE m.number > 3 WITH n, m WHERE m IS NULL RETURN n.number AS k", f"MATCH (n:{label}) WHERE NOT {step.replace('(m)', '()')} RETURN n.number AS k",
            f"MATCH (n:{label}) OPTIONAL MATCH {step} WITH n, collect(m) AS ms RETURN size(ms) AS k, [x IN ms | x.number][0] IS NULL AS l, count(*) AS c",
        )  # fmt: skip

    def shortest(self) -> str:
        kind, label, key = self.random.choice(
            [("CITES", "Document", "id"), ("KNOWS", "Author", "name"), ("HAS_AUTHOR|CITES", "Document", "id")]
        )
        word = self.pick("shortestPath", "allShortestPaths")
        length = self.pick("*", "*1..3", "*..4")
        left, right = self.random.choice([("-", "->"), ("-", "-")])
        value = f"a.{key} AS k, b.{key} AS l, length(p) AS n"
        ending = "DISTINCT " + value if word == "shortestPath" else f"{value}, count(*) AS m"
        return f"MATCH (a:{label} {{number: {self.random.randint(0, 9)}}}), (b:{label}) WHERE a <> b MATCH p = {word}((a){left}[:{kind}{length}]{right}(b)) RETURN {ending}"

    def projected(self) -> str:
        label = self.random.choice(LABELS)
        step = self.around("n", label, "m")
        value = self.pick(
            "n {.number, .label}", "n {.*, extra: 1}.extra", "n {x: n.number + 1, .name}", "properties(n)", "n {.*}", f"n {{.number, ms: [{step} | m.number][..1]}}.number",
            "[k IN keys(n) WHERE k = 'number']", "size(keys(n)) > 1", "n['number']", f"n[{self.pick(chr(39) + 'name' + chr(39), 'null', chr(39) + 'zz' + chr(39))}]", "{n: n}.n.number", "[n][0].number", "n",
            "labels(n) = ['Author']", "n:Author|Venue", "n:!Author", "n IS NULL", "[n, null]", "size(labels(n))", "head(labels(n))", "n:Document&!Term",
        )  # fmt: skip
        return f"MATCH (n:{label}) WHERE n.number < {self.random.randint(2, 9)} RETURN {value} AS k"

    def gathered(self) -> str:
        names: Names = []
        path = self.path(1, names, [])
        if not names:
            return self.gathered()
        name, label = names[-1]
        value = self.some(name)
        return f"MATCH {path} WITH {self.pick('', 'DISTINCT ')}{value} AS v, {name}.number AS w ORDER BY w, v " + self.pick(
            "RETURN collect(v) AS k", "RETURN collect(DISTINCT v) AS k", "RETURN collect(v)[..3] AS k, size(collect(w)) AS l", "RETURN w AS k, collect(v) AS l",
            "WITH collect({v: v, w: w}) AS l RETURN [x IN l WHERE x.w > 2 | x.v][0..4] AS k", "WITH collect(v) AS l UNWIND l AS x RETURN x AS k, count(*) AS m",
            "WITH collect(w) AS l RETURN reduce(t = 0, x IN l | t + x) AS k, any(x IN l WHERE x > 3) AS a", "RETURN head(collect(v)) AS k, last(collect(w)) AS l, min(v) AS m, max(v) AS o",
            "WITH v, count(*) AS c, max(w) AS m WHERE c > 1 RETURN v AS k, c, m", "RETURN v IS NULL AS k, collect(w) AS l", "RETURN sum(w) AS k, avg(w) AS l, count(v) AS m, count(*) AS n",
        )  # fmt: skip
