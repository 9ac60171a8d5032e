"""What can be said of a thing, and whether it can be said with one value at a time or with several."""

from __future__ import annotations

# Nouns that name one value of a thing: "the PORT of the API is 8080". Each also as the last word of a compound.
ONE_EACH = frozenset(
    """port host hostname address url uri endpoint domain path folder directory location place region zone bucket
    namespace cluster branch trunk remote repository version release edition revision tag id identifier number code key
    name nickname username handle title label owner author founder creator maker inventor developer director producer
    performer composer singer painter architect designer editor publisher broadcaster manufacturer maintainer lead
    leader manager boss supervisor head chief president chairperson chairman chairwoman chair ceo cto cfo coo officer
    governor mayor minister king queen monarch captain coach principal spouse wife husband partner fiance fiancee
    mother father employer landlord doctor dentist therapist capital headquarters hq seat birthplace hometown
    nationality citizenship religion faith denomination sport position genre occupation profession job role language
    currency timezone time-zone locale encoding charset format default limit maximum minimum max min timeout ttl
    interval threshold size length width height weight depth count quota budget price cost fee salary rate ratio
    capacity duration age deadline birthday date day time schedule frequency cadence standup retention delay window
    level priority status state mode license licence framework engine backend frontend database db orm server provider
    host hoster registrar vendor runtime interpreter compiler shell editor ide theme font color colour style indent
    indentation command script entrypoint entry point prefix suffix extension separator delimiter quote convention
    strategy policy algorithm protocol tool linter formatter bundler runner manager package package-manager platform
    environment model email phone contact continent country city state university school alma mater team employer
    population distributor parent root source target reviewer approver assignee sponsor client customer
    landing homepage entrance exit password-policy base upstream primary successor predecessor series type kind
    company field area major tracker ending diet blood allergy-status zodiac""".split()
)
# Nouns of which one has several: another name for one of them takes nothing back.
MANY_EACH = frozenset(
    """friend colleague coworker teammate brother sister sibling child son daughter kid cousin uncle aunt nephew niece
    pet cat dog hobby interest favourite problem issue bug reason cause thing point idea goal plan example part member
    feature benefit advantage disadvantage difference result outcome consequence question answer fact truth lesson
    tip trick rule way option choice step one rest best worst task ticket error fix solution concern risk dependency
    event meeting note comment photo picture book song movie word moment memory dream hope key-point highlight goal
    neighbour neighbor student user customer ally competitor alternative sign symptom challenge catch trouble""".split()
)
# What a definite article alone does not make one thing of: "the file is …" may be said of any file.
VAGUE = frozenset(
    """file bug issue error test meeting ticket task pr commit problem change function method class thing photo picture
    man woman guy girl boy person movie book song game event message request response line value patch
    fix script report doc comment job
    run answer question word day night week morning evening trip idea party""".split()
)
# Verbs and their particles, after any form of "be" is left out → what they say, and whether of one value at a time.
SAID: dict[str, tuple[str, bool]] = {}
for _sure, _lines in (
    (True, """
    name: called|named|known as|titled|entitled|nicknamed|codenamed|dubbed
    founder: founded by|established by|started by|co-founded by
    creator: created by|invented by|conceived by
    author: written by|authored by
    developer: developed by|built by|made by|engineered by
    maker: produced by|manufactured by
    director: directed by
    performer: performed by|sung by|recorded by
    composer: composed by
    designer: designed by
    publisher: published by|released by
    broadcaster: broadcast by|broadcasted by|aired by|originally broadcast by|aired on|broadcast on
    painter: painted by
    discoverer: discovered by
    owner: owned by|held by|belongs to|belong to
    maintainer: maintained by|looked after by|handled by|covered by|taken care of by
    lead: led by|managed by|headed by|run by|chaired by|supervised by|coordinated by|coached by|governed by
    host: hosted on|hosted at|hosted by|hosted with|deployed on|deployed to|deployed at|deployed in|served from
    sponsor: funded by|financed by|sponsored by
    spouse: married to|wed to
    fiance: engaged to
    employer: employed by|employed at|works for|work for|works at|work at
    report: reports to|report to
    religion: affiliated with the religion of|affiliated with the religion|follows the religion of
    sport: associated with the sport of|plays the sport of
    position: plays the position of|plays in the position of|plays as|play as
    field: works in the field of|specializes in the field of|works in the area of
    occupation: works as|work as
    citizenship: a citizen of|citizen of|a national of
    birthplace: born in the city of|born in the town of|born in|born at
    birthday: born on
    deathplace: died in the city of|died in the town of|died in
    death: died on
    place: located in the city of|located in the continent of|located in the country of|located in the state of
        |located in|located at|situated in|based in|based at|headquartered in|stationed in|lives in|live in
        |lives at|live at|resides in|found at|lives under|live under|sits in
    origin: founded in the city of|founded in|created in the country of|created in the city of|made in
        |invented in|established in|formed in the city of|formed in|started in
    language: written in the language of|written in|implemented in|coded in|programmed in|developed in
    port: listens on|listen on|listens at|bound to|binds to|exposed on|served on|reachable at|reachable on
        |available at|accessible at|runs on port|listens on port|listen on port|run on port|exposed on port
        |bound to port|served on port
    storage: stored in|kept in|saved in|saved to|persisted in|stored at|stored under|kept under|written to
        |logged to|stored on|stored as|kept at
    default: defaults to|default to|set to|configured to|configured as|initialized to|hardcoded to|pinned to
        |pinned at|locked to|capped at|limited to|fixed at|restricted to
    license: licensed under|released under|distributed under
    version: upgraded to
    runtime: runs on|run on|runs under|powered by|backed by|runs with
    branch: branched from|merged into|merge into|deployed from|released from|cut from
    target: points to|point to|points at|resolves to|redirects to|proxies to|forwards to|maps to|deploys to
    expiry: expires on|expires in|expires after|expire after|expires at
    schedule: scheduled for|scheduled on|scheduled at|due on|due by|due at
    command: started with|launched with|started by running|built with|built by running|run with|run via
        |installed with|formatted with|linted with|tested with|deployed with|deployed via|compiled with
    packager: packaged as|shipped as|packaged with
    author-of-day: named after
    """),
    (False, """
    language-spoken: speaks|speak|speaks the language of|speaks the language
    dependency: depends on|depend on|has a dependency on|has dependency on|relies on|rely on|requires|require
        |needs|need|targets|target
    support: supports|support|compatible with|works with|work with|integrates with
    fame: famous for|known for
    child: the father of|the mother of|the parent of
    count: has|have
    membership: a member of|member of|part of|affiliated with|associated with|a fan of|friends with
    school: educated at|graduated from|studied at
    work-city: worked in the city of|worked in|worked at|worked for
    content: contains|includes|contain|include
    taste: likes|like|loves|love|enjoys|enjoy|plays|play
    distaste: hates|hate|dislikes|dislike
    """),
):  # fmt: skip
    for _line in _lines.replace("\n        |", "|").strip().splitlines():
        _kind, _ways = _line.strip().split(": ")
        SAID.update(dict.fromkeys(_ways.split("|"), (_kind, _sure)))
