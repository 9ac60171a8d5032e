"""A whole store as lines of JSON: nothing is lost, and the same store gives the same bytes wherever it was."""

from __future__ import annotations

from experience.exchange.readers.jsonl import FORMAT, VERSION
from experience.exchange.rows import clean, encode
from experience.layers.canon import TABLES, Canon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from experience.desks.shelf import Shelf


def lines(shelf: Shelf) -> Iterator[str]:
    """The header, every canonical row of the project, and how many there were; one at a time in memory."""
    yield encode({FORMAT: VERSION}) + "\n"
    canon, rows = Canon(shelf.store, shelf.project), 0
    for table in TABLES:
        for row in canon.rows(table):
            yield encode({"kind": table.kind, "row": clean(row)}) + "\n"
            rows += 1
    yield encode({"kind": "end", "rows": rows}) + "\n"
