"""An OpenAI-compatible server on loopback that misbehaves on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: From the prompt and the number of the request to status, headers and body; None breaks the connection.
Behaviour = Callable[[str, int], "tuple[int, dict[str, str], bytes] | None"]


def reply(content: Any, tokens: int = 50) -> tuple[int, dict[str, str], bytes]:
    """Return a whole answer with some content."""
    text = content if isinstance(content, str) else json.dumps(content)
    body = {"choices": [{"message": {"content": text}}], "usage": {"total_tokens": tokens}}
    return 200, {}, json.dumps(body).encode()


class BadServer:
    """Remembers what it was asked and the headers it got."""

    def __init__(self, behave: Behaviour) -> None:
        self.behave, self.prompts, self.headers, self.bodies = behave, [], [], []
        self.most = self._running = 0
        self._lock = threading.Lock()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        prompt = body["messages"][0]["content"]
        with self._lock:
            number = len(self.prompts)
            self.prompts.append(prompt)
            self.headers.append(dict(handler.headers))
            self.bodies.append(body)
            self._running += 1
            self.most = max(self.most, self._running)
        try:
            made = self.behave(prompt, number)
        finally:
            with self._lock:
                self._running -= 1
        if made is None:
            handler.connection.close()
            return
        status, headers, content = made
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)


@contextmanager
def serving(behave: Behaviour) -> Iterator[tuple[BadServer, str]]:
    """Run a server; yields it and its URL."""
    bad = BadServer(behave)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bad.answer(self)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield bad, f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
