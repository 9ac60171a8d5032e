"""Limits: where the work ends, what is to be spared, and who is asked first."""

from __future__ import annotations

from experience.capture.patterns.shape import ACT, JOINED, ORDER, SCOPE, Pattern, heard

STEP = (  # one more thing to do now, not how to do things
    r"(?:add|build|change|check|clean|commit|create|deploy|fetch|fix|get|include|implement|install|look|merge|mention"
    r"|publish|pull|push|put|rebuild|remove|rename|restart|run|save|send|set|start|test|update|upload|verify|write)"
)

PATTERNS = (
    Pattern(
        name="only",
        type="policy",
        triggers=heard(" only | just | limit | restrict | nothing else | exclusively | solely "),
        regex=rf"{ORDER}(?:only|exclusively|solely) {SCOPE}\b"
        rf"|\b(?:we|you|let's|lets)(?:'ll| will| should| want to| are going to|'re going to| can| need to| may)?"
        rf" (?:only|just) {ACT}\b"
        r"[^.;?]{0,80}(?:\b(?:for now|only|at this point|for the moment|nothing else|and not|yet)\b)"
        rf"|\b(?:we|you|let's|lets)(?:'ll| will| should| want to| are going to|'re going to| can| need to| may)"
        rf" only {ACT}\b"
        rf"|{ORDER}{SCOPE} (?:only\b|just (?:the|this|that|one|my|our) \w+)|{ORDER}{ACT}\b[^.;?]{{1,80}} only[.!]*$"
        rf"|{ORDER}(?:limit|restrict) (?:it|this|that"
        rf"|the|your\w*|them|changes|yourself|\w+) (?:\w+ )?to\b"
        r"|\b(?:and |but )?nothing (?:else|more)(?: please)?[.!]*$"
        r"|\bso,? (?:please )?only (?!(?:half|part|some|one|see|got|get|works?|shows?|a|I|it|\w+ed)\b)[\w-]+ \w+"
        rf"|{ORDER}only (?:in|for|on|when|if|the|those|these|that|to) \w+",
        examples=(
            "only migrate the orders table for now",
            "You may only touch the parser",
            "Please only change the header",
            "use only the standard library",
            "limit the change to one file",
            "run the unit tests only",
            "translate just the second chapter",
            "there is no budget so only free fonts",
        ),
        counters=(
            "it only works once",
            "I only see one row",
            "is this the only way?",
            "just a thought",
            "i just added the two maps",
            "can you just do it?",
            "show only the open tickets",
        ),
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
        rf"(?! to (?:also )?{STEP}\b)"
        r"(?! (?:that )?(?:[\w-]+ ){1,4}(?:still |all )?(?:work|works|working|pass|passes|passing|runs?|compiles?"
        r"|builds?)(?: \w+){0,2}[.!]*$)\W+\w+"
        r"|\bit(?:'s| is) (?:\w+ )?(?:important|critical|crucial|essential|imperative|vital) (?:that (?!we\b)|you "
        r"|to (?:not|keep|never|avoid|preserve|always)\b)",
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
        rf"|unchanged|intact|the same|in place|out of|under|below|within|inside|consistent|compatible"
        r"|fixed|stable|separate|in sync|private|optional)\b"
        rf"|{JOINED}keep (?:all|every|each|both|the (?:current|existing|old|original|same|exact)) (?!going\b"
        rf"|other\b)\w+"
        rf"|{ORDER}{ACT}\b[^.;?]{{2,120}}? but (?:please )?(?:keep|leave|preserve) (?!going\b)\w+"
        r"|(?<!\bused )\bwithout (?:changing|touching|modifying|breaking|editing|altering|removing"
        r"|deleting|adding|asking|affecting"
        r"|rewriting|renaming|introducing|creating|losing|overwriting|installing|committing|running)\b|^hands off\b",
        examples=(
            "leave the old endpoint alone",
            "keep the public names as they are",
            "Add paging without changing the schema",
            "Keep secrets out of the logs",
            "translate it but keep all of the footnotes",
            "keep the original aspect ratio",
        ),
        counters=(
            "when do trains leave?",
            "keep going",
            "the page loads without style",
            "it is slow but keeps running",
            "keep me posted",
            "can i keep both accounts?",
        ),
    ),
    Pattern(
        name="ask-first",
        type="policy",
        triggers=heard(
            " before | first | hold off | hold back | wait with | ask before | check first | check before |"
            " wait for | wait until |"
            " wait till | before doing | before making | before writing | before changing | ask me |"
            " check with me | tell me before | show me before | my approval | my permission | my ok |"
            " my confirmation | confirm with me | before committing | before pushing | before implementing |"
            " my go ahead | before continuing | before proceeding | before starting | before deleting |"
            " before editing | before adding | tell me first | show me first "
        ),
        regex=r"\bbefore (?:you (?:\w+ly |ever )?|actually )(?:write|start|make|do|change|implement|commit|push"
        r"|touch|begin|proceed"
        r"|continue|edit|delete|add|run|go|merge|try|apply|install|deploy|publish|release|send|refactor|remove"
        r"|rename|move)\b"
        r"|\bbefore (?:you |actually )?(?:doing|making (?:any |the )?(?:changes?|edits?)|writing (?:any "
        r"|the )?(?:code|tests)|changing"
        r" any\w*|coding|committing|pushing|implementing|continuing|proceeding|starting|touching|merging|refactoring)\b"
        rf"|{ORDER}(?:read|check|look (?:at|into)|ask|plan|think|explain|discuss|propose|outline|sketch|(?:give"
        rf"|show|tell) me)"
        r"\b(?! if\b| whether\b)[^.;?]{1,60} first(?=[,.!;]|$)"
        rf"|{ORDER}(?:hold (?:off|back)|wait with)\b[^.;?]{{0,60}}\b(?:until|till?|before)\b"
        rf"|{ORDER}(?:always )?(?:ask|check with|confirm with|consult|tell|show|warn) me (?:first|before|for|if"
        rf"|when|whenever)\b"
        rf"|{JOINED}(?:ask|check) (?:first|before)\b|{JOINED}wait (?:for|until|till) (?:me|my|I)\b"
        r"|\b(?:wait for|get|need) my (?:\w+ )?(?:approval|permission|ok|confirmation|go-? ?ahead|consent)\b"
        rf"|{JOINED}(?:don't|do not|never|nothing|no \w+)\b[^.;?]{{1,80}} without my \w+",
        examples=(
            "Sketch the tables before you start coding",
            "ask me first if a file would be deleted",
            "wait for my approval",
            "read the style guide first",
            "hold off on the rename until friday",
            "Show me the plan before making changes",
        ),
        counters=(
            "what should I know before I start?",
            "it worked before",
            "ask me anything",
            "merged without a review",
            "add a warning before deleting a photo",
            "fix the first one",
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
        triggers=heard(
            " focus on | concentrate on | stick to | away from | clear of | keep off | stay out | stay within | avoid |"
            " stay on | prioritize "
        ),
        regex=rf"{JOINED}(?:only |just )?(?:focus|concentrate) (?:only |just |solely )?on\b|{JOINED}(?:stick"
        rf"|keep) to \w+"
        rf"|{ORDER}(?:stay|keep|steer) (?:within|on|out of|away from|clear of|off) \w+"
        rf"|{JOINED}(?:please )?(?:try to )?avoid (?!being charged)\w+",
        examples=(
            "focus on the parser only",
            "Stick to the public API",
            "avoid global state",
            "please avoid adding layers",
            "keep away from the save files",
            "stay out of the vendor folder",
        ),
        counters=(
            "how do I focus on one window?",
            "this avoids a copy",
            "what should I avoid?",
            "is it away from the wall?",
            "I stay in Berlin",
        ),
    ),
    Pattern(
        name="no-more-of-it",
        type="policy",
        triggers=heard(" no | zero "),
        regex=rf"(?:{ORDER}|\b(?:so|and|but|with|please),? )(?:no|zero) "
        r"(?:more|new|extra|external|additional|further|third[- ]party"
        r"|unneeded"
        rf"|unnecessary|hard-?coded|magic|inline|global"
        r"|fake|dummy|placeholder|mock|breaking|debug|commented|nested|manual|silent|raw|default) "
        r"(?!(?:errors?|issues?|problems?|questions?|warnings?|failures?|crash\w*|luck|messages?|than)\b)\w+",
        examples=(
            "no new dependencies",
            "No hard-coded paths please",
            "add the parser, no external libraries",
            "it is a museum kiosk, so no external fonts",
            "zero new tabs in the sidebar",
            "So no global state",
        ),
        counters=(
            "no more errors",
            "there are no new mails",
            "no problem",
            "No more questions",
            "there is no new mail",
            "is there no default font?",
        ),
    ),
    Pattern(
        name="preserve",
        type="policy",
        triggers=heard(" preserve | retain | respect | adhere | comply | conform | follow | exactly "),
        regex=rf"{JOINED}(?:always |strictly )?(?:(?:preserve|retain|respect|adhere to|comply with"
        rf"|conform to) (?!for\b)\w+"
        r"|follow (?:the|our|my|this|these|those|its) (?:[\w-]+ ){0,3}?(?:rules?|styles?|conventions?|guid\w+"
        r"|patterns?|standards?|format\w*"
        r"|naming|structure|order|instructions?|principles?|layout)\b)"
        rf"|{ORDER}{ACT}\b[^.;?]{{1,80}}? exactly (?:as|like|the (?:same|way)|what|how)\b",
        examples=(
            "Preserve the order of the rows",
            "write the helper and follow our naming conventions",
            "copy the header exactly as it is in the mockup",
            "keep the order and preserve the indentation",
            "respect the reading direction",
            "follow the naming rules of the atlas",
        ),
        counters=(
            "does it follow the rules?",
            "it is exactly what I need",
            "I follow the news",
            "respect for helping others",
            "can it preserve the order?",
            "follow me",
        ),
    ),
)
