"""A second process that makes files ready while this one writes: a first sync of many files takes half the time.

It is a plain child that talks over its pipes: nothing of the caller's is forked, and no module of theirs is run again.
"""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, Queue

from memory_sync.prepare import prepare
from memory_sync.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import IO, TypeAlias

    from memory_sync.prepare import Prepared, Recipe
    from memory_sync.roots import Place

    Job: TypeAlias = tuple[Place, str, tuple[str, str] | None]  # the place, where it is, its hash and recipe so far

AHEAD = 1_000  # files made ready before the store has room for them
THEIRS = 0.8  # of the files go to the second process: this one has the store to write
MANY = 500  # files from which on starting a process pays
_START = "import sys; sys.path[:] = {path!r}; from memory_sync.worker import serve; serve()"


def prepared(jobs: Sequence[Job], recipe: Recipe, words: Words) -> Iterator[Prepared]:
    """These files made ready; of many the most by a second process, and some by this one while it waits for that."""
    own, done = list(jobs), 0
    if len(jobs) >= MANY and sys.executable and (os.cpu_count() or 1) > 1:
        own = list(jobs[int(len(jobs) * THEIRS) :])
        theirs = jobs[: len(jobs) - len(own)]
        for one in _beside(theirs, recipe):
            if one is not None:
                done += 1
                yield one
            elif own:
                yield prepare(*own.pop(), recipe, words)
        own += theirs[done:]  # what a child that died left behind
    for job in own:
        yield prepare(*job, recipe, words)


def serve() -> None:
    """Be that second process: jobs come in, files go out."""
    given: tuple[list[Job], Recipe] = pickle.load(sys.stdin.buffer)  # noqa: S301  # from our own parent
    jobs, recipe = given
    words = Words()
    gc.disable()  # nothing here refers to itself, and the process is short
    for job in jobs:
        pickle.dump(prepare(*job, recipe, words), sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
    sys.stdout.buffer.flush()


def _beside(jobs: Sequence[Job], recipe: Recipe) -> Iterator[Prepared | None]:
    """What the second process made ready; None whenever it has nothing yet."""
    code = _START.format(path=sys.path)
    try:
        child = subprocess.Popen(  # noqa: S603  # our own interpreter, our own code
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        return  # no process to be had: this one does it
    ready: Queue[Prepared | None] = Queue(AHEAD)
    with ThreadPoolExecutor(2) as threads, child:
        assert child.stdin is not None and child.stdout is not None  # noqa: S101, PT018  # both are pipes
        threads.submit(_send, child.stdin, jobs, recipe)
        threads.submit(_receive, child.stdout, ready)
        try:
            yield from _taken(ready)
        finally:
            child.kill()  # where the caller has had enough, …
            while not ready.empty():  # … nobody may go on waiting for room
                ready.get()


def _taken(ready: Queue[Prepared | None]) -> Iterator[Prepared | None]:
    while True:
        try:
            one = ready.get_nowait()
        except Empty:
            yield None
            one = ready.get()
        if one is None:
            return
        yield one


def _send(pipe: IO[bytes], jobs: Sequence[Job], recipe: Recipe) -> None:
    try:
        with pipe:
            pickle.dump((list(jobs), recipe), pipe, pickle.HIGHEST_PROTOCOL)
    except OSError:
        return  # it died; whoever waits for its answers notices


def _receive(pipe: IO[bytes], ready: Queue[Prepared | None]) -> None:
    """Take what comes, so that the child can go on while its files are written; at the end, None."""
    try:
        while True:
            ready.put(pickle.load(pipe))  # noqa: S301  # from our own child
    except (EOFError, pickle.UnpicklingError):
        return  # it is done, or died in the middle of an answer
    finally:
        ready.put(None)
