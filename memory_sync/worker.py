"""A second process that makes files ready while this one writes: a first sync of many files takes half the time.

It is a plain child that talks over its pipes: nothing of the caller's is forked, and no module of theirs is run again.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from memory_sync.prepare import prepare
from memory_sync.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import IO, TypeAlias

    from memory_sync.prepare import Prepared, Recipe
    from memory_sync.roots import Place

    Job: TypeAlias = tuple[Place, str, tuple[str, str] | None]  # the place, where it is, its hash and recipe so far

MANY = 500  # files from which on starting a process pays
_START = "import sys; sys.path[:] = {path!r}; from memory_sync.worker import serve; serve()"


def prepared(jobs: Sequence[Job], recipe: Recipe, words: Words) -> Iterator[Prepared]:
    """These files made ready, in order; many of them by a second process."""
    done = 0
    if len(jobs) >= MANY and sys.executable and (os.cpu_count() or 1) > 1:
        for one in _beside(jobs, recipe):
            yield one
            done += 1
    for place, path, was in jobs[done:]:  # few, or what a child that died left behind
        yield prepare(place, path, was, recipe, words)


def serve() -> None:
    """Be that second process: jobs come in, files go out."""
    jobs, recipe = pickle.load(sys.stdin.buffer)  # noqa: S301  # from our own parent
    words = Words()
    for place, path, was in jobs:
        pickle.dump(prepare(place, path, was, recipe, words), sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
    sys.stdout.buffer.flush()


def _beside(jobs: Sequence[Job], recipe: Recipe) -> Iterator[Prepared]:
    code = _START.format(path=sys.path)
    try:
        child = subprocess.Popen(  # noqa: S603  # our own interpreter, our own code
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        return  # no process to be had: this one does it
    with ThreadPoolExecutor(1) as sending, child:
        assert child.stdin is not None and child.stdout is not None  # noqa: S101, PT018  # both are pipes
        sending.submit(_send, child.stdin, jobs, recipe)
        try:
            yield from _received(child.stdout)
        finally:
            child.kill()  # where the caller has had enough


def _send(pipe: IO[bytes], jobs: Sequence[Job], recipe: Recipe) -> None:
    try:
        with pipe:
            pickle.dump((list(jobs), recipe), pipe, pickle.HIGHEST_PROTOCOL)
    except OSError:
        return  # it died; whoever waits for its answers notices


def _received(pipe: IO[bytes]) -> Iterator[Prepared]:
    while True:
        try:
            yield pickle.load(pipe)  # noqa: S301  # from our own child
        except (EOFError, pickle.UnpicklingError):
            return  # it is done, or died in the middle of an answer
