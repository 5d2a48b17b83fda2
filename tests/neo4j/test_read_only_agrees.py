"""Where the read-only check lets a query pass, the server reads the same words in it."""

from __future__ import annotations

import json
import socket
import unicodedata
from typing import Any

import pytest
from neo4j.exceptions import Neo4jError

from hin.cypher.syntax.lexer import tokens_of
from hin.stores.neo4j.read_only import NotReadOnly, check_plan, check_words
from hin.stores.querying import QueryOptions, query

pytestmark = pytest.mark.neo4j


def _is_odd(character: str) -> bool:
    return unicodedata.category(character) in ("Zs", "Zl", "Zp", "Cc", "Cf")


#: Every separator and control character, what is invisible, and ASCII.
CHARACTERS = sorted(
    {
        chr(code)
        for code in (*range(0x10000), 0xE0001, 0xE0020)
        if unicodedata.category(chr(code)) in ("Zs", "Zl", "Zp", "Cc", "Cf")
    }
    | set(map(chr, range(128)))
    | set("´’“`«\u0301\u180e\u2044\u2215ſKı‿€²١𝟙\ufffd")
)
#: Where a character may stand.
PLACES = {
    "end of a comment": "RETURN 1 AS x // {} , 2 AS y\n, 3 AS z",
    "comment before a string": "RETURN 1 AS x // {} '\n, 2 AS y //'",
    "start of a comment": "RETURN 1 AS x /{}/ , 2 AS y\n, 3 AS z",
    "long comment": "RETURN 1 AS x /* {} , 2 AS y */ , 3 AS z",
    "end of a long comment": "RETURN 1 AS x /* *{}/ , 2 AS y /* */ , 3 AS z",
    "string": "RETURN 'a{}b' AS x, '2' AS y",
    "string with escape": "RETURN 'a\\{}b' AS x, '2' AS y",
    "double string": 'RETURN "a{}b" AS x, "2" AS y',
    "name in quotes": "RETURN 1 AS `a{}b`, 2 AS `c`",
    "number": "RETURN 1{}0 AS x",
    "after a number": "RETURN 10{}AS x",
    "name": "RETURN 1 AS a{}b",
    "between words": "RETURN{}1 AS x",
    "slice": "RETURN [1, 2, 3][0{}..{}2] AS x",
    "first": "{}RETURN 1 AS x",
    "last": "RETURN 1 AS x{}",
    "dot": "WITH {{a: 1}} AS m RETURN m{}.{}a AS x",
}


def _meaning(text: str) -> str:
    """The query with its words written apart and every string and name in plain quotes, as our lexer reads them."""
    words = []
    for token in tokens_of(text)[:-1]:
        if token.kind == "string":
            words.append(json.dumps(token.value, ensure_ascii=True))
        elif token.kind in ("quoted", "name"):
            plain = token.kind == "name" and token.value.isascii()
            words.append(token.value if plain else "`" + token.value.replace("`", "``") + "`")
        else:
            words.append(text[token.start : token.end])
    return " ".join(words)


@pytest.mark.parametrize("place", PLACES)
def test_every_character_is_read_as_the_server_reads_it_or_refused(neo4j_session_server: Any, place: str) -> None:
    import neo4j

    server, passed = neo4j_session_server, 0
    with (
        neo4j.GraphDatabase.driver(
            server.url, auth=("neo4j", server.password), notifications_min_severity="OFF"
        ) as driver,
        driver.session(default_access_mode="READ") as session,
    ):
        for character in CHARACTERS:
            text = PLACES[place].replace("{{", "\0(").replace("}}", "\0)").replace("{}", character)
            text = text.replace("\0(", "{").replace("\0)", "}")
            try:
                check_words(text)
            except NotReadOnly:
                continue
            passed += 1
            found, meant = (_answer(session, asked) for asked in (text, _meaning(text)))
            assert found is None or found == meant, (text, found, meant)
    assert passed


