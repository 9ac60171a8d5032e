"""Text into vectors: three implementations, one port, and what happens when one of them fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np
import pytest

from experience.desks.vectors import EXTRAS, chosen
from experience.errors import InvalidInput
from experience.search import embed
from experience.search.embed import EmbedderFailed, Endpoint, Remembering
from tests.conftest import need
from tests.meanings import DIMENSION, Meanings, served

TEXTS = ["the payment went through", "my card was charged", "a walk in the hills", ""]


@pytest.fixture
def server() -> Iterator[Meanings]:
    with served() as started:
        yield started


@pytest.fixture(params=["minilm", "wordllama"])
def model(request: pytest.FixtureRequest) -> Remembering:
    need(f"the embedder {request.param}", all(map(find_spec, EXTRAS[request.param])))
    return embed.embedder(request.param)


def test_a_model_gives_rows_of_unit_length(model: Remembering) -> None:
    """C099: any text, also an empty one, code, or half a character."""
    rows = model.embed([*TEXTS, "def pay(card): return card.charge()", "half \ud83d a character"])

    lengths = np.linalg.norm(rows, axis=1)
    assert np.isfinite(rows).all()
    assert all(length == pytest.approx(1, abs=1e-5) or length == 0 for length in lengths)
    assert lengths[0] == pytest.approx(1, abs=1e-5)


def test_what_means_the_same_is_nearer_than_what_does_not(model: Remembering) -> None:
    paid, charged, walk = model.embed(TEXTS[:3])

    assert paid @ charged > model.floor > paid @ walk


def test_a_text_has_one_vector_whatever_stands_beside_it(model: Remembering) -> None:
    """C098: an index that is built anew, in other batches, is the same index."""
    fresh = embed._made("minilm" if model.name.startswith("all") else "wordllama", None, None, 5.0)
    together, alone = model.embed(TEXTS[:3]), np.concatenate([fresh.embed([text]) for text in TEXTS[:3]])

    assert together == pytest.approx(alone, abs=1e-3)


def test_a_text_without_a_known_token_is_similar_to_nothing() -> None:
    """wordllama answers NaN there."""
    rows = embed.unit(np.array([[np.nan, 1.0], [0.0, 0.0], [3.0, 4.0]], dtype=np.float32))

    assert rows.tolist() == [[0.0, 1.0], [0.0, 0.0], [pytest.approx(0.6), pytest.approx(0.8)]]


def test_a_process_loads_a_model_once(server: Meanings) -> None:
    assert embed.embedder("endpoint", url=server.url, model="m") is embed.embedder(
        "endpoint", url=server.url, model="m"
    )


def test_a_text_is_embedded_once(server: Meanings) -> None:
    remembering = Remembering(Endpoint(server.url, "letters", timeout_s=5))

    first = remembering.embed(["one", "two", "one"])
    second = remembering.embed(["two", "one"])

    assert server.asked == [["one", "two"]]
    assert second.tolist() == [first[1].tolist(), first[0].tolist()]
    assert remembering.embed([]).shape[0] == 0


def test_only_so_many_vectors_are_kept(server: Meanings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed, "REMEMBERED", 2)
    remembering = Remembering(Endpoint(server.url, "letters", timeout_s=5))

    remembering.embed(["one", "two", "three"])
    remembering.embed(["three", "one"])

    assert server.asked == [["one", "two", "three"], ["one"]]


def test_an_endpoint_answers_in_any_order_and_in_batches(server: Meanings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPERIENCE_EMBEDDER_KEY", "key-for-a-test")
    texts = [f"{chr(97 + n % 26)} {n}" for n in range(70)]

    rows = Endpoint(server.url, "letters", timeout_s=5).embed(texts)

    assert [len(batch) for batch in server.asked] == [32, 32, 6]
    assert set(server.keys) == {"Bearer key-for-a-test"}
    assert rows == pytest.approx(embed.unit(np.array([server.meaning(text) for text in texts])))


@pytest.mark.parametrize(
    "answer",
    [
        "no json", "[]", "{}", '{"data": [1]}', '{"data": []}', '{"data": [{"index": 0}]}',
        '{"data": [{"index": 0, "embedding": ["a", "b"]}]}', '{"data": [{"index": 0, "embedding": []}]}',
        '{"data": [{"index": 0, "embedding": 3}]}', '{"data": [{"index": 0, "embedding": [NaN, 1.0]}]}',
        '{"data": [{"index": 0, "embedding": [Infinity, 1.0]}]}',
    ],
)  # fmt: skip
def test_nonsense_from_an_endpoint_is_an_error_in_words(server: Meanings, answer: str) -> None:
    server.answer = answer

    with pytest.raises(EmbedderFailed, match=r"embeddings|answered"):
        Endpoint(server.url, "letters", timeout_s=5).embed(["one"])


def test_an_endpoint_that_changes_its_dimension_is_refused(server: Meanings) -> None:
    endpoint = Endpoint(server.url, "letters", timeout_s=5)
    endpoint.embed(["one"])
    server.known["two"] = [1.0] * (DIMENSION + 1)

    with pytest.raises(EmbedderFailed, match="another dimension"):
        endpoint.embed(["two"])
    server.answer = json.dumps({"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}]})
    with pytest.raises(EmbedderFailed, match="no vectors"):
        endpoint.embed(["three", "four"])


def test_an_endpoint_that_is_slow_broken_or_away_is_an_error_in_words(server: Meanings) -> None:
    server.delay_s = 0.5
    with pytest.raises(EmbedderFailed, match="gave no embeddings"):
        Endpoint(server.url, "letters", timeout_s=0.05).embed(["one"])
    server.delay_s, server.status = 0.0, 500
    with pytest.raises(EmbedderFailed, match="500"):
        Endpoint(server.url, "letters", timeout_s=5).embed(["one"])
    server.close()
    with pytest.raises(EmbedderFailed, match="gave no embeddings"):
        Endpoint(server.url, "letters", timeout_s=5).embed(["one"])


@pytest.mark.parametrize(("url", "model"), [(None, "m"), ("http://127.0.0.1", None), ("file:///etc/passwd", "m")])
def test_an_endpoint_needs_a_url_and_a_model(url: str | None, model: str | None) -> None:
    with pytest.raises(InvalidInput, match="embedder"):
        embed.embedder("endpoint", url=url, model=model)


def test_auto_takes_the_best_that_is_installed() -> None:
    best = next((name for name, needed in EXTRAS.items() if all(map(find_spec, needed))), "none")

    assert chosen("auto") == best
    assert [chosen(name) for name in ("none", "wordllama", "minilm")] == ["none", "wordllama", "minilm"]


def test_a_model_file_that_was_altered_is_not_loaded() -> None:
    with pytest.raises(EmbedderFailed, match="its hash differs"):
        embed._verified("experience", "py.typed", "0" * 64)
    with pytest.raises(EmbedderFailed, match="cannot be read"):
        embed._verified("experience", "no/such/file", "0" * 64)
    with pytest.raises(EmbedderFailed, match="is not installed"):
        embed._verified("no_such_package_anywhere", "file", "0" * 64)


def test_half_floats_keep_a_vector_to_a_thousandth() -> None:
    rows = embed.unit(np.random.default_rng(1).standard_normal((3, 8)).astype(np.float32))

    assert embed.unpacked([embed.packed(row) for row in rows]) == pytest.approx(rows, abs=1e-3)
    assert len(embed.packed(rows[0])) == 16
