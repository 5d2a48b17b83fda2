"""Make tickets.csv and tickets_new.csv: support tickets of a coffee-machine shop that does not exist.

Every sentence was written for this file, so the data is free to use. What the metadata knows, and how:

- An agent takes one kind of ticket on each channel (mail, chat, phone), another on the next: agent and channel say
  little alone and much together.
- A product has one kind of trouble for three months, then another: the same holds for product and month.
- One ticket in six goes to anyone, one in six is about any product; one sentence in twelve is about something else.

    python make_tickets.py FOLDER
"""

from __future__ import annotations

import csv
import random
import sys
from pathlib import Path

TICKETS = 600
NEW_TICKETS = 12

# What each topic talks about: things, what goes wrong with them, what people want.
TOPICS = {
    "billing": (
        ["invoice", "payment", "credit card", "receipt", "bill", "subscription", "bank transfer", "VAT number",
         "discount", "amount", "billing address", "price"],
        ["was charged twice", "is wrong", "shows too much", "was declined", "is missing", "does not match the order",
         "was billed after I cancelled", "came without VAT", "is still open", "changed overnight"],
        ["correct the invoice", "refund the difference", "send a receipt", "ask your billing people",
         "cancel the subscription", "check the payment", "explain the fee"],
    ),
    "delivery": (
        ["parcel", "delivery", "courier", "box", "tracking number", "shipment", "driver", "van", "package", "depot",
         "delivery date", "tracking page"],
        ["never came", "is late", "went to the wrong door", "stands still", "got lost", "is stuck at customs",
         "arrived open", "was left in the rain", "says delivered", "was handed to a neighbour"],
        ["find the parcel", "call the courier", "deliver it to my office", "send it again", "name a delivery date",
         "change the address", "ask the depot"],
    ),
    "login": (
        ["password", "account", "login page", "reset link", "login", "code", "app", "user name", "browser", "session",
         "email address", "profile"],
        ["is not accepted", "is locked", "has expired", "loads for ever", "is not recognised", "asks again and again",
         "never arrives by text message", "ends after a minute", "forgets me", "fails since the update"],
        ["unlock my account", "reset the password", "send a new code", "merge both accounts", "look at the login log",
         "change my email address", "switch off the second factor"],
    ),
    "repair": (
        ["pump", "grinder", "water tank", "valve", "steam nozzle", "display", "seal", "heating", "brew group",
         "machine", "milk frother", "hose"],
        ["leaks", "makes a loud noise", "is broken", "shows an error", "does not get warm", "is jammed", "smells burnt",
         "drips", "switches itself off", "broke after the last repair"],
        ["repair it under warranty", "send a spare part", "name a repair shop", "send a technician", "replace the seal",
         "tell me how to descale it", "lend us a machine during the repair"],
    ),
    "returns": (
        ["return label", "colour", "size", "gift", "return form", "exchange", "wrapping", "model", "cup set",
         "returns desk", "order", "replacement"],
        ["is not what I ordered", "does not suit us", "does not print", "is unopened", "was sent back weeks ago",
         "is not like the picture", "turned out too large", "is the wrong one again", "was a mistake", "is unwanted"],
        ["take it back", "exchange it", "send a return label", "extend the time for returns", "swap the colour",
         "tell me how returns work", "give me my money back"],
    ),
}  # fmt: skip

SUBJECTS = ["{Thing} {trouble}", "Problem with my {thing}", "{Thing}?", "{Thing} of my {product}", "Please {wish}",
            "About the {thing}", "Question", "Help needed", "{Topic}: {thing}", "{product}"]  # fmt: skip

SENTENCES = [
    "My {thing} {trouble}.", "The {thing} {trouble} {since}.",
    "{Since} the {thing} {trouble}, and now the {thing2} {trouble2}.",
    "I see that the {thing} {trouble}.", "Could you {wish}?", "Please {wish} {soon}.", "Would you {wish} or {wish2}?",
    "A colleague told me that you {wish} when the {thing} {trouble}.", "We wrote about the {thing} {since}.",
    "Nobody could tell me why the {thing} {trouble}.", "First the {thing} {trouble}, then the {thing2}.",
    "Is it normal that a {thing} {trouble}?", "I expected you to {wish} {soon}.",
]  # fmt: skip

