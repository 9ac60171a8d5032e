"""A hook from its first byte to its last: within its deadline it answers or says nothing, and it always ends well.

A hook never hurts the agent: whatever happens here, the exit code is 0 and nothing but a whole answer is printed.
Little is imported before it is clear whether the service answers: all else costs more than asking it.
"""

from __future__ import annotations

import gc
import os
import sys
from _thread import allocate_lock, start_new_thread
from time import sleep

from experience.errors import InvalidInput
from experience.hooks import bundle, resident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Never

DEADLINE_S = 2.0
LAST_S = 0.8  # hosts that end allow a second
STORE_S = "0.9"  # how long a busy store is waited for
MOST = 8_000_000  # bytes of an event; more is no event


def main(arguments: list[str], *, root: str | None = None) -> Never:
    """Answer the event on stdin for a host, and end at once; a *root* given is the project whatever the event says."""
    gc.disable()
    host, event = (*arguments[:2], "", "")[:2]
    voice = allocate_lock()  # whoever takes it ends the process: with an answer, or because the time is up
    try:
        start_new_thread(_end_in_time, (voice, host, event))
        raw = stdin()
        told = None if root else resident.ask(host, event, raw)
        made = True
        if told is None:
            made = bundle.load(bundle.home())
            told = _here(host, event, raw, root)
        voice.acquire()
        if told:
            os.write(1, told)
            if not made:
                bundle.write(bundle.home())
    except BaseException as error:  # the one promise of a hook: it never hurts the agent
        _note(host, event, error)
    os._exit(0)


def stdin() -> bytes:
    """All of stdin, read to its end so that the host can finish writing; of too much, nothing is kept."""
    parts, size = [], 0
    while part := os.read(0, 1 << 20):
        size += len(part)
        if size <= MOST:
            parts.append(part)
    if size > MOST:
        raise InvalidInput("the event is too large")
    return b"".join(parts)


def deadline(event: str) -> float:
    """The seconds an event may take."""
    return LAST_S if event.lower() in ("sessionend", "session.deleted") else DEADLINE_S


def _here(host: str, event: str, raw: bytes, root: str | None) -> bytes:
    """The answer of this very process."""
    os.environ["EXPERIENCE_TIMEOUT_S"] = STORE_S
    from experience.hooks.answering import answer

    return answer(host, event, raw, root=root).encode()


def _note(host: str, event: str, error: BaseException | str) -> None:
    from experience.hooks import trouble

    trouble.note(bundle.home(), host, event, error)


def _end_in_time(voice: Any, host: str, event: str) -> None:
    """End the process when its time is up; one that is just answering gets a moment more."""
    sleep(deadline(event))
    if voice.acquire(blocking=False):
        _note(host, event, "the deadline passed")
    else:
        sleep(LAST_S)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
