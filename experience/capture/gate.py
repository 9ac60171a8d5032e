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
    *("login", "mysql", "identified", "securestring", "net user", " -a ", " -u "),
)
RUN = r"[\w+/=.:~%$-]{16}"  # every token that its own shape gives away is longer


def suspicious(text: str) -> bool:
    """Whether there is a long run of characters, a telling word, or an address with a name in it.

    A text inside a larger one keeps its runs and words, so one look at many texts joined by line ends is enough.
    """
    if re.search(RUN, text) or ("@" in text and ":" in text):
        return True
    lower = text.lower()
    return any(map(lower.__contains__, _WORDS)) or any(map(lower.__contains__, FOREIGN))
