"""Teacher: ask a language model about the documents most worth asking, with the price first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from classify.explore.resources.base import RequestParameters, post
from classify.explore.resources.state import state
from classify.explore.teaching import ask_teacher, make_offer
from hin.errors import BadUsage

if TYPE_CHECKING:
    from classify.explore.session import Session


def price(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Return the cost of asking the model at `url` about `number` documents, and what would be sent."""
    session.check_writable()
    number = request.number("number", 40, least=1, most=1000)
    offer = make_offer(session, request.text("url").strip(), request.text("model").strip(), number)
    session.offer = offer
    return {"said": offer.said, "documents": len(offer.questions), "source": offer.teacher.source}


def ask(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Ask about the documents of the last offer; `said` must repeat its text, so that nobody pays for another one."""
    with session.lock:
        session.check_writable()
        offer = session.offer
        if offer is None or offer.said != request.text("said"):
            raise BadUsage("the price has changed", hint="ask for it again")
        session.offer = None
        session.run.start(lambda progress: ask_teacher(session, offer, progress))
    return state(session, request)


RESOURCES = [post("/teacher/price", price), post("/teacher/ask", ask)]
