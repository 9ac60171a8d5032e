"""A `BaseStore` of LangGraph in the project's store: `graph.compile(store=store(memory))`.

`ItemStore` answers the four operations and needs no framework; `store(memory)` makes of it what LangGraph takes.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from experience import analyzer
from experience.desks.intake import Intake
from experience.errors import InvalidInput
from experience.layers.items import Items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime
    from typing import Any, TypeAlias

    from experience.db.port import Transaction
    from experience.layers.items import Item
    from experience.memory import Memory

    Labels: TypeAlias = tuple[str, ...]
    Scored: TypeAlias = tuple[Item, float | None]

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, wanted: bool(value == wanted),
    "$ne": lambda value, wanted: bool(value != wanted),
    "$gt": lambda value, wanted: float(value) > float(wanted),
    "$gte": lambda value, wanted: float(value) >= float(wanted),
    "$lt": lambda value, wanted: float(value) < float(wanted),
    "$lte": lambda value, wanted: float(value) <= float(wanted),
}


class ItemStore:
    """Values by namespace and key, searched by filter and by words, some of them for a time."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.items = Items(memory.shelf.store, memory.shelf.project)

    def together(self) -> Transaction:
        """A block whose writes happen all or not at all."""
        return self._memory.store.transaction()

    def get(self, namespace: Labels, key: str, *, refresh_ttl: bool) -> Item | None:
        """One value, its time begun anew where that is asked for."""
        now = self._memory.now()
        found = self.items.find(namespace, key, now)
        if found and refresh_ttl:
            self.items.refresh([found], now)
        return found

    def put(self, namespace: Labels, key: str, value: Any, *, ttl: float | None) -> None:
        """Write a value, or remove it for None."""
        self.checked(namespace)
        if value is None:
            self.items.delete(namespace, key)
            return
        if not isinstance(value, dict):
            raise InvalidInput(f"value must be a dictionary, not {type(value).__name__}")
        if ttl is not None and not 0 < ttl < 1e9:
            raise InvalidInput(f"ttl must be a number of minutes above 0, not {ttl!r}")
        intake, now = Intake(), self._memory.now()
        self.items.sweep(now)
        name = intake.text("key", key, most=500)
        self.items.put(namespace, name, intake.json("value", value), now, ttl_minutes=ttl)

    def search(self, prefix: Labels, given: dict[str, Any] | None, query: str | None, **page: Any) -> list[Scored]:
        """The values below a namespace that pass the filter; those that share words with the query first."""
        now = self._memory.now()
        fitting = [one for one in self.items.below(prefix, now) if _passes(one.value, given or {})]
        ranked: list[Scored] = [(one, None) for one in fitting] if not query else _ranked(fitting, query)
        some = ranked[page["offset"] : page["offset"] + page["limit"]]
        if page["refresh_ttl"]:
            self.items.refresh([one for one, _ in some], now)
        return some

    def namespaces(self, conditions: Sequence[Any], depth: int | None, limit: int, offset: int) -> list[Labels]:
        """The namespaces that fit every condition, each cut to a depth."""
        every = self.items.namespaces(self._memory.now())
        fitting = [one for one in every if all(_matches(one, condition) for condition in conditions)]
        return sorted({one[:depth] for one in fitting})[offset : offset + limit]

    @staticmethod
    def checked(namespace: object) -> None:
        """A namespace is a tuple of words without dots; `langgraph` is not for us to write to."""
        if not isinstance(namespace, tuple) or not namespace:
            raise InvalidInput("namespace must be a tuple with at least one label")
        for label in namespace:
            if not isinstance(label, str) or not label or "." in label:
                raise InvalidInput(f"namespace label {label!r} must be text without a period, and not empty")
        if namespace[0] == "langgraph":
            raise InvalidInput('the first label of a namespace cannot be "langgraph"')


def store(memory: Memory) -> Any:
    """The project's store as LangGraph takes it."""
    return _made()(memory)


