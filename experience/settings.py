"""Settings: defaults < the user's file < the project's file < environment variables; each knows where it came from."""

from __future__ import annotations

import json
import os

from experience import checks, globs
from experience.errors import InvalidInput
from experience.files import write_atomically
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from experience.models import Json

FILE = "settings.json"


class Setting(Value):
    """One setting: its value in force, and where that comes from."""

    name: str
    value: Json
    source: str
    help: str


def _text(name: str, value: Json) -> str:
    return checks.text(name, value, most=1000)


def _port(name: str, value: Json) -> int:
    return checks.count(name, value, least=0, most=65_535)


def _days(name: str, value: Json) -> int:
    return checks.count(name, value, most=3_650)


def _sets(name: str, value: Json) -> int:
    return checks.count(name, value, most=100)


def _results(name: str, value: Json) -> int:
    return checks.count(name, value, most=1000)


def _embedder(name: str, value: Json) -> str:
    return checks.one_of(name, value, ("auto", "none", "minilm", "wordllama", "endpoint"))


def _fusion(name: str, value: Json) -> str:
    return checks.one_of(name, value, ("measured", "weighted"))


def _words(name: str, value: Json) -> list[str]:
    if not isinstance(value, list) or len(value) > 100:
        raise InvalidInput(f'{name} must be a list of at most 100 texts, such as ["docs"], not {value!r}')
    return [checks.text(name, one, most=1000) for one in value]


def _globs(name: str, value: Json) -> list[str]:
    return [globs.checked(name, one) for one in _words(name, value)]


def _tokens(name: str, value: Json) -> int:
    return checks.count(name, value, least=20, most=100_000)


def _shared(name: str, value: Json) -> int:
    return checks.count(name, value, least=0, most=50_000)


def _milliseconds(name: str, value: Json) -> int:
    return checks.count(name, value, least=0, most=600_000)


KNOWN: dict[str, tuple[Json, Callable[[str, Json], Json], str]] = {
    "project": (None, _text, "the project's name on a shared server; by default its directory's name"),
    "url": (None, checks.server, "the libSQL server that holds the project's store; by default a file"),
    "timeout_s": (10.0, checks.positive, "seconds to wait for a busy or silent store"),
    "half_life_days": (30.0, checks.positive, "days without use after which an experience weighs half"),
    "min_weight": (0.05, checks.score, "experiences that weigh less are pruned"),
    "night": ("0 3 * * *", _text, "when the night is done, as a cron expression in local time"),
    "night_retired_days": (30, _days, "days that pruned and folded experiences can be brought back by undo"),
    "night_quarantine_days": (30, _days, "days after which a memory nobody vouched for is archived"),
    "night_session_days": (14, _days, "days without a message after which a session is archived"),
    "night_keep_backups": (7, _sets, "how many backups of each store are kept"),
    "cache_ttl_minutes": (30.0, checks.positive, "minutes that a result set of this process is kept"),
    "cache_result_sets": (3, _sets, "how many result sets are kept"),
    "embedder": ("auto", _embedder, "who turns texts into vectors: auto, none, minilm, wordllama or endpoint"),
    "embedder_url": (None, _text, "the OpenAI-compatible endpoint, such as http://127.0.0.1:8080/v1"),
    "embedder_model": (None, _text, "the model that the endpoint is asked for"),
    "embedder_timeout_s": (5.0, checks.positive, "seconds to wait for the endpoint"),
    "fusion": ("measured", _fusion, "how recall and find weigh both arms: measured, or weighted by vector_share"),
    "vector_share": (0.7, checks.score, "what a cosine counts in a weighted fusion; keywords count the rest"),
    "search_half_life_days": (30.0, checks.positive, "days after which something found by a hybrid search counts half"),
    "search_results": (10, _results, "how many results a hybrid search shows"),
    "mmr": (0.5, checks.score, "relevance against repetition in a hybrid search; 1 is relevance alone"),
    "roots": ([], _words, "directories whose files stay in memory; by default the project's own"),
    "globs": (["**/*.md", "**/*.mdx", "**/*.txt"], _globs, "the files in the roots that are read"),
    "excludes": (["node_modules", "dist", ".git"], _globs, "files and directories that are never read"),
    "chunk_tokens": (400, _tokens, "tokens of a chunk of a file, at most"),
    "chunk_overlap": (80, _shared, "tokens of whole lines that neighbouring chunks share, at least"),
    "debounce_ms": (1500, _milliseconds, "how long files must be quiet before the watcher reads them"),
    "file_max_mb": (10.0, checks.positive, "larger files are left out, and named in the report"),
    "file_results": (6, _results, "how many chunks a search of files shows"),
    "file_min_score": (0.35, checks.score, "chunks below it are left out of a hybrid search"),
    "host": ("127.0.0.1", checks.loopback, "the address that `experience up` listens on"),
    "port": (7333, _port, "the port that `experience up` listens on; 0 takes a free one"),
}


class Settings:
    """Every setting in force."""

    def __init__(self, home: str, project: str, environ: Mapping[str, str] | None = None) -> None:
        self._files = {"user": os.path.join(home, FILE), "project": os.path.join(project, ".experience", FILE)}
        self._found = {name: (default, "default") for name, (default, _, _) in KNOWN.items()}
        for path in self._files.values():
            for name, value in _read(path).items():
                self._take(name, value, path)
        for name in KNOWN:
            key = f"EXPERIENCE_{name.upper()}"
            if value := (os.environ if environ is None else environ).get(key):
                self._take(name, _parsed(value, KNOWN[name][0]), key)

    def __getitem__(self, name: str) -> Json:
        return self._found[name][0]

    def all(self) -> tuple[Setting, ...]:
        """Every setting, its value and its source."""
        return tuple(
            Setting(name=name, value=value, source=source, help=KNOWN[name][2])
            for name, (value, source) in self._found.items()
        )

    def write(self, name: str, value: str, *, user: bool = False) -> None:
        """Set one setting in the project's file or the user's, the rest of the file as it was."""
        path = self._files["user" if user else "project"]
        self._take(name, _parsed(value, KNOWN.get(name, (None,))[0]), "settings")
        whole = json.dumps({**_read(path), name: self[name]}, indent=2, ensure_ascii=False)
        write_atomically(path, f"{whole}\n")

    def _take(self, name: str, value: Json, source: str) -> None:
        if name not in KNOWN:
            raise InvalidInput(f"{source}: the setting {name!r} is unknown; known are {', '.join(KNOWN)}")
        try:
            self._found[name] = (KNOWN[name][1](name, value), source)
        except InvalidInput as error:
            raise InvalidInput(f"{source}: {error}") from error


def home_directory(home: str | os.PathLike[str] | None = None) -> str:
    """Where the user's own store and settings live."""
    return os.path.abspath(os.fspath(home or os.environ.get("EXPERIENCE_HOME") or os.path.expanduser("~/.experience")))


def _read(path: str) -> dict[str, Json]:
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{path} cannot be read as JSON ({error}); correct it or remove it") from error
    if not isinstance(found, dict):
        raise InvalidInput(f'{path} must hold one JSON object, such as {{"half_life_days": 30}}')
    return found


def _parsed(value: str, default: Json) -> Json:
    if isinstance(default, str) or default is None:
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value
