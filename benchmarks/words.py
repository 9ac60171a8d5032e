"""The vocabulary of made-up programming tasks: common words first, then a long tail that nobody shares."""

from __future__ import annotations

from itertools import accumulate
from random import Random

VERBS = """
    fix add update remove refactor test deploy configure debug install migrate parse write run build upgrade rename
    validate handle implement document cache log optimize retry split merge revert import export render mock encrypt
    schedule benchmark paginate normalize serialize lint profile backport vendor pin isolate throttle
""".split()
NOUNS = """
    test user error file api database config request response query table server endpoint login token build
    migration schema cache session form page button header timeout connection password email job queue worker index
    column report invoice payment order cart webhook upload image thumbnail chart dashboard search filter pagination
    locale translation permission role audit log metric trace alert certificate secret key bucket container image
    volume network proxy route middleware template fixture parser lexer scheduler cron backup replica shard lock
    transaction checkpoint snapshot stream event message topic consumer producer batch retry limit quota tenant
    license feature flag release changelog version dependency package module plugin hook callback promise thread
    process socket buffer encoding charset timezone currency address contact calendar reminder notification
    subscription plan coupon refund ledger balance
""".split()
TOOLS = """
    git docker pytest npm postgres redis kubernetes terraform nginx sqlite react django flask webpack eslint mypy
    ruff poetry celery kafka grafana prometheus ansible jenkins cargo gradle maven typescript graphql elasticsearch
    rabbitmq helm vite jest playwright selenium airflow spark pandas numpy fastapi sqlalchemy alembic gunicorn
    systemd openssl ffmpeg bazel cmake protobuf grpc
""".split()
TRAITS = """
    failing slow flaky missing broken duplicate stale nested async empty large old new invalid unused expired hidden
    circular remote local optional deprecated concurrent truncated malformed read-only legacy internal
""".split()
PLACES = ["in", "for", "on", "from", "with", "after", "before", "without", "during", "inside", "when using", "behind"]
ENDINGS = ["py", "ts", "go", "rs", "sql", "yaml", "toml", "json", "sh", "md", "tsx", "css"]
SYLLABLES = """
    ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu za bre cli dro fla gri sto tra ple
""".split()

IDENTIFIERS = 20_000
FILES = 5_000
TAIL = 40_000


class Bag:
    """Words drawn by Zipf's law: the first often, the last hardly ever."""

    def __init__(self, words: list[str], *, exponent: float = 1.0) -> None:
        self.words = words
        self._weights = list(accumulate(1 / (rank + 2) ** exponent for rank in range(len(words))))

    def draw(self, random: Random, count: int) -> list[str]:
        """*count* words."""
        return random.choices(self.words, cum_weights=self._weights, k=count)


def identifiers(random: Random) -> list[str]:
    """`parse_invoice_token`, `OrderCache`, `lockShard`."""
    found = []
    for _ in range(IDENTIFIERS):
        parts = [random.choice(VERBS), random.choice(NOUNS), random.choice(NOUNS)][: random.choice((2, 3, 3))]
        style = random.randrange(3)
        found.append(
            "_".join(parts) if style == 0 else "".join(p.title() if n or style == 1 else p for n, p in enumerate(parts))
        )
    return found


def files(random: Random) -> list[str]:
    """`test_invoice.py`, `order_cache.sql`."""
    return [f"{random.choice((*VERBS, *NOUNS))}_{random.choice(NOUNS)}.{random.choice(ENDINGS)}" for _ in range(FILES)]


def tail(random: Random) -> list[str]:
    """Names of products, people and hosts that only a few tasks mention."""
    found = {"".join(random.choices(SYLLABLES, k=random.choice((2, 3, 3, 4)))) for _ in range(2 * TAIL)}
    return sorted(found, key=lambda _: random.random())[:TAIL]
