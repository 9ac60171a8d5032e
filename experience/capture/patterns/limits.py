"""Limits: where the work ends, what is to be spared, and who is asked first."""

from __future__ import annotations

from experience.capture.patterns.shape import ACT, JOINED, ORDER, Pattern, heard

STEP = (  # one more thing to do now, not how to do things
    r"(?:add|build|change|check|clean|commit|create|deploy|fetch|fix|get|include|implement|install|look|merge|mention"
    r"|publish|pull|push|put|rebuild|remove|rename|restart|run|save|send|set|start|test|update|upload|verify|write)"
)

PATTERNS = (
    Pattern(
        name="only",
        type="policy",
        triggers=heard(" only | just | limit | restrict | nothing else | exclusively | solely "),
        regex=rf"{ORDER}(?:only|exclusively|solely) {ACT}\b"
        rf"|\b(?:we|you|let's|lets)(?:'ll| will| should| want to| are going to|'re going to| can| need to| may)?"
        rf" (?:only|just) {ACT}\b"
        r"[^.;?]{0,80}(?:\b(?:for now|only|at this point|for the moment|nothing else|and not|yet)\b)"
        rf"|\b(?:we|you|let's|lets)(?:'ll| will| should| want to| are going to|'re going to| can| need to| may)"
        rf" only {ACT}\b"
        rf"|{ORDER}{ACT} only\b|{ORDER}{ACT}\b[^.;?]{{1,80}} only[.!]*$|{ORDER}(?:limit|restrict) (?:it|this|that"
        rf"|the|your\w*|them|changes|yourself|\w+) (?:\w+ )?to\b"
        r"|\b(?:and |but )?nothing (?:else|more)[.!]*$"
        rf"|{ORDER}only (?:in|for|on|when|if|the|those|these|that|to) \w+",
        examples=(
            "only migrate the orders table for now",
            "You may only touch the parser",
            "Please only change the header",
            "use only the standard library",
            "limit the change to one file",
            "run the unit tests only",
        ),
        counters=("it only works once", "I only see one row", "is this the only way?", "just a thought"),
    ),
    Pattern(
        name="make-sure",
        type="policy",
        triggers=heard(
            " make sure | ensure | be sure | careful | see to it | take care | important | critical | crucial |"
            " essential | imperative | vital "
        ),
        regex=rf"{JOINED}(?:always )?(?:(?:make|be) (?:absolutely |very |really )?sure|ensure|see to it|be"
        rf" (?:more |very |extra )?careful"
        r"|take care (?:to|not|that))\b(?! (?:you have a nice|of yourself))"
        rf"(?! to (?:also )?{STEP}\b)(?! (?:that )?(?:[\w-]+ ){1,4}(?:still"
        r" |all )?"
        r"(?:work|works|working|pass|passes|passing|runs?|compiles?|builds?)(?: \w+){0,2}[.!]*$)\W+\w+"
        r"|\bit(?:'s| is) (?:\w+ )?(?:important|critical|crucial|essential|imperative|vital) (?:that|to|you|we"
        r"|for)\b",
        examples=(
            "make sure the build is green first",
            "Ensure that each sentence has its own line",
            "add the flag and make sure it stays off by default",
            "be careful not to break the API",
            "it is crucial that the ids stay stable",
            "make sure to keep the save files readable",
        ),
        counters=(
            "can you check to ensure nothing broke?",
            "this would ensure a clean state",
            "I'm not sure",
            "make sure to add the new icons",
            "Ensure to include the totals",
            "make sure all tests pass",
        ),
    ),
    Pattern(
        name="leave-it",
        type="policy",
        triggers=heard(" leave | keep | as is | without | intact | untouched | unchanged | hands off "),
        regex=rf"{JOINED}(?:leave|keep) [^.;?]{{1,60}}?\b(?:alone|as(?:-| )is|as (?:it is|they are)|untouched"
        rf"|unchanged|intact|the same|in place|out of|under|below|within|inside|consistent|compatible)\b"
        r"|(?<!\bit )(?<!\bused )\bwithout (?:changing|touching|modifying|breaking|editing|altering|removing"
        r"|deleting|adding|asking|affecting"
        r"|rewriting|renaming|introducing|creating|losing|overwriting|installing|committing|running)\b|^hands off\b",
        examples=(
            "leave the old endpoint alone",
            "keep the public names as they are",
            "Add paging without changing the schema",
            "Keep secrets out of the logs",
        ),
        counters=("when do trains leave?", "keep going", "the page loads without style"),
    ),
    Pattern(
        name="ask-first",
        type="policy",
        triggers=heard(
            " before you | ask first | ask before | check first | check before | wait for | wait until |"
            " wait till | before doing | before making | before writing | before changing | ask me |"
            " check with me | tell me before | show me before | my approval | my permission | my ok |"
            " my confirmation | confirm with me | before committing | before pushing | before implementing |"
            " my go ahead | before continuing | before proceeding | before starting | before deleting |"
            " before editing | before adding | tell me first | show me first "
        ),
        regex=r"\bbefore (?:you (?:\w+ly |ever )?|actually )?"
        r"(?:write|start|make|do|change|implement|commit|push|touch|begin|proceed|continue|edit|delete|add|run|go"
        r"|merge|try"
        r"|doing|making|writing|changing|committing|pushing|implementing|continuing|proceeding|starting|deleting"
        r"|editing|adding)\b"
        rf"|{ORDER}(?:always )?(?:ask|check with|confirm with|consult|tell|show|warn) me (?:first|before|for|if"
        rf"|when|whenever)\b"
        rf"|{JOINED}(?:ask|check) (?:first|before)\b|{JOINED}wait (?:for|until|till) (?:me|my|I)\b"
        r"|\b(?:wait for|get|need) my (?:\w+ )?(?:approval|permission|ok|confirmation|go-? ?ahead|consent)\b"
        rf"|{JOINED}(?:don't|do not|never|nothing|no \w+)\b[^.;?]{{1,80}} without my \w+",
        examples=(
            "Sketch the tables before you start coding",
            "ask me first if a file would be deleted",
            "wait for my approval",
            "Show me the plan before making changes",
        ),
        counters=(
            "what should I know before I start?",
            "it worked before",
            "ask me anything",
            "merged without a review",
        ),
    ),
    Pattern(
        name="asked-to-spare",
        type="policy",
        triggers=heard(
            " without | make sure | but dont | but do not | and dont | and do not | but keep | but leave |"
            " but only | and only "
        ),
        regex=r"^(?:ok |so |please |and |but |also |great |now )*(?:can|could|would|will) (?:you|we) [^?]{2,200}?"
        r"(?:\b(?:and|but) (?:please )?(?:make sure (?!it works)|don't|do not|keep|leave|only) ?\w+"
        r"|\bwithout (?:changing|touching|modifying|breaking|editing|altering|removing|deleting|adding|rewriting"
        r"|renaming|introducing"
        r"|losing|overwriting|installing)\b)",
        examples=(
            "can you add paging without changing the schema?",
            "Could you rename it but keep the old alias?",
        ),
        counters=("can you run it and see?", "can I pay without a card?", "could you do it without errors?"),
        asks=True,
    ),
    Pattern(
        name="focus-on",
        type="policy",
        triggers=heard(" focus on | concentrate on | stick to | stay within | avoid | stay on | prioritize "),
        regex=rf"{JOINED}(?:only |just )?(?:focus|concentrate) (?:only |just |solely )?on\b|{JOINED}(?:stick"
        rf"|keep) to \w+"
        rf"|{ORDER}stay (?:within|on|out of)\b|{JOINED}(?:please )?(?:try to )?avoid (?!being charged)\w+",
        examples=(
            "focus on the parser only",
            "Stick to the public API",
            "avoid global state",
            "please avoid adding layers",
        ),
        counters=("how do I focus on one window?", "this avoids a copy", "what should I avoid?"),
    ),
    Pattern(
        name="exception",
        type="policy",
        triggers=heard(" except | unless | excluding | other than | apart from | but not "),
        regex=rf"{ORDER}{ACT}\b[^.;?]{{1,120}}?\b(?:except|excluding|other than|apart from|but not) (?!that\b"
        rf"|if\b)\w+"
        r"|\bunless (?:I|we|you(?:'re| are)?|it is|it's|told|asked|otherwise|explicitly|absolutely|strictly"
        r"|really|necessary|needed"
        r"|required|specified) ?\b",
        examples=(
            "convert every file except the fixtures",
            "Rename the columns but not the indexes",
            "no new files unless I ask for them",
        ),
        counters=("Is it closed unless I pay?", "it works except on phones", "everything but not that"),
        weak=True,
    ),
    Pattern(
        name="for-now",
        type="policy",
        triggers=heard(" for now | at this point | for the moment | for the time being | just assume | assume "),
        regex=rf"{JOINED}(?:let's |we can |we should |we'll |you can |I want to |just )?{ACT}\b[^.;?]{{1,120}}?"
        r"\b(?:for now|at this point|for the (?:moment|time being))\b"
        rf"|{ORDER}assume (?!responsib|the position)\w+ \w+",
        examples=(
            "keep SQLite for now",
            "lets skip the animations for the moment",
            "Assume the user is logged in",
        ),
        counters=("that is all for now", "I assume it is fine", "at this point I am lost"),
        weak=True,
    ),
    Pattern(
        name="no-more-of-it",
        type="policy",
        triggers=heard(" no | zero "),
        regex=rf"{ORDER}(?:no|zero) (?:more|new|extra|external|additional|further|third[- ]party|unneeded"
        rf"|unnecessary|hard-?coded|magic|inline|global"
        r"|fake|dummy|placeholder|mock|breaking|debug|commented|nested|manual|silent|raw|default) "
        r"(?!(?:errors?|issues?|problems?|questions?|warnings?|failures?|crash\w*|luck|messages?|than)\b)\w+",
        examples=("no new dependencies", "No hard-coded paths please", "add the parser, no external libraries"),
        counters=("no more errors", "there are no new mails", "no problem", "No more questions"),
    ),
    Pattern(
        name="preserve",
        type="policy",
        triggers=heard(" preserve | retain | respect | adhere | comply | conform | follow | exactly "),
        regex=rf"{JOINED}(?:always |strictly )?(?:(?:preserve|retain|respect|adhere to|comply with|conform to) \w+"
        r"|follow (?:the|our|my|this|these|those|its) (?:[\w-]+ ){0,3}?(?:rules?|styles?|conventions?|guid\w+"
        r"|patterns?|standards?|format\w*"
        r"|naming|structure|order|instructions?|principles?|layout)\b)"
        rf"|{ORDER}{ACT}\b[^.;?]{{1,80}}? exactly (?:as|like|the (?:same|way)|what|how)\b",
        examples=(
            "Preserve the order of the rows",
            "write the helper and follow our naming conventions",
            "copy the header exactly as it is in the mockup",
        ),
        counters=("does it follow the rules?", "it is exactly what I need", "I follow the news"),
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
        r"|ten|a )",
        examples=("keep each file at most 300 lines", "Use no more than two colors", "allow at most two retries"),
        counters=("it took at least 5 minutes", "I have at most one card", "can it be less than 5?"),
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
            " at a time | one by one | step by step | file by file | minimal | smallest | fewest | as possible |"
            " existing "
        ),
        regex=rf"{JOINED}(?:do|go|work|proceed|continue|take|implement|change|fix|commit|migrate"
        rf"|move)\b[^.;?]{{0,80}}?"
        r"\b(?:one (?:\w+ )?at a time|one by one|step by step|file by file)\b"
        rf"|{JOINED}(?:make|keep|do|use|only|prefer)\b[^.;?]{{0,40}}? (?:minimal|smallest(?: possible)?|fewest)"
        rf" (?:\w+ )?(?:changes?|edits?|diffs?|modifications?|lines)\b"
        rf"|{JOINED}{ACT}\b[^.;?]{{0,60}}? as (?:few|little|small|short|simple|close) (?:\w+ )?(?:to"
        rf" [^.;?]{{2,40}} )?as possible"
        rf"|{JOINED}(?:re-?)?use (?:the |our |my |an? |any )?existing \w+",
        examples=(
            "do the files one at a time",
            "make minimal changes to the schema",
            "reuse the existing button component",
        ),
        counters=("a step by step guide", "is it the smallest change?", "the existing page is slow"),
        weak=True,
    ),
)
