"""Requests to an OpenAI-compatible endpoint (`POST /chat/completions`): what is sent, retried and read."""

from __future__ import annotations

import ipaddress
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from hin.errors import BadUsage, StoreError

if TYPE_CHECKING:
    import httpx2

#: The attempts for a request with transient failures, and the longest wait between two of them.
TRIES, LONGEST_WAIT = 5, 60.0
#: A reply of more bytes is rejected.
MOST_BYTES = 1_000_000
_REMEDIES = {
    401: "set the key in the environment variable that --key-variable names",
    403: "set the key in the environment variable that --key-variable names",
    404: "check the URL (it ends in /v1) and --teacher-model",
}


class Completion(NamedTuple):
    """A reply: its text, whether it is a completion at all, whether it was cut off, and the tokens it took."""

    content: str
    whole: bool = True
    cut: bool = False
    tokens: int | None = None


class Completions:
    """One host that completes prompts.

    Attributes
    ----------
    url, name : where requests go; the name is that of the host, with its port.
    local : whether the host is this machine.
    """

    def __init__(self, url: str, key_variable: str, timeout: float, insecure: bool) -> None:
        self.url = url.rstrip("/").removesuffix("/chat/completions")
        parts = _checked(self.url, insecure)
        self.name, self.local = parts.netloc, is_loopback(parts.hostname or "")
        self.key_variable, self.timeout = key_variable, timeout
        self._limit, self._sampling = "max_tokens", {"temperature": 0}

    def client(self) -> httpx2.Client:
        """Return a client that sends the key, for use in a `with` statement."""
        import httpx2

        key = os.environ.get(self.key_variable, "").strip()
        if not (key.isascii() and key.isprintable()):
            name = self.key_variable
            raise BadUsage(f"the key in {name} has a character that no key has", hint=f"set {name} again")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        # Requests to this machine must not go through a proxy set in the environment.
        return httpx2.Client(headers=headers, timeout=self.timeout, trust_env=not self.local)

    def complete(
        self, client: httpx2.Client, model: str, prompt: str, most: int, pause: Callable[[float], None]
    ) -> Completion:
        """Send a request, retrying until it is answered or fails permanently.

        `pause` waits for some seconds before an attempt, or raises where there is to be none.
        """
        import httpx2

        why, wait = "", 0.0
        for done in range(TRIES):
            pause(wait)
            wait = min(LONGEST_WAIT, 0.5 * 2**done)
            body = {"model": model, "messages": [{"role": "user", "content": prompt}], self._limit: most}
            body |= self._sampling
            try:
                with client.stream("POST", f"{self.url}/chat/completions", json=body) as response:
                    status, content = response.status_code, _read(response)
                if status == 200:
                    return _completion(json.loads(content))
                why = f"{self.name} answers {status}"
                if status in (408, 409, 425, 429) or status >= 500:
                    wait = _retry_after(response.headers.get("Retry-After")) or wait
                elif status == 400 and self._adapt(body, content):
                    wait = 0.0
                else:
                    raise StoreError(why, hint=_REMEDIES.get(status, "check the URL and --teacher-model"))
            except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
                why = f"no whole reply from {self.name} ({type(error).__name__})"
        raise StoreError(why, hint="see whether the server runs, then run the same command again to continue")

    def _adapt(self, body: dict[str, Any], refusal: bytes) -> bool:
        """Leave out what the model refuses, as models that think before they answer do; False where it is all sent."""
        if "max_tokens" in body and b"max_completion_tokens" in refusal:
            self._limit = "max_completion_tokens"
            return True
        if "temperature" in body and b"temperature" in refusal:
            self._sampling = {}
            return True
        return False


def _read(response: httpx2.Response) -> bytes:
    """Read a reply; raise where it is larger than a reply may be."""
    parts, size = [], 0
    for part in response.iter_bytes():
        size += len(part)
        if size > MOST_BYTES:
            raise ValueError("the reply is too long")
        parts.append(part)
    return b"".join(parts)


def _completion(answer: Any) -> Completion:
    """Read the text of a completion; models say nothing (null) where they were cut off while they thought.

    >>> _completion({"choices": [{"message": {"content": None}, "finish_reason": "length"}]})
    Completion(content='', whole=True, cut=True, tokens=None)
    """
    try:
        choice = answer["choices"][0]
        content = choice["message"]["content"]
    except (LookupError, TypeError):
        return Completion("", whole=False)
    usage = answer.get("usage")
    used = usage.get("total_tokens") if isinstance(usage, dict) else None
    return Completion(
        content if isinstance(content, str) else "",
        cut=choice.get("finish_reason") == "length",
        tokens=used if isinstance(used, int) else None,
    )


def _retry_after(value: str | None) -> float | None:
    """Return the seconds that a server asks to wait: a number, or a date.

    >>> _retry_after("3"), _retry_after("soon"), _retry_after("9999")
    (3.0, None, 60.0)
    """
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return None
    return min(LONGEST_WAIT, max(0.0, seconds))


def is_loopback(host: str) -> bool:
    """Check whether a host is this machine.

    >>> is_loopback("localhost"), is_loopback("127.3.0.1"), is_loopback("::1"), is_loopback("localhost.example.org")
    (True, True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _checked(url: str, insecure: bool) -> Any:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise BadUsage(f"{url} is no URL: {error}", hint="give one such as http://localhost:11434/v1") from None
    if not host:
        raise BadUsage(f"{url} names no host", hint="give a URL such as http://localhost:11434/v1")
    if parts.username or parts.password:
        raise BadUsage("a URL with a password in it", hint="put the key into the environment variable HIN_TEACHER_KEY")
    if parts.scheme == "http" and not is_loopback(host) and not insecure:
        raise BadUsage(
            f"plain http to {host} can be read on the way", hint="use https, or --insecure if the network is yours"
        )
    return parts
