"""What is promised, what would be a triumph, and what was measured."""

from __future__ import annotations

from dataclasses import dataclass

HEAD = ["| what | measured | bar | | moonshot | |", "|:--|--:|--:|:--|--:|:--|"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One measured figure beside its bar."""

    name: str
    value: float
    bar: float
    moonshot: float | None = None
    at_least: bool = False
    unit: str = "×"

    def row(self) -> str:
        """A line of the table of bars."""
        cells = [self.name, self._shown(self.value), *self._verdict(self.bar), *self._verdict(self.moonshot)]
        return f"| {' | '.join(cells)} |"

    def _verdict(self, bar: float | None) -> tuple[str, str]:
        if bar is None:
            return "", ""
        holds = self.value >= bar if self.at_least else self.value <= bar
        return f"{'≥' if self.at_least else '≤'} {self._shown(bar)}", "holds" if holds else "**missed**"

    def _shown(self, value: float) -> str:
        return f"{value:.3g} {self.unit}" if self.unit != "×" else f"{value:.3g}×"


def bars(results: dict) -> list[Bar]:
    """Every bar that this run has figures for."""
    parts = (_finding, _growing, _agreeing, _freshness, _writing, _starting)
    return [bar for part in parts for bar in part(results)]


def _p50(results: dict, engine: str, size: int) -> float:
    return results["engines"][engine, size]["p50_s"]


def _has(results: dict, size: int) -> bool:
    return ("ours, live", size) in results["engines"]


def _finding(results: dict) -> list[Bar]:
    if not _has(results, 100_000):
        return []
    ours = _p50(results, "ours, live", 100_000)
    mb = results["engines"]["ours, live", 100_000]["rss"] / 1e6
    beside = {
        name: ours / _p50(results, name, 100_000)
        for name in ("FTS5, OR of all words", "bm25s.retrieve", "bm25s.tokenize + retrieve", "tantivy")
    }
    return [
        Bar(name="find p50, 100k, live / FTS5-OR", value=beside["FTS5, OR of all words"], bar=0.5),
        Bar(name="find p50, 100k, live / bm25s.retrieve", value=beside["bm25s.retrieve"], bar=0.15),
        Bar(
            name="find p50, 100k, live / bm25s.tokenize + retrieve",
            value=beside["bm25s.tokenize + retrieve"],
            bar=0.15,
        ),
        Bar(name="find p50, 100k, live / tantivy (moonshot only)", value=beside["tantivy"], bar=2),
        Bar(name="memory of a process serving 100k, live", value=mb, bar=250, moonshot=120, unit="MB"),
    ]


def _growing(results: dict) -> list[Bar]:
    if not _has(results, 1_000_000) or not _has(results, 100_000):
        return []
    large = _p50(results, "ours, live", 1_000_000)
    return [
        Bar(name="find p50, live, 1M / 100k", value=large / _p50(results, "ours, live", 100_000), bar=12),
        Bar(
            name="find p50, 1M, live / tantivy (moonshot only)",
            value=large / _p50(results, "tantivy", 1_000_000),
            bar=3,
        ),
    ]


def _agreeing(results: dict) -> list[Bar]:
    words = {"first": ("the first hit", 99), "ten": ("the ten hits", 95)}
    return [
        Bar(
            name=f"{what} alike on both paths, {size:,}", value=100 * found[key], bar=least, at_least=True, unit="%"
        )
        for size, found in results["agreement"].items()
        for key, (what, least) in words.items()
    ]  # fmt: skip


def _freshness(results: dict) -> list[Bar]:
    if "freshness" not in results:
        return []
    size, found = results["store"], results["freshness"]
    return [
        Bar(name=f"a fresh record adds, {size:,}, same process", value=1e3 * found["added_s"], bar=1, unit="ms"),
        Bar(
            name=f"a fresh record adds, {size:,}, another process", value=1e3 * found["added_other_s"], bar=1, unit="ms"
        ),
    ]


def _writing(results: dict) -> list[Bar]:
    found = results["writes"]
    one, many = found["one_ours"] / found["one_plain"], found["many_ours"] / found["many_plain"]
    return [
        Bar(
            name=f"record / plain insert ({found['one_ours']:,.0f} beside {found['one_plain']:,.0f} rows/s)",
            value=one, bar=0.25, moonshot=0.5, at_least=True,
        ),
        Bar(
            name="record_many / executemany of 10k "
            f"({found['many_ours']:,.0f} beside {found['many_plain']:,.0f} rows/s)",
            value=many, bar=0.2, at_least=True,
        ),
    ]  # fmt: skip


def _starting(results: dict) -> list[Bar]:
    found = results["cold"]
    both = f"{1e3 * found['ours_s']:.1f} beside {1e3 * found['empty_s']:.1f} ms"
    words = f"{found['through']}, {results['store']:,}, / python -c pass ({both})"
    return [Bar(name=words, value=found["ours_s"] / found["empty_s"], bar=3, moonshot=2)]
