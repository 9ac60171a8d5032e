"""Secrets that nothing gives away but their randomness."""

from __future__ import annotations

from experience.capture.secret_kinds.randomness import SPLIT, compiled, hexadecimal, mixture
from experience.capture.secret_kinds.shape import Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

_LABEL = (  # what stands before a hash or another public text
    r"(?i)(?:sha-?\d{0,3}|md5|hash|digest|checksum|integrity|etag|fingerprint|commit|rev|revision|h1|blob|tree|oid|cid"
    r"|guid|uuid|base64|data|build[_-]?id|public[_ -]?key|ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-[\w-]{4,20}|sha256sum)"
    r"[\"'\])]{0,2}[\s:=(\"',-]{0,4}$"
)
_LONE = r"(?:^|\n)[ \t\"'>]{0,8}[A-Za-z0-9+/]{40,}={0,2}[\"'\\n]{0,4}\r?\n[ \t\"'>]{0,8}$"
_NEXT = r"[\"'\\n]{0,4}\r?\n[ \t\"'>]{0,8}[A-Za-z0-9+/]{20,}"
_HASH = r"(?i)(?:sha-?\d{1,3}|md5|integrity)[-_]"
_BREAK = r"[\s\"'<>()`]"


def _entropy(match: Match[str]) -> bool:
    """Whether a bare run of characters is a secret: random, no hexadecimal number, and not labelled as public."""
    run, start = match[0], match.start()
    if not any(_long_random(part) for part in {run, *run.split("/")}):
        return False
    before = match.string[max(0, start - 200) : start]
    public = compiled(_HASH).match(run) or compiled(_LABEL).search(before[-60:])
    if public or "://" in compiled(_BREAK).split(before)[-1] + run[:2]:
        return False
    return not _in_block(match, before)


def _long_random(part: str) -> bool:
    """Of one case only, more is needed: words with numbers in them look much the same."""
    plain = compiled(SPLIT).sub("", part)
    if len(plain) < 18 or hexadecimal(part):
        return False
    if plain != plain.lower() and plain != plain.upper():
        return mixture(part)
    longest = max(compiled(SPLIT).split(part), key=len)
    return len(longest) >= 20 and len(set(longest)) >= 10 and mixture(longest)


def _in_block(match: Match[str], before: str) -> bool:
    """Whether the run is one line of a longer encoded text: a certificate, an image."""
    text, end = match.string, match.end()
    if compiled(_LONE).search(before):
        return True
    if len(match[0]) >= 40 and compiled(_NEXT).match(text[end : end + 60]):
        return True
    block = text[max(0, match.start() - 8000) : match.start()]
    opened = block.rfind("-----BEGIN ")
    return opened > block.rfind("-----END ") and "PRIVATE" not in block[opened : opened + 60]


CHANCE = (
    Kind(
        name="high-entropy", what="20 or more random characters without any other sign", triggers=("",),
        pattern=r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,200}+={0,2}(?![A-Za-z0-9+/_-])",
        examples=("<32>", "<40 base64>", "<48 url>", "<40 lower>", "<40 base32>"),
        proof=_entropy,
    ),
)  # fmt: skip
