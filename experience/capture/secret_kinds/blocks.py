"""Secrets of a shape of their own: key blocks, signed tokens, hashes of passwords, recovery phrases."""

from __future__ import annotations

from experience.capture.secret_kinds.shape import ESCAPED, START, Kind, prefixed

_GLUE = rf"(?:{ESCAPED}|[\"',;>|+&]|\\)"  # between the lines of a key: quotes of code, marks of a quoted mail
_LINE = r"[A-Za-z0-9+/]{16,}={0,2}"
_LAST = r"(?=[A-Za-z+/]{0,15}[0-9+/=])[A-Za-z0-9+/]{1,15}={0,2}(?![A-Za-z0-9])"  # a short line; no plain word
_HEAD = r"(?:(?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset):[^\r\n\\]{0,100})"
_PEM = r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?"
_BODY = rf"(?:{_GLUE}{{0,40}}+(?:{_HEAD}|{_LINE}))++(?:{_GLUE}{{1,40}}+{_LAST})?"

BLOCKS = (
    Kind(
        name="private-key", what="private key in PEM or OpenSSH form, whole, cut off or on one line",
        triggers=("private key",),
        pattern=rf"-----BEGIN {_PEM}-----(?:(?:(?!-----)[^\x00]){{16,20000}}?-----END {_PEM}-----|{_BODY})"
        rf"|(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/]{{16,200}}+={{0,2}}{_GLUE}{{1,20}}+){{1,100}}+"
        rf"(?:[A-Za-z0-9+/=]{{1,15}}{_GLUE}{{1,20}}+)?-----END {_PEM}-----",
        examples=("-----BEGIN RSA PRIVATE KEY-----\n<64 base64>\n<64 base64>\n<20 base64>\n"
                  "-----END RSA PRIVATE KEY-----",
                  "-----BEGIN PRIVATE KEY-----\\n<64 base64>\\n<64 base64>\\n-----END PRIVATE KEY-----\\n",
                  "-----BEGIN OPENSSH PRIVATE KEY-----\n<70 base64>\n<70 base64>",
                  '"-----BEGIN EC PRIVATE KEY-----\\n" +\n"<64 base64>\\n" +\n"<64 base64>\\n"',
                  "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 2\n\n<64 base64>\n<12 base64>=\n=<4>\n"
                  "-----END PGP PRIVATE KEY BLOCK-----",
                  "<64 base64>\n<64 base64>\n<12 base64>==\n-----END PRIVATE KEY-----"),
    ),
    Kind(
        name="putty-key", what="PuTTY private key", triggers=("private-lines", "private-mac"),
        pattern=rf"Private-Lines: \d{{1,3}}(?P<s1>(?:{ESCAPED}{{1,8}}[A-Za-z0-9+/]{{4,}}={{0,2}}"
        r"(?![A-Za-z0-9:-])){1,200}+)|Private-MAC: (?P<s2>[0-9a-f]{40,})",
        examples=("Private-Lines: 2\n<64 base64>\n<40 base64>\nPrivate-MAC: <64 hex>",),
    ),
    prefixed("jwt", "JSON web token", "eyj", r"eyJ[\w-]{8,}={0,2}\.[\w-]{8,}={0,2}(?:\.[\w-]{0,}={0,2}){0,3}",
    "eyJ<33>.eyJ<60>.<43 url>", "eyJ<33>.eyJ<60>"),
    Kind(
        name="password-hash", what="stored hash of a password", triggers=("$",),
        pattern=r"\$(?:2[abxy]?\$\d\d\$[./A-Za-z0-9]{53,}|argon2(?:id|i|d)\$"
        r"(?:[\w=,]{1,60}\$){1,3}[A-Za-z0-9+/.=]{8,}(?:\$[A-Za-z0-9+/.=]{16,})?"
        r"|(?:1|5|6|y|7|gy|apr1|sha1)\$(?:rounds=\d{1,9}\$"
        r"|[A-Za-z0-9./]{3,4}\$)?[A-Za-z0-9./]{0,40}\$[A-Za-z0-9./]{20,})"
        r"|(?:pbkdf2_sha\d{1,3}|pbkdf2:sha\d{1,3}:\d{1,9}|scrypt"
        r"(?::\d{1,9}){0,3})\$[^\s\"'$]{1,80}\$[A-Za-z0-9+/=]{20,}(?:\$[A-Za-z0-9+/=]{20,})?",
        examples=("$2b$12$<53>", "$6$<8>$<86>", "$argon2id$v=19$m=65536,t=3,p=4$<22>$<43>",
                  "pbkdf2_sha256$600000$<22>$<43>="),
    ),
    Kind(
        name="recovery-phrase", what="recovery phrase of a wallet", triggers=("phrase", "mnemonic"),
        pattern=r"(?i)(?:seed|recovery|backup|secret|wallet)[ _-]?phrase\b[^a-z\r\n]{0,4}(?:(?:is|was|words"
        r"|are)\b)?[\s:=\"'`]{1,6}(?P<s1>[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23})\b"
        r"|(?i:mnemonic)[\s:=\"'`]{1,6}(?P<s2>[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23})\b",
        examples=("seed phrase: <12 words>", 'mnemonic = "<24 words>"'),
        long=False,
    ),
    Kind(
        name="private-wallet-key", what="private key of a wallet", triggers=("xprv", "wif", "5", "k", "l"),
        pattern=START + r"(?:[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}"
        r"|(?i:wif)[ =:\"']{1,4}(?P<s1>[5KL][1-9A-HJ-NP-Za-km-z]{50,51}))(?![A-Za-z0-9])",
        examples=("xprv<107 base58>", "WIF: K<51 base58>"),
    ),
)  # fmt: skip
