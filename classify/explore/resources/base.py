"""Resources: functions of the session and the request, and their conversion to responses."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from hin.errors import BadInput, BadUsage, GraphBusy, GraphChanged, HinError, MissingStage, ReadOnly, UnknownName

if TYPE_CHECKING:
    from classify.explore.session import Session

#: The version of the API is in every path.
ROOT = "/api/v1"
_STATUS: list[tuple[type[HinError], int]] = [
    (ReadOnly, 403), (UnknownName, 404), (GraphChanged, 409), (GraphBusy, 409), (MissingStage, 409), (BadUsage, 400),
    (BadInput, 400),
]  # fmt: skip


@dataclass(frozen=True)
class RequestParameters:
    """The parameters of a request: from its address, or its JSON.

    Examples
    --------
    >>> parameters = RequestParameters({"offset": "20"})
    >>> parameters.number("offset", 0), parameters.text("queue", "all")
    (20, 'all')
    >>> parameters.number("offset", 0, most=10)
    Traceback (most recent call last):
    hin.errors.BadUsage: offset is '20'; give a number from 0 to 10
    """

    values: Mapping[str, Any] = field(default_factory=dict)

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text parameter; raise where it is required and missing."""
        value = self.values.get(name, default)
        if not isinstance(value, str):
            raise BadUsage(f"{name} is {value!r}", hint="give a text")
        return value

    def number(self, name: str, default: int, least: int = 0, most: int = 1_000_000_000) -> int:
        """Return an integer parameter; raise where it is outside the limits."""
        value = self.values.get(name, default)
        try:
            found = int(value)
        except (TypeError, ValueError):
            found = least - 1
        if isinstance(value, bool | float) or not least <= found <= most:
            raise BadUsage(f"{name} is {value!r}", hint=f"give a number from {least} to {most}")
        return found

    def listed(self, name: str) -> list[Any]:
        """Return a list parameter."""
        value = self.values.get(name)
        if not isinstance(value, list):
            raise BadUsage(f"{name} is {value!r}", hint="give a list")
        return value

    def mapping(self, name: str) -> dict[str, Any]:
        """Return a JSON object parameter; an empty one where it is not given."""
        value = self.values.get(name, {})
        if not isinstance(value, dict):
            raise BadUsage(f"{name} is {value!r}", hint="give an object")
        return value


@dataclass(frozen=True)
class Resource:
    """A path under `/api/v1`, and the function that answers it, in a thread of its own."""

    method: Literal["GET", "POST"]
    path: str
    answer: Callable[[Session, RequestParameters], Any]


def get(path: str, answer: Callable[[Session, RequestParameters], Any]) -> Resource:
    """Return a resource that only reads."""
    return Resource("GET", path, answer)


def post(path: str, answer: Callable[[Session, RequestParameters], Any]) -> Resource:
    """Return a resource that takes JSON."""
    return Resource("POST", path, answer)


def as_route(resource: Resource, session: Session) -> Route:
    """Return the server's route for a resource."""

    async def answer(request: Request) -> Response:
        try:
            parameters = RequestParameters(
                await _body(request) if resource.method == "POST" else dict(request.query_params)
            )
            found = await run_in_threadpool(resource.answer, session, parameters)
        except ClientDisconnect:
            return failure(BadUsage("the request is too long", hint="send less at once"))
        except HinError as error:
            return failure(error)
        return found if isinstance(found, Response) else _json(found)

    return Route(ROOT + resource.path, answer, methods=[resource.method])


async def _body(request: Request) -> dict[str, Any]:
    try:
        found = json.loads(await request.body() or b"{}")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BadUsage("the request holds no object of JSON", hint="send one, such as {}")
    return found


def _json(found: Any, status: int = 200) -> Response:
    text = json.dumps(found, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
    return Response(text, status, media_type="application/json")


def failure(error: HinError) -> Response:
    """Return an error response, in the form that `--json` prints."""
    status = next((code for kind, code in _STATUS if isinstance(error, kind)), 500)
    return _json({"error": {"kind": error.kind, "message": error.message, "hint": error.hint}}, status)
