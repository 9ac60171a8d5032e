"""Secrets that their name gives away: `NAME=value` of every shape, and what people say in plain sentences."""

from __future__ import annotations

import re

from experience.capture.secret_kinds.randomness import random_looking
from experience.capture.secret_kinds.shape import QUOTE, Kind, secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_NEUTRAL = frozenset(  # what may follow the noun in a name that still names a secret
    "value val prod production dev development staging stage test live old new current base64 b b64 plain raw text"
    " string str default main backup primary secondary here env".split()
)
_PASSWORDS = ("password", "passwords", "passwd", "pwd", "passphrase", "passcode", "psw", "passwort", "pincode", "otp")
_SECRETS = ("secret", "secrets")
_TOKENS = ("token", "jwt", "bearer", "authtoken", "apitoken", "accesstoken", "cookie", "authorization", "pat", "sas")
_CREDENTIALS = ("credential", "credentials", "creds", "cred", "auth")
_KEYS = frozenset(
    "api access secret private signing encryption master account auth shared license service subscription storage admin"
    " root session client deploy webhook hmac app application consumer integration crypt ssh gpg rsa aes bot secure"
    " server function host user write ingest".split()
)
_HOLE = re.compile(  # no value, but a place for one or a way to get one
    r"""(?ix)
    \$[({] | \$(?:[A-Z_][A-Z0-9_]*|[a-z_]+|env:\w+)(?:[.\[]|$) | %[A-Z_][A-Z0-9_]*% | %[sdr]$ | %\( | \{\{ | \{[\w.\s!:]*\}$ | <[^>]*>?$ | \[[^\]]*\]$ | @[A-Za-z_]+$
    | [*•.x_\-=#?…]+$ | (?:ENC|env|vault|file|secret|ref|ssm|arn|op|keyring)[\[:(] | !(?:Ref|Sub|GetAtt|Join|ImportValue|secret|vault|env)\b
    | (?:process|os|sys|self|this|cls|config|settings|args|opts|options|params|data|var|vars|local|module|env|request|req|ctx|context
        |secrets|system|environment|user|app|conf|cfg|kwargs|form|props|state|event|response|res|body|input|session|import)\??[.\[][\w.\[\]"'()?\ -]*$
    | [a-z_][\w.]*\([^()]*\)?$ | (?:await|new|lambda|not|typeof|yield|return|function|async)\b
    | (?:your|my|the|some|insert|enter|replace|put|add|change|redacted|masked|hidden|todo)(?:[-_\s.][-_\sa-z.]*)?$
    | (?:example|sample|dummy|fake|placeholder|changeme|test)(?:[-_\s.][-_\sa-z.0-9]*)?$ | (?:your|my)(?:password|secret|token|key)$
    | (?:none|null|nil|undefined|true|false|yes|no|on|off|required|optional|string|str|text|int|integer|number|bytes|byte|bool|boolean|varchar
        |object|any|void|char|password|passwd|passphrase|pass|pwd|pw|secret|token|key|apikey|api_key|credentials?|auth|bearer|basic|digest|header|enabled
        |disabled|default|unset|empty|value|test|testing|tests|prompt|input|username|user|login|email|file|plaintext|plain|encrypted|hashed|hash|never|always|ask
        |self|this|data|result|response|type|name|id|field|label|hint|n/a|tbd|unknown|missing|invalid|expired|wrong|incorrect|valid|sensitive|environ|environment|raw|regex|literal|http|https)[!?.:;]*$
    | (?:optional|union|list|dict|set|tuple|array|sequence|secretstr|type|literal|callable)\[.* | [A-Z]?\w*(?:\ \|\ \w+)+$
    | https?:// | (?:\.{0,2}|~)/[\w.\-/]*$ | [A-Z]:\\ | [\w.\-/]+\.(?:txt|pem|key|crt|cer|json|ya?ml|env|py|js|ts|md|cfg|ini|toml|pub|p12|pfx|jks|conf|html|sh|go|rb|java)$
    """
)
_PROSE = re.compile(
    r"(?i)\b(?:the|a|an|your|to|is|are|of|for|must|not|and|or|was|with|in|this|that|will|be|enter|please)\b"
)
_WORDY = re.compile(r"[A-Za-z]+\d{0,3}(?:[-_.:/+ ]{1,2}(?:[A-Za-z]+\d{0,3}|\d{1,4}))*[!?.:]*")
_MEASURE = re.compile(  # a number of something, a version, the name of an algorithm or a standard
    r"(?i)v?\d+(?:[.,:/x-]\d+)*(?:[a-z%]{1,3}|-?[a-z]+(?:-[a-z]+)*)?|(?:sha|md|hs|rs|es|ps|aes|utf|base|rsa|oauth|ed|x|iso|http|oauth|tls|ssl|pkcs|p|s|ec|curve|ipv|win|py|python|w)[-_]?\d[\w.-]{0,12}"
)
_SPECIAL = re.compile(r"[!@#$%^&*+~?]")


