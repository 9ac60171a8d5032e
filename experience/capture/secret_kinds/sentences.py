"""Secrets told in plain sentences."""

from __future__ import annotations

from experience.capture.gate import FOREIGN
from experience.capture.secret_kinds.promises import PROSE, WORDY, expression, group, harmless, strong, value_like
from experience.capture.secret_kinds.randomness import compiled, random_looking
from experience.capture.secret_kinds.shape import Kind, secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

_NOT_SAID = (  # what people say about a password instead of telling it
    r"(?i)\w+(?:ed|ing|able|ible|ly|ent|ive|ect|ary|al|ory|ful|less|ous|ic|en|ty|ry|ment|tion|ble|ial)$|(?:wrong|right"
    r"|weak|strong|safe|secure|short|long|gone|bad|good|fine|ok|okay|same|unique|mine|yours|here|there|below|above|it"
    r"|that|this|what|set|sent|kept|case|everything|nothing|just|still|also|only|now|then|being|out|up|in|on|at|for"
    r"|from"
    r"|under|inside|stale|fresh|blank|too|back|again|away|used|done|known|lost|ready|dead|cached|base64|first|last|next"
    r"|later|more|less|than|like|leaked|stored|null|your|hers|his|login|someone|anyone|everyone|issue|problem|work"
    r"|works)"
)


def _said(match: Match[str]) -> bool:
    """Whether a sentence tells a secret, not something about one."""
    found, value = match.groupdict(), secret(match)
    promise = group(found["name"] or found["name2"] or found["name3"])
    quoted = bool(found["q"] or found["q2"] or found["q3"])
    value = value if quoted else value.rstrip(".,;:!?)")
    if harmless(value) or (not quoted and expression(value)) or (not promise and not random_looking(value)):
        return False
    if random_looking(value):
        return True
    if strong(value, least=6) and value_like(value):
        return promise in ("password", "pass") or not compiled(WORDY).fullmatch(value)
    return promise in ("password", "pass", "pin") and not found["s3"] and _word(match, value, promise, quoted)


def _word(match: Match[str], value: str, promise: str, quoted: bool) -> bool:
    """Whether a plain word or number is what the password is: quoted, or at the end of its sentence."""
    joined = match["is"] or ""
    if value.isdigit():
        return len(value) >= 4 and (quoted or bool(joined))
    if promise == "pin":
        return False
    if quoted:
        return not compiled(PROSE).search(value)
    ends = not match.string[match.end() : match.end() + 2].strip() or match["s1"] != value
    plain = value.isascii() and value.replace("-", "").isalnum() and len(value) > 4
    tells = bool(joined) and not joined.endswith(("be", "/"))
    return ends and plain and tells and not compiled(_NOT_SAID).fullmatch(value)


def _phrase(match: Match[str]) -> bool:
    """Whether the words stand for themselves."""
    return not compiled(PROSE).search(secret(match))


def _strong(match: Match[str]) -> bool:
    value = secret(match)
    return not harmless(value) and strong(value, least=6)


_NOUN = (
    r"(?:(?:api|access|secret|private|auth|bearer|session|admin|root|client|login|license) )?(?:password|passwd"
    r"|passphrase|passcode|pwd|pw|pin|token|secret|api[_-]?key|key|credentials?|creds)"
)
_ADVERB = r"(?:[ ](?:now|currently|still|simply|just|(?:set|changed|reset|updated|rotated)(?: back)? to))?"
_IS = (
    rf"(?P<is>[ ](?:is|are|was|will be|should be|must be|to|as|of|equals|became){_ADVERB}:?|[ ]/|[ ]?(?:=|:|->|→|–|-))"
)
_Q = r"[\"'`“”‘’]"
_QQ = rf"(?:`{{3}}|{_Q}(?!{_Q}))"
_TOLD = (
    rf"(?i)\b(?P<name>{_NOUN})(?:[ ]\(?[\w'@./-]{{1,30}}\)?){{0,6}}?{_IS}[ ]:?[ ]?"
    rf"(?:(?P<q>{_QQ})(?P<s1q>[^\"'`“”‘’\r\n]{{3,200}}){_Q}|(?P<s1>[^\s\"'`“”‘’<>]{{4,200}}))"
)
_BESIDE = (
    rf"\b(?P<name2>{_NOUN})[ ](?:(?P<q2>{_QQ})(?P<s2q>[^\"'`“”‘’\s]{{3,200}}){_Q}"
    r"|(?P<s2>[^\s\"'`“”‘’<>]{6,200}))"
)
_BEFORE = (
    rf"(?:(?P<q3>{_QQ})(?P<s3q>[^\"'`“”‘’\s]{{3,200}}){_Q}{{1,3}}|(?<!\S)(?P<s3>[^\s\"'`“”‘’<>]{{6,200}}))"
    rf"[ ](?:as|is|for)[ ](?:the|my|our|your|a|an|its)?[ ]?(?:\w{{1,20}}[ ]){{0,2}}(?P<name3>{_NOUN})\b"
)

SENTENCES = (
    Kind(
        name="passphrase", what="passphrase of several words, application password in four groups", triggers=("pass",),
        pattern=r"(?im)\bpassphrase(?:[ ]is|[ ]?[:=])[ ]{1,4}(?P<s1>[a-z]{2,12}(?:[ -][a-z]{2,12}){3,9})[ \t]{0,4}"
        r"(?:[.!]|$)"
        r"|pass(?:word|wd)?[\"'` ]{0,2}(?:=|:|is)[\"'` ]{0,3}(?P<s2>[a-z]{4}(?: [a-z]{4}){3})(?![a-z]| [a-z])",
        examples=("passphrase: <6 words>", "my passphrase is <4 words>.",
                  "smtp_password=<4 letters> <4 letters> <4 letters> <4 letters>"),
        proof=_phrase, long=False,
    ),
    Kind(
        name="foreign-password", what="password under a word of another language", triggers=FOREIGN,
        pattern=rf"(?i)(?:{'|'.join(FOREIGN)})(?:[ \t]{{0,2}}\*{{0,2}}"
        r"(?:是|为|は|：|:|=|ist|es|est|é|jest|è|to|is)){0,2}\*{0,2}[ \t]{0,2}[\"'`「“]?"
        r"(?P<s1>[^\s\"'`<>「」。，“”]{5,200})",
        examples=("contraseña: <14>", "密码是 <14>", "Kennwort: <14>", "пароль: <14>"),
        proof=_strong, long=False,
    ),
    Kind(
        name="told", what="secret told in a sentence",
        triggers=("pass", "pwd", "pw", "pin", "token", "secret", "key", "cred"),
        pattern=f"{_TOLD}|{_BESIDE}|{_BEFORE}",
        examples=("my password is <14>", "the token <32>", "the password for the staging db is '<12>'",
                  "use `<14>` as the password", "log in as admin with password <14>", "My API key is <32>.",
                  "the admin password was changed to <12>!", "<14> is my password", "creds are bob / <14>"),
        proof=_said, long=False,
    ),
)  # fmt: skip
