"""The file that a host's hooks start: it knows where our packages are, needs no `site`, and outlives them in silence.

It stands beside the host's settings, not among our packages: a Python that is asked for a file that is gone ends with
the code that makes a host refuse the prompt.
"""

from __future__ import annotations

import os
from importlib.util import find_spec

FILE = "experience-hook.py"
_NEEDED = ("experience", "regex", "Stemmer")
_SCRIPT = """\
# Written by `experience install`; `experience uninstall` removes it.
# Hands an event of the agent to its memory. Whatever goes wrong, it ends well and says nothing.
import os
import sys

try:
    sys.path.extend({paths})
    from experience.hooks.launch import main

    main(sys.argv[1:])
except BaseException:
    os._exit(0)
"""


def script() -> str:
    """The file's text for the packages this process runs on."""
    return _SCRIPT.format(paths=_listed(list(dict.fromkeys(filter(None, map(_directory, _NEEDED))))))


def _directory(package: str) -> str | None:
    """The directory a package is imported from."""
    spec = find_spec(package)
    if spec is None or not spec.origin:
        return None
    inside = os.path.dirname(os.path.abspath(spec.origin))
    return os.path.dirname(inside) if spec.submodule_search_locations else inside


def _listed(paths: list[str]) -> str:
    inner = "".join(f"        {path!r},\n" for path in paths)
    return f"[\n{inner}    ]"