OPENING = frozenset(way.split()[0] for way in SAID)
LONGEST = 6  # words in one of them

# Things of which one is chosen at a time for one purpose.
FAMILIES = {
    "js package manager": "npm pnpm yarn bun",
    "python package manager": "pip uv poetry pipenv pdm conda hatch rye",
    "database": "postgres postgresql mysql mariadb sqlite mongodb mongo dynamodb oracle mssql cockroachdb cassandra"
    " firestore libsql turso couchdb duckdb neo4j",
    "cache": "redis memcached valkey dragonfly keydb",
    "queue": "rabbitmq kafka sqs celery nats pulsar sidekiq rq",
    "test runner": "pytest unittest nose jest vitest mocha jasmine rspec minitest junit testng playwright cypress",
    "formatter": "black yapf autopep8 prettier biome gofmt rustfmt clang-format",
    "linter": "flake8 pylint ruff eslint tslint standard rubocop golangci-lint",
    "type checker": "mypy pyright pyre pytype",
    "bundler": "webpack vite rollup esbuild parcel turbopack",
    "indentation": "tabs spaces tab space",
    "theme": "dark light",
    "quotes": "single double single-quotes double-quotes",
    "editor": "vim neovim nvim emacs vscode sublime nano helix zed pycharm intellij",
    "shell": "bash zsh fish powershell pwsh",
    "version control": "git mercurial hg svn perforce jujutsu",
    "merging": "merge rebase squash",
    "ci": "jenkins circleci travis buildkite teamcity drone",
    "cloud": "aws gcp azure heroku hetzner digitalocean fly render vercel netlify cloudflare linode ovh",
    "orchestrator": "kubernetes nomad swarm ecs",
    "iac": "terraform pulumi cloudformation ansible opentofu",
    "language": "python typescript javascript go golang rust java kotlin ruby php scala swift c c++ c# elixir perl lua",
    "web framework": "flask django fastapi rails express nestjs laravel spring starlette tornado",
    "ui framework": "react vue svelte angular solid preact htmx",
    "tracker": "jira linear asana trello shortcut",
    "chat": "slack teams discord mattermost zulip",
    "drink": "tea coffee",
    "case": "snake_case camelcase kebab-case pascalcase",
    "units": "metric imperial",
    "clock": "12-hour 24-hour",
    "spelling": "british american",
    "seat": "window aisle",
    "diet": "vegan vegetarian pescatarian",
}
ALONE = frozenset(  # families of which there is one even where no purpose is named
    "indentation,theme,quotes,case,units,clock,spelling,seat,js package manager,formatter,merging,type checker".split(
        ","
    )
)
