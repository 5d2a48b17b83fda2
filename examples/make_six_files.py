"""Make six small data sets in six formats, each messy in its own way. Every sentence was written for this file.

    python make_six_files.py FOLDER

Beside each file lies a list of categories (films.txt, ...); truth.json has the true ones, for whoever wants to check.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import sqlite3
import sys
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
from pyarrow import feather

N = 180
#: Of each data set: its categories with what they talk of and what happens there, and sentences around that.
WORLDS: dict[str, Any] = json.loads(Path(__file__).with_name("six_worlds.json").read_text(encoding="utf-8"))


def stories(world: str, draw: random.Random) -> list[tuple[str, str]]:
    """Texts of one world with their categories; one sentence in ten is about something else."""
    topics, sentences = WORLDS[world]["topics"], WORLDS[world]["sentences"]
    made = []
    for _ in range(N):
        category = draw.choice(list(topics))
        lines = []
        for _ in range(draw.randint(3, 5)):
            things, events = topics[category if draw.random() > 0.1 else draw.choice(list(topics))]
            a, b = draw.sample(things, 2)
            lines.append(draw.choice(sentences).format(a=a, b=b, v=draw.choice(events)))
        made.append((category, " ".join(lines)))
    return made


def films(folder: Path, rows: list[tuple[str, str]], draw: random.Random) -> None:
    """A CSV with JSON in its cells, prose under a name nobody expects, a constant, and the answer among the columns."""
    with (folder / "films.csv").open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(
            ["film_id", "title", "overview", "genres", "keywords", "homepage", "status", "original_language"]
        )
        for i, (category, text) in enumerate(rows):
            genres = json.dumps([{"id": 20 + len(category), "name": category.capitalize()}])
            keywords = str(draw.sample([f"{category} {word}" for word in ("night", "town", "road", "song")], 2))
            title = f"The {draw.choice(['Long', 'Last', 'Lost'])} {draw.choice(['Day', 'Mile', 'Call'])} {i}"
            page, language = f"https://films.example/{i}", draw.choice(["en", "fr", "de"])
            table.writerow([i + 100, title, text, genres, keywords, page, "Released", language])


def complaints(folder: Path, rows: list[tuple[str, str]], draw: random.Random) -> None:
    """A spreadsheet with no id, names with spaces, empty rows, and letters that were sent twice."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Date received", "Consumer complaint narrative", "Company", "State"])
    companies = {"mortgage": "Harbor Home", "credit card": "Plastic Bank", "student loan": "Campus Lending"}
    for i, (category, text) in enumerate(rows):
        company = companies[category] if draw.random() < 0.7 else draw.choice(list(companies.values()))
        sheet.append([f"2025-0{1 + i % 9}-15", text, company, draw.choice(["TX", "OH", "NY", None])])
        if i % 30 == 0:
            sheet.append([None, None, None, None])
    book.save(folder / "complaints.xlsx")


def mail(folder: Path, rows: list[tuple[str, str]], draw: random.Random) -> None:
    """A database with a table of people beside the messages, and HTML in the texts."""
    path = folder / "mail.db"
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE people (name TEXT, city TEXT)")
        database.execute("CREATE TABLE messages (message_id TEXT, sender TEXT, list TEXT, body TEXT)")
        lists = ["wheels", "plots", "glass"]
        for i, (category, text) in enumerate(rows):
            own = lists[list(WORLDS["mail"]["topics"]).index(category)] if draw.random() < 0.8 else draw.choice(lists)
            body = f"<p>Hello&nbsp;all,<br>{text}</p><p>Cheers &amp; thanks</p>"
            row = (f"<{i}@mail.example>", f"writer{draw.randrange(12)}", own, body)
            database.execute("INSERT INTO messages VALUES (?, ?, ?, ?)", row)


def nachrichten(folder: Path, rows: list[tuple[str, str]], draw: random.Random) -> None:
    """A zip archive with two CSV files, German, semicolons, and no line with the names of the columns."""
    with zipfile.ZipFile(folder / "nachrichten.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number, part in enumerate((rows[: N // 2], rows[N // 2 :])):
            out = io.StringIO()
            table = csv.writer(out, delimiter=";", lineterminator="\n")
            for i, (_, text) in enumerate(part):
                table.writerow([f"a{number}-{i}", text, draw.choice(["Wien", "Graz", "Linz"])])
            entry = zipfile.ZipInfo(f"teil{number}.csv", (2025, 1, 1, 0, 0, 0))
            archive.writestr(entry, out.getvalue())


def recipes(folder: Path, rows: list[tuple[str, str]], draw: random.Random) -> None:
    """JSON lines, compressed: one value here and a list there, objects, a line that broke, a record without a text."""
    lines = []
    for i, (_, text) in enumerate(rows):
        tools = draw.sample(["whisk", "bowl", "pan"], 2)
        record: dict[str, Any] = {
            "_id": i,
            "method": text,
            "tools": tools if i % 2 else tools[0],
            "minutes": 5 * draw.randint(2, 9),
        }
        record["cook"] = {"name": draw.choice(["Ada", "Ben", "Cleo"]), "age": draw.randint(20, 70)}
        lines.append(json.dumps(record))
    lines.insert(7, '{"_id": 9001, "method": "It breaks off he')
    lines.insert(90, json.dumps({"_id": 9002, "tools": ["pan"]}))
    (folder / "recipes.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


def posts(folder: Path, rows: list[tuple[str, str]], draw: random.Random) -> None:
    """A Feather table with several tags in one cell, spelled now one way and now another."""
    tags = {
        "astronomy": ["sky", "night", "stars"],
        "chess": ["board", "clock", "club"],
        "cooking": ["home", "food", "café"],
    }
    columns: dict[str, list[Any]] = {"post_id": [], "content": [], "tags": [], "upvotes": []}
    for i, (category, text) in enumerate(rows):
        chosen = draw.sample(tags[category], 2) if draw.random() < 0.8 else ["misc"]
        columns["post_id"].append(f"p{i}")
        columns["content"].append(text)
        columns["tags"].append(", ".join(tag.upper() if i % 60 == 0 else tag for tag in chosen))
        columns["upvotes"].append(draw.random() * 1000)
    feather.write_feather(pa.table(columns), str(folder / "posts.feather"), compression="zstd")


MAKERS = {
    "films": films,
    "complaints": complaints,
    "mail": mail,
    "nachrichten": nachrichten,
    "recipes": recipes,
    "posts": posts,
}


def main(folder: Path) -> None:
    """All six, the lists of their categories, and the true ones in order."""
    folder.mkdir(parents=True, exist_ok=True)
    truth = {}
    for number, (name, make) in enumerate(MAKERS.items()):
        draw = random.Random(number)
        rows = stories(name, draw)
        if name == "complaints":  # letters that were sent twice
            rows[50:53] = rows[:3]
        make(folder, rows, draw)
        (folder / f"{name}.txt").write_text(
            "".join(f"{category}\n" for category in WORLDS[name]["topics"]), encoding="utf-8"
        )
        truth[name] = [category for category, _ in rows]
    (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
