"""A later value of one thing takes the earlier one back; nothing else is ever taken back."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experience.capture.claims import Claim, claim, supersedes
from experience.capture.likeness import same

YES = """
The staging database is called heron | The staging database is called osprey
The staging database is called heron | The name of the staging database is osprey
Our staging db is named heron | The staging database is called osprey now
Acme was founded by Ana Ruiz | Acme was founded by Lee Park
The API listens on port 8080 | The API listens on port 9090
The API listens on 8080 | the api now listens on port 9090
We use Postgres 15 for billing | We use Postgres 16 for billing
We use Postgres for billing | We use MySQL for billing
Deploys go out on Tuesdays | Deploys go out on Thursdays
My manager is Ana | My manager is Bob
Ana is my manager | My manager is Bob
The headquarters of Acme is in Oslo | The headquarters of Acme is in Bergen
Kim Lee is married to Jo Park | Kim Lee is married to Sam Hill
I prefer tabs | I prefer spaces
I prefer tabs over spaces | I prefer spaces over tabs
I prefer dark mode | I prefer light mode
Max line length is 100 | Max line length is 120
The maximum line length is 100 characters | The maximum line length is 120 characters
use pnpm, not npm | use yarn, not npm
Use pnpm instead of npm | use npm instead of pnpm
Always use yarn | always use pnpm
The default branch is main | The default branch is trunk
Default branch: main | Default branch: trunk
The owner of billing is Ana | The owner of billing is Bob
Ana owns billing | Bob owns billing
Ana owns billing | The owner of billing is Bob
Billing is owned by the payments team | Billing is owned by the platform team
Python version is 3.11 | Python version is 3.12
We are on Django 4.2 | We are on Django 5.0
The service runs on Python 3.11 | The service runs on Python 3.12
The project requires Python 3.11 | The project requires Python 3.12
The test command is `make test` | The test command is `tox`
The config lives in src/config | The config lives in etc/config
The config file is in src/config | The config file is in etc/app
Logs are stored in /var/log/app | Logs are stored in /srv/log
The timeout is 30 seconds | The timeout is 60 seconds
The request timeout for uploads is 30s | The request timeout for uploads is 60s
The rate limit is 100 requests per minute | The rate limit is 500 requests per minute
The standup is at 9:30 | The standup is at 10:00
Standup is at 9:30 | Standup is at 10
The retro is every two weeks | The retro is every month
Ana is the tech lead for mobile | Bob is the tech lead for mobile
My timezone is Europe/Berlin | My timezone is Asia/Tokyo
I live in Berlin | I live in Oslo
I work at Acme | I work at Globex
My name is Sam | My name is Alex
I am based in Berlin | I'm based in Lisbon
Dark mode is enabled | Dark mode is disabled
Telemetry is on | Telemetry is off
Always squash commits | Never squash commits
Never push to main | Push to main
The API's base URL is https://a.example.com | The API's base URL is https://b.example.com
The capital of Freedonia is Sylvania | The capital of Freedonia is Marxville
Freedonia's capital is Sylvania | The capital of Freedonia is Marxville
The frontend is written in TypeScript | The frontend is written in Elm
The release branch is release/1.2 | The release branch is release/1.3
The CEO of Acme is Ana | The CEO of Acme is Lee
Lee Park plays the position of goalkeeper | Lee Park plays the position of striker
The director of Night Train is Ana Ruiz | Night Train was directed by Lee Park
The genre of Night Train is thriller | The genre of Night Train is comedy
Ana Ruiz was born in Oslo | Ana Ruiz was born in Bergen
Ana Ruiz is a citizen of Norway | Ana Ruiz is a citizen of Chile
We deploy on Fridays | We deploy on Mondays
Backups run every night | Backups run every week
Backups run daily | Backups run weekly
The app is hosted on AWS | The app is hosted on Hetzner
Secrets are stored in Vault | Secrets are stored in AWS Secrets Manager
The minimum password length is 8 | The minimum password length is 12
The cache TTL is 5 minutes | The cache TTL is 10 minutes
MAX_RETRIES=3 | MAX_RETRIES=5
max_retries is set to 3 | max_retries is set to 5
The primary color is blue | The primary color is green
Our issue tracker is Jira | Our issue tracker is Linear
The build tool is make | The build tool is just
Commits should be written in English | Commits should be written in German
Releases are cut from main | Releases are cut from stable
The staging URL is staging.example.com | The staging URL is stage.example.org
Use 2 spaces for indentation | Use 4 spaces for indentation
Use Ruff for linting | Use Flake8 for linting
We use Terraform for infrastructure | We use Pulumi for infrastructure
Ana reports to Bob | Ana reports to Kim
The mascot of Acme is Blinky | The mascot of Acme is Zed
The database password rotates every 30 days | The database password rotates every 90 days
Invoices are due on the 1st | Invoices are due on the 15th
The worker pool has 4 workers | The worker pool has 8 workers
The deadline is May 5 | The deadline is June 7
The linter is ruff | The linter is flake8
Tests live in tests/unit | Tests live in spec/unit
My favorite color is blue | My favorite color is green
We target Node 20 | We target Node 22
Prices are stored in cents | Prices are stored in euros
Line endings are LF | Line endings are CRLF
I like coriander | I dislike coriander
""".strip().splitlines()

MAYBE = """
Ana speaks French | Ana speaks German
My brother is Tom | My brother is Jim
My dog is Rex | My dog is Max
My friend is Ana | My friend is Bob
The API depends on Redis | The API depends on Postgres
The app supports Linux | The app supports macOS
The bug is in parser.py | The bug is in lexer.py
The fix was written by Ana | The fix was written by Bob
I am allergic to nuts | I am not allergic to nuts
The default database is Postgres | The default database is Postgres 15
Ana Ruiz worked in the city of Oslo | Ana Ruiz worked in the city of Bergen
I like spicy food | I like mild food
Visitors from abroad enter through Gate 4 | Visitors from abroad enter through Gate 7
""".strip().splitlines()

NO = """
I like jazz | I like football
I like tea | I like coffee
Yesterday we moved to Oslo | Yesterday we moved to Bergen
Ana: I went hiking yesterday! | Ana: I went swimming yesterday!
What is the port of the API? | The port of the API is 8080
The port is 8080 in staging | The port is 9090 in production
In staging the port is 8080 | In production the port is 9090
The API listens on port 8080 | The admin UI listens on port 9090
The best editor is vim | The best editor is emacs
I think the port is 80 | I think the port is 81
It is located in Oslo | It is located in Bergen
She is married to Tom | She is married to Jim
The team is happy | The team is tired
The database is slow | The database is big
The standup is at 9:30 | The standup is on Mondays
The store opens at 9 | The store closes at 18
Ana founded Acme | Ana founded Globex
Ana owns billing | Ana owns search
We use Redis for caching | We use Postgres for billing
We use Redis | We use Postgres
We use npm | We use pip
The service is written in Go | The service was written in 2019
Ana was born in Oslo | Ana was born in 1980
The problem is memory | The problem is disk
A member of the team is Ana | A member of the team is Bob
Some tests are written in Ruby | Some tests are written in Go
We met at 10 | We met at 11
The lake is in Peru | The hill is in Chile
Oslo is located in the continent of Europe | Oslo is located in the country of Norway
The API uses Postgres | The API uses Redis
The port is 8080. The host is db1. | The port is 8081. The host is db1.
Run the tests before pushing | Run the tests after pushing
I have a dog | I have a cat
I enjoy running on Sundays | I enjoy running on Mondays
The reason is latency | The reason is cost
One option is Redis | One option is Kafka
The movie was great | The movie was bad
Jim is a friend of Ana | Tom is a friend of Ana
The default port is 8080 | The debug port is 8080
John is 35 | John is tall
The first step is install | The next step is deploy
Use tabs in Makefiles | Use spaces in Python
Use black for formatting | Use ruff for linting
The author of Moon Song is Ana | The author of Sun Song is Ana
I was in Paris | I was in Rome
The winner is Ana | The loser is Ana
Thanks, that works great! | Thanks, that works fine!
We went to Oslo last week | We went to Bergen last week
The build failed today | The build passed today
Maybe the port is 8080 | Maybe the port is 9090
You should call your mother | You should call your father
The cat sat on the mat | The cat sat on the bed
Each team is led by Ana | Each team is led by Bob
The value of x is big | The value of x is bad
Sounds like a plan | Sounds like a trap
I love the ocean | I love the desert
""".strip().splitlines()

NOTHING = """
What port does the API use?
Which database is the billing database?
Thanks!
Ana: I went hiking yesterday!
Yesterday we moved to Oslo
Last week the port was 8080
I think the port is 8080
The port might be 8080
It is called heron
She is married to Tom
They were founded by Ana
Some services are written in Go
The port is not 8080
The port is 8080. The host is db1.
The best editor is vim
The weather is nice
The team is happy
The build is broken
I am tired
I have no doubt that it works
""".strip().splitlines()

ONE_KEY = """
The port of the API is 8080 | The API's port is 9090 | The API port is 7070
Ana is the owner of billing | Bob owns billing | The owner of billing is Cy
My manager is Ana | Bob is my manager | Currently my manager is Cy
The staging database is called heron | The name of the staging database is osprey | Our staging DB is named kite
Default branch: main | The default branch is trunk | Note that the default branch is now dev
Use npm | Use pnpm, not npm | We use yarn instead of npm
I prefer tabs | We use spaces | Use tabs for indentation
""".strip().splitlines()

WORDS = st.sampled_from(
    """the is port of my use prefer over not , ( ) ; : ' " ` in at on 5 Ana I we called named and 's every day each
    9:30 — owns = x_y=3 The to for tabs Never ? ! . [ are has 4 never always like dislike""".split()
)
TEXTS = st.one_of(st.lists(WORDS, max_size=10).map(" ".join), st.text(st.characters(exclude_categories=())))


def rows(lines: list[str]) -> list[list[str]]:
    return [line.split(" | ") for line in lines]


@pytest.mark.parametrize(("old", "new"), rows(YES))
def test_another_value_of_the_same_thing_takes_the_old_one_back(old: str, new: str) -> None:
    """C177: ports, versions, names, owners, paths, branches, tools, limits, schedules, roles, the wider world."""
    assert supersedes(new, old) == supersedes(old, new) == "yes"


@pytest.mark.parametrize(("old", "new"), rows(MAYBE))
def test_what_may_hold_beside_the_other_is_for_a_person_to_judge(old: str, new: str) -> None:
    """C177."""
    assert supersedes(new, old) == supersedes(old, new) == "maybe"


@pytest.mark.parametrize(("old", "new"), rows(NO))
def test_what_speaks_of_something_else_takes_nothing_back(old: str, new: str) -> None:
    """C177: a wrong answer here hides a truth."""
    assert supersedes(new, old) == supersedes(old, new) == "no"


@pytest.mark.parametrize("text", NOTHING)
def test_questions_chatter_events_beliefs_and_traits_are_no_claims(text: str) -> None:
    """C177."""
    assert claim(text) is None


def test_two_lines_are_more_than_one_claim() -> None:
    """C177: taking one back would hide the other."""
    assert claim("The port is 8080") is not None
    assert claim("The port is 8080\nThe host is db1") is None


@pytest.mark.parametrize("texts", rows(ONE_KEY))
def test_one_thing_has_one_key_however_it_is_put(texts: list[str]) -> None:
    """C177: so that a store may look a claim up by its key."""
    claims = [claim(text) for text in texts]

    assert all(found is not None and found.sure for found in claims)
    assert len({found.key for found in claims if found}) == 1
    assert len({found.value for found in claims if found}) > 1


def test_a_claim_names_what_it_gives_a_value_to() -> None:
    assert claim("The API listens on port 8080") == Claim(key="port | api", value="8080", sure=True)
    assert claim("Ana speaks French") == Claim(key="language-spoken | ana", value="french", sure=False)


def test_where_and_when_it_holds_is_part_of_what_is_claimed() -> None:
    """C177: two values under two circumstances are both true."""
    staging, production = claim("The port is 8080 in staging"), claim("The port is 9090 in production")

    assert staging is not None
    assert production is not None
    assert staging.key != production.key
    assert supersedes("The port is 7070 in staging", "The port is 8080 in staging") == "yes"


def test_a_reason_is_no_part_of_the_value() -> None:
    plain, reasoned = claim("The timeout is 30s"), claim("The timeout is 30s because uploads are slow")

    assert plain == reasoned


def test_the_same_words_again_take_nothing_back() -> None:
    """C177: learning it again reinforces."""
    assert supersedes("the default branch is MAIN.", "Please note that the default branch is main") == "no"


@given(TEXTS, TEXTS)
def test_any_two_texts_have_an_answer_and_the_same_is_never_taken_back(one: str, other: str) -> None:
    """Emoji, scripts without spaces and lone surrogates too; the order of asking is nothing."""
    answer = supersedes(one, other)

    assert answer == supersedes(other, one)
    assert answer in ("yes", "maybe", "no")
    assert not (same(one, other) and answer != "no")


@given(st.integers(0, 99_999), st.integers(0, 99_999))
def test_a_number_given_anew_takes_back_exactly_another_number(old: int, new: int) -> None:
    answer = supersedes(f"The API listens on port {new}", f"The API listens on port {old}")

    assert answer == ("no" if old == new else "yes")


def test_nothing_but_the_standard_library_is_loaded() -> None:
    """A hook may ask for a claim: it must not pay for an analyzer."""
    heavy = ("regex", "Stemmer", "numpy")
    code = f"import sys, experience.capture.claims; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
