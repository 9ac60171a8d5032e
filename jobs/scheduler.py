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
from jobs.nightly import JOB, STEPS, consolidate

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from experience.memory import Memory

MISFIRE_S = 6 * 3600  # a bell that rings this late (the machine slept) still counts
LOOK_S = 300  # how often it is looked whether a night was missed
AHEAD = timedelta(hours=1)  # clocks of two machines may disagree by this much about a night that was done
MOST = 200  # runs that are looked at for the last whole night
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
    """Rings in a thread of its own until it is stopped, and looks every few minutes whether a night was missed."""

    def __init__(self, memory: Memory, *, zone: tzinfo | None = None) -> None:
        self._memory = memory
        self.trigger = trigger(memory.settings["night"], zone)
        self._looking, self._at_work, self._ending = threading.Lock(), threading.Lock(), threading.Event()
        self._bell = BackgroundScheduler(timezone=zone) if zone else BackgroundScheduler()

    def start(self) -> None:
        """Begin to ring; a night that was missed while nobody was up is done at once, once."""
        common = {"coalesce": True, "max_instances": 1, "misfire_grace_time": MISFIRE_S}
        self._bell.add_job(self.ring, self.trigger, id=JOB, name="the night", **common)
        now = datetime.now().astimezone()
        self._bell.add_job(self._look, "interval", seconds=LOOK_S, id="look", next_run_time=now, **common)
        self._bell.start()

    def stop(self) -> None:
        """End after the change at hand; what is left is done the next time."""
        self._ending.set()
        if self._bell.running:
            self._bell.shutdown(wait=False)  # it would wait while it holds what a look waits for
        with self._looking, self._at_work:
            pass

    def missed(self, now: datetime) -> bool:
        """Whether the bell should have rung since the last night, or since the store began."""
        last = last_night(self._memory, now)
        due = last and self.trigger.get_next_fire_time(None, last.astimezone(now.tzinfo))
        return bool(due and due <= now)

    def next_night(self, now: datetime) -> datetime | None:
        """When it rings next."""
        return self.trigger.get_next_fire_time(None, now)

    def planned(self) -> datetime | None:
        """When the bell is set to ring, once it was started."""
        job = self._bell.get_job(JOB)
        return job.next_run_time if job else None

    def settle(self, now: datetime) -> None:
        """Set the bell to its next hour again where a clock that went back has left it set to a later one."""
        planned, due = self.planned(), self.next_night(now)
        if planned and due and due < planned:
            self._bell.modify_job(JOB, next_run_time=due)

    def ring(self) -> None:
        """Do the night, unless it was done since its hour came or is being done."""
        if not self._at_work.acquire(blocking=False):  # a night that takes longer than a day is not done twice at once
            return
        try:
            if not self._ending.is_set():
                self._do()
        finally:
            self._at_work.release()

    def _look(self) -> None:
        """A machine that slept through its hour, and a runner that died on another one, are noticed here."""
        with self._looking:
            if self._ending.is_set() or self._at_work.locked():
                return
            now = datetime.now().astimezone()
            self.settle(now)
            if self._sees(now):
                log.info("a night was missed; it is done now")
                self._bell.add_job(self.ring, id="missed", name="the missed night", misfire_grace_time=MISFIRE_S)

    def _sees(self, now: datetime) -> bool:
        try:
            return self.missed(now)
        except ExperienceError as error:
            log.warning("whether a night was missed could not be seen: %s", error)
            return False

    def _do(self) -> None:
        now = datetime.now().astimezone()
        try:
            if last_night(self._memory, now) is None or self.missed(now):  # else another process has done it
                consolidate(self._memory, stop=self._ending.is_set)
        except Conflict as held:  # another process is at it, which is what the lease is for
            log.info("%s", held)
        except ExperienceError as error:
            log.warning("the night could not be done: %s", error)


def last_night(memory: Memory, now: datetime | None = None) -> datetime | None:
    """When the last whole night that came to its end began, or the first thing was written where there was none yet.

    Single steps are no night; and what lies in the future was written by a clock that has gone back since.
    """
    steps, latest = {step.NAME for step in STEPS}, (now or memory.now()) + AHEAD
    for run in memory.runs(limit=MOST):
        whole = steps <= {str(step["step"]) for step in run.report}
        if run.state in ("done", "failed", "undone") and whole and run.started_at <= latest:
            return run.started_at
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
            why = str(error).removeprefix(f"Error validating expression {given!r}: ")
            raise InvalidInput(f"the setting night {cron!r}: the field {name} {given!r} is wrong: {why}") from error
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
