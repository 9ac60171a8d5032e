"""Invented secrets: the examples of every kind, filled with random characters, in the places where secrets stand.

`python -m tests.secret_samples` prints the table of docs/secrets.md.
"""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from experience.capture.secrets import KINDS

HOLE = re.compile(r"<(\d+|uuid)(?: (\w+))?>")
ALNUM = string.ascii_letters + string.digits
ALPHABETS = {
    "": ALNUM,
    "hex": "0123456789abcdef",
    "upper": string.ascii_uppercase + string.digits,
    "lower": string.ascii_lowercase + string.digits,
    "digits": string.digits,
    "base32": "abcdefghijklmnopqrstuvwxyz234567",
    "base58": "".join(sorted(set(ALNUM) - set("0OIl"))),
    "base64": ALNUM + "+/",
    "url": ALNUM + "-_",
    "letters": string.ascii_lowercase,
}
WORDS = "ocean marble copper lantern velvet harvest timber saddle orchid pepper window riddle anchor canyon".split()

PLACES = {  # where a token may stand; what the place itself gives away is tested by the kinds of places
    "bare": "{}",
    "quoted": '"{}"',
    "code": 'client = Client("{}", timeout=3)',
    "environment": "export SERVICE_VALUE={}",
    "json": '{{"a": 1, "value": "{}"}}',
    "escaped": '{{\\"value\\": \\"{}\\",\\n\\"b\\": 2}}',
    "yaml": "service:\n  value: {}\n  retries: 3",
    "address": "https://api.host.com/v1/items?page=2&value={}&size=10",
    "markdown": "Run it with `{}` please.",
    "prose": "I used {} for it, and it worked.",
    "unicode": "日本語「{}」です",
    "lines": "first line\n{}\nlast line",
}
PLAIN = tuple(
    r"""
the password is required
The password is hashed with bcrypt before it is stored.
password: str
password: str | None = None
password = getpass.getpass()
password = getpass("Password: ")
self.password = password
self._token = token
token = next(tokens)
token = self.request.headers.get("X-Token")
connect(user=user, password=password)
client = Client(api_key=os.environ["API_KEY"])
api_key = os.getenv("OPENAI_API_KEY")
const apiKey = process.env.API_KEY;
password: ${DB_PASSWORD}
password: "{{ vault_db_password }}"
PASSWORD=$PASSWORD
export TOKEN=$(cat /run/secrets/token)
API_KEY=<your api key>
API_KEY=your-api-key-here
api_key: YOUR_API_KEY
password: ********
password=xxxxxxxx
token: null
"token": "string"
max_tokens=4096
max_tokens: 800
num_tokens = len(tokens)
tokenizer = Tokenizer.from_file("tokens.json")
token_count: int = 0
secret_name: db-login
The secret of good tests is patience.
The key is to start small.
press any key to continue
key = lambda row: row.name
sorted(rows, key=lambda row: row[1])
primary key (id, created_at)
foreign key (user_id) references users (id)
public_key_path = "~/.ssh/id_ed25519.pub"
keyboard: us
author: Jane Doe
authors = ["Jane Doe <jane@mail.com>"]
auth = HTTPBasicAuth(user, password)
auth: none
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
headers = {"Authorization": f"Bearer {token}"}
add an Authorization header with a bearer token
curl -u "$USER:$PASSWORD" https://api.host.com
curl https://api.host.com/v1/items
docker run -p 8080:80 nginx
mkdir -p src/components/forms
git clone https://github.com/someone/project.git
git clone git@github.com:someone/project.git
ssh me@host.local
https://user@host.com/path
http://localhost:8000/@scope/package
https://host.com/search?q=token+ring&page=2
https://host.com/docs#password-reset
https://www.video.com/watch?v=dQx4w9WgXcB&t=42s
https://docs.host.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit
postgres://localhost:5432/shop
postgres://app:${DB_PASSWORD}@db:5432/shop
redis://cache:6379/0
commit 3f786850e387550fdab836ed7e6dc881de23001b
Revert "3f78685: faster start"
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
md5 = d41d8cd98f00b204e9800998ecf8427e
ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
request id 1b4e28ba-2fa1-11d2-883f-0016d3cca427
session=1b4e28ba-2fa1-11d2-883f-0016d3cca427
"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="
github.com/x/y v1.2.3 h1:Xk2nPZkz3hTqv5mGk3mQ2xKc8r1pYb7sWd4uJfHq0aE=
background: url(data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4)
/usr/lib/python3.11/site-packages/numpy/core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so
C:\Users\Jane\AppData\Local\Programs\Python\Python311
from experience.capture.secret_kinds.shape import Kind
import { createAsyncThunk } from "@reduxjs/toolkit/query/react"
def test_a_very_long_name_of_a_test_that_says_what_it_promises_2():
getElementsByClassNameAndAttributeValue2
XMLHttpRequestEventTargetPrototypeFactory
convertUtf8ToUtf16AndBackAgain64
CamelCaseIdentifierWithSomeNumbers123And456
SOME_VERY_LONG_CONSTANT_NAME_WITH_NUMBERS_2_AND_3
some-very-long-kebab-case-class-name-with-2-numbers
.btn-primary:hover{color:#3498db;box-shadow:0 2px 4px rgba(0,0,0,.25)}
!function(e,t){"use strict";var n=e.document,r=n.createElement("div")}(window)
grid-template-columns: repeat(auto-fill, minmax(240px, 1fr));
color: #a1b2c3d4; width: calc(100% - 2rem)
x86_64-unknown-linux-gnu
2026-11-18T03:00:00.000000+00:00
version 1.2.3-beta.4+build.5678
abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789
==================== 12 passed in 3.45s ====================
0x7ffee4b5a8c0 <main+16>
Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod
The password must have at least 12 characters and one digit.
Forgot your password? Reset it here.
Password: required
the token expires after 15m
the token is invalid
the access token is short-lived
the api key is missing
We rotate the key every 90 days
use RS256 as the token algorithm
Login with your password and the code we sent.
my password is not working
I forgot the password for the staging server
the private key is stored in the vault
the old pin is on the board, pin 12 is ground
-----BEGIN CERTIFICATE-----
the file starts with -----BEGIN PRIVATE KEY----- and ends soon
the pass rate is 98 percent
pass: 12, fail: 3
bypass = True
compass: north
secret: true
cookie: accepted
[secret:jwt]
password=[secret:credential]
""".strip().split("\n")
)

