"""The files of the roots as they are on disk: names, sizes, times. Reads no file but `.gitignore`."""

from __future__ import annotations

import os
from time import time_ns

from experience import globs
from experience.values import Value
from memory_sync.ignore import FILE, Ignore, left_out
from memory_sync.read import GRAIN_NS
from memory_sync.roots import NOTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from memory_sync.ignore import Rules
    from memory_sync.roots import Place, Root

    Stamp: TypeAlias = tuple[int, int]  # size, mtime_ns

STORE = ".experience"


class Skipped(Value):
    """A file that is not in memory, and why."""

    path: str
    reason: str


class Wanted:
    """Which files are read: those that a glob names and no exclude does."""

    def __init__(self, include: Sequence[str], exclude: Sequence[str]) -> None:
        self._suffixes = tuple(glob[4:] for glob in include if glob[:4] == "**/*" and not set(glob[4:]) & set("*?{}/"))
        self._globs = [glob for glob in include if not (glob[:4] == "**/*" and glob[4:] in self._suffixes)]
        self._names = frozenset(glob for glob in exclude if not set(glob) & set("*?{}/"))
        self._excludes = [glob for glob in exclude if glob not in self._names]

    def directory(self, name: str, path: str) -> bool:
        """Whether a directory is entered."""
        return name not in self._names and not (self._excludes and self._excluded(path))

    def file(self, name: str, inner: str) -> bool:
        """Whether a file is read; *inner* is its directory, with a slash at the end, or empty."""
        if not name.endswith(self._suffixes) and not (self._globs and self._matches(inner + name)):
            return False
        return name not in self._names and not (self._excludes and self._excluded(inner + name))

    def _matches(self, path: str) -> bool:
        return any(globs.matches(glob, path) for glob in self._globs)

    def _excluded(self, path: str) -> bool:
        return any(globs.matches(glob, path) for glob in self._excludes)


