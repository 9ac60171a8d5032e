"""Frozen values: the nouns of this house are made of these.

They behave like frozen keyword-only dataclasses, and type checkers see them as such. The standard library's
`dataclasses` is left out on purpose: it imports `inspect`, which costs as much as a whole Python start-up, and every
hook of an agent would pay for it on every prompt.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, dataclass_transform
else:

    def dataclass_transform(**_: object):  # `typing` is only for the type checker
        return lambda cls: cls


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=True)
class Value:
    """A frozen record with keyword-only fields, compared and printed by its fields."""

    _fields: tuple[str, ...] = ()
    _all: frozenset[str] = frozenset()
    _required: frozenset[str] = frozenset()

    def __init_subclass__(cls) -> None:
        annotated = cls.__dict__.get("__annotations__", {})  # noqa: RUF063  # `inspect` is what this module avoids
        own = tuple(name for name in annotated if not name.startswith("_"))
        cls._fields = (*cls._fields, *own)
        cls._all = frozenset(cls._fields)
        cls._required = frozenset(name for name in cls._fields if not hasattr(cls, name))

    def __init__(self, **fields: Any) -> None:
        if fields.keys() != self._all and not (self._required <= fields.keys() <= self._all):
            raise TypeError(f"{type(self).__name__} takes {', '.join(self._fields)}; got {', '.join(fields)}")
        self.__dict__.update(fields)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; use replace() to change {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Value) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash((type(self), repr(self)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._fields)})"

    def as_dict(self) -> dict[str, Any]:
        """The fields in their declared order."""
        return {name: getattr(self, name) for name in self._fields}

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return type(self)(**{**self.as_dict(), **changes})
