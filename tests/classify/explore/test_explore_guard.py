"""Who gets in: the token, the cookie, the host, the origin, the kind of content."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from classify.explore.server import Workbench
from classify.explore.session import Session
from hin import open_store
from tests.classify.explore.explore_kit import classified_graph, request

TOKEN = "the-token"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    session = Session(open_store(classified_graph(tmp_path_factory.mktemp("guard"))))
    found = Workbench(session, token=TOKEN)
    thread = Thread(target=found.serve)
    thread.start()
    yield found
    found.stop()
    thread.join(30)


@pytest.fixture
def cookie(bench: Workbench) -> str:
    connection = HTTPConnection("127.0.0.1", bench.port, timeout=30)
    connection.request("GET", f"/?token={TOKEN}")
    response = connection.getresponse()
    assert response.status == 200
    given = response.headers["set-cookie"]
    assert "HttpOnly" in given and "SameSite=Strict" in given
    assert TOKEN not in given
    connection.close()
    return str(given.split(";")[0])


def _ask(bench: Workbench, method: str, path: str, **headers: str) -> tuple[int, Any]:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return request(bench.port, method, path, {} if method == "POST" else None, given)


def test_without_token_or_cookie_nothing_is_reported(bench: Workbench) -> None:
    for path in ("/", "/?token=wrong", "/page/main.js", "/api/v1/state", "/nowhere"):
        status, said = _ask(bench, "GET", path)
        assert (status, "token" in said) == (403, True), path
    assert _ask(bench, "GET", "/api/v1/state", Cookie="hin-explore-1=x; a=")[0] == 403
    assert _ask(bench, "GET", f"/api/v1/state?token={TOKEN}")[0] == 403


def test_the_cookie_opens_the_page_and_its_files(bench: Workbench, cookie: str) -> None:
    assert _ask(bench, "GET", "/api/v1/state", Cookie=cookie)[1]["documents"] == 90
    assert "import" in _ask(bench, "GET", "/page/main.js", Cookie=cookie)[1]
    for path in ("/page/../session.py", "/page/%2e%2e/session.py", "/page//etc/passwd", "/api/v1/nothing"):
        assert _ask(bench, "GET", path, Cookie=cookie)[0] == 404, path


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example", "[::1]", ""])
def test_another_host_is_refused(bench: Workbench, cookie: str, host: str) -> None:
    assert _ask(bench, "GET", "/api/v1/state", Cookie=cookie, Host=host)[0] in (400, 403)


def test_writing_needs_the_page_itself_and_json(bench: Workbench, cookie: str) -> None:
    own = f"http://127.0.0.1:{bench.port}"
    json = {"Content_Type": "application/json", "Cookie": cookie}
    assert _ask(bench, "POST", "/api/v1/undo", Origin=own, **json)[0] == 200
    assert _ask(bench, "POST", "/api/v1/undo", Origin=own, Sec_Fetch_Site="same-origin", **json)[0] == 200
    refused: list[dict[str, str]] = [
        {},
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": f"http://localhost:{bench.port}"},
        {"Origin": own, "Sec_Fetch_Site": "cross-site"},
        {"Origin": own, "Sec_Fetch_Site": "same-site"},
        {"Origin": own, "Content_Type": "text/plain"},
        {"Origin": own, "Content_Type": "application/x-www-form-urlencoded"},
        {"Origin": own, "Content_Type": "multipart/form-data; boundary=x"},
    ]
    for headers in refused:
        assert _ask(bench, "POST", "/api/v1/undo", **{**json, **headers})[0] == 403, headers
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH"):
        assert _ask(bench, method, "/api/v1/undo", Origin=own, **json)[0] == 403, method


def test_another_site_cannot_read_either(bench: Workbench, cookie: str) -> None:
    assert _ask(bench, "GET", "/api/v1/state", Cookie=cookie, Sec_Fetch_Site="cross-site")[0] == 403
    assert _ask(bench, "GET", "/page/main.js", Cookie=cookie, Sec_Fetch_Site="cross-site")[0] == 403
    assert _ask(bench, "GET", f"/?token={TOKEN}", Sec_Fetch_Site="cross-site")[0] == 200  # a link in a notebook


def test_every_answer_has_the_policy(bench: Workbench, cookie: str) -> None:
    for path, given in (("/", {}), ("/", {"Cookie": cookie}), ("/api/v1/state", {"Cookie": cookie})):
        connection = HTTPConnection("127.0.0.1", bench.port, timeout=30)
        connection.request("GET", path, headers=given)
        headers = connection.getresponse().headers
        connection.close()
        assert headers["content-security-policy"].startswith(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
        )
        assert "access-control-allow-origin" not in headers
        assert (headers["x-frame-options"], headers["referrer-policy"]) == ("DENY", "no-referrer")


def test_a_program_with_the_token_needs_no_cookie(bench: Workbench) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content_Type": "application/json"}
    assert _ask(bench, "POST", "/api/v1/undo", **headers)[0] == 200
    assert _ask(bench, "POST", "/api/v1/undo", **{**headers, "Authorization": "Bearer no"})[0] == 403


def test_what_makes_no_sense_is_one_line(bench: Workbench) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    wrong: list[tuple[str, str, Any, int]] = [
        ("POST", "/categories", {}, 400),
        ("POST", "/categories", {"categories": [1], "revision": 0}, 400),
        ("POST", "/categories", {"categories": [{"name": 3}], "revision": 0}, 400),
        ("POST", "/categories", {"categories": [{"name": "a: b"}], "revision": 0}, 400),
        ("POST", "/categories", {"categories": [], "revision": 999}, 409),
        ("POST", "/answers", {"documents": ["none such"], "category": "billing"}, 404),
        ("POST", "/answers", {"documents": ["t001"], "category": "no category"}, 404),
        ("POST", "/answers", {"documents": [7], "category": "billing"}, 400),
        ("POST", "/answers", [], 400),
        ("GET", "/documents?queue=none-such", None, 404),
        ("GET", "/documents?limit=100000000", None, 400),
        ("GET", "/documents?queue=search&search=/(/", None, 400),
        ("GET", "/documents?queue=search&search=MATCH+(n)+DELETE+n", None, 400),
        ("GET", "/documents?queue=between&category=billing&other=billing", None, 400),
        ("GET", "/why?document=none-such", None, 404),
        ("GET", "/why", None, 400),
        ("GET", "/runs/difference?before=8&after=9", None, 404),
        ("GET", "/file?name=../../etc/passwd", None, 404),
    ]
    for method, path, body, status in wrong:
        found, said = request(bench.port, method, f"/api/v1{path}", body, headers)
        assert found == status, (path, body, said)
        assert set(said["error"]) == {"kind", "message", "hint"}
    long = {"what": "x" * (9 << 20)}
    assert request(bench.port, "POST", "/api/v1/categories", long, headers)[0] == 400


def test_a_port_that_is_taken_is_said(bench: Workbench, tmp_path: Path) -> None:
    from hin.errors import BadUsage

    with pytest.raises(BadUsage, match="cannot listen on port"):
        Workbench(bench.session, bench.port)


def test_an_answer_waits_for_no_acknowledgement(bench: Workbench) -> None:
    assert bench._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
