"""Any OpenAI-compatible endpoint (`POST /chat/completions`): Ollama, llama.cpp, vLLM and the hosted ones.

Every reply is on disk before it is used. The number of concurrent requests is limited; transient failures (429, 5xx, a
time-out, a broken connection) are retried, a permanent failure ends the asking, and paid replies stay cached.
"""

from __future__ import annotations

import ipaddress
import os
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from classify.answers.options import TeacherOptions
from classify.answers.paid import PaidReplies
from classify.answers.prompt import fill, read_reply, read_template
from classify.answers.task import LabelTask, Question, Reply
from classify.answers.teachers.base import TEACHERS, Desk, Teacher
from hin.errors import BadUsage, HinError, StoreError
from hin.human import plural

if TYPE_CHECKING:
    import httpx2

__all__ = ["Endpoint"]

#: The attempts for a request with transient failures, and the longest wait between two of them.
TRIES, LONGEST_WAIT = 5, 60.0
#: The most tokens of a reply, which is a name in JSON.
REPLY_TOKENS = 60
#: A reply of more bytes is rejected.
MOST_BYTES = 1_000_000


class _Stop(Exception):
    """No more requests: the time or the tokens are used up."""


@TEACHERS.register("endpoint")
class Endpoint(Teacher):
    """A language model behind an OpenAI-compatible URL."""

    def __init__(self, options: TeacherOptions, desk: Desk) -> None:
        super().__init__()
        self.options, self.template = options, read_template(options.prompt)
        self.url = options.teacher.rstrip("/").removesuffix("/chat/completions")
        parts = _checked(self.url, options.insecure)
        if not options.teacher_model:
            raise BadUsage("an endpoint needs the name of a model", hint="give --teacher-model NAME")
        self.host, self.local = parts.netloc, is_loopback(parts.hostname or "")
        self.source = f"{options.teacher_model}@{self.host}"
        self.paid = PaidReplies(desk.folder)
        self.tokens = 0
        self._ends = None if options.seconds is None else time.monotonic() + options.seconds
        self._halt, self._counting = threading.Event(), threading.Lock()

    @classmethod
    def takes(cls, name: str) -> bool:
        """Check whether a name is a URL."""
        return name.startswith(("http://", "https://"))

    @classmethod
    def open(cls, options: TeacherOptions, desk: Desk) -> Endpoint:
        """Open the endpoint whose URL is named as the teacher; nothing is sent yet."""
        return cls(options, desk)

    def announce(self, questions: Sequence[Question], task: LabelTask, later: int = 0) -> str | None:
        """Announce the number of requests and tokens, the host, and what leaves the machine.

        Which documents are asked about later is not known yet: they are taken to be as long as these.
        """
        prompts = [fill(self.template, question, task, self.options.characters) for question in questions]
        new = [prompt for prompt in prompts if self.paid.get(self.options.teacher_model, prompt) is None]
        tokens = sum(len(prompt) // 3 + REPLY_TOKENS for prompt in new)
        tokens += later * sum(len(prompt) // 3 + REPLY_TOKENS for prompt in prompts) // max(1, len(prompts))
        where = "on this machine" if self.local else "; this leaves your machine"
        return (
            f"{plural(len(new) + later, 'request')}, about {tokens:,} tokens, to {self.host} (model "
            f"{self.options.teacher_model}) {where}: your category names, and title, metadata and up to "
            f"{self.options.characters:,} characters of the text of each document"
            + (
                f"; {plural(len(prompts) - len(new), 'reply is', 'replies are')} cached"
                if len(new) < len(prompts)
                else ""
            )
        )

    def ask(self, questions: Sequence[Question], task: LabelTask) -> Iterator[Reply]:
        """Ask about each document in a request of its own, a few at once."""
        waiting = iter(questions)
        wrong = asked = 0
        failed: BaseException | None = None
        self._halt.clear()
        with self._client() as client, ThreadPoolExecutor(self.options.concurrency, "hin-teacher") as pool:
            running: dict[Future[str], Question] = {}
            try:
                while failed is None:
                    while len(running) < self.options.concurrency and (question := next(waiting, None)) is not None:
                        prompt = fill(self.template, question, task, self.options.characters)
                        running[pool.submit(self._reply, client, prompt)] = question
                    if not running:
                        break
                    for future in wait(running, return_when=FIRST_COMPLETED)[0]:
                        question = running.pop(future)
                        try:
                            reply = read_reply(question.document, future.result(), task)
                        except (_Stop, HinError) as error:
                            failed = failed or error
                            continue
                        asked += 1
                        wrong += reply is None
                        if reply is not None:
                            yield reply
            finally:
                self._halt.set()
                for future in running:
                    future.cancel()
            for future, question in running.items():  # those that were running when another failed
                if not future.cancelled() and future.exception() is None:
                    reply = read_reply(question.document, future.result(), task)
                    asked += 1
                    wrong += reply is None
                    if reply is not None:
                        yield reply
        if wrong:
            self.notes.append(f"{plural(wrong, 'reply', 'replies')} of {asked} named no category of the list; left out")
        if isinstance(failed, _Stop):
            self.notes.append(
                f"stopped after {asked} of {len(questions)} replies: {failed}; run the same command again to continue"
            )
        elif isinstance(failed, HinError):
            raise StoreError(
                f"{failed.message} (after {asked} of {len(questions)} replies, which are cached)",
                hint=failed.hint or "run the same command again to continue",
            )

    def ask_text(self, prompt: str) -> str | None:
        """Return the reply to a free question."""
        self._halt.clear()
        with self._client() as client:
            return self._reply(client, prompt, 2000)

    def _client(self) -> httpx2.Client:
        import httpx2

        key = os.environ.get(self.options.key_variable, "").strip()
        if not (key.isascii() and key.isprintable()):
            name = self.options.key_variable
            raise BadUsage(f"the key in {name} has a character that no key has", hint=f"set {name} again")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        # Requests to this machine must not go through a proxy set in the environment.
        return httpx2.Client(headers=headers, timeout=self.options.timeout, trust_env=not self.local)

    def _reply(self, client: httpx2.Client, prompt: str, most: int = REPLY_TOKENS) -> str:
        model = self.options.teacher_model
        if (known := self.paid.get(model, prompt)) is not None:
            return known
        needed = len(prompt) // 3 + most
        with self._counting:
            if self.options.budget_tokens is not None and self.tokens + needed > self.options.budget_tokens:
                raise _Stop(f"the next request would pass {self.options.budget_tokens:,} tokens")
            self.tokens += needed
        body = {
            "model": model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": 0,
            "max_tokens": most,
        }
        answer = self._post(client, body)
        try:
            content = answer["choices"][0]["message"]["content"]
            content = content if isinstance(content, str) else ""
        except (LookupError, TypeError):
            content = ""
        usage = answer.get("usage") if isinstance(answer, dict) else None
        used = usage.get("total_tokens") if isinstance(usage, dict) else None
        if isinstance(used, int):
            with self._counting:
                self.tokens += used - needed
        if content:
            self.paid.add(model, prompt, content, used if isinstance(used, int) else needed)
        return content

    def _post(self, client: httpx2.Client, body: dict[str, Any]) -> Any:
        """Send a request, retrying until it is answered or fails permanently."""
        import httpx2

        why = ""
        for done in range(TRIES):
            if self._halt.is_set() or (self._ends is not None and time.monotonic() > self._ends):
                raise _Stop("the time is up")
            pause = min(LONGEST_WAIT, 0.5 * 2**done)
            try:
                with client.stream("POST", f"{self.url}/chat/completions", json=body) as response:
                    if response.status_code == 200:
                        return _json_of(response)
                    status = response.status_code
                    why = f"{self.host} answers {status}"
                    if status in (408, 409, 425, 429) or status >= 500:
                        pause = _retry_after(response.headers.get("Retry-After")) or pause
                    else:
                        raise StoreError(why, hint=_REMEDIES.get(status, "check the URL and --teacher-model"))
            except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
                why = f"no whole reply from {self.host} ({type(error).__name__})"
            if done + 1 < TRIES:
                self._halt.wait(pause if self._ends is None else min(pause, max(0.0, self._ends - time.monotonic())))
        raise StoreError(why, hint="see whether the server runs, then run the same command again to continue")


_REMEDIES = {
    401: "set the key in the environment variable that --key-variable names",
    403: "set the key in the environment variable that --key-variable names",
    404: "check the URL (it ends in /v1) and --teacher-model",
}


def _json_of(response: Any) -> Any:
    """Parse a reply as JSON; raise where it is larger than a reply may be."""
    import json

    parts, size = [], 0
    for part in response.iter_bytes():
        size += len(part)
        if size > MOST_BYTES:
            raise ValueError("the reply is too long")
        parts.append(part)
    return json.loads(b"".join(parts))


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
