"""What the name of a value promises, and whether the value keeps it or is a hole, a reference, a type, a word."""

from __future__ import annotations

from experience.capture.secret_kinds.randomness import compiled, jagged, random_looking

_WORDS = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+"
_NEUTRAL = frozenset(  # what may follow the noun in a name that still names a secret
    "value val prod production dev development staging stage test live old new current base64 b b64 plain raw text"
    " string str default main backup primary secondary here env".split()
)
_PASSWORDS = (
    *("password", "passwords", "passwd", "pwd", "passphrase", "passcode", "psw", "passwort", "pincode", "otp"),
    *("dbpass", "mypass", "userpass", "smtppass", "sqlpass"),
)
_PROMISES = {
    "pass": "pass",
    "pin": "pin",
    "pw": "password",
    "secret": "secret",
    "secrets": "secret",
    **dict.fromkeys(("token", "jwt", "bearer", "cookie", "authorization", "pat", "sas"), "token"),
    **dict.fromkeys(("credential", "credentials", "creds", "cred", "auth"), "credential"),
}
_KEYS = frozenset(
    "api access secret private signing encryption master account auth shared license service subscription storage admin"
    " root session client deploy webhook hmac app application consumer integration crypt ssh gpg rsa aes bot secure"
    " server function host user write ingest".split()
)
_ORDINARY = frozenset(  # words that stand where a value should, but are none
    "none null nil undefined true false yes no on off required optional string str text int integer number bytes byte"
    " bool boolean varchar object any void char password passwd passphrase pass pwd pw secret token key apikey api_key"
    " credential credentials auth bearer basic digest header enabled disabled default unset empty value test testing"
    " tests prompt input username user login email file plaintext plain encrypted hashed hash never always ask"
    " self this"
    " data result response type name id field label hint n/a tbd unknown missing invalid expired wrong incorrect valid"
    " sensitive environ environment raw regex literal http https"
    " yourpassword yoursecret yourtoken yourkey mypassword"
    " mysecret mytoken mykey".split()
)
_HOLDERS = (
    "process|os|sys|self|this|cls|config|settings|args|opts|options|params|data|var|vars|local|module|env|request|req"
    "|ctx|context|secrets|system|environment|user|app|conf|cfg|kwargs|form|props|state|event|response|res|body|input"
    "|session|import"
)
_FILES = "txt|pem|key|crt|cer|json|ya?ml|env|py|js|ts|md|cfg|ini|toml|pub|p12|pfx|jks|conf|html|sh|go|rb|java"
_RUN_TOGETHER = r"\w{0,12}(?:api|access|secret|private|account|auth|master|encryption|signing)keys?"
_HOLE = (  # no value, but a place for one or a way to get one
    r"(?i)\$[({]|\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+|env:\w+)(?:[.\[]|$)|%[A-Z_][A-Z0-9_]*%|%[sdr]$|%\(|\{\{|\{[\w.\s!:]*\}$"
    r"|<[^>]*>?$|\[[^\]]*\]$|@[A-Za-z_]+$|[*•.x_\-=#?…]+$|(?:ENC|env|vault|file|secret|ref|ssm|arn|op|keyring)[\[:(]"
    r"|!(?:Ref|Sub|GetAtt|Join|ImportValue|secret|vault|env)\b"
    rf"|(?:{_HOLDERS})\??[.\[][\w.\[\]\"'()?\ -]*$|[a-z_][\w.]*\([^()]*\)?$"
    r"|(?:await|new|lambda|not|typeof|yield|return|function|async)\b"
    r"|(?:your|my|the|some|insert|enter|replace|put|add|change|redacted|masked|hidden|todo)(?:[-_\s.][-_\sa-z.]*)?$"
    r"|(?:example|sample|dummy|fake|placeholder|changeme|test)(?:[-_\s.][-_\sa-z.0-9]*)?$"
    r"|(?:optional|union|list|dict|set|tuple|array|sequence|secretstr|type|literal|callable)\[|\w+(?: \| \w+)+$"
    rf"|https?://|(?:\.{{0,2}}|~)/[\w.\-/]*$|[A-Z]:\\|[\w.\-/]+\.(?:{_FILES})$"
)
PROSE = r"(?i)\b(?:the|a|an|your|to|is|are|of|for|must|not|and|or|was|with|in|this|that|will|be|enter|please)\b"
WORDY = r"[A-Za-z]+\d{0,3}(?:[-_.:/+ ]{1,2}(?:[A-Za-z]+\d{0,3}|\d{1,4}))*[!?.:]*"
_MEASURE = (  # a number of something, a version, the name of an algorithm or a standard
    r"v?\d+(?:[.,:/x-]\d+)*(?:[a-z%]{1,3}|(?:-[a-z]+){1,4})?|(?i:sha|md|hs|rs|es|ps|aes|utf|base|rsa|oauth|ed|x|iso|http"
    r"|tls|ssl|pkcs|p|s|ec|curve|ipv|win|py|python|w)[-_]?\d{1,5}(?:[-_.]\w{1,8})?"
)
_IDENTIFIER = r"[A-Z][a-z]+(?:[A-Z][a-z]+)+|[A-Za-z]+(?:_[A-Za-z]+)+|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+"
_SPECIAL = frozenset("!@#$%^&*+~?")


