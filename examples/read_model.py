"""Label documents with what `model.export("model.json")` wrote: `python read_model.py model.json < documents.jsonl`."""

import json
import math
import re
import sys
import unicodedata
from array import array  # array("f", ...) rounds to float32, as hin computes
from collections import Counter
from itertools import chain, combinations, product


class Model:
    """A model that was read from its file."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as opened:
            self.file = file = json.load(opened)
        self.token, self.space = re.compile(file["token"]), set(file["space"])
        self.folded, self.written = str.maketrans(file["fold"]), str.maketrans(file["written"])
        self.idf, self.views = array("f", file["idf"]), array("f", file.get("sureness_coefficients", []))
        self.rows = [array("f", row) for row in file["coefficients"]]
        for table in file["tables"]:
            table["numbers"] = {tuple(row): table["first"] + i for i, row in enumerate(table["instances"])}
        terms = [table["numbers"] for table in file["tables"] if "term" in table["fields"]]
        self.terms = {row[0]: number for numbers in terms for row, number in numbers.items()}
        self.starts = {term[: found.start()] for term in self.terms for found in re.finditer("( |$)", term)}

    def read_terms(self, text):
        """Yield the numbers of the terms, the longest first; a phrase counts for its words, too."""
        text = re.sub(self.file["dropped"], "", unicodedata.normalize("NFC", text.translate(self.folded)))
        found = [(token[0].translate(self.written), *token.span()) for token in self.token.finditer(text)]
        after = 0
        while (at := after) < len(found):
            words, best, end, after = found[at][0], found[at][0], at + 1, at + 1
            while end < len(found) and self.space.issuperset(text[found[end - 1][2] : found[end][1]]):
                words, end = words + " " + found[end][0], end + 1
                if words not in self.starts:
                    break
                best, after = (words, end) if words in self.terms else (best, after)
            for part in (best, *(best.split(" ") if after > at + 1 else ())):
                yield from [self.terms[part]] if part in self.terms else []

    def read_values(self, document):
        """Yield the numbers of metadata values and of their combinations."""
        values = {}
        for name, spellings in self.file["spellings"].items():
            given = document.get(name) or []
            given = list(map(str, given if isinstance(given, list) else [given]))
            folded = (re.sub(r"\s+", " ", value).strip().translate(self.folded) for value in given)
            values[name] = sorted({spellings.get(key, value) for key, value in zip(folded, given, strict=True)})
        for table in self.file["tables"]:
            choices = [list(combinations(values.get(name, ()), size)) for name, size in table["fields"].items()]
            if math.prod(map(len, choices)) <= (table["limit"] or math.inf):
                keys = (tuple(chain(*chosen)) for chosen in product(*choices))
                yield from (table["numbers"][key] for key in keys if key in table["numbers"])

    def label(self, document):
        """Return the category (None where nothing is known) and the score of each, its probability."""
        file, names, damping = self.file, self.file["categories"], self.file["damping"]
        text = file["joined_by"].join(document.get(name) or "" for name in file["text_fields"])
        counts = sorted(Counter(chain(self.read_terms(text), self.read_values(document))).items())
        if not counts:
            return {"category": None, "scores": dict.fromkeys(names, 1 / len(names))}
        damped = array("f", (damping[n - 1] if n <= len(damping) else 1 + math.log(n) for _, n in counts))
        weights = array("f", (value * self.idf[i] for value, (i, _) in zip(damped, counts, strict=True)))
        length = math.sqrt(math.fsum(weight * weight for weight in weights))
        total, views = array("f", [0] * len(names)), array("f", [0])
        for (i, _), weight in zip(counts, array("f", (weight / length for weight in weights)), strict=True):
            parts = array("f", (weight * value for value in self.rows[i]))
            total = array("f", map(sum, zip(total, parts, strict=True)))
            views[0] += array("f", [weight * self.views[i] if self.views else 0])[0]
        scores = [*map(sum, zip(total, file["intercepts"], file["offsets"] or [0] * len(names), strict=True))]
        below = [score - max(scores) for score in scores]
        factor = self.factor(below, views[0]) if file["sureness"] else 1 / file["temperature"]
        shares = [math.exp(value * factor) for value in below]
        return {
            "category": names[below.index(0)],
            "scores": dict(zip(names, (s / sum(shares) for s in shares), strict=True)),
        }

    def factor(self, below, views):
        """Return the factor on the scores that gives the best category the confidence of the document."""
        sure, even, others = self.file["sureness"], 1 / len(below), math.fsum(sorted(map(math.exp, below))[:-1])
        margin = -math.log(1 + others) - math.log(max(others / (1 + others), 1e-12))
        both = (margin - sure["margin"][0]) / sure["margin"][1]
        both += sure["views_weight"] * (views - sure["views"][0]) / sure["views"][1]
        chance = 1 / (1 + math.exp(-sure["slope"] * both - sure["level"]))
        chance = min(max(chance, even + sure["above_chance"] * (1 - even)), sure["most"])
        low, high = -12.0, 12.0
        for half in ((low + high) / 2 for _ in range(44)):
            more = sum(math.exp(value * math.exp(half)) for value in below) > 1 / chance
            low, high = (half, high) if more else (low, half)
        return math.exp((low + high) / 2)


if __name__ == "__main__":
    model = Model(sys.argv[1])
    sys.stdout.writelines(json.dumps(model.label(json.loads(line))) + "\n" for line in sys.stdin if line.strip())
