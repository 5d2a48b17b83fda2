"""The server of the workbench: the page's files, the resources, the guard in front of them."""

from __future__ import annotations

import socket
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from threading import Thread
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import FileResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from classify.explore import resources
from classify.explore.guard import Guard
from classify.explore.resources.base import as_route
from hin.errors import BadUsage

if TYPE_CHECKING:
    from starlette.requests import Request

    from classify.explore.session import Session

#: Loopback only: from another machine the port has to be forwarded.
HOST = "127.0.0.1"
PAGE = Path(__file__).parent / "page"


def make_app(session: Session, port: int, token: str | None = None) -> Guard:
    """Return the application for a port of this machine."""
    names = [module.name for module in iter_modules(resources.__path__) if module.name != "base"]
    found = [one for name in names for one in import_module(f"{resources.__name__}.{name}").RESOURCES]

    async def index(request: Request) -> FileResponse:
        return FileResponse(PAGE / "index.html")

    routes = [
        Route("/", index),
        *(as_route(one, session) for one in found),
        Mount("/page", StaticFiles(directory=PAGE)),
    ]
    hosts = [f"{name}:{port}" for name in (HOST, "localhost")]
    return Guard(Starlette(routes=routes), hosts, token)


class Workbench:
    """A session on a port: `serve` until it is stopped.

    Parameters
    ----------
    port : 0 for any that is free.
    """

    def __init__(self, session: Session, port: int = 0, token: str | None = None) -> None:
        from uvicorn import Config, Server

        self.session = session
        #: The thread that serves it, where it is not this one.
        self.thread: Thread | None = None
        try:
            self._socket = socket.create_server((HOST, port))
            # asyncio sets it on sockets that name their protocol alone; without it each answer waits 40 ms for an ACK.
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            reason = error.strerror or str(error)
            raise BadUsage(f"cannot listen on port {port}: {reason}", hint="name another one with `port=`") from None
        self.port: int = self._socket.getsockname()[1]
        guard = make_app(session, self.port, token)
        self.address = f"http://{HOST}:{self.port}/?token={guard.token}"
        config = Config(
            guard, log_level="error", access_log=False, lifespan="off", ws="none", server_header=False,
            timeout_graceful_shutdown=2, h11_max_incomplete_event_size=64 << 10,
        )  # fmt: skip
        self._server = Server(config)

    def serve(self, started: Callable[[], object] | None = None) -> None:
        """Serve until Ctrl-C or `stop`; `started` is called once the server is ready."""
        self._server.config.load()
        startup = self._server.startup

        async def begin(sockets: list[socket.socket] | None = None) -> None:
            await startup(sockets=sockets)
            if started is not None:
                started()

        self._server.startup = begin  # type: ignore[method-assign]
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()
            self.session.close()

    def stop(self) -> None:
        """End `serve`, from another thread, and wait until the graph is released."""
        self._server.should_exit = True
        if self.thread is not None:
            self.thread.join()
