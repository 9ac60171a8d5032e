"""Maximal marginal relevance: each next result is relevant, and unlike what is already there."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LAMBDA = 0.5


def diverse(
    relevance: Sequence[float], similarity: Callable[[int, int], float], *, limit: int, lam: float = LAMBDA
) -> list[int]:
    """Places in the order they are shown: each time the one with the most `λ × relevance − (1 − λ) × similarity`.

    *similarity* is asked for every pair of a place and one that was taken; of equals the earlier place wins.
    """
    left, taken = list(range(len(relevance))), list[int]()
    nearest = [0.0] * len(relevance)  # how like the likest that was taken
    while left and len(taken) < limit:
        best = max(left, key=lambda at: (lam * relevance[at] - (1 - lam) * nearest[at], -at))
        left.remove(best)
        taken.append(best)
        for at in left:
            nearest[at] = max(nearest[at], similarity(at, best))
    return taken
