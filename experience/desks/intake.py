"""The one choke point: every word that is stored passes here, is checked, and leaves its secrets behind."""

from __future__ import annotations

import re

from experience import checks
from experience.capture.gate import suspicious
from experience.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from experience.models import Json

_NAMES = ("pat", "sas")  # name tokens where they are whole words, too short for the gate
_NAMED = r"(?:[Pp]at|PAT|[Ss]as|SAS)(?![a-z])"
MAX_STEPS = 100
BEYOND = 8_000  # characters looked at past the end of what is kept: half a secret is no longer known as one


def suspected(*texts: str) -> bool:
    """Whether one look at all these texts, JSON among them, gives reason to look at each."""
    joined = "\n".join(texts)
    if suspicious(joined):
        return True
    lower = joined.lower()
    return any(map(lower.__contains__, _NAMES)) and re.search(_NAMED, joined) is not None


class Intake:
    """What one operation is given. *found* counts the secrets that were taken out, by kind; never their words."""

    def __init__(self) -> None:
        self.found: dict[str, int] = {}

    def text(self, field: str, value: object, *, most: int = checks.MAX_TEXT) -> str:
        """Checked text without its secrets."""
        return self._scrubbed(checks.text(field, value, most=most))

    def beginning(self, field: str, value: object, *, most: int = checks.MAX_TEXT) -> str:
        """Text of any length, of which only the beginning is kept; what cannot be stored is replaced."""
        if not isinstance(value, str):
            raise InvalidInput(f"{field} must be text, not {type(value).__name__}")
        some = value[: most + BEYOND].replace("\0", "\ufffd").encode("utf-8", "replace").decode()
        return self._scrubbed(some)[:most]

    def json(self, field: str, value: Json) -> str:
        """Any JSON value without its secrets, as text."""
        written = checks.json_text(field, value)
        if not suspected(written):
            return written
        from experience.capture.secrets import scrub_json

        clean, found = scrub_json(value)
        self._count(found)
        return checks.json_text(field, clean)

    def tags(self, value: Iterable[str] | None) -> tuple[str, ...]:
        """A few short distinct words."""
        return tuple(dict.fromkeys(map(self._scrubbed, checks.tags(value))))

    def steps(self, value: object) -> tuple[str, ...]:
        """The steps of a procedure, in order."""
        if isinstance(value, str) or not isinstance(value, list | tuple) or not value:
            raise InvalidInput('steps must be a list with at least one step, such as ["run the tests", "tag"]')
        if len(value) > MAX_STEPS:
            raise InvalidInput(f"steps has {len(value):,} entries; at most {MAX_STEPS} are kept")
        given: Sequence[object] = value
        return tuple(self.text(f"steps[{at}]", step, most=1000).strip() for at, step in enumerate(given))

    def told(self) -> dict[str, Json]:
        """What an event says about it: the counts, and nothing where there were none."""
        return {"secrets": self.found} if self.found else {}

    def _scrubbed(self, text: str) -> str:
        if not suspicious(text):  # the kinds are only loaded for a text that may hold one
            return text
        from experience.capture.secrets import scrub

        done = scrub(text)
        self._count(done.found)
        return done.text

    def _count(self, found: dict[str, int]) -> None:
        for kind, times in found.items():
            self.found[kind] = self.found.get(kind, 0) + times