ANYTHING = [
    "Hello, I hope you can help.", "We bought the {product} {since}.", "It is for our {place}.",
    "Thank you in advance.",     "I have been a customer for {n} years.", "This is my message number {n}.",
    "It is about the {product} in our {place}.", "Apart from that we like the {product}.", "You can call me after {n}.",
    "I could not find it in your help pages.",
]  # fmt: skip
SINCE = [
    "since Monday",
    "for {n} days",
    "last week",
    "since yesterday",
    "for the second time",
    "in spring",
    "this morning",
]
SOON = ["soon", "today", "before the weekend", "within {n} days", "as you promised", "this time"]
PLACES = ["office", "kitchen", "café", "club", "school", "workshop"]

PRODUCTS = ["Aroma One", "Aroma Duo", "Crema Pro", "Crema Mini", "Barista 5"]
AGENTS = ["Adaeze", "Bruno", "Chloé", "Dmitri", "Esra"]
CHANNELS = ["mail", "chat", "phone", "form", "forum"]
MONTHS = [f"2025-{month:02d}" for month in range(1, 13)]
CATEGORIES = list(TOPICS)


def ticket(number: int, draw: random.Random) -> dict[str, str]:
    """One ticket, its true topic included."""
    topic = draw.randrange(len(CATEGORIES))
    channel = draw.randrange(len(CHANNELS))
    month = draw.randrange(len(MONTHS))
    agent = draw.randrange(len(AGENTS)) if draw.random() < 1 / 6 else (topic + 2 * channel) % len(AGENTS)
    product = draw.randrange(len(PRODUCTS)) if draw.random() < 1 / 6 else (topic + 3 * (month // 3)) % len(PRODUCTS)

    def fill(template: str, name: str) -> str:
        things, troubles, wishes = TOPICS[name]
        (thing, thing2), (trouble, trouble2) = draw.sample(things, 2), draw.sample(troubles, 2)
        wish, wish2 = draw.sample(wishes, 2)
        since = draw.choice(SINCE)
        words = {
            "thing": thing, "thing2": thing2, "Thing": thing[0].upper() + thing[1:], "trouble": trouble,
            "trouble2": trouble2, "wish": wish, "wish2": wish2, "since": since, "Since": since[0].upper() + since[1:],
            "soon": draw.choice(SOON), "place": draw.choice(PLACES), "product": PRODUCTS[product],
            "Topic": name.capitalize(), "n": draw.randint(2, 9),
        }  # fmt: skip
        return template.format(**words).format(**words)

    name = CATEGORIES[topic]
    body = []
    for _ in range(draw.randint(2, 4)):
        body.append(fill(draw.choice(SENTENCES), draw.choice(CATEGORIES) if draw.random() < 1 / 12 else name))
    body.insert(draw.randint(0, len(body)), fill(draw.choice(ANYTHING), name))
    return {
        "id": f"T-{number:04d}",
        "subject": fill(draw.choice(SUBJECTS), name),
        "body": " ".join(body),
        "product": PRODUCTS[product],
        "channel": CHANNELS[channel],
        "agent": AGENTS[agent],
        "month": MONTHS[month],
        "topic": name,
    }


def write(path: Path, tickets: list[dict[str, str]]) -> None:
    """A CSV file with a heading."""
    with path.open("w", encoding="utf-8", newline="") as out:
        table = csv.DictWriter(out, list(tickets[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(tickets)


def main(folder: Path) -> None:
    """The tickets with their topics, a few later ones without, and the names of the topics."""
    draw = random.Random(7)
    tickets = [ticket(number, draw) for number in range(1, TICKETS + NEW_TICKETS + 1)]
    write(folder / "tickets.csv", tickets[:TICKETS])
    write(folder / "tickets_new.csv", [{k: v for k, v in t.items() if k != "topic"} for t in tickets[TICKETS:]])
    (folder / "topics.txt").write_text("".join(f"{name}\n" for name in CATEGORIES), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
