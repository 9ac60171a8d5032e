"""Everything this package raises on purpose.

ExperienceError
├── NotFound           no such thing in this scope
├── Conflict           the write would break a promise of the schema
├── InvalidInput       the value cannot be stored as given
└── StoreUnavailable   the database will not open, or stays locked
"""


class ExperienceError(Exception):
    """The root of every error raised on purpose."""


class NotFound(ExperienceError):
    """No such thing in this scope."""

    def __init__(self, kind: str, id: str) -> None:
        super().__init__(f"no {kind} with the id {id!r} in this project")
        self.kind = kind
        self.id = id


class Conflict(ExperienceError):
    """The write would break a promise of the schema."""


class InvalidInput(ExperienceError):
    """The value cannot be stored as given; the message names the field and the reason."""


class StoreUnavailable(ExperienceError):
    """The database will not open, cannot be reached, or stays locked."""
