"""Our own exports: a header, a row a line, and a last line that says how many there were."""

from __future__ import annotations

import re

from experience.errors import InvalidInput
from experience.exchange.records import Bad, Row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from experience.exchange.records import Record
    from experience.exchange.source import Source

FORMAT = "experience-export"
VERSION = 1


def looks(source: Source) -> bool:
    """Whether a file is such an export, of whatever version."""
    return bool(re.match(rf'\s*{{\s*"{FORMAT}"\s*:', source.head))


def read(source: Source) -> Iterator[Record]:
    """Every row; an export that ends too early is told about."""
    lines, rows, ended = source.objects(), 0, False
    _agreed(source, next(lines, (1, Bad(line=1, why="empty")))[1])
    line = 1
    for line, found in lines:
        if isinstance(found, Bad):
            rows += 1
            yield found
        elif found.get("kind") == "end":
            ended = found.get("rows") == rows
        else:
            rows += 1
            yield _row(line, found)
    if not ended:
        yield Bad(line=line, why="the export ends too early: lines are missing; export it again")


def _row(line: int, found: dict[str, Any]) -> Record:
    kind, fields = found.get("kind"), found.get("row")
    if not isinstance(kind, str) or not isinstance(fields, dict):
        return Bad(line=line, why='no row: it must read {"kind": …, "row": {…}}')
    return Row(line=line, kind=kind, fields=fields)


def _agreed(source: Source, header: object) -> None:
    version = header.get(FORMAT) if isinstance(header, dict) else None
    if isinstance(version, int) and version > VERSION:
        raise InvalidInput(
            f"{source.path} is an export of version {version}, this version of experience reads {VERSION}; "
            "upgrade experience-memory to import it"
        )
    if version != VERSION or isinstance(version, bool):
        raise InvalidInput(f"{source.path} does not begin as an export of experience does; it was not read")
