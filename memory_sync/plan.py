"""What a sync has to do, decided without touching anything. Pure."""

from __future__ import annotations

from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeAlias

    from memory_sync.roots import Place, Root
    from memory_sync.scan import Stamp

    Known: TypeAlias = tuple[int, int, str | None]  # size, mtime_ns, and why it was left out


class Plan(Value):
    """The files to read, to leave out for their size, and to forget; the rest is as it was."""

    read: tuple[Place, ...]
    too_large: tuple[Place, ...]
    removed: tuple[Place, ...]
    unchanged: int
    left_out: tuple[tuple[Place, str], ...]  # read before, left out then, and the same now


def plan(
    known: Mapping[Place, Known], seen: Mapping[Place, Stamp], *, within: Iterable[Root] | None, most: int
) -> Plan:
    """Compare what is known with what was seen, *within* some roots or everywhere. Sizes and times decide."""
    read, too_large, left_out, unchanged, met = [], [], [], 0, 0
    find = known.get
    for place, stamp in seen.items():
        was = find(place)
        if was is not None:
            met += 1
        if stamp[0] > most:
            too_large.append(place)
        elif was is None or was[1] != stamp[1] or was[0] != stamp[0]:
            read.append(place)
        elif was[2] is None:
            unchanged += 1
        else:
            left_out.append((place, was[2]))
    gone = known.keys() - seen.keys() if met < len(known) else set()
    gone |= {place for place in too_large if place in known}
    if within is not None:
        roots = tuple(within)
        gone = {place for place in gone if any(root.covers(place) for root in roots)}
    return Plan(
        read=tuple(sorted(read)), too_large=tuple(sorted(too_large)), removed=tuple(sorted(gone)),
        unchanged=unchanged, left_out=tuple(left_out),
    )  # fmt: skip
