"""The gate before the search for secrets: whether a text could hold one at all. Light, for every write passes here."""

from __future__ import annotations

import re

# "password" in other languages
FOREIGN = (
    *("密码", "密碼", "口令", "パスワード", "비밀번호", "contraseña", "clave", "senha", "passwort", "kennwort"),
    *("mot de passe", "wachtwoord", "hasło", "пароль", "parola", "şifre", "salasana", "lösenord", "passord", "jelszó"),
)
_WORDS = (
    *"pass pwd pw secret token key cred auth cookie bearer jwt pin otp sess sid psw curl wget phrase mnemonic".split(),
    *("login", "mysql", "identified", "securestring", "net user", " -a ", " -u ", ":543", ":*:", "csrf", "xsrf"),
    "sig=",
)
_RUN = r"[\w+/=.:~%$-]{16,}"  # every token that its own shape gives away is longer


def suspicious(text: str) -> bool:
    """Whether a text could hold a secret at all.

    A text inside a larger one keeps its runs and words, so one look at many texts joined by line ends is enough.
    """
    return has_token(text) or has_word(text)


def has_token(text: str) -> bool:
    """Whether a long run of characters could be a token: none is made of small letters alone, as paths are."""
    return any(run != run.lower() or any(map(str.isdigit, run)) for run in re.findall(_RUN, text))


def has_word(text: str) -> bool:
    """Whether there is a word that secrets stand beside, or an address with a name or a parameter in it."""
    if ":" in text and ("@" in text or ("=" in text and "://" in text)):
        return True
    lower = text.lower()
    return any(map(lower.__contains__, _WORDS)) or any(map(lower.__contains__, FOREIGN))