@cache
def _made() -> Any:
    """The class, made when LangGraph is there to inherit from."""
    base = import_module("langgraph.store.base")

    def init(self: Any, memory: Memory) -> None:
        self.inner = ItemStore(memory)

    def batch(self: Any, ops: Iterable[Any]) -> list[Any]:
        return _answered(self.inner, base, list(ops))

    async def abatch(self: Any, ops: Iterable[Any]) -> list[Any]:
        import asyncio  # whoever awaits this has it loaded

        found: list[Any] = await asyncio.to_thread(self.batch, list(ops))
        return found

    verbs = {"__init__": init, "batch": batch, "abatch": abatch, "supports_ttl": True, "__doc__": store.__doc__}
    return type("ExperienceStore", (base.BaseStore,), verbs)


def _answered(inner: ItemStore, base: Any, ops: list[Any]) -> list[Any]:
    """The answers in the order of the operations; as everywhere in LangGraph a batch is read before it is written."""
    for op in ops:
        if isinstance(op, base.PutOp):
            inner.checked(op.namespace)
    with inner.together():
        answers = [None if isinstance(op, base.PutOp) else _read(inner, base, op) for op in ops]
        for op in ops:
            if isinstance(op, base.PutOp):
                inner.put(op.namespace, op.key, op.value, ttl=op.ttl)
    return answers


def _read(inner: ItemStore, base: Any, op: Any) -> Any:
    if isinstance(op, base.GetOp):
        found = inner.get(tuple(op.namespace), op.key, refresh_ttl=op.refresh_ttl)
        return base.Item(**_fields(found)) if found else None
    if isinstance(op, base.SearchOp):
        hits = inner.search(
            tuple(op.namespace_prefix), op.filter, op.query, limit=op.limit, offset=op.offset,
            refresh_ttl=op.refresh_ttl,
        )  # fmt: skip
        return [base.SearchItem(**_fields(found), score=score) for found, score in hits]
    if isinstance(op, base.ListNamespacesOp):
        return inner.namespaces(op.match_conditions or (), op.max_depth, op.limit, op.offset)
    raise InvalidInput(f"an operation of the type {type(op).__name__} is unknown")


def _fields(one: Item) -> dict[str, Any]:
    return {
        "namespace": one.namespace, "key": one.name, "value": one.value, "created_at": one.created_at,
        "updated_at": one.updated_at,
    }  # fmt: skip


def _passes(value: dict[str, Any], given: dict[str, Any]) -> bool:
    """Whether a value has all that the filter names, each equal or as its operators say."""
    return all(_compares(value.get(name), wanted) for name, wanted in given.items())


def _compares(value: Any, wanted: Any) -> bool:
    if not (isinstance(wanted, dict) and any(str(name).startswith("$") for name in wanted)):
        return bool(value == wanted)
    for name, than in wanted.items():
        if name not in _COMPARE:
            raise InvalidInput(f"the operator {name!r:.40} is unknown; known are {', '.join(_COMPARE)}")
        try:
            if not _COMPARE[name](value, than):
                return False
        except (TypeError, ValueError):
            return False  # what is no number is neither more nor less
    return True


def _ranked(found: list[Item], query: str) -> list[Scored]:
    """By the share of the query's words that stand in a value; of equals the newest."""
    words = frozenset(analyzer.query_terms(query))
    scored: list[Scored] = []
    for one in sorted(found, key=_age, reverse=True):
        held = words.intersection(analyzer.terms(" ".join((one.name, *_texts(one.value)))))
        scored.append((one, len(held) / len(words) if words else 0.0))
    return sorted(scored, key=lambda hit: -(hit[1] or 0.0))


def _age(one: Item) -> datetime:
    return one.updated_at


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str):
        yield value


def _matches(namespace: Labels, condition: Any) -> bool:
    """Whether a namespace begins or ends as a condition says; `*` is any label."""
    path = tuple(condition.path)
    if condition.match_type not in ("prefix", "suffix"):
        raise InvalidInput(f"match type {condition.match_type!r} is unknown; it is prefix or suffix")
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for label, wanted in zip(part, path, strict=True))
