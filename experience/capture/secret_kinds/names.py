"""Secrets that their name gives away: `NAME=value` in code, JSON, YAML, settings, shells."""

from __future__ import annotations

from experience.capture.secret_kinds.promises import credential, expression, group, harmless, value_like
from experience.capture.secret_kinds.randomness import compiled
from experience.capture.secret_kinds.shape import QUOTE, Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

_LEFT = r"[\w.$-]{0,60}$"
_QUALIFIER = r"(?i)\b(?:api|access|secret|private|signing|encryption|master|account|auth|license)[ ]$"
_SETTER = r"(?i)(?:define|setenv|putenv|set|put|setproperty|setitem)\([\"']$"
_LOOSE = (",", "(", "|")  # they also separate what belongs to no name


def _assigned(match: Match[str]) -> bool:
    """Whether an assignment gives a secret its value."""
    start, quoted = _name_start(match), match["s1"] is not None
    name = match.string[start : match.start()] + match["name"]
    value = match["s1"] if quoted else match["s2"].rstrip(".:!?")
    if match["sep"] in (",", "(") and not (quoted and (match["close"] or match["sep"] == "(")):
        return False
    if quoted:
        weak = not _same(name, value) and (match["sep"] not in _LOOSE or _set(match, start))
    else:
        if _same(name, value) or expression(value):
            return False
        weak = _plain(match, start, name)
    return credential(group(name), value, weak=weak)


def _name_start(match: Match[str]) -> int:
    """Where the whole name begins: `DB_` before `PASSWORD`, `api ` before `key`."""
    text, start = match.string, match.start()
    left = compiled(_LEFT).search(text, max(0, start - 60), start)
    at = left.start() if left else start
    if at < start or match["name"].lower() != "key":
        return at
    words = compiled(_QUALIFIER).search(text, max(0, start - 20), start)
    return words.start() if words else at


def _set(match: Match[str], start: int) -> bool:
    """Whether a call such as `define("PASSWORD", "…")` stores the pair."""
    return compiled(_SETTER).search(match.string, max(0, start - 20), start) is not None


def _same(name: str, value: str) -> bool:
    """Whether a value only repeats its name, as keyword arguments do."""
    words = set(compiled("[a-z]+").findall(value.lower()))
    known = {"self", "new", "old", "my", "the", "arg", "user", *compiled("[a-z]+").findall(name.lower())}
    return bool(words) and words <= known


def _plain(match: Match[str], start: int, name: str) -> bool:
    """Whether an unquoted value is one by its place: a file of settings, a form, an option."""
    text, end, gap = match.string, match.end(), match["gap"]
    if "\n" in gap or match["sep"] == "|":
        return gap.lstrip()[:1] in ("|", ">")
    if name.isupper() and gap == "":
        return True
    line = text[max(0, start - 12) : start].rsplit("\n", 1)[-1].strip(" \t-*>\"'`")
    alone = line in ("", "export", "set", "env", "$env:") or line.endswith((";", "&", "?", "\\n"))
    rest = text[end : end + 80].split("\n", 1)[0].strip(" \t\"'`\\,;")
    ends = not text[end : end + 1].strip() or text[end] in "\"'`&;\\,<"
    return ends and alone and (gap == "" or not rest or rest.startswith("#")) and value_like(match["s2"])


def _setting(match: Match[str]) -> bool:
    """Whether a whole line of settings holds a secret."""
    return not harmless(match["s1"]) and credential(group(match["name"]), match["s1"], weak=True)


_NAME = r"(?P<name>(?:pass|pwd|pw|psw|secret|token|key|cred|auth|cookie|jwt|bearer|pin|otp)[\w-]{0,30}+)"
_CLOSE = rf"(?P<close>(?:{QUOTE})?[\])]{{0,2}}\*{{0,2}})"
_TYPE = r"(?:[ \t]{0,3}:[ \t]{0,2}[a-z_&][\w.\[\]|&' ]{0,30}(?==))?"
_SEPARATOR = r"[ \t]{0,12}(?P<sep>=>|:=|[=!]==?|=|:(?!:)|->|[,|(])\*{0,2}"
_GAP = r"(?P<gap>[ \t]{0,12}(?:(?:[|>][-+]?[ \t]{0,4})?\r?\n[ \t]{0,16})?)"
_QUOTED = rf"[bfru@]{{0,2}}(?P<q>{QUOTE})(?P<s1>(?:(?!(?P=q))(?:\\[^\r\n]|[^\r\n\\])){{1,400}})(?P=q)"
_PLAIN = r"[^\s\"'`<>,;&(){}\[\]\\|]"
_INSIDE = (  # a mark that ends a value unless the value goes on behind it
    r"(?:[,;&(){}\[\]|](?=[^\s\"'`<>,;&(){}\[\]|\\])(?![A-Za-z_][\w .-]{0,30}[=:])|\\(?=[^nrtu\"'`\s\\]))"
)
_BARE = rf"(?P<s2>{_PLAIN}{{1,200}}+(?:{_INSIDE}{_PLAIN}{{1,200}}+){{0,12}}+)"
_CAPITALS = (
    r"(?P<name>[A-Z][A-Z0-9_]{0,40}(?:PASS|PWD|SECRET|TOKEN|KEY|CRED|AUTH)[A-Z0-9_]{0,30}"
    r"|(?:PASS|PWD|SECRET|TOKEN)[A-Z0-9_]{0,30})"
)

NAMES = (
    Kind(
        name="setting", what="value of a line in capitals, to the end of the line",
        triggers=("pass", "pwd", "secret", "token", "key", "cred", "auth"),
        pattern=rf"(?m)^[ \t]{{0,8}}(?:export[ \t]{{1,4}}|- )?{_CAPITALS}=(?P<s1>(?:(?!\\[nr])[^\s\"'`]){{4,1000}})",
        examples=("DB_PASSWORD=<16>", "- API_SECRET=<8>,<8>", "DB_PASSWORD=a&<8>;<8>"),
        proof=_setting, long=False,
    ),
    Kind(
        name="credential", what="value under a name such as password, secret, token, api_key, in any notation",
        triggers=("pass", "pwd", "pw", "psw", "secret", "token", "key", "cred", "auth", "cookie", "jwt", "bearer",
        "pin",
                  "otp"),
        pattern=f"(?i){_NAME}{_CLOSE}{_TYPE}{_SEPARATOR}{_GAP}(?:{_QUOTED}|{_BARE})",
        examples=('password = "<14>"', "api_key: <32>", '{"client_secret": "<24>"}', '{\\"password\\": \\"<14>\\"}',
                  "export SECRET_TOKEN='<32>'", '$env:API_KEY = "<32>"', 'os.environ["APP_SECRET"] = "<24>"',
                  "spring.datasource.password=<14>", "Server=db;User Id=sa;Password=<14>;Database=x",
                  "**Password:** <14>", "encryption key: <40 base64>", "password: |\n    <16>", 'setPassword("<14>")',
                  "| password | <14> |", "password:\n  <14>", "let password: &str = \"<14>\";"),
        proof=_assigned, long=False,
    ),
)  # fmt: skip
