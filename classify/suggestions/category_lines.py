"""Write a category as a line of a labels file: the inverse of `parse_categories`."""

from __future__ import annotations

from classify.categories.category_file import Category


def category_line(category: Category) -> str:
    r"""Write a category as a line of a labels file, as `parse_categories` reads it.

    >>> category_line(Category("games", ("arcade", "VENUE[CHI]"), 0.12, ("cat",)))
    'games [12%]: arcade, VENUE[CHI], -cat'
    >>> category_line(Category("space", path=("science",), description="rockets and planets"))
    'science > space | rockets and planets'
    >>> category_line(Category("#hash"))
    '\\#hash'
    """
    name = " > ".join((*category.path, category.name))
    name = f"\\{name}" if name.startswith(("#", "\\")) else name
    share = "" if category.share is None else f" [{100 * category.share:.6g}%]"
    words = [f"\\{word}" if word.startswith("-") else word for word in category.keywords]
    words += [f"-{word}" for word in category.excluded]
    described = f" | {category.description}" if category.description else ""
    return f"{name}{share}{': ' if words else ''}{', '.join(words)}{described}"
