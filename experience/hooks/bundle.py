"""The code that a hook or a cold command runs, in one file: finding and reading a hundred files costs a tenth of it.

It is a copy like those in `__pycache__`: made by the first run, used only while every source is as it was then.
"""

from __future__ import annotations

import os
import sys
from marshal import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType
    from typing import Any

FOLDER = "cache"


def load(home: str, kind: str = "hook") -> bool:
    """Let imports be served from the bundle, if it is there and every source is as it was."""
    try:
        with open(place(home, kind), "rb") as file:
            stamps, codes = loads(file.read())  # noqa: S302  # our own file, beside the user's store
        for path, size, changed in stamps:
            now = os.stat(path)
            if (now.st_size, now.st_mtime_ns) != (size, changed):
                return False
    except (OSError, EOFError, ValueError, TypeError):
        return False
    sys.meta_path.insert(0, _Finder(codes))
    return True


def write(home: str, kind: str = "hook") -> None:
    """Copy the code of every module that is loaded now; where nothing can be written, nothing is."""
    target = place(home, kind)
    fresh = f"{target}.{os.getpid()}.tmp"
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(fresh, "wb") as file:
            file.write(dumps(_loaded()))
        os.replace(fresh, target)
    except OSError:
        return


def _loaded() -> tuple[list[tuple[str, int, int]], dict[str, tuple[CodeType, str, bool]]]:
    """The code of every module that came from a file, and how that file was."""
    stamps, codes = [], {}
    for name, module in list(sys.modules.items()):
        spec: Any = getattr(module, "__spec__", None)
        get_code = getattr(getattr(spec, "loader", None), "get_code", None)
        if name != "__main__" and get_code and spec.has_location and str(spec.origin).endswith(".py"):
            now = os.stat(spec.origin)
            stamps.append((spec.origin, now.st_size, now.st_mtime_ns))
            codes[name] = (get_code(name), spec.origin, spec.submodule_search_locations is not None)
    return stamps, codes


def home() -> str:
    """Where the user's own store is; read here because the settings, which know it too, are in the bundle."""
    return os.path.abspath(os.environ.get("EXPERIENCE_HOME") or os.path.expanduser("~/.experience"))


def place(home: str, kind: str) -> str:
    """The bundle of this Python and these packages, for a hook or a command."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    own = "".join(letter if letter.isalnum() else "-" for letter in f"{sys.version.split()[0]}-{sys.prefix}-{root}")
    return os.path.join(home, FOLDER, f"{kind}-{own[-180:]}")


class _Finder:
    """Finds modules in the bundle, and loads them."""

    def __init__(self, codes: dict[str, tuple[CodeType, str, bool]]) -> None:
        self._codes = codes

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name not in self._codes:
            return None
        _, origin, package = self._codes[name]
        made: Any = type(sys.__spec__)  # `importlib.machinery` is what this module avoids
        spec = made(name, self, origin=origin, is_package=package)
        spec.has_location = True
        if package:
            spec.submodule_search_locations.append(os.path.dirname(origin))
        return spec  # type: ignore[no-any-return]

    def create_module(self, spec: ModuleSpec) -> None:
        """Modules are made in the usual way."""

    def exec_module(self, module: ModuleType) -> None:
        exec(self._codes[module.__name__][0], module.__dict__)  # noqa: S102  # this is what importing is
