"""Options of asking a teacher. The command line imports this module at start-up: import nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hin.option_fields import option


@dataclass(frozen=True)
class TeacherOptions:
    """How a teacher is asked; each kind of teacher ignores the options that it does not need."""

    teacher: str = option(
        "",
        "Who answers: `person` (you, one key per document), a file with document and category, a command that reads "
        "and writes JSON lines, or the URL of an OpenAI-compatible endpoint. Default: $HIN_TEACHER, or person.",
        metavar="WHO",
    )
    teacher_model: str = option("", "The model to ask at an endpoint. Default: $HIN_TEACHER_MODEL.", metavar="NAME")
    key_variable: str = option(
        "HIN_TEACHER_KEY", "The environment variable with the endpoint's API key.", metavar="NAME"
    )
    prompt: Path | None = option(None, "A template of your own; `--show-prompt` prints the default.", metavar="FILE")
    characters: int = option(2000, "Send at most this many characters of each text.", least=100)
    reply_tokens: int = option(
        60, "The most tokens of a reply; more for a model that thinks before it answers.", least=10
    )
    concurrency: int = option(4, "The largest number of requests at a time.", least=1, most=64)
    timeout: float = option(60.0, "Seconds to wait for one reply.", least=0.1)
    insecure: bool = option(False, "Allow plain http to another machine.")
    seconds: float | None = option(None, "Stop asking this many seconds after the first question.", least=1)
    budget_tokens: int | None = option(None, "Stop asking when this many tokens have been used.", least=1)