def group(name: str) -> str:
    """What a name promises: a password, a secret, a token, a key, or nothing at all."""
    words = [word.lower() for word in compiled(_WORDS).findall(name)]
    while len(words) > 1 and (words[-1] in _NEUTRAL or words[-1].isdigit()):
        words.pop()
    if not words:
        return ""
    last = words[-1]
    if last.endswith(_PASSWORDS):
        return "password"
    if last.endswith(("key", "keys")):
        is_key = "".join(words[-2:-1]) in _KEYS or compiled(_RUN_TOGETHER).fullmatch(last)
        return ("secret" if "secret" in words else "key") if is_key else ""
    ends = (end for end in ("secret", "secrets", "token") if last.endswith(end))
    return _PROMISES.get(last) or _PROMISES.get(next(ends, ""), "")


def harmless(value: str) -> bool:
    """Whether a value is only a hole for one, a reference, a type or an ordinary word."""
    if len(value) < 3 or value.rstrip("!?.:;").lower() in _ORDINARY:
        return True
    return compiled(_HOLE).match(value) is not None and not random_looking(value)


def expression(value: str) -> bool:
    """Whether unquoted text is code that gets a value, not one."""
    return compiled(r"[A-Za-z_][\w.]*(?:[(\[]|\.\w+\()").match(value) is not None


def strong(value: str, *, least: int) -> bool:
    """Whether a value looks like a credential by itself: no words, no measure, but a mixture."""
    if len(value) < least or any(map(str.isspace, value)) or not any(map(str.isalpha, value)):
        return False
    if compiled(_MEASURE).fullmatch(value):
        return random_looking(value)
    if any(map(str.isdigit, value)):
        return not compiled(WORDY).fullmatch(value) or random_looking(value) or _tailed(value)
    return not _SPECIAL.isdisjoint(value.rstrip("!?")) or random_looking(value) or jagged(value)


def _tailed(value: str) -> bool:
    """One word and a number, as people make passwords."""
    word = value.rstrip("!?.").rstrip("0123456789")
    return len(word) > 3 and word.isalpha() and not harmless(word)


def credential(promise: str, value: str, *, weak: bool) -> bool:
    """Whether the value under such a name is a secret; *weak* where only a value, no expression, can stand."""
    value = value.strip()
    if harmless(value) or not promise or len(value) < 4:
        return False
    if value.isdigit() or promise == "pin":
        return weak and value.isdigit() and promise in ("password", "pin")
    if promise in ("password", "pass"):
        return strong(value, least=5) or (weak and (" " not in value or not compiled(PROSE).search(value)))
    if compiled(WORDY).fullmatch(value) and not random_looking(value):
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


def value_like(value: str) -> bool:
    """Whether an unquoted word is no name of a type or a variable."""
    return compiled(_IDENTIFIER).fullmatch(value) is None