def group(name: str) -> str:
    """What a name promises: a password, a secret, a token, a key, or nothing at all."""
    words = [word.lower() for word in _WORDS.findall(name)]
    while len(words) > 1 and (words[-1] in _NEUTRAL or words[-1].isdigit()):
        words.pop()
    if not words:
        return ""
    last, pair = words[-1], "".join(words[-2:])
    if (
        last in ("pass", "pw", "pin", "passwd")
        or last.endswith(_PASSWORDS)
        or re.search(r"(?:db|my|user|smtp|sql)pass$", last)
    ):
        return "pass" if last in ("pass", "pin") else "password"
    if last.endswith(_SECRETS):
        return "secret"
    if last in _TOKENS or (last.endswith("token") and last != "token") or last.endswith(("apitoken", "authtoken")):
        return "token"
    if last in _CREDENTIALS:
        return "credential"
    is_key = last in ("key", "keys") and len(words) > 1 and words[-2] in _KEYS
    run_together = re.fullmatch(
        r"\w{0,12}(?:api|access|secret|private|account|auth|master|encryption|signing)keys?", pair
    )
    return "key" if is_key or (run_together and last.endswith(("key", "keys"))) else ""


def harmless(value: str) -> bool:
    """Whether a value is only a hole for one, a reference, a type or an ordinary word."""
    return len(value) < 3 or (_HOLE.match(value) is not None and not random_looking(value))


def expression(value: str) -> bool:
    """Whether unquoted text is code that gets a value, not one."""
    return re.match(r"[A-Za-z_][\w.]*(?:[(\[]|\.\w+\()", value) is not None


def strong(value: str, *, least: int) -> bool:
    """Whether a value looks like a credential by itself: no words, no measure, but a mixture."""
    if len(value) < least or any(map(str.isspace, value)) or not any(map(str.isalpha, value)):
        return False
    if _MEASURE.fullmatch(value):
        return random_looking(value)
    if any(map(str.isdigit, value)):
        return not _WORDY.fullmatch(value) or random_looking(value) or _tailed(value)
    return _SPECIAL.search(value.rstrip("!?")) is not None or random_looking(value)


def _tailed(value: str) -> bool:
    """One word and a number, as people make passwords."""
    return re.fullmatch(r"[A-Za-z]{4,}\d{1,3}[!?.]*", value) is not None and not harmless(value.rstrip("0123456789!?."))


def credential(promise: str, value: str, *, weak: bool) -> bool:
    """Whether the value under such a name is a secret; *weak* where only a value, no expression, can stand."""
    value = value.strip()
    if harmless(value) or not promise or len(value) < 4:
        return False
    if value.isdigit():
        return promise == "password" and weak
    if promise in ("password", "pass"):
        return strong(value, least=5) or (weak and (" " not in value or not _PROSE.search(value)))
    if _WORDY.fullmatch(value) and not random_looking(value):
        return weak and " " not in value and len(value) >= _least(promise, value)
    return strong(value, least=8)


def _least(promise: str, value: str) -> int:
    """How long words must be to be a secret: a name promises much, and numbers are a sign as well."""
    if promise == "secret":
        return 8
    return 12 if any(map(str.isdigit, value)) else 20 if value.isalpha() else 30


def named(name: str, value: str) -> bool:
    """Whether a text value under the key of a mapping is a secret."""
    return credential(group(name), value, weak=True)


_LEFT = re.compile(r"[\w.$-]{0,60}$")
_QUALIFIER = re.compile(r"(?i)\b(?:api|access|secret|private|signing|encryption|master|account|auth|license)[ ]$")


def _assigned(match: Match[str]) -> bool:
    """Whether an assignment gives a secret its value."""
    text, start, end = match.string, match.start(), match.end()
    left = _LEFT.search(text, max(0, start - 60), start)
    name_at = left.start() if left else start
    name = text[name_at:start] + match["name"]
    if name.lower() == "key" and (words := _QUALIFIER.search(text, max(0, start - 20), start)):
        name = words[0] + name
    promise, quoted = group(name), match["s1"] is not None
    value = match["s1"] if quoted else match["s2"].rstrip(".:!?")
    if match["sep"] == "," and not (quoted and match["close"]):
        return False
    if not quoted and (_same(name, value) or expression(value)):
        return False
    weak = quoted and match["sep"] != "," and not _same(name, value)
    return credential(promise, value, weak=weak or (not quoted and _plain(text, name_at, end, name, match)))


