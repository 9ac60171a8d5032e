"""The bell: rings at its hour, notices a night that was missed, and leaves the choice of the one runner to the lease.

The only module that knows APScheduler. Its jobs live in memory; what has to survive a restart stands in the store.
"""

from __future__ import annotations

import logging
import re
import signal
import threading
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.cron import CronTrigger

from experience.errors import Conflict, ExperienceError, InvalidInput
from jobs.nightly import JOB, consolidate

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from experience.memory import Memory

MISFIRE_S = 6 * 3600  # a bell that rings this late (the machine slept) still counts
FIELDS = ("minute", "hour", "day", "month", "day_of_week")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun")

log = logging.getLogger("experience.scheduler")


class Local(CronTrigger):  # type: ignore[misc]  # APScheduler ships no types
    """Local time, where one hour of the year comes twice: it rings in the first of them alone."""

    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime | None:
        """When it rings next, always later than it rang before."""
        found: datetime | None = super().get_next_fire_time(previous, now)
        while found is not None and (found.fold or (previous is not None and found <= previous)):
            later = (found.astimezone(UTC) + timedelta(hours=1)).astimezone(self.timezone)
            found = super().get_next_fire_time(None, later)
        return found


class Scheduler:
    """Rings in a thread of its own until it is stopped."""

    def __init__(self, memory: Memory, *, zone: tzinfo | None = None) -> None:
        self._memory = memory
        self.trigger = trigger(memory.settings["night"], zone)
        self._ending = threading.Event()
        self._bell = BackgroundScheduler(timezone=zone) if zone else BackgroundScheduler()

    def start(self) -> None:
        """Begin to ring; a night that was missed while nobody was up is done at once, once."""
        common = {"coalesce": True, "max_instances": 1, "misfire_grace_time": MISFIRE_S}
        self._bell.add_job(self._ring, self.trigger, id=JOB, name="the night", **common)
        if self.missed(datetime.now().astimezone()):
            log.info("a night was missed; it is done now")
            self._bell.add_job(self._ring, id="missed", name="the missed night", **common)
        self._bell.start()

    def stop(self) -> None:
        """End after the change at hand; what is left is done the next time."""
        self._ending.set()
        if self._bell.running:
            self._bell.shutdown(wait=True)

    def missed(self, now: datetime) -> bool:
        """Whether the bell should have rung since the last night, or since the store began."""
        last = last_night(self._memory)
        due = last and self.trigger.get_next_fire_time(None, last.astimezone(now.tzinfo))
        return bool(due and due <= now)

    def next_night(self, now: datetime) -> datetime | None:
        """When it rings next."""
        return self.trigger.get_next_fire_time(None, now)

    def _ring(self) -> None:
        try:
            consolidate(self._memory, stop=self._ending.is_set)
        except Conflict as held:  # another process was faster, which is what the lease is for
            log.info("%s", held)
        except ExperienceError as error:
            log.warning("the night could not be done: %s", error)


def last_night(memory: Memory) -> datetime | None:
    """When the last night that came to its end began, or the first thing was written where there was none yet."""
    ended = [run for run in memory.runs() if run.state in ("done", "failed", "undone")]
    if ended:
        return ended[0].started_at
    first = memory.events.list(limit=1)
    return first[0].at if first else None


def trigger(cron: str, zone: tzinfo | None = None) -> Local:
    """A cron expression of five fields, each checked by its name; days of the week count from Sunday, as in cron."""
    parts = cron.split()
    if len(parts) != len(FIELDS):
        raise InvalidInput(
            f"the setting night {cron!r} has {len(parts)} fields; cron has five: minute hour day month weekday, "
            "such as '0 3 * * *'"
        )
    fields = dict(zip(FIELDS, (*parts[:4], _named_days(parts[4])), strict=True))
    for name, given in zip(FIELDS, parts, strict=True):
        try:
            CronTrigger(**{name: fields[name]})
        except (ValueError, TypeError) as error:
            raise InvalidInput(f"the setting night {cron!r}: the field {name} {given!r} is wrong: {error}") from error
    return Local(**fields, timezone=zone)


def run_forever(memory: Memory, ready: Callable[[datetime | None], None]) -> None:
    """Ring until a signal ends it."""
    scheduler, ended = Scheduler(memory), threading.Event()
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda *_: ended.set())
    scheduler.start()
    ready(scheduler.next_night(datetime.now().astimezone()))
    ended.wait()
    scheduler.stop()


def _named_days(field: str) -> str:
    """APScheduler counts the days of the week from Monday, cron from Sunday; names mean the same to both."""
    return re.sub(r"(?<![\w/])\d(?!\d)", lambda day: _DAYS[int(day[0])] if int(day[0]) < len(_DAYS) else day[0], field)
