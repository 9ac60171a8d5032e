"""Words to stderr while something takes long."""

from __future__ import annotations

import sys
from time import perf_counter

_START = perf_counter()


def tell(words: str, *, every: int = 1, at: int = 0) -> None:
    """Say where the run is."""
    if at % every == 0:
        print(f"[{perf_counter() - _START:6.1f} s] {words}", file=sys.stderr, flush=True)
