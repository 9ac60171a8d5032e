"""A file as it comes from anywhere: with a byte order mark or CRLF, half written, in part broken, or far too long."""

from __future__ import annotations

import codecs
import json
import os

from experience.errors import InvalidInput
from experience.exchange.records import Bad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO, Any

MOST_LINE = 16_000_000  # bytes: whoever writes longer lines writes no messages
MOST_WHOLE = 256_000_000  # bytes of a file that is one JSON document
MOST_PAGE = 4_000_000  # bytes of a file that people read
HEAD = 64_000


class Source:
    """One file, read line by line; *done* of *size* bytes are behind us."""

    def __init__(self, path: str, inside: str = "") -> None:
        self.path, self.name, self.done = path, os.path.basename(path), 0
        self.inside = inside  # the project's directory it speaks for, such as `packages/api`; '' for all
        self.stem = self.name.rpartition(".")[0] or self.name
        try:
            self.size = os.stat(path).st_size
            with open(path, "rb") as file:
                self.head = _text(file.read(HEAD), first=True)
        except OSError as error:
            raise InvalidInput(f"{path} cannot be read ({error.strerror}); name a file or a directory") from error
        if "\0" in self.head:
            raise InvalidInput(f"{path} is no text in UTF-8; save it as UTF-8 first")

    def lines(self) -> Iterator[tuple[int, str | Bad]]:
        """Every line with its number, without its ending."""
        with open(self.path, "rb") as file:
            number = 0
            while raw := file.readline(MOST_LINE):
                number += 1
                whole = raw.endswith(b"\n") or len(raw) < MOST_LINE or _over(file)
                self.done = file.tell()
                if whole:
                    yield number, _text(raw, first=number == 1).rstrip("\r\n")
                else:
                    yield number, Bad(line=number, why=f"longer than {MOST_LINE:,} bytes")

    def objects(self) -> Iterator[tuple[int, dict[str, Any] | Bad]]:
        """Every line as the JSON object it holds; blank lines are left out."""
        for number, line in self.lines():
            if isinstance(line, Bad):
                yield number, line
            elif line.strip():
                yield number, _object(number, line)

    def document(self) -> Any:
        """The whole file as one JSON value."""
        try:
            return json.loads(self._whole(MOST_WHOLE), parse_constant=_refused)
        except (ValueError, RecursionError) as error:
            raise InvalidInput(f"{self.path} is not JSON ({error}); export it again") from error

    def page(self) -> list[str]:
        """The whole file in lines, as people see them."""
        return self._whole(MOST_PAGE).replace("\r\n", "\n").split("\n")

    def _whole(self, most: int) -> str:
        if self.size > most:
            raise InvalidInput(f"{self.path} has {self.size:,} bytes; at most {most:,} are read, so split it")
        with open(self.path, "rb") as file:
            raw = file.read(most)
        self.done = self.size
        return _text(raw, first=True)


def _over(file: IO[bytes]) -> bool:
    """Skip the rest of a line that is too long; true where nothing was left of it."""
    more = file.readline(MOST_LINE)
    over = not more
    while more and not more.endswith(b"\n"):
        more = file.readline(MOST_LINE)
    return over


def _text(raw: bytes, *, first: bool) -> str:
    return (raw.removeprefix(codecs.BOM_UTF8) if first else raw).decode("utf-8", "replace")


def _object(number: int, line: str) -> dict[str, Any] | Bad:
    try:
        found = json.loads(line, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        return Bad(line=number, why=f"not JSON: {error}")
    return found if isinstance(found, dict) else Bad(line=number, why="not a JSON object")


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")