NOT_IN = {  # an unknown random text in an address is most often a public identifier
    "high-entropy": {"address"},
}


class Sample(NamedTuple):
    """A text with a secret in it, and the random parts that may not survive."""

    kind: str
    place: str
    text: str
    parts: tuple[str, ...]


def samples(seed: int = 7) -> Iterator[Sample]:
    """Every kind's every example in every place it may stand."""
    random = Random(seed)
    for kind in KINDS:
        for example in kind.examples:
            for place, form in PLACES.items():
                if fits(kind.name, example, place):
                    secret, parts = filled(example, random)
                    yield Sample(kind.name, place, form.format(secret), parts)


def fits(kind: str, example: str, place: str) -> bool:
    """Whether an example makes sense in a place: what is a token may stand anywhere, what is a statement may not."""
    token = not re.search(r"[\s\"'=:?]", HOLE.sub("", example)) or kind == "telegram-bot-token"
    return (place in ("bare", "lines") or token) and place not in NOT_IN.get(kind, set())


def filled(template: str, random: Random) -> tuple[str, tuple[str, ...]]:
    """The template with its holes filled, and what they were filled with."""
    parts: list[str] = []

    def fill(hole: re.Match[str]) -> str:
        parts.append(chosen(hole[1], hole[2] or "", random))
        return parts[-1]

    return HOLE.sub(fill, template), tuple(parts)


def chosen(length: str, alphabet: str, random: Random) -> str:
    """Random characters that hold every class of their alphabet, as nearly all long random texts do."""
    if length == "uuid":
        return "-".join(chosen(str(part), "hex", random) for part in (8, 4, 4, 4, 12))
    if alphabet == "words":
        return " ".join(random.choice(WORDS) for _ in range(int(length)))
    while True:
        text = "".join(random.choice(ALPHABETS[alphabet]) for _ in range(int(length)))
        if int(length) < 8 or varied(text, alphabet):
            return "k" + text[1:-1] + "Q" if {text[0], text[-1]} & set("-_+/") else text


def varied(text: str, alphabet: str) -> bool:
    """Whether digits and letters of each case that the alphabet has are there, digits twice."""
    classes = [string.digits, string.ascii_lowercase, string.ascii_uppercase]
    wanted = [each for each in classes if set(each) & set(ALPHABETS[alphabet])]
    if "2" in ALPHABETS[alphabet] and sum(map(str.isdigit, text)) < 2:
        return False
    return all(set(each) & set(text) for each in wanted)


def survivors(parts: tuple[str, ...], text: str, width: int = 8) -> list[str]:
    """The windows of the random parts that still stand in the text; short parts count as a whole."""
    windows = (part[at : at + width] for part in parts for at in range(max(1, len(part) - width + 1)))
    return [window for window in windows if len(window) >= 4 and window in text]


def table() -> str:
    """The kinds as a table in Markdown."""
    rows = ["| kind | what it is | for example |", "|---|---|---|"]
    for kind in KINDS:
        example = kind.examples[0].replace("\n", "⏎").replace("|", "\\|")
        rows.append(f"| `{kind.name}` | {kind.what} | `{example}` |")
    return "\n".join(rows)


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
