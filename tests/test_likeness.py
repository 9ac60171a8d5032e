"""Two texts that say the same are one memory; two that differ in anything that matters never are."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experience.capture.likeness import fingerprint, gist, same

TYPED_ALIKE = """
Use tabs in Makefiles. | use   tabs in makefiles
Use tabs in Makefiles | USE TABS IN MAKEFILES!
Please use tabs | use tabs
Note that the build is slow | The build is slow
Note: the build is slow | the build is slow
Keep in mind that Ana owns search | Ana owns search
FYI, the cache is cold | the cache is cold
- Run the linter | Run the linter
* Run the linter | Run the linter
## Run the linter | Run the linter
**Run** the linter | Run the linter
Run *all* tests | run all tests
Run `make test` | run make test
Don't rebase | dont rebase
Don’t rebase | Don't rebase
The café opens at 9 | The cafe\u0301 opens at 9
The ﬁle is large | The file is large
It’s “heron” | It's "heron"
""".strip().splitlines()

SAME = """
Do not rebase shared branches | Don't rebase shared branches
We cannot deploy on Fridays | We can't deploy on Fridays
The staging DB is called heron | The staging database is named heron
Put the docs in the repo | Put documentation in the repository
Our config is in YAML | Our configuration is in YAML
Use Postgres for billing | Use PostgreSQL for billing
The prod env is in Oslo | The production environment is in Oslo
A build needs a clean checkout | The build needs a clean checkout
The favourite colour is grey | The favorite color is gray
Logs of errors go to S3 in staging | Logs of errors go in staging to S3
Send alerts to the channel on errors | Send alerts on errors to the channel
Currently the API is slow | The API is currently slow
The difference between A1 and B2 is small | The difference between B2 and A1 is small
I'm allergic to nuts | I am allergic to nuts
We use k8s | We use Kubernetes
Keep functions short | Just keep functions short
It's the test that fails on CI | It's the test which fails on CI
How do I rotate the API key? | How can I rotate the API keys?
How does one rotate the API key? | What is the best way to rotate the API key?
What is a mutex? | What's a mutex?
Which books on distributed systems are best? | What are the best books about distributed systems?
How do I learn Rust quickly as a beginner developer | How can I learn Rust as a beginner developer?
""".strip().splitlines()

DIFFERENT = """
The timeout is 30 seconds | The timeout is 60 seconds
Use Python 3.11 | Use Python 3.12
Use version 1.2.0 | Use version 1.2
The limit is 10 MB | The limit is 10 GB
The area is 10² | The area is 102
Rebase shared branches | Do not rebase shared branches
Always rebase | Never rebase
Deploy with a review | Deploy without a review
Enable the cache | Disable the cache
Telemetry is on | Telemetry is off
The flag is true | The flag is false
Run the linter before the tests | Run the linter after the tests
We want more retries | We want fewer retries
Give me less output | Give me more output
The API depends on the queue | The queue depends on the API
Ana reports to Bob | Bob reports to Ana
Copy the rows from staging to production | Copy the rows from production to staging
Run it not in staging, in production | Run it not in production, in staging
Use tabs, not spaces | Use spaces, not tabs
The owner of billing is Ana | The owner of billing is Bob
The branch is called main | The branch is called trunk
The port of the API is 8080 | The port of the admin page is 8080
We use tabs | We use tabs?
I own the billing code | You own the billing code
The API was slow | The API is slow
All tests pass | Some tests pass
Only Ana may merge | Ana may merge
Tests must pass | Tests may fail
Look in src/app | Look in src/api
Call load_user | Call load_users2
Pass -v to tar | Pass -V to tar
The name is `Heron` | The name is `heron`
The label is "To Do" | The label is "to do"
Match *.py | Match .py
Ignore __init__ | Ignore init
Wait 5 minutes | Wait 5 hours
It costs 5 | It costs -5
Add the user | Remove the user
Ship on Monday | Ship on Tuesday
Build with make | Build with ninja
The HTTP port is open | The HTTPS port is open
The news is old | The new is old
The windows are blue | The window is blue
Unless asked, push | If asked, push
Ana likes Bob | Bob likes Ana
How did the shop do in 2019? | How did the shop do in 2020?
How do I move from Oslo to Lima next summer? | How do I move from Lima to Oslo next summer?
Why do people like long meetings? | Why do people not like long meetings?
What are the benefits of daily coffee? | What are the risks of daily coffee?
How do I brew coffee without a filter machine? | How do I brew coffee with a filter machine?
What should I read before the first job interview? | What should I read after the first job interview?
""".strip().splitlines()

SIMPLE = st.lists(st.sampled_from("run the tests before every merge on trunk with 3 workers never".split()), min_size=1)


def pairs(lines: list[str]) -> list[tuple[str, str]]:
    return [(left, right) for left, right in (line.split(" | ") for line in lines)]


@pytest.mark.parametrize(("left", "right"), pairs(TYPED_ALIKE))
def test_how_a_text_is_typed_is_no_part_of_what_it_says(left: str, right: str) -> None:
    """C177: case, space, marks, decoration and politeness."""
    assert fingerprint(left) == fingerprint(right)
    assert same(left, right)


@pytest.mark.parametrize(("left", "right"), pairs(SAME))
def test_one_may_stand_for_the_other(left: str, right: str) -> None:
    """C177."""
    assert same(left, right)


@pytest.mark.parametrize(("left", "right"), pairs(DIFFERENT))
def test_what_differs_in_anything_that_matters_is_kept_apart(left: str, right: str) -> None:
    """C177: numbers, versions, negations, names, quoted values, directions and content words."""
    assert not same(left, right)
    assert fingerprint(left) != fingerprint(right)


def test_a_fingerprint_is_short_and_always_the_same() -> None:
    assert fingerprint("Use tabs.") == fingerprint("Use tabs.")
    assert len(fingerprint("x" * 100_000)) == len(fingerprint("")) == 24


@given(SIMPLE, st.data())
def test_case_and_space_never_change_a_fingerprint(words: list[str], data: st.DataObject) -> None:
    """C177."""
    spaced = "".join(word + data.draw(st.sampled_from([" ", "  ", "\t", "\n"])) for word in words)
    noisy = "".join(data.draw(st.sampled_from([letter, letter.upper()])) for letter in spaced)

    assert fingerprint(noisy) == fingerprint(" ".join(words))


@given(SIMPLE, SIMPLE)
def test_being_the_same_does_not_depend_on_who_is_asked_first(left: list[str], right: list[str]) -> None:
    a, b = " ".join(left), " ".join(right)

    assert same(a, a)
    assert same(a, b) == same(b, a) == (gist(a) == gist(b))


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_at_all_has_a_fingerprint_and_equals_itself(text: str) -> None:
    """Emoji, scripts without spaces and lone surrogates too."""
    assert same(text, text)
    assert len(fingerprint(text)) == 24
    assert fingerprint(f" {text}\n") == fingerprint(text)


@given(SIMPLE, st.integers(0, 99), st.integers(0, 99))
def test_another_number_is_another_statement(words: list[str], one: int, other: int) -> None:
    left, right = (f"{' '.join(words)} {number}" for number in (one, other))

    assert same(left, right) == (one == other)


def test_nothing_but_the_standard_library_is_loaded() -> None:
    """A hook may ask for a fingerprint: it must not pay for an analyzer."""
    heavy = ("regex", "Stemmer", "numpy")
    code = f"import sys, experience.capture.likeness; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
