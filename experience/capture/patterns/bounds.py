"""Bounds: how much, for how long, and what is left out."""

from __future__ import annotations

from experience.capture.patterns.shape import ACT, JOINED, ORDER, Pattern, heard

PATTERNS = (
    Pattern(
        name="exception",
        type="policy",
        triggers=heard(" except | unless | excluding | other than | apart from | but not "),
        regex=rf"(?:{ORDER}|\b(?:you|we) (?:can|may) ){ACT}\b[^.;?]{{1,120}}?\b(?:except|excluding|other than"
        rf"|apart from|but not) (?!that\b"
        rf"|if\b)\w+"
        r"|\bunless (?:I|we|you(?:'re| are)?|it is|it's|told|asked|otherwise|explicitly|absolutely|strictly"
        r"|really|necessary|needed"
        r"|required|specified) ?\b",
        examples=(
            "convert every file except the fixtures",
            "Rename the columns but not the indexes",
            "no new files unless I ask for them",
            "you can change the colors but not the shapes",
            "we can move everything but not the logo",
            "no textures unless told otherwise",
        ),
        counters=(
            "Is it closed unless I pay?",
            "it works except on phones",
            "everything but not that",
            "all of it except that",
            "unless the moon is full",
            "the page has all tabs except on phones",
        ),
        weak=True,
    ),
    Pattern(
        name="for-now",
        type="policy",
        triggers=heard(" for now | at this point | for the moment | for the time being | just assume | assume "),
        regex=rf"{JOINED}(?:let's |we can |we should |we'll |you can |I want to |just )?{ACT}\b[^.;?]{{1,120}}?"
        r"\b(?:for now|at this point|for the (?:moment|time being))\b"
        rf"|{ORDER}assume (?!responsib|the (?:position|role)|you are)\w+ \w+"
        r"|^(?:ok,? |so |and |but )?for now,? (?:just |only |let's |please |we'll |we |use |keep |skip |no )\w+",
        examples=(
            "keep SQLite for now",
            "lets skip the animations for the moment",
            "Assume the user is logged in",
            "For now just the desktop layout",
            "use sample data for the time being",
        ),
        counters=(
            "that is all for now",
            "I assume it is fine",
            "at this point I am lost",
            "bye for now",
            "is that ok for now?",
            "assume the role of a teacher",
        ),
        weak=True,
    ),
    Pattern(
        name="none-of-it",
        type="policy",
        triggers=heard(" no "),
        regex=rf"(?:{ORDER}|\b(?:so|please|with) )no "
        r"(?!(?:it|its|this|that|thats|i|you|we|they|the|an?|just|use|not|only|my|your|please"
        r"|\w*errors?|issues?|problems?|questions?|warnings?"
        r"|changes?|luck|idea|one|way|matter|longer|need|worries|thanks|reason|doubt|difference|effect|result"
        r"|response)\b)"
        r"[\w-]+(?: [\w-]+)? (?:yet|for now|at all|anywhere|please|in the|in my|in this|in any|on the|on this|to the"
        r"|outside|inside|until|till|unless|before)\b"
        r"|\b(?:so|please),? no (?!(?:\w*errors?|issues?|problems?|questions?|changes?|luck|idea|one|way|matter"
        r"|longer|need"
        r"|worries|thanks|reason|doubt|difference|effect|result|response|i|it|that|this|you|we)\b)[\w-]+ \w+",
        examples=(
            "no code yet",
            "sketch the level first, no textures yet",
            "no semicolons please",
            "the kiosk has no network, so no calls to the cloud",
            "No animations in the print view",
            "no abbreviations anywhere",
        ),
        counters=(
            "there is no footer in the page",
            "No idea what is in the log",
            "no errors in the console",
            "no luck so far with the build",
            "i have no code yet",
            "is there no way to stop it at all?",
        ),
        weak=True,
    ),
    Pattern(
        name="at-most",
        type="policy",
        triggers=heard(
            " at most | at least | no more than | no less than | maximum | minimum | max | no longer than |"
            " no larger than | no bigger than | not more than | fewer than | less than "
        ),
        regex=rf"(?:{ORDER}(?:{ACT}|limit|cap|allow)|\bshould|\b(?:can|may) (?:be|have"
        rf"|take))\b[^.;?]{{1,80}}?\b(?:at (?:most|least)|(?:no|not) (?:more|less|longer|larger|bigger) than"
        r"|an? (?:maximum|minimum)|max(?:imum)?|(?:fewer|less) than) (?:of )?(?:\d|one|two|three|four|five|six"
        r"|ten|a )"
        rf"|{ORDER}(?:at (?:most|least)|no (?:more|less|longer|larger|bigger) than|max(?:imum)?(?: of)?)"
        r" (?:\d|one|two|three|four|five|six|ten)",
        examples=(
            "keep each file at most 300 lines",
            "Use no more than two colors",
            "allow at most two retries",
            "no more than 3 columns on phones",
            "at least two screenshots per chapter",
            "max 4 items in the menu",
        ),
        counters=(
            "it took at least 5 minutes",
            "I have at most one card",
            "can it be less than 5?",
            "I have less than 5 euros",
            "it was at most a minute",
            "is the maximum 10?",
        ),
        weak=True,
    ),
    Pattern(
        name="leave-out",
        type="policy",
        triggers=heard(" ignore | skip | disregard | forget about | exclude | omit | leave out | dont bother "),
        regex=rf"(?:{ORDER}|\b(?:you|we) can )(?:just |simply |completely )?"
        r"(?:ignore|skip|disregard|forget about|exclude|omit|leave out|don't bother(?: with)?) (?!to\b|it\b)\w+",
        examples=("ignore the vendored folder", "You can skip the animations", "please leave out the legacy routes"),
        counters=("does it ignore case?", "skip to step 3", "they ignore me"),
        weak=True,
    ),
    Pattern(
        name="small-steps",
        type="policy",
        triggers=heard(
            " at a time | file by file | minimal | minimum | smallest | fewest | as possible | existing | simple "
        ),
        regex=rf"{JOINED}(?:do|go|work|proceed|continue|take|implement|change|fix|commit|migrate"
        rf"|move)\b[^.;?]{{0,80}}?"
        r"\b(?:one (?:\w+ )?at a time|file by file)\b"
        rf"|{JOINED}(?:make|keep|do|use|only|prefer)\b[^.;?]{{0,40}}? (?:minimal|smallest(?: possible)?|fewest)"
        rf" (?:\w+ )?(?:changes?|edits?|diffs?|modifications?|lines)\b"
        rf"|{JOINED}keep (?:it|this|that|them|things|everything|the [\w-]+(?: [\w-]+)?) (?:as )?"
        r"(?:to (?:a|the) minimum|at a minimum|minimal|simple|small)\b"
        rf"|{JOINED}(?:{ACT}\b[^.;?]{{0,60}}? )?(?:with )?as (?:few|little|small|short|simple|close) (?:\w+ )?(?:to"
        rf" [^.;?]{{2,40}} )?as possible"
        rf"|{JOINED}(?:re-?)?use (?:the |our |my |an? |any )?existing \w+",
        examples=(
            "do the files one at a time",
            "make minimal changes to the schema",
            "reuse the existing button component",
            "Keep it to a minimum and as few layers as possible",
            "keep the changes at a minimum",
            "write it with as little state as possible",
        ),
        counters=(
            "a step by step guide",
            "is it the smallest change?",
            "the existing page is slow",
            "lets go through the bugs one by one",
            "walk me through it step by step",
            "it crashed as soon as possible",
        ),
        weak=True,
    ),
)
