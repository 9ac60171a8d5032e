"""The playground: the very block an agent would get for a prompt, and why each thing is in it or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request

from dashboard.page import memory, page, room, words
from experience import InvalidInput
from experience.context.assemble import REASONS

if TYPE_CHECKING:
    from flask import Response

pages = room("playground")
PROMPT = 2_000
LONGEST = 100_000  # tokens of a block


@pages.get("/playground")
def shown() -> Response:
    """The block for the prompt in the address. A look: nothing is handed out or written down."""
    prompt, path, budget = words("prompt", PROMPT), words("path"), _budget()
    block = memory().preview(prompt, path or None, budget) if prompt else None
    return page("playground/whole", prompt=prompt, path=path, budget=budget, block=block, reasons=REASONS)


def _budget() -> int:
    given = request.args.get("budget", "").strip() or "800"
    if not given.isdecimal() or not 0 < int(given[:9]) <= LONGEST:
        raise InvalidInput(f"budget {given[:40]!r} is no number of tokens; write one from 1 to {LONGEST:,}")
    return int(given)