def _same(name: str, value: str) -> bool:
    """Whether a value only repeats its name, as keyword arguments do."""
    words = set(re.findall(r"[a-z]+", value.lower()))
    return words <= set(re.findall(r"[a-z]+", name.lower())) | {"self", "new", "old", "my", "the", "arg", "user"}


def _plain(text: str, start: int, end: int, name: str, match: Match[str]) -> bool:
    """Whether an unquoted value is one by its place: a file of settings, a form, an option."""
    ends = not text[end : end + 1].strip() or text[end] in "\"'`&;\\,<"
    if name.isupper() and match["gap"] == "":
        return True
    lead = text[max(0, text.rfind("\n", max(0, start - 12), start) + 1, start - 12) : start].strip(" \t-*>\"'`")
    alone = lead in ("", "export", "set", "env", "$env:") or lead.endswith((";", "&", "?", "\\n"))
    rest = text[end : end + 80].split("\n", 1)[0].strip(" \t\"'`\\,;")
    return ends and alone and (match["gap"] == "" or not rest or rest.startswith("#")) and value_like(match["s2"])


def value_like(value: str) -> bool:
    """Whether an unquoted word is no name of a type or a variable."""
    return not re.fullmatch(
        r"[A-Z][a-z]+(?:[A-Z][a-z]+)+|[A-Za-z]+(?:_[A-Za-z]+)+|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", value
    )


_NOT_SAID = re.compile(
    r"(?i)\w+(?:ed|ing|able|ible|ly|ent|ive|ect|ary|al|ory|ful|less|ous|ic|en|ty|ry|ment|tion|ble|ial)$"
    r"|(?:wrong|right|weak|strong|safe|secure|short|long|gone|bad|good|fine|ok|okay|same|unique|mine|yours|here|there|below|above|it|that"
    r"|this|what|set|sent|kept|case|everything|nothing|just|still|also|only|now|then|being|out|up|in|on|at|for|from|under|inside|stale|fresh"
    r"|blank|too|back|again|away|used|done|known|lost|ready|dead|cached|base64|first|last|next|later|more|less|than|like|leaked|stored|null|your|hers|his)"
)


def _said(match: Match[str]) -> bool:
    """Whether a sentence tells a secret, not something about one."""
    found = match.groupdict()
    value = secret(match)
    promise = group(found["name"] or found["name2"] or found["name3"] or "")
    quoted = bool(found["q"] or found["q2"] or found["q3"])
    value = value if quoted else value.rstrip(".,;:!?)")
    if harmless(value) or (not quoted and expression(value)) or (promise == "" and not random_looking(value)):
        return False
    if strong(value, least=6) and (value_like(value) or random_looking(value)):
        return promise in ("password", "pass") or not _WORDY.fullmatch(value) or random_looking(value)
    if promise not in ("password", "pass") or found["s3"]:
        return False
    if value.isdigit():
        return len(value) >= 4 and (quoted or bool(found["is"]))
    return quoted and not _PROSE.search(value) if quoted else _told(match, value)


def _told(match: Match[str], value: str) -> bool:
    """Whether a plain word at the end of a sentence is what the password is."""
    after = match.string[match.end() : match.end() + 2]
    ends = not after.strip() or match["s1"] != value
    return bool(
        ends
        and match["is"]
        and value.isascii()
        and value.isalnum()
        and len(value) > 4
        and not _NOT_SAID.fullmatch(value)
    )


_NOUN = r"(?:(?:api|access|secret|private|auth|bearer|session|admin|root|client|login|license) )?(?:password|passwd|passphrase|passcode|pwd|pw|pin|token|secret|api[_-]?key|key|credentials?|creds)"
_PLAIN = r"[^\s\"'`<>,;&(){}\[\]\\|]"
_JOIN = r"(?:[,;&(){}\[\]|](?=[^\s\"'`<>,;&(){}\[\]|\\])(?![A-Za-z_][\w .-]{0,30}[=:])|\\(?=[^nrtu\"'`\s\\]))"
_BARE = rf"{_PLAIN}{{1,200}}+(?:{_JOIN}{_PLAIN}{{1,200}}+){{0,12}}+"