class Scan:
    """What was seen. *stamps* are files by place; *watched* is all that tells whether anything changed since."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self.stamps: dict[Place, Stamp] = {}
        self._bases: dict[str, str] = {}
        self.skipped: list[Skipped] = []
        self.directories: dict[str, int] = {}  # path: mtime_ns when it was listed
        self.rules: dict[str, Stamp] = {}  # each .gitignore
        self.absent: list[str] = []  # roots that are not there

    @property
    def size(self) -> int:
        """How many things there are to look at."""
        return len(self.stamps) + len(self.directories) + len(self.rules)

    def walk(self, root: Root) -> None:
        """Look at every file of a root. Links are not followed: what they lead to is read in its own place."""
        self._bases[root.label] = root.base
        if os.path.isfile(root.path):
            was = os.stat(root.path)
            self.stamps[root.label, root.prefix] = was.st_size, was.st_mtime_ns
            return
        if not os.path.isdir(root.path):
            self.absent.append(root.path)
            if root.prefix != NOTES:
                self.skipped.append(Skipped(path=root.name, reason="the root is not there"))
            return
        self._real = root.path
        waiting = [(root.path, f"{root.prefix}/" if root.prefix else "", self._above(root))]
        while waiting:
            waiting += self._enter(root, *waiting.pop())

    def _enter(self, root: Root, path: str, inner: str, rules: Rules) -> Iterator[tuple[str, str, Rules]]:
        """Look at one directory; yields those inside it that are to be entered."""
        entries = self._listed(path, inner)
        rules = self._rules(entries, path, inner) + rules
        wanted, stamps, label = self._wanted.file, self.stamps, root.label
        for entry in entries:
            name = entry.name
            if entry.is_file(follow_symlinks=False):
                if wanted(name, inner) and not (rules and left_out(rules, inner + name)):
                    try:
                        was = entry.stat(follow_symlinks=False)
                    except OSError:
                        continue  # it vanished while we looked
                    stamps[label, inner + name] = was.st_size, was.st_mtime_ns
            elif entry.is_dir(follow_symlinks=False):
                if self._enters(name, inner + name, rules):
                    yield entry.path, f"{inner}{name}/", rules
            elif entry.is_symlink():
                self._link(entry, inner)

    def _above(self, root: Root) -> Rules:
        """The rules of the directories between the base and a root inside it; the notes obey none of them."""
        if not root.prefix or root.prefix == NOTES:
            return ()
        rules: Rules = ()
        path, inner = root.base, ""
        for name in root.prefix.split("/"):
            rules = self._ignore(os.path.join(path, FILE), inner) + rules
            path, inner = os.path.join(path, name), f"{inner}{name}/"
        return rules

    def _enters(self, name: str, inner: str, rules: Rules) -> bool:
        if name == STORE or not self._wanted.directory(name, inner):
            return False
        return not (rules and left_out(rules, f"{inner}/"))

    def _listed(self, path: str, inner: str) -> list[os.DirEntry[str]]:
        try:
            mtime_ns = os.stat(path).st_mtime_ns
            young = 0 <= time_ns() - mtime_ns < GRAIN_NS  # what comes in this very moment would go unnoticed
            self.directories[path] = -1 if young else mtime_ns
            with os.scandir(path) as entries:
                return list(entries)
        except FileNotFoundError:
            return []  # it vanished while we came
        except OSError as error:
            self.skipped.append(Skipped(path=inner or ".", reason=f"it cannot be listed ({error.strerror})"))
            return []

    def _rules(self, entries: Iterable[os.DirEntry[str]], path: str, inner: str) -> Rules:
        if FILE not in [entry.name for entry in entries]:
            return ()
        return self._ignore(os.path.join(path, FILE), inner)

    def _ignore(self, path: str, inner: str) -> Rules:
        try:
            if not os.path.isfile(path) or os.path.islink(path):
                return ()
            was = os.stat(path)
            self.rules[path] = (was.st_size, was.st_mtime_ns)
            with open(path, encoding="utf-8", errors="replace") as file:
                return (Ignore(inner, file.read(1_000_000).splitlines()),)
        except OSError as error:
            self.skipped.append(Skipped(path=f"{inner}{FILE}", reason=f"it cannot be read ({error.strerror})"))
            return ()

    def _link(self, entry: os.DirEntry[str], inner: str) -> None:
        """A link that leads out of its root is refused, aloud where it would have brought something."""
        target = os.path.realpath(entry.path)
        if target == self._real or target.startswith(self._real.rstrip(os.sep) + os.sep):
            return
        if os.path.isdir(target) or (os.path.isfile(target) and self._wanted.file(entry.name, inner)):
            path = shown(inner + entry.name)
            self.skipped.append(Skipped(path=path, reason="it is a link that leads out of the root"))

    def check_names(self) -> None:
        """Leave out the files whose names cannot be stored."""
        for label, path in [place for place in self.stamps if not place[1].isascii() and shown(place[1]) != place[1]]:
            del self.stamps[label, path]
            self.skipped.append(Skipped(path=shown(path), reason="its name is not valid text; rename it"))

    def path(self, place: Place) -> str:
        """Where a file is on this machine."""
        return f"{self._bases[place[0]]}{os.sep}{place[1]}"


def scan(roots: Iterable[Root], wanted: Wanted) -> Scan:
    """Every file of these roots."""
    found = Scan(wanted)
    for root in roots:
        found.walk(root)
    found.check_names()
    return found


def stale(seen: Scan, stat: Callable[[str], os.stat_result] = os.stat) -> bool:
    """Whether anything differs on disk from what was seen; far cheaper than looking at everything again."""
    try:
        return (
            any(stat(path).st_mtime_ns != mtime_ns for path, mtime_ns in seen.directories.items())
            or any(_differs(stat(seen.path(place)), stamp) for place, stamp in seen.stamps.items())
            or any(_differs(stat(path), stamp) for path, stamp in seen.rules.items())
            or any(map(os.path.exists, seen.absent))
        )
    except OSError:
        return True  # something is gone


def _differs(now: os.stat_result, stamp: Stamp) -> bool:
    return now.st_mtime_ns != stamp[1] or now.st_size != stamp[0]


def shown(path: str) -> str:
    """A path as it can be shown and stored."""
    return path.encode("utf-8", "replace").decode()
