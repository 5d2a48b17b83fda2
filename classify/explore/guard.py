"""Access control of the workbench: one browser on this machine, and no other site through it.

A page of another site can make the user's browser send requests here, by this machine's name (a form, an image) or by
its own name, resolved to this machine (DNS rebinding). So a request needs the cookie, which is set by the printed
address with its token; it must be for a host on the list; and if it changes something, it must come from this very
page, as JSON.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Sent with every response: only our own files run, and no other site may frame or read ours.
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
_READING = ("GET", "HEAD")
#: The most bytes of a request.
MOST_BYTES = 8 << 20


class Guard:
    """Lets in only requests of the page itself, and of programs that know the token.

    Parameters
    ----------
    hosts : the values allowed in the header Host, with the port.

    Attributes
    ----------
    token : in the first address, which sets the cookie. A program sends it as `Authorization: Bearer TOKEN`.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str], token: str | None = None) -> None:
        self.app, self.hosts = app, frozenset(hosts)
        self.token = token or secrets.token_urlsafe(24)
        self._secret = secrets.token_urlsafe(24)
        # Browsers share cookies among all ports of a host: another workbench must not overwrite this one's.
        self._name = "hin-explore-" + next(iter(sorted(self.hosts))).rpartition(":")[2]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on to the application, or refuse it with the reason."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        first = scope["path"] == "/" and self._same(_parameter(scope, "token"), self.token)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                more = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
                if first:
                    cookie = f"{self._name}={self._secret}; HttpOnly; SameSite=Strict; Path=/"
                    more.append((b"set-cookie", cookie.encode()))
                message["headers"] = [*message["headers"], *more]
            await send(message)

        fault = self._fault(scope, headers, first)
        if fault is not None:
            response = PlainTextResponse(f"{fault}\n", status_code=403)
            await response(scope, receive, guarded)
            return
        await self.app(scope, _limit_length(receive), guarded)

    def _fault(self, scope: Scope, headers: dict[str, str], first: bool) -> str | None:
        """Return the reason to refuse a request; None if it is allowed."""
        if [name for name, _ in scope["headers"]].count(b"host") != 1 or headers["host"] not in self.hosts:
            return "This address is not the one the workbench was started with."
        bearer = self._same(headers.get("authorization", "").removeprefix("Bearer "), self.token)
        if not (first or bearer or self._same(_cookie(headers.get("cookie", ""), self._name), self._secret)):
            return "Open the address that `hin explore` printed, with its token."
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        # Another site may open the page by its first address (a link in a notebook), and request nothing else.
        if site not in (None, "same-origin", "none") and not (first and scope["method"] == "GET"):
            return "Requests of other pages are refused."
        if origin is not None and origin != f"http://{headers['host']}":
            return "Requests of other pages are refused."
        if scope["method"] in _READING:
            return None
        if scope["method"] != "POST":
            return "Only GET and POST are answered."
        if not bearer and origin is None:
            return "A request that changes something must say where it comes from."
        if headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
            return "Only JSON is taken."
        return None

    @staticmethod
    def _same(given: str, wanted: str) -> bool:
        # In constant time: how long a comparison takes must not reveal how much of a guess was right.
        return hmac.compare_digest(given.encode(), wanted.encode())


def _parameter(scope: Scope, name: str) -> str:
    found = parse_qs(scope.get("query_string", b"").decode("latin-1")).get(name, [""])
    return str(found[0])


def _cookie(text: str, name: str) -> str:
    try:
        found = SimpleCookie(text).get(name)
    except CookieError:
        return ""
    return "" if found is None else str(found.value)


def _limit_length(receive: Receive) -> Receive:
    """Wrap the reading of a request so that it fails where the request is too long."""
    taken = 0

    async def read() -> Any:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > MOST_BYTES:
            return {"type": "http.disconnect"}
        return message

    return read
