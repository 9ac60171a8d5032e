"""The log of what went wrong in hooks: kinds and places, never a word of what was said; it stays small."""

from __future__ import annotations

import os
from time import gmtime, strftime

from experience.errors import StoreUnavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

FILE = "hooks.log"
MOST = 64_000  # bytes; past them the older half goes
SAFE = ("launch.py", "answering.py", "heard.py", "cursor.py")  # what these say of an error never quotes an event
_FIELD = 200


def note(home: str, host: str, event: str, error: BaseException | str) -> None:
    """Write one line about a trouble: what kind, and where in our code; where nothing can be written, nothing is."""
    line = "\t".join([strftime("%Y-%m-%dT%H:%M:%SZ", gmtime()), _plain(host), _plain(event), _told(error)])
    place = os.path.join(home, FILE)
    try:
        os.makedirs(home, exist_ok=True)
        if os.path.exists(place) and os.path.getsize(place) > MOST:
            _halve(place)
        with open(place, "a", encoding="utf-8") as log:
            log.write(f"{line}\n")
    except OSError:  # a home that may not be written to is no reason to disturb the agent
        return


def lines(home: str, limit: int = 20) -> Sequence[str]:
    """The last lines of the log."""
    try:
        with open(os.path.join(home, FILE), encoding="utf-8", errors="replace") as log:
            return log.read().splitlines()[-limit:]
    except OSError:
        return []


def since(home: str, moment: datetime) -> Sequence[str]:
    """The lines written after a moment."""
    return [line for line in lines(home, MOST) if line[:20] >= moment.strftime("%Y-%m-%dT%H:%M:%SZ")]


def _told(error: BaseException | str) -> str:
    """The kind of an error and the lines it came through; its message only where it cannot quote what was said."""
    if isinstance(error, str):
        return _plain(error)
    places, trace = [], error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{os.path.basename(code.co_filename)}:{trace.tb_lineno}")
        trace = trace.tb_next
    words = _plain(str(error)) if isinstance(error, StoreUnavailable) or places[-1].split(":")[0] in SAFE else ""
    return f"{type(error).__name__}\t{' '.join(places[-4:])}\t{words}"


def _plain(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text[:_FIELD])


def _halve(place: str) -> None:
    with open(place, "rb") as log:
        kept = log.read()[-MOST // 2 :]
    with open(place, "wb") as log:
        log.write(kept[kept.find(b"\n") + 1 :])
