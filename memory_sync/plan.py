"""What a sync has to do, decided without touching anything. Pure."""

from __future__ import annotations

from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeAlias

    from memory_sync.roots import Place, Root
    from memory_sync.scan import Stamp

    Known: TypeAlias = tuple[int, int, str | None]  # size, mtime_ns, why it was left out


class Plan(Value):
    """The files to read, to leave out for their size, and to forget; the rest is as it was."""

    read: tuple[Place, ...]
    too_large: tuple[Place, ...]
    removed: tuple[Place, ...]
    unchanged: int
    left_out: tuple[tuple[Place, str], ...]  # read before, left out then, and not changed since


def plan(
    known: Mapping[Place, Known], seen: Mapping[Place, Stamp], *, within: Iterable[Root] | None, most: int
) -> Plan:
    """Compare what is known with what was seen; *within* some roots, or everywhere. Sizes and times decide."""
    read, too_large, left_out, unchanged = [], [], [], 0
    for place, stamp in seen.items():
        was = known.get(place)
        if was is not None and was[1] == stamp[1] and was[0] == stamp[0] and not (was[0] > most and was[2] is None):
            if was[2] is None:
                unchanged += 1
            elif was[0] <= most or stamp[0] > most:
                left_out.append((place, was[2]))
            continue
        (too_large if stamp[0] > most else read).append(place)
    roots = None if within is None else tuple(within)
    gone = known.keys() - seen.keys()
    removed = gone if roots is None else {place for place in gone if any(root.covers(place) for root in roots)}
    return Plan(
        read=tuple(sorted(read)), too_large=tuple(sorted(too_large)), removed=tuple(sorted(removed)),
        unchanged=unchanged, left_out=tuple(left_out),
    )  # fmt: skip
