"""One file as it is on disk: its text, or the reason why it has none for us."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from time import sleep, time_ns

from experience.values import Value

GRAIN_NS = 12_000_000  # how far apart two writes may be and still bear the same time
_ONLY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Read(Value):
    """A file that was read."""

    size: int
    mtime_ns: int
    hash: str
    text: str  # its lines end with \n, whichever system wrote it; the last one has no end
    lines: int
    skipped: str | None


def read(path: str, *, most: int) -> Read:
    """What a file holds now. Raises OSError where it is gone, or not to be read."""
    opened = os.open(path, _ONLY)
    with open(opened, "rb", closefd=True) as file:
        was = os.fstat(opened)
        if not stat.S_ISREG(was.st_mode):
            return _left_out(was, "it is no plain file")
        if was.st_size > most:
            return _left_out(was, too_large(was.st_size, most))
        if 0 <= time_ns() - was.st_mtime_ns < GRAIN_NS:
            sleep(GRAIN_NS / 1e9)  # a later write in this very moment would go unnoticed
            was = os.fstat(opened)
        found = file.read(most + 1)
    hash = sha256(found).hexdigest()
    text, reason = _text(found)
    lines = text.count("\n") + 1 if text else 0
    return Read(size=was.st_size, mtime_ns=was.st_mtime_ns, hash=hash, text=text, lines=lines, skipped=reason)


def too_large(size: int, most: int) -> str:
    """Why a file is left out for its size."""
    return f"it has {size / 1e6:,.1f} MB; files up to {most / 1e6:,.1f} MB are read (setting file_max_mb)"


def _left_out(was: os.stat_result, reason: str) -> Read:
    return Read(size=was.st_size, mtime_ns=was.st_mtime_ns, hash="", text="", lines=0, skipped=reason)


def _text(found: bytes) -> tuple[str, str | None]:
    """The text of these bytes, or why they are none."""
    if b"\0" in found:
        return "", "it is binary"
    try:
        text = found.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        return "", f"it is not UTF-8 (byte {error.object[error.start]:#x} at {error.start:,}); save it as UTF-8"
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n"), None
