"""Any OpenAI-compatible endpoint (`POST /chat/completions`): Ollama, llama.cpp, vLLM and the hosted ones.

Every reply is on disk before it is used. The number of concurrent requests is limited; transient failures (429, 5xx, a
time-out, a broken connection) are retried, a permanent failure ends the asking, and paid replies stay cached.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

from classify.answers.completions import Completions
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

#: The most tokens of a reply that lists words of all categories.
_WORDS_TOKENS = 2000


class _Stop(Exception):
    """No more requests: the time or the tokens are used up."""


@TEACHERS.register("endpoint")
class Endpoint(Teacher):
    """A language model behind an OpenAI-compatible URL."""

    def __init__(self, options: TeacherOptions, desk: Desk) -> None:
        super().__init__()
        self.options, self.template = options, read_template(options.prompt)
        self.host = Completions(options.teacher, options.key_variable, options.timeout, options.insecure)
        if not options.teacher_model:
            raise BadUsage("an endpoint needs the name of a model", hint="give --teacher-model NAME")
        self.source = f"{options.teacher_model}@{self.host.name}"
        self.paid = PaidReplies(desk.folder)
        self.tokens = self._cut = 0
        self._ends: float | None = None
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
        model, most = self.options.teacher_model, self.options.reply_tokens
        new = [prompt for prompt in prompts if self.paid.get(model, prompt, most) is None]
        prices = {prompt: len(prompt) // 3 + most for prompt in prompts}
        tokens = sum(prices[prompt] for prompt in new)
        tokens += later * sum(prices[prompt] for prompt in prompts) // max(1, len(prompts))
        where = " on this machine" if self.host.local else "; this leaves your machine"
        return (
            f"{plural(len(new) + later, 'request')}, about {tokens:,} tokens, to {self.host.name} (model "
            f"{model}){where}: your categories (names, keywords, descriptions), and title, metadata and up to "
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
        self._begin()
        with self.host.client() as client, ThreadPoolExecutor(self.options.concurrency, "hin-teacher") as pool:
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
        if wrong and self._cut:
            cut, most = plural(self._cut, "reply was", "replies were"), self.options.reply_tokens
            self.notes.append(
                f"{cut} cut off at {most} tokens; a model that thinks before it answers needs --reply-tokens 2000"
            )
        self._cut = 0
        if isinstance(failed, _Stop):
            self.stopped = True
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
        self._begin()
        try:
            with self.host.client() as client:
                return self._reply(client, prompt, max(_WORDS_TOKENS, self.options.reply_tokens))
        except _Stop as stop:
            raise BadUsage(f"no reply: {stop}", hint="raise --seconds or --budget-tokens") from None

    def _begin(self) -> None:
        """Start the clock of `--seconds` with the first question: what was computed before is not asking."""
        self._halt.clear()
        if self._ends is None and self.options.seconds is not None:
            self._ends = time.monotonic() + self.options.seconds

    def _pause(self, seconds: float) -> None:
        left = math.inf if self._ends is None else self._ends - time.monotonic()
        self._halt.wait(max(0.0, min(seconds, left)))
        if self._halt.is_set() or left <= seconds:
            raise _Stop("the time is up")

    def _reply(self, client: httpx2.Client, prompt: str, most: int | None = None) -> str:
        model, most = self.options.teacher_model, most or self.options.reply_tokens
        if (known := self.paid.get(model, prompt, most)) is not None:
            return known
        needed = len(prompt) // 3 + most
        with self._counting:
            if self.options.budget_tokens is not None and self.tokens + needed > self.options.budget_tokens:
                raise _Stop(f"the next request would pass {self.options.budget_tokens:,} tokens")
            self.tokens += needed
        found = self.host.complete(client, model, prompt, most, self._pause)
        used = needed if found.tokens is None else found.tokens
        with self._counting:
            self.tokens += used - needed
            self._cut += found.cut
        if found.whole:
            self.paid.add(model, prompt, found.content, used, most if found.cut else None)
        return found.content
