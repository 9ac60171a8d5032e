"""Secrets that their place gives away: addresses, headers, commands, statements."""

from __future__ import annotations

from experience.capture.secret_kinds.promises import expression, harmless, strong
from experience.capture.secret_kinds.randomness import random_looking
from experience.capture.secret_kinds.shape import ESCAPED, QUOTE, Kind, secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match


def _given(match: Match[str]) -> bool:
    """Whether a value stands there, no hole for one."""
    return not harmless(secret(match))


def _strong(match: Match[str]) -> bool:
    value = secret(match)
    return not harmless(value) and not expression(value) and (strong(value, least=6) or random_looking(value))


def _option(match: Match[str]) -> bool:
    """Whether an option of a command is given a secret; a plain word is one where it cannot belong to a sentence."""
    value, rest = secret(match), match.string[match.end() : match.end() + 2]
    alone = match[0][: -len(value)].endswith(("=", "'", '"')) or not rest.strip() or rest == " -" or rest[0] in "\n\\"
    return _strong(match) or (alone and not harmless(value) and not expression(value) and len(value) >= 4)


def _in_address(match: Match[str]) -> bool:
    """Whether a password stands between a name and a host; without `://` it must look like one."""
    return _given(match) if match["s3"] is None else _strong(match)


def _in_markup(match: Match[str]) -> bool:
    """Whether an element holds a secret; one called password may hold a plain word."""
    tag = (match["tag"] or "").lower()
    return _given(match) if "pass" in tag or "pwd" in tag else _strong(match)


def _parameter(match: Match[str]) -> bool:
    """Whether the parameter of an address is a secret; some names say so by themselves, others need a random value."""
    value = secret(match)
    if harmless(value):
        return False
    if match["sure"]:
        return len(value) >= 4 and (not value.isdigit() or "pass" in match["sure"].lower())
    return len(value) >= 12 and (random_looking(value) or strong(value, least=12))


_TAIL = rf"(?=[\s\"'`<>\\,;)]|{QUOTE}|$)"