def _answer(session: Any, text: str) -> Any:
    try:
        answer = session.run(text)
        return list(answer.keys()), [record.values() for record in answer]
    except Neo4jError:
        return None  # nothing has run


@pytest.mark.parametrize("character", "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
def test_a_comment_that_only_we_would_end_sends_nothing(neo4j_server: Any, character: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        url = f'"http://127.0.0.1:{listener.getsockname()[1]}/?id="'
        text = f"UNWIND [1] AS d WITH d // {character} '\nLOAD CSV FROM {url} + d AS l RETURN l //'"
        with pytest.raises(NotReadOnly, match=f"U\\+{ord(character):04X}"):
            query(neo4j_server.url, text)
        with pytest.raises(TimeoutError):
            listener.accept()


@pytest.mark.parametrize(
    "text",
    [
        "LOAD CSV FROM 'http://127.0.0.1:1/' AS l RETURN l",
        "RETURN COLLECT { LOAD CSV FROM 'http://127.0.0.1:1/' AS l RETURN l } AS x",
        "SHOW USERS",
        "SHOW SETTINGS",
        "SHOW TRANSACTIONS",
        "TERMINATE TRANSACTIONS 'neo4j-transaction-999'",
        "CALL dbms.killConnection('bolt-999')",
        "RETURN 1 AS x UNION CALL db.clearQueryCaches() YIELD value RETURN value AS x",
        "ALTER USER neo4j SET PASSWORD 'abcdefgh'",
        "CREATE INDEX FOR (n:Author) ON (n.x)",
    ],
)
def test_the_plan_alone_stops_what_reaches_further(
    neo4j_server: Any, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hin.stores.neo4j.query.check_words", lambda text: None)
    with pytest.raises(NotReadOnly, match="write=True"):
        query(neo4j_server.url, text)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n.name AS x, 'LOAD CSV genai.x(' AS y",
        "CALL db.labels() YIELD label RETURN label AS x",
        "RETURN date.truncate('day', date('2020-01-02')) AS x, point.distance(point({x: 1, y: 1}), null) AS y",
        "SHOW INDEXES YIELD name",
        "PROFILE RETURN 1 AS x",
        "CYPHER runtime=slotted PROFILE RETURN 1 AS x",
        "EXPLAIN MATCH (n) RETURN n",
        "RETURN 1 AS `a.b(`, 2 AS x",
    ],
)
def test_what_reads_passes_both_checks(neo4j_server: Any, text: str) -> None:
    assert query(neo4j_server.url, text, QueryOptions(limit=1)).columns


def test_an_error_has_the_place_that_the_query_has(neo4j_server: Any) -> None:
    with pytest.raises(Exception, match=r"line 1, column 8 \(offset: 7\)\) \"RETURN nothere"):
        query(neo4j_server.url, "RETURN nothere AS x")


@pytest.mark.parametrize("called", ["genai.vector.encode($a)", "[1, 2][0..apoc.x.y($a)]", "`apoc`.`x.y`()"])
def test_a_function_of_a_plugin_is_found_in_the_plan(called: str) -> None:
    step = {"operatorType": "Projection@neo4j", "args": {"Details": f"n.x AS y, 'date.x(' AS z, {called} AS x"}}
    with pytest.raises(NotReadOnly, match="is not known to only compute"):
        check_plan("r", {"operatorType": "ProduceResults@neo4j", "args": {}, "children": [step]})


def test_a_server_that_says_nothing_of_a_plan_is_not_trusted() -> None:
    with pytest.raises(NotReadOnly, match="does not say"):
        check_plan("r", None)


def test_explain_and_profile_show_a_plan_as_on_a_folder(neo4j_server: Any) -> None:
    for word in ("EXPLAIN", "PROFILE"):
        result = query(neo4j_server.url, f"{word} UNWIND [1, 2] AS x RETURN x")
        assert result.columns == ("step", "runs", "detail") and result.rows[0][0].startswith("ProduceResults")
        assert (result.rows[-1][0] == "run") == (word == "PROFILE")