NAMES = (
    Kind(
        name="credential", what="value under a name such as password, secret, token, api_key: code, JSON, YAML, .env, INI, shell",
        triggers=("pass", "pwd", "pw", "psw", "secret", "token", "key", "cred", "auth", "cookie", "jwt", "bearer", "pin", "otp"),
        pattern=rf"(?i)(?P<name>(?:pass|pwd|pw|psw|secret|token|key|cred|auth|cookie|jwt|bearer|pin|otp)[\w-]{{0,30}}+)(?P<close>(?:{QUOTE})?[\])]{{0,2}}\*{{0,2}})"
        r"(?:[ \t]{0,3}:[ \t]{0,2}[a-z_][\w.\[\]| ]{0,30}(?==))?[ \t]{0,12}(?P<sep>=>|:=|[=!]==?|=|:(?!:)|->|,)\*{0,2}"
        rf"(?P<gap>[ \t]{{0,12}}(?:[|>][-+]?[ \t]{{0,4}}\r?\n[ \t]{{1,16}})?)"
        rf"(?:[bfru@]{{0,2}}(?P<q>{QUOTE})(?P<s1>(?:(?!(?P=q))(?:\\[^\r\n]|[^\r\n\\])){{1,400}})(?P=q)|(?P<s2>{_BARE}))",
        examples=("DB_PASSWORD=<16>", 'password = "<14>"', "api_key: <32>", '{"client_secret": "<24>"}', '{\\"password\\": \\"<14>\\"}', "export SECRET_TOKEN='<32>'",
                  '$env:API_KEY = "<32>"', 'os.environ["APP_SECRET"] = "<24>"', "spring.datasource.password=<14>", "Server=db;User Id=sa;Password=<14>;Database=x",
                  "**Password:** <14>", "secret access key: <40 base64>", "password: |\n    <16>"),
        proof=_assigned,
    ),
    Kind(
        name="env-line", what="line of settings in capitals, to its end", triggers=("pass", "pwd", "secret", "token", "key", "cred", "auth"),
        pattern=r"(?m)^[ \t]{0,8}(?:export[ \t]{1,4}|- )?(?P<name>[A-Z][A-Z0-9_]{0,40}(?:PASS|PWD|SECRET|TOKEN|KEY|CRED|AUTH)[A-Z0-9_]{0,30}|(?:PASS|PWD|SECRET|TOKEN)[A-Z0-9_]{0,30})=(?P<s1>(?:(?!\\[nr])[^\s\"'`]){4,1000})",
        examples=("DB_PASSWORD=a&<8>;<8>", "- API_SECRET=<8>,<8>"),
        proof=lambda match: not harmless(match["s1"]) and credential(group(match["name"]), match["s1"], weak=True),
    ),
    Kind(
        name="told", what="secret told in a sentence", triggers=("pass", "pwd", "pw", "pin", "token", "secret", "key", "cred"),
        pattern=rf"(?i)\b(?P<name>{_NOUN})(?:[ ]\(?[\w'@./-]{{1,30}}\)?){{0,6}}?(?P<is>[ ](?:is|are|was|will be|to|as|of|equals|became)(?:[ ](?:now|currently|still|simply|just|(?:set|changed|reset|updated|rotated)(?: back)? to))?|[ ]?(?:=|:|->|→|–|-))[ ]:?[ ]?(?:(?P<q>[\"'`“”‘’]{{1,3}})(?P<s1q>[^\"'`“”‘’\r\n]{{3,200}})[\"'`“”‘’]|(?P<s1>[^\s\"'`“”‘’<>]{{4,200}}))"
        rf"|\b(?P<name2>{_NOUN})[ ](?:(?P<q2>[\"'`“”‘’]{{1,3}})(?P<s2q>[^\"'`“”‘’\s]{{3,200}})[\"'`“”‘’]|(?P<s2>[^\s\"'`“”‘’<>]{{6,200}}))"
        rf"|(?:(?P<q3>[\"'`“”‘’]{{1,3}})(?P<s3q>[^\"'`“”‘’\s]{{3,200}})[\"'`“”‘’]{{1,3}}|(?<![^\s])(?P<s3>[^\s\"'`“”‘’<>]{{6,200}}))[ ](?:as|is|for)[ ](?:the|my|our|your|a|an|its)?[ ]?(?:\w{{1,20}}[ ]){{0,2}}(?P<name3>{_NOUN})\b",
        examples=("my password is <14>", "the token: <32>", "the password for the staging db is '<12>'", "use `<14>` as the password", "log in as admin with password <14>",
                  "My API key is <32>.", "the admin password was changed to <12>!", "<14> is my password"),
        proof=_said,
    ),
)  # fmt: skip
