"""`hin motifs --discover` repeats what the last classification found of the fields."""

from __future__ import annotations

from pathlib import Path

from hin.stores.base import open_store
from motifs.commands import _apply_field_verdicts
from motifs.discovery.verdict import PatternWorth


def worth(pattern: str) -> PatternWorth:
    return PatternWorth(pattern, 9, None, 0.0, 1.0, 0.5, 0.5, 0.5, "yes", "its documents are alike")


def test_the_last_classifications_verdict_on_fields_is_repeated(tmp_path: Path, monkeypatch) -> None:
    class Stage:
        options = {
            "used": {
                "fields": [
                    {
                        "field": "source",
                        "used": False,
                        "why": "it predicts nothing of the categories",
                        "in_pairs": False,
                    },
                    {"field": "month", "used": True, "why": "only together with product", "in_pairs": True},
                    {"field": "product", "used": True, "why": "it tells 5%", "in_pairs": False},
                ]
            }
        }

    store = open_store(str(tmp_path / "papers.hin"), None)
    monkeypatch.setattr(type(store), "stage", lambda self, name: Stage if name == "classify" else None)
    found = _apply_field_verdicts(
        [worth(name) for name in ("source", "month", "month-product", "product-source", "product")], store
    )
    assert {one.pattern: one.use for one in found} == {
        "month-product": "yes", "product": "yes", "source": "no", "month": "no", "product-source": "no",
    }  # fmt: skip
    assert {one.why for one in found if one.pattern == "month"} == {"`hin classify` uses it only together with product"}
