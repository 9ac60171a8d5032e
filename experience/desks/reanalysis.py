"""What an older analyzer wrote is analysed anew, once, when its store is opened."""

from __future__ import annotations

from experience.columns import whole, words
from experience.layers import facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from experience.desks.shelf import Shelf

    Recipe: TypeAlias = Callable[..., dict[str, Any]]

ANALYZER = "1"  # raise it whenever `experience.analyzer` gives other terms than before


def caught_up(shelf: Shelf) -> Shelf:
    """The shelf, every row of its store findable by the terms of today."""
    if facts.known(shelf.store, "analyzer") != ANALYZER:
        analyse(shelf)
        facts.tell(shelf.store, "analyzer", ANALYZER)  # last: whoever dies before that begins again
    return shelf


def analyse(shelf: Shelf) -> int:
    """Give every row of the store, whosever project it is, its terms anew; returns how many there are."""
    rows = 0
    for table, (columns, terms) in _recipes().items():
        index = shelf.index(table)
        if next(index.texts(columns, page=1), None) is None:
            continue
        rows += index.rebuild()  # first: an index that lags behind its rows cannot follow their changes
        for some in index.texts(columns):
            index.rewrite([(whole(row[0]), terms(*row[1:])) for row in some])
    return rows


def _recipes() -> dict[str, tuple[str, Recipe]]:
    """The columns that a table's terms are made from, and how; imported when needed, for hardly any opening does."""
    from experience.analyzer import terms
    from experience.desks import episodes, memories

    def memory(title: str, content: str, keywords: str, scope: str | None, tags: str, before: str) -> dict[str, Any]:
        said = memories.indexed(title=title, content=content, keywords=keywords, scope=scope, tags=words(tags))
        return {**said, "context_terms": terms(before)}

    return {
        "experiences": ("intent", lambda intent: {"terms": terms(intent)}),
        "memories": ("title, content, keywords, scope, tags, context", memory),
        "episodes": (
            "event, outcome, tags",
            lambda event, outcome, tags: {"terms": episodes.of_episode(event, outcome, words(tags))},
        ),
        "procedures": (
            "name, context, steps",
            lambda name, context, steps: {"terms": episodes.of_procedure(name, context, words(steps))},
        ),
        "passages": ("text", lambda text: {"terms": terms(text)}),
        "turns": ("content", lambda content: {"terms": terms(content)}),
    }
