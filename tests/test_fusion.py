"""Fusing two arms: the weights, the phrase, the order that repeats nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experience.search import fusion
from experience.search.mmr import LAMBDA, diverse
from experience.search.nearest import Nearest

SHARES = st.floats(0, 1)


@given(vector=st.floats(-1, 1), keyword=SHARES, phrase=SHARES, best=SHARES, type=st.sampled_from(["fact", "policy"]))
def test_every_fusion_stays_between_0_and_1(
    vector: float, keyword: float, phrase: float, best: float, type: str
) -> None:
    """C052: what is fused from numbers from 0 to 1 is one itself."""
    for weights in (fusion.weighted(0.7), fusion.for_memory(type, best), fusion.for_experience()):
        assert 0 <= fusion.merged(weights, vector=vector, keyword=keyword, phrase=phrase) <= 1 + 1e-12
        assert weights.vector + weights.keyword + weights.phrase <= 1 + 1e-12


@given(vector=SHARES, keyword=SHARES)
def test_the_documented_recipe_is_seven_tenths_vector_and_three_tenths_keyword(vector: float, keyword: float) -> None:
    """C042: merged == 0.7 v + 0.3 k."""
    got = fusion.merged(fusion.weighted(fusion.VECTOR_SHARE), vector=vector, keyword=keyword)

    assert got == pytest.approx(0.7 * vector + 0.3 * keyword, abs=1e-9)


def test_keywords_count_the_more_the_better_they_fit() -> None:
    """Where no row holds much of the query it was asked in other words, and vectors decide."""
    shares = [fusion.for_memory("fact", best).keyword for best in (0.0, 0.1, 0.15, 0.2, 0.9)]

    assert shares[0] == shares[1] < shares[2] < shares[3] == shares[4]
    assert shares[1] < 0.5 < shares[3]


def test_a_statement_that_is_no_fact_leans_on_its_meaning() -> None:
    fact, preference = fusion.for_memory("fact", 0.0), fusion.for_memory("preference", 0.0)

    assert preference.vector == pytest.approx(1.1 * fact.vector)
    assert preference.keyword == fact.keyword


def test_a_phrase_is_the_pairs_of_words_two_texts_share() -> None:
    words = "open the pull request of the release".split()

    assert fusion.phrase(words, words) == 1.0
    assert fusion.phrase(words, words[::-1]) == 0.0
    assert fusion.phrase(["open", "the"], ["open", "the", "door"]) == pytest.approx((2 / 3) ** 3)
    assert fusion.phrase(["one"], ["one"]) == 0.0


def test_the_words_of_the_query_in_a_row_are_never_left_out() -> None:
    """An exact hit that both arms rank low still is among what is shown, in its place."""
    best = ["a", "b", "c", "d"]

    assert fusion.kept_in(best, ["d"], 2) == ["a", "d"]
    assert fusion.kept_in(best, [], 2) == ["a", "b"]
    assert fusion.holds("rollback of the tuesday deploy", ["tuesday", "deploy"])
    assert not fusion.holds("tuesday of the deploy", ["tuesday", "deploy"])


def test_the_next_result_weighs_relevance_against_repetition() -> None:
    """C045, C047: by hand, λ 0.5: then 0.9/2 − 0.95/2 < 0.6/2 − 0.1/2, so the different one comes second."""
    alike = {(0, 1): 0.95, (0, 2): 0.1, (1, 2): 0.2}

    def similarity(one: int, other: int) -> float:
        return alike[min(one, other), max(one, other)]

    assert LAMBDA == 0.5
    assert diverse([1.0, 0.9, 0.6], similarity, limit=3) == [0, 2, 1]
    assert diverse([1.0, 0.9, 0.6], similarity, limit=3, lam=1.0) == [0, 1, 2]
    assert diverse([1.0, 0.9, 0.6], similarity, limit=2) == [0, 2]
    assert diverse([], similarity, limit=3) == []


def test_near_copies_make_room() -> None:
    """C046: of five near copies and five that differ, the top five hold at least three that differ."""
    rng = np.random.default_rng(7)
    copies = _unit(np.ones((5, 32)) + 0.05 * rng.standard_normal((5, 32)))
    distinct = _unit(rng.standard_normal((5, 32)))
    rows, relevance = np.concatenate([copies, distinct]), [*[0.9 - 0.01 * n for n in range(5)], *[0.6] * 5]

    def similarity(one: int, other: int) -> float:
        return max(0.0, float(rows[one] @ rows[other]))

    with_mmr, without = diverse(relevance, similarity, limit=5), diverse(relevance, similarity, limit=5, lam=1.0)

    assert sum(at >= 5 for at in with_mmr) >= 3 > sum(at >= 5 for at in without)


@pytest.mark.parametrize("many", [10_000, 100])
def test_the_nearest_are_those_of_numpy(many: int) -> None:
    """C038, C100: the ranking is that of a cosine with every row, also where the first numbers are compared first."""
    rng = np.random.default_rng(3)
    rows = _unit(rng.standard_normal((600, 12)) @ rng.standard_normal((12, 128)))
    nearest = Nearest(128, many=many)
    nearest.put(list(range(1, 601)), rows)
    query = _unit(rng.standard_normal((1, 12)) @ rng.standard_normal((12, 128)))[0]

    found = nearest.best(query, 20)

    cosines = rows @ query
    wanted = np.argsort(-cosines, kind="stable")[:20]
    assert list(found) == [int(at) + 1 for at in wanted]
    assert list(found.values()) == pytest.approx(cosines[wanted].tolist(), abs=1e-6)


def test_what_is_dropped_or_replaced_is_not_found() -> None:
    rng = np.random.default_rng(5)
    rows = _unit(rng.standard_normal((300, 16)))
    nearest = Nearest(16, many=100)
    nearest.put(range(300), rows)

    nearest.drop([7, 299, 1_000])
    nearest.put([8], rows[7:8])

    assert len(nearest) == 298
    assert 7 not in nearest
    assert next(iter(nearest.best(rows[7], 1))) == 8
    assert 299 not in nearest.best(rows[299], 300)
    assert nearest.cosines(rows[7], [7, 8]) == {8: pytest.approx(1.0)}
    assert nearest.row(7) is None


def test_an_empty_index_finds_nothing() -> None:
    assert Nearest(4).best(np.ones(4, dtype=np.float32), 3) == {}


def _unit(rows: np.ndarray) -> np.ndarray:
    scaled: np.ndarray = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return scaled
