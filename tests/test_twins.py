"""Texts that say the same are found among many; whatever might mean something else is left apart."""

from __future__ import annotations

import subprocess
import sys

import pytest

from benchmarks import planted
from jobs import minhash, slips, twins


def same(a: str, b: str, *others: str) -> bool:
    """Whether two texts end up together, in a store that holds others too."""
    return any({0, 1} <= set(numbers) for numbers in twins.groups([a, b, *others], [0] * (2 + len(others))))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The pool keeps 10 connections open", "The pool keeps 20 connections open"),
        ("Pin the client library to version 2.1", "Pin the client library to version 2.3"),
        ("Always squash commits before merging", "Never squash commits before merging"),
        ("You must rotate the signing keys", "You must not rotate the signing keys"),
        ("Anderson maintains the billing service", "Andersen maintains the billing service"),
        ("Call fetch_orders before the export", "Call fetch_order before the import"),
        ("Use `clusterAlpha` for the nightly build", "Use `clusterAlpa` for the nightly build"),
        ("The gateway retries failed requests", "The gateway rejects failed requests"),
        ("Turn on caching for the product pages", "Turn on catching for the product pages"),
        ("Deploy to staging from the release branch", "Deploy to production from the release branch"),
        ("The worker compiles with the new rules", "The worker complies with the new rules"),
        ("Mark the job as retired in the ledger", "Mark the job as retried in the ledger"),
        ("Copy the archive from host-a to host-b", "Copy the archive from host-b to host-a"),
    ],
)
def test_what_differs_in_a_number_a_name_a_negation_or_one_word_stays_apart(a: str, b: str) -> None:
    """C177"""
    others = ("caching helps every product page", "the exporter needs caching", "caching is on", "catching errors late")
    assert not same(a, b, *others)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Retries use exponential backoff everywhere", "retries use exponential bakcoff everywhere"),
        ("The dashboard refreshes automatically", "The dashboard refreshes automaticcally."),
        ("Don't commit generated files", "do not commit generated file"),
        ("Please note that the linter runs in the pre-commit hook", "- The linter runs in the pre-commit hook"),
    ],
)
def test_typing_wording_and_slips_in_long_words_do_not_keep_texts_apart(a: str, b: str) -> None:
    """C177"""
    assert same(a, b)


def test_a_wrong_letter_needs_the_right_spelling_to_be_common() -> None:
    """C177: a word seen nowhere else is a slip only beside one that is seen everywhere."""
    a, b = "Keep the kubernetes manifests in one folder", "Keep the kubernutes manifests in one folder"
    common = [f"The kubernetes cluster number {number} has its own quota" for number in range(10)]

    assert same(a, b, *common)
    assert not same(a, b)
    assert not same(a, b, *common, "A kubernutes is what we call the tool of {number}", "every kubernutes has a name")


def test_planted_near_duplicates_are_found_and_traps_are_left() -> None:
    """C177: at least .95 found, at most .01 merged."""
    for made in (planted.statements(6_000), planted.tasks(6_000)):
        place = {
            number: group
            for group, numbers in enumerate(twins.groups(made.texts, [0] * len(made.texts)))
            for number in numbers
        }
        found = [place.get(a, -1) == place.get(b, -2) for a, b, _ in made.same]
        merged = [place.get(a, -1) == place.get(b, -2) for a, b, _ in made.apart]
        assert sum(found) >= 0.95 * len(found)
        assert sum(merged) <= 0.01 * len(merged)


def test_ten_thousand_memories_of_one_frame_are_compared_a_bounded_number_of_times() -> None:
    """C177"""
    texts = [f"listens service{number:05d} port" for number in range(10_000)]
    looked = 0

    def count(left: object, right: object) -> object:
        nonlocal looked
        looked += len(left)  # type: ignore[arg-type]
        return slips.Bags(texts).near(left, right)

    minhash.pairs(texts, [0] * len(texts), count)
    assert 0 < looked <= len(texts) * minhash.BANDS * 2 * minhash.NEIGHBOURS


def test_the_night_can_be_imported_without_the_heavy_packages() -> None:
    """C177: numpy and scikit-learn are paid for by whoever compares, not by whoever looks at the schedule."""
    script = (
        "import sys, jobs.nightly; print([name for name in ('numpy', 'sklearn', 'datasketch') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