PLACES = (
    Kind(
        name="url-password", what="password in an address", triggers=("@",),
        pattern=r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,30}:(?:\\?/){2}[^\s/:@\"'<>`]{0,200}:(?!\d{1,5}/)(?:"
        r"(?P<s1>[^\s/\"'<>`]{1,256})|(?P<s2>[^\s\"'<>`]{1,256}))@(?=[\w\[$%{-])"
        r"|(?<![\w:/.-])[\w.-]{1,64}:(?P<s3>[^\s:/@\"'<>`]{6,128})@(?=localhost|[\w-]{1,63}\.[A-Za-z0-9])",
        examples=("postgres://app:<16>@db.local:5432/app", "redis://:<20>@cache:6379/0",
                  "mongodb+srv://root:<12>@box.mongodb.net/?x=1",
                  "amqp://guest:<16>@mq:5672/", "smtp://me%40mail.com:<16>@smtp.mail.com:587",
                  "https://deploy:<20>@git.host.com/a/b.git",
                  "mysql+pymysql://root:p<10>@h/db", "jdbc:postgresql://u:<14>@h/d"),
        proof=_in_address, long=False,
    ),
    Kind(
        name="query-parameter", what="secret in the parameters of an address", triggers=("=",),
        pattern=r"(?i)(?:[?&#;]|&amp;|%26|%3F)(?:x-amz-(?=s)|x-goog-(?=s))?(?:(?P<sure>(?:[\w.-]{0,24}[_-])?"
        r"(?:access_?token|token|api_?key|apikey|secret|passw(?:or)?d|pwd|passphrase|signature|sig|jwt|client_secret"
        r"|refresh_token|id_token|auth_?token|private_?token|security-token|credential))"
        r"|(?:key|code|auth|sid|session(?:_?id)?|sessid|otp|sas|hmac|ticket|samlresponse|assertion|pass|credentials?"
        r"|x-amz-credential|nonce))(?:=|%3D)(?P<s1>[^\s&\"'<>#`\\;)]{1,2000})",
        examples=("https://api.host.com/v1/x?token=<24>&page=2", "https://h.com/a?page=1&api_key=<32 hex>",
                  "/callback?code=<40 url>&state=1",
                  "https://bucket.s3.amazonaws.com/a?X-Amz-Signature=<64 hex>&X-Amz-Date=1",
                  "https://h.com/#access_token=<40>", "https://maps.host.com/js?key=<39 url>"),
        proof=_parameter, long=False,
    ),
    Kind(
        name="authorization", what="credentials of an Authorization header", triggers=("authorization", "bearer",
        "basic "),
        pattern=rf"(?i)authorization[\"'`\]\\]{{0,6}}[ \t]{{0,4}}(?:[:=,]|=>)[ \t]{{0,4}}(?:[bfr]?{QUOTE})?(?:"
        r"(?:bearer|basic|token|digest|negotiate|ntlm|apikey|api-key|bot|key|hmac|splunk|genie[ ]?key|oauth|hawk"
        r"|\w{2,20})[ \t]{1,4})?(?P<s1>[^\s\"'`<>\\,;]{6,4096})"
        rf"|\b(?:bearer|basic)[ \t]{{1,4}}(?P<s2>[A-Za-z0-9._~+/-]{{16,4096}}={{0,2}})",
        examples=("Authorization: Bearer <40>", "authorization: Basic <32 base64>=",
                  "-H 'Authorization: token <40 hex>'", 'headers = {"Authorization": "Bearer <32 url>"}',
                  "Bearer <40 url>", "Proxy-Authorization: Basic <24 base64>", "Authorization: <32 hex>"),
        proof=_strong, long=False,
    ),
    Kind(
        name="cookie", what="cookies of a header, session ids by their usual names", triggers=("cookie", "sess", "sid",
        "csrf", "xsrf"),
        pattern=rf"(?i)(?<![\w])set-cookie2?(?:{QUOTE})?[ \t]{{0,3}}:[ \t]{{0,3}}(?:{QUOTE})?[\w.-]{{1,80}}="
        r"(?P<s1>[^\s;\"'\\]{8,4096})"
        rf"|(?<![\w-])cookie(?:{QUOTE})?[ \t]{{0,3}}:[ \t]{{0,3}}(?:{QUOTE})?"
        r"(?P<s2>[\w.-]{1,80}=[^\r\n\"'\\]{8,8192})"
        r"|\b(?:phpsessid|jsessionid|asp\.net_sessionid|connect\.sid|sessionid|csrftoken|xsrf-token|laravel_session"
        r"|__secure-[\w-]{1,40}|_session|aspxauth|sid)[\"']?[ \t]{0,2}[=:][ \t]{0,2}[\"']?"
        r"(?P<s3>[A-Za-z0-9%._~+/=-]{16,4096})",
        examples=("Cookie: theme=dark; sid=<32>", "Set-Cookie: session=<40 url>; Path=/; HttpOnly",
                  "PHPSESSID=<26 lower>", "connect.sid=s%3A<32>.<43>", "-H 'Cookie: auth=<32 hex>'"),
        proof=_strong, long=False,
    ),
    Kind(
        name="command-password", what="password given to a command", triggers=("curl", "wget", "http", "mysql",
        "mariadb", "sshpass", "redis-cli", "docker", "podman", "helm", "psql", "smbclient", "ldap", "openssl",
        "securestring", "net user", "passin", "passout", "mongo", "chpasswd", "az login", "login"),
        pattern=r"(?i)\b(?:curl|wget|https?|xh|ab)\b[^\r\n]{0,400}?[ \t](?:-u|--user|--proxy-user|-a|--auth"
        rf"|-U)[ =]?(?:{QUOTE})?[^\s:\"'`/]{{1,128}}:(?P<s1>[^\s\"'`]{{3,256}})"
        rf"|\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\r\n]{{0,300}}?[ \t]-p(?:{QUOTE})?"
        r"(?P<s2>[^\s\"'`-][^\s\"'`]{2,256})"
        rf"|\bsshpass[ \t]{{1,4}}-p[ \t]{{0,4}}(?:{QUOTE})?(?P<s3>[^\s\"'`]{{3,256}})"
        r"|\b(?:redis-cli|docker|podman|helm|mongo\w{0,10}|ldap\w{2,10}|az|oc)\b[^\r\n]{0,300}?[ \t](?:-p|-a"
        rf"|-w)[ \t]{{1,4}}(?:{QUOTE})?(?P<s4>[^\s\"'`:-][^\s\"'`:]{{5,256}}){_TAIL}"
        rf"|\bpass(?:in|out)?[ \t]{{1,4}}pass:(?P<s5>[^\s\"'`]{{3,256}})"
        rf"|\bConvertTo-SecureString[ \t]{{1,4}}(?:-String[ \t]{{1,4}})?(?:{QUOTE})?"
        r"(?P<s6>[^\s\"'`$-][^\s\"'`]{2,256})"
        rf"|\bnet user[ \t]{{1,4}}[\w.-]{{1,64}}[ \t]{{1,4}}(?P<s7>[^\s\"'`/]{{4,128}})"
        rf"|\becho[ \t]{{1,4}}(?:-n[ \t]{{1,4}})?(?:{QUOTE})?(?P<s8>[^\s\"'`|$]{{4,256}})"
        rf"(?:{QUOTE})?[ \t]{{0,4}}\|[^\r\n|]{{0,80}}(?:--password-stdin|chpasswd|sudo -S)",
        examples=("curl -u admin:<16> https://host/x", "curl -s --user 'bob:<12>' https://h",
                  "mysql -h db -u root -p<14> shop", "sshpass -p <12> ssh me@host",
                  "redis-cli -h c -a <20> ping", "docker login -u me -p <20> registry.host.com",
                  "openssl rsa -passin pass:<14>", "ConvertTo-SecureString '<14>' -AsPlainText -Force",
                  "net user bob <12> /add", "echo <20> | docker login -u me --password-stdin"),
        proof=_given, long=False,
    ),
    Kind(
        name="flag-password", what="secret given to an option of any command", triggers=("-pass", "-pw", "-secret",
        "-token", "-api", "-key", "password ", "passwd ", "key ", "token ", "secret "),
        pattern=r"(?im)(?<![\w-])--?(?:[\w-]{0,30}-)?(?:password|passwd|passphrase|pass|pwd|secret|token|api-?key"
        r"|access-?key|secret-?key|private-?key|auth-?key|client-?secret|credentials?)(?:[ \t]{1,4}|=)"
        rf"(?:{QUOTE})?(?P<s1>[^\s\"'`-][^\s\"'`]{{2,256}})"
        r"|^[ \t]{0,8}(?:ENV|ARG|setx|set)[ \t]{1,4}\w{0,40}(?:password|passwd|pwd|secret|token|_key"
        rf"|apikey)[ \t]{{1,4}}(?:{QUOTE})?(?P<s2>[^\s\"'`=][^\s\"'`]{{3,256}})",
        examples=("deploy --password <16> --dry-run", "tool --api-key=<32> run", "gpg --batch --passphrase '<16>'",
                  "run --client-secret <40>", "ENV DB_PASSWORD <16>"),
        proof=_option, long=False,
    ),
    Kind(
        name="netrc-password", what="password of a .netrc file", triggers=("login",),
        pattern=r"(?i)\blogin[ \t\r\n]{1,8}\S{1,128}[ \t\r\n]{1,8}password[ \t\r\n]{1,8}(?P<s1>\S{3,256})",
        examples=("machine host.com login me password <16>", "machine host.com\n  login me\n  password <20>"),
        proof=_strong, long=False,
    ),
    Kind(
        name="pgpass-password", what="password of a .pgpass file", triggers=(":543", ":*:"),
        pattern=r"(?m)^[\w.*-]{1,100}:(?:543\d|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:(?P<s1>[^\s:]{3,256})$",
        examples=("db.local:5432:app:root:<16>",),
        proof=_given, long=False,
    ),
    Kind(
        name="sql-password", what="password in an SQL statement", triggers=("identified", "password", "require secret"),
        pattern=r"(?i)\b(?:identified[ \t]{1,4}(?:with[ \t]{1,4}[\w\"'`]{1,40}[ \t]{1,4})?(?:by|as)|"
        rf"(?:create|alter)[ \t]{{1,4}}(?:user|role|login)[ \t][^\r\n;]{{0,120}}?password)(?:{ESCAPED}|=){{1,6}}"
        rf"(?P<q>{QUOTE})(?P<s1>(?:(?!(?P=q))[^\r\n]){{1,256}})(?P=q)",
        examples=("create user app identified by '<14>'", "ALTER USER app WITH PASSWORD '<16>';",
                  "CREATE ROLE app LOGIN PASSWORD '<16>'"),
        proof=_given, long=False,
    ),
    Kind(
        name="markup-password", what="secret in XML, or in a name and value side by side", triggers=("password",
        "passwd", "pwd", "secret", "token", "key"),
        pattern=r"(?i)<(?P<tag>[\w.:-]{0,40}(?:password|passwd|passphrase|pwd|secret|token|api-?key|secret-?key"
        r"|private-?key))(?: [^<>\r\n]{0,200})?>(?:<!\[CDATA\[)?(?P<s1>[^<>\r\n\]]{3,512})(?:\]\]>)?</(?P=tag)"
        rf"|\b(?:name|key|field|id)(?:{QUOTE})?[ \t]{{0,3}}[:=][ \t]{{0,3}}(?:{QUOTE})?[\w.-]{{0,40}}(?:password"
        rf"|passwd|passphrase|pwd|secret|token|api_?key|access_?key|secret_?key|private_?key)(?:{QUOTE})?"
        rf"(?:{ESCAPED}|,|/){{1,20}}(?:{QUOTE})?value(?:{QUOTE})?[ \t]{{0,3}}[:=][ \t]{{0,3}}(?P<q>{QUOTE})?"
        r"(?P<s2>[^\s\"'`<>,}]{3,512})",
        examples=("<password><16></password>", '<add key="ApiSecret" value="<20>" />',
                  "- name: DB_PASSWORD\n  value: <16>", '{"name": "API_TOKEN", "value": "<32>"}'),
        proof=_in_markup, long=False,
    ),
    Kind(
        name="login-pair", what="user and password side by side in code", triggers=("auth", "login", "credential"),
        pattern=r"(?i)\b(?:auth|login|basic_?auth|httpbasicauth|credentials?"
        rf"|authenticate)\w{{0,10}}[ \t]{{0,2}}[=(:][ \t(\[]{{0,3}}[bf]?(?P<q>{QUOTE})[^\r\n\"'`]{{1,100}}"
        rf"(?P=q)[ \t]{{0,2}},[ \t]{{0,2}}[bf]?(?P<p>{QUOTE})(?P<s1>(?:(?!(?P=p))[^\r\n]){{3,256}})"
        r"(?P=p)[ \t]{0,2}[)\]]",
        examples=('requests.get(url, auth=("bob", "<14>"))', "smtp.login('me@mail.com', '<16>')",
                  'HTTPBasicAuth("bob", "<14>")'),
        proof=_given, long=False,
    ),
)  # fmt: skip
