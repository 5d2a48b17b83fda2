"""Attack the promises of SECURITY.md: mangled files, hostile names, tampered folders, kills; prints failures by kind.

`make bench RUN="campaign files --count 10000"` is a long run; `--seconds` cuts it into slices, `--first` goes on.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from benchmarks.campaign.attempts import Tally, run_attempts, warm_up

KINDS = ("files", "names", "tampering", "kills", "database")
#: How many attempts make a campaign.
USUAL = {"files": 10_000, "names": 1000, "tampering": 2000, "kills": 300, "database": 30}


def campaign(
    kind: str, count: int, seed: int = 0, seconds: float | None = None, first: int = 0, kept: Path | None = None
) -> Tally:
    """Run the attempts of one kind; `kept` is a folder whose graph is used again, or made when it is not there."""
    from benchmarks.campaign.database_kills import run_database_kills
    from benchmarks.campaign.files import file_attempts
    from benchmarks.campaign.kills import run_kills
    from benchmarks.campaign.material import make_graph
    from benchmarks.campaign.names import name_attempts
    from benchmarks.campaign.tampering import tampering_attempts

    tally, here = Tally(), os.getcwd()
    warm_up()
    try:
        with tempfile.TemporaryDirectory(prefix="hin-campaign-") as place:
            home = (kept or Path(place) / "home").absolute()
            home.mkdir(exist_ok=True)
            if kind in ("files", "names"):
                made = file_attempts(count, seed) if kind == "files" else name_attempts(count, seed)
                run_attempts(made, tally, seconds, first)
            elif kind == "tampering":
                run_attempts(tampering_attempts(count, seed, make_graph(home)), tally, seconds, first)
            elif kind == "database":
                run_database_kills(count, seed, tally, seconds)
            else:
                run_kills(count, seed, make_graph(home), tally, seconds)
    finally:
        os.chdir(here)
    return tally


def main(arguments: list[str]) -> int:
    """Run what was asked for; the exit code is 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="campaign", description=__doc__)
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []], help="default: all; database starts a Neo4j")
    parser.add_argument("--count", type=int, help="attempts of each kind (of names: names)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, help="stop after so long")
    parser.add_argument("--first", type=int, default=0, help="go on with this attempt")
    parser.add_argument("--home", type=Path, help="keep the graph that is attacked here, for the next run")
    asked = parser.parse_args(arguments)
    failed = 0
    for kind in asked.kinds or KINDS:
        print(f"{kind}:", flush=True)
        tally = campaign(kind, asked.count or USUAL[kind], asked.seed, asked.seconds, asked.first, asked.home)
        tally.show()
        failed += sum(tally.failures.values())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
