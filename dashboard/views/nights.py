"""Nights: when they come, what they did step by step, what one would do now; doing one, and undoing it."""

from __future__ import annotations

import threading
from datetime import datetime
from typing import TYPE_CHECKING

from flask import current_app, url_for

from dashboard.page import done, memory, page, room
from experience import Conflict, ExperienceError
from experience.neighbours import neighbour

if TYPE_CHECKING:
    from flask import Response

    from experience import Memory

pages = room("nights")
SHOWN = 50
CHANGES = 200  # of a plan or a run that are listed


@pages.get("/nights")
def listed() -> Response:
    """The schedule, what runs now, and the runs before."""
    known = memory()
    bell = neighbour("jobs.scheduler").Scheduler(known)
    return page(
        "nights/list", runs=known.runs(limit=SHOWN), night=known.settings["night"],
        coming=bell.next_night(datetime.now().astimezone()), problem=_work().problem, at_work=_work().busy(),
        steps=[step.NAME for step in neighbour("jobs.nightly").STEPS],
    )  # fmt: skip


@pages.get("/nights/plan")
def planned() -> Response:
    """The very plan that a night would carry out now; nothing is changed."""
    return page("nights/plan", report=memory().consolidate(dry_run=True), most=CHANGES)


@pages.get("/nights/<run>")
def one(run: str) -> Response:
    """What one run did, step by step."""
    known = memory()
    found = known.shelf.nights.get(run)
    changes = [change for change, _ in zip(known.shelf.nights.changes(run), range(CHANGES), strict=False)]
    return page("nights/one", run=found, changes=changes, most=CHANGES)


@pages.post("/nights/run")
def begun() -> Response:
    """Do a night now, beside the page."""
    if not _work().start(memory()):
        raise Conflict("a night is being done already; wait until it is over")
    return done("A night has begun.", to=url_for("nights.listed"))


@pages.post("/nights/<run>/undo")
def undone(run: str) -> Response:
    """Bring back what one run took away."""
    memory().shelf.nights.get(run)
    memory().undo(run)
    return done("Undone: what this run took away is back.", to=url_for("nights.one", run=run))


class Work:
    """The night that a person began here, if one is being done."""

    def __init__(self) -> None:
        self._lock, self._thread = threading.Lock(), threading.Thread()
        self.problem: str | None = None

    def busy(self) -> bool:
        """Whether it is being done."""
        return self._thread.is_alive()

    def start(self, known: Memory) -> bool:
        """Begin one; not while another is being done."""
        with self._lock:
            if self.busy():
                return False
            self.problem = None
            self._thread = threading.Thread(target=self._do, args=(known,), daemon=True)
            self._thread.start()
            return True

    def _do(self, known: Memory) -> None:
        try:
            known.consolidate()
        except ExperienceError as error:
            self.problem = str(error)

    def wait(self) -> None:
        """Return when it is done."""
        if self.busy():
            self._thread.join()


def _work() -> Work:
    found: Work = current_app.extensions["night"]
    return found
