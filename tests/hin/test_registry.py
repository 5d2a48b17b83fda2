from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hin.errors import BadUsage
from hin.registry import Registry


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package with one part, and a distribution that offers another through an entry point."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").write_text(
        "from hin.registry import Registry\nparts = Registry('part', package='shop', group='hin.test_parts')\n"
    )
    (tmp_path / "shop" / "wheel.py").write_text("from shop import parts\nparts.register('wheel')(int)\n")
    (tmp_path / "guest.py").write_text("from shop import parts\nparts.register('axle')(float)\n")
    info = tmp_path / "guest-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[hin.test_parts]\naxle = guest\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("shop", "shop.wheel", "guest"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return "shop"


def test_files_of_the_room_and_entry_points_are_found_by_name(package: str) -> None:
    from shop import parts  # type: ignore[import-not-found]

    assert parts.names() == ["axle", "wheel"]
    assert parts.get("axle") is float


def test_an_unknown_name_is_reported_with_the_nearest(package: str) -> None:
    from shop import parts

    with pytest.raises(BadUsage, match="no part called whel") as reported:
        parts.get("whel")
    assert "did you mean wheel?" in str(reported.value.hint)


def test_a_guest_that_cannot_be_loaded_is_named(package: str, tmp_path: Path) -> None:
    (tmp_path / "guest.py").write_text("import nothing_of_this_name\n")
    from shop import parts

    with pytest.raises(BadUsage, match="the part axle of the package guest cannot be loaded"):
        parts.names()


def test_one_name_stands_for_one_part() -> None:
    registry: Registry[type] = Registry("part", package="hin.demo", group="hin.none")
    registry.register("a")(int)
    with pytest.raises(BadUsage, match="two parts"):
        registry.register("a")(float)
