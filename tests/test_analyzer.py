"""Text becomes terms the same way for every index and every query."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experience import Memory, analyzer


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Deploy the sites", ["deploy", "the", "site"]),
        ("my_func", ["myfunc", "my", "func"]),
        ("myFunc", ["myfunc", "my", "func"]),
        ("my-func", ["myfunc", "my", "func"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("src/app.py", ["src", "apppi", "app", "py"]),
        ("v1.2", ["v12", "v1", "2"]),
        ("don't", ["dont"]),
        ("don’t", ["dont"]),
        ("Ends with a dot.", ["end", "with", "a", "dot"]),
        ("café", ["cafe"]),
        ("Straße", ["strass"]),
        ("ﬁle Ａ", ["file", "a"]),
        ("日本語", ["日本", "本語"]),
        ("日", ["日"]),
        ("python日本", ["python", "日本"]),
        ("ship it 🚀", ["ship", "it", "🚀"]),
        ("שלום עולם", ["שלום", "עולם"]),
        ("", []),
        ("!?… ---", []),
    ],
)
def test_terms(text: str, terms: list[str]) -> None:
    """C132: words, stems, identifiers whole and split, scripts without spaces in pairs."""
    assert analyzer.terms(text) == terms


def test_spellings_of_one_identifier_meet() -> None:
    """C132: whoever writes it differently still finds it."""
    spellings = {tuple(analyzer.terms(text)) for text in ("user_table", "userTable", "user-table", "UserTable")}

    assert len(spellings) == 1


def test_a_query_leaves_common_words_out_while_it_has_others() -> None:
    """C138: `how do I deploy the site` asks for two words."""
    assert analyzer.query_terms("how do I deploy the site, the site?") == ["deploy", "site"]
    assert analyzer.query_terms("to be") == ["to", "be"]


@given(st.text(max_size=200))
def test_every_term_is_letters_and_digits(text: str) -> None:
    """C138: FTS5's tokenizer takes a term as it is, so both engines count the same things."""
    for term in analyzer.terms(text):
        assert term
        assert not set(term) & set(string.whitespace + string.punctuation)


@given(st.text(alphabet=string.ascii_letters + string.digits + " ,;:!?()", max_size=200))
def test_plain_text_takes_the_short_way_to_the_same_terms(text: str) -> None:
    """C138: the way without regular expressions and the long way agree."""
    lower = text.lower()

    assert analyzer.terms(lower) == analyzer._stems(analyzer._words(lower, analyzer._WORD))


@given(st.text(max_size=60))
def test_both_indexes_hold_exactly_these_terms(text: str) -> None:
    """C138: what the analyzer says is what the store's index counts."""
    terms = analyzer.terms(text)

    assert " ".join(terms).split(" ") == (terms or [""])


def test_the_store_indexes_what_the_analyzer_says(memory: Memory) -> None:
    """C132: term by term, from its own vocabulary."""
    intent = "Déploy my_func to 日本語 v1.2 🚀 — don't wait"
    memory.record(intent, 1)

    indexed = {str(term) for (term,) in memory.store.query("select term from experiences_vocabulary")}

    assert indexed == set(analyzer.terms(intent))
