"""Standing orders: what an agent is to do from now on, and how it is to speak."""

from __future__ import annotations

from experience.capture.patterns.shape import ACT, JOINED, MEANS, ORDER, Pattern, heard

_TONE = r"(?:brief|briefer|short|shorter|concise|terse|simple|formal|informal|minimal|verbose|direct|honest|polite)"

# The plainest orders go before limits: `always run the tests before you commit` sets no limit.
PLAIN = (
    Pattern(
        name="always",
        type="preference",
        triggers=heard(" always "),
        regex=rf"(?:{ORDER}|^(?:for|in|on|with|at|inside) [^.;?]{{2,40}}? )always (?!(?:the|a|an|in|on|been|was|is"
        rf"|had|got|worked|works|fails|failed|happens|happy"
        rf"|good|here|there|full|fun|nice|so|very|more|makes?|brings?|\w+ing)\b)\w+"
        r"|\b(?:you|agents?) (?:should |must |need to |have to |do )?(?:please )?always \w+"
        r"|(?<!\b(?:he|she|they|it)\b[^.;]*)\b(?:sure|please|you to|should|must|and) always (?:\w+ly )?(?!been|the"
        r"|make us)\w+",
        examples=(
            "always use ruff for linting",
            "Please always run the tests first",
            "Format the code, and always sort imports",
            "I want you to always explain the reason",
            "for maps always use the dark palette",
            "on the map always show the legend",
        ),
        counters=(
            "it always works on my machine",
            "Should I always use a lock?",
            "has it always been red?",
            "you can always count on me",
            "they never rest and always cheer",
            "Always here to help",
        ),
    ),
    Pattern(
        name="never",
        type="preference",
        triggers=heard(" never "),
        regex=rf"(?:{JOINED}|^(?:for|in|on|with|at|inside) [^.;?]{{2,40}}? )never (?!(?:mind|say never|give up"
        rf"|let (?:me|us|you)|gets|stops|ends|fails|works|runs|makes|been|got|gotten|had"
        rf"|have|seen|heard|received|was|were|is|done|did|a|the"
        rf"|in|said)\b)"
        r"(?!\w+ed\b)\w+|\b(?:you|agents?) (?:should |must |are to |will )never \w+",
        examples=(
            "never commit to main",
            "Never use print for logging",
            "Keep it small and never add dependencies",
            "add the test and never guess a version",
            "in the api never return html",
            "Add a map and never guess a unit",
        ),
        counters=(
            "never mind",
            "never seen that before",
            "Have you never used it?",
            "the mail never arrived",
            "never give up",
            "it never ends",
        ),
    ),
)
PATTERNS = (
    Pattern(
        name="from-now-on",
        type="preference",
        triggers=heard(
            " from now on | from here on | from this point | going forward | moving forward | in future |"
            " in the future | for future reference | next time | henceforth | for future "
        ),
        regex=r"\b(?:from now on|from here on|from this point (?:on|forward)|going forward|moving forward"
        r"|henceforth)\b"
        r"|(?:^|[,;]\s*)(?:please )?(?:in|for) (?:the )?future,? (?!version|release|work|development|plan|feature)\w+"
        r"|\bin (?:the )?future[.!]*$|\bfor future (?:reference|tasks|sessions|commits|changes|work)\b"
        r"|\bnext time(?=,)|\bnext time,? (?!I\b|we meet|it\b|the\b|they\b|he\b|she\b|around\b)\w+|(?<!\bthe"
        r" )\bnext time[.!]*$",
        examples=(
            "From now on reply in German",
            "next time, show me the numbers",
            "going forward keep one class per file",
            "do it in one commit next time",
            "In future, put the tests next to the code",
        ),
        counters=(
            "the next time it crashed I was away",
            "add it to the future plans",
            "is that planned in the future?",
        ),
    ),
    Pattern(
        name="whenever-you",
        type="preference",
        triggers=heard(
            " whenever | every time | each time | any time | anytime | when you | when writing | when naming |"
            " when adding | when working | when creating | when making | when editing | when running |"
            " when committing | when testing | when refactoring | by default | default to "
        ),
        regex=r"(?:^|[,;]\s*)(?:whenever|every time|each time|any ?time) (?:you|we|a|an|the|there)\b[^.;]{3,60}?,? "
        rf"(?:please |always |never |first |then |make sure|just |do not |don't )*\b{ACT}\b"
        r"|\b(?:whenever|every time|each time|any ?time) you\b[^.;]{3,80}$"
        r"|^when (?:writing|naming|adding|working|creating|making|editing|running|committing|testing|refactoring)\b"
        rf"[^.;]{{2,60}}?, (?:please |always |never |first |do not |don't |make sure )*{ACT}\b"
        rf"|^(?:and |also |but )?when (?:you|you're|you are) (?:write|writing|show|showing|explain|explaining|answer"
        r"|answering|reply|refactor|refactoring|rename|renaming|commit|committing|touch|touching|suggest|propose"
        r"|name|naming|edit|editing|unsure|not sure|in doubt)(?: me)?\b"
        rf"[^.;]{{0,70}}?,? (?:please |always |never |first |just |only |do not |don't |make sure )*{ACT}\b"
        r"|^(?:please )?(?:by default,? |default to )(?!the\b|it\b|this\b)\w+",
        examples=(
            "Whenever you touch the schema, update the diagram",
            "run the linter every time you change a file",
            "When writing tests, use plain asserts",
            "Default to UTC everywhere",
            "When you explain a query, show the plan too",
            "when you are unsure, ask",
        ),
        counters=(
            "every time I click it, it crashes",
            "when I run it I get an error",
            "It crashes whenever it rains",
            "when you press space, show the map",
            "When you tap a card it opens twice",
            "what happens when you edit a row?",
        ),
    ),
    Pattern(
        name="instead-of",
        type="preference",
        triggers=heard(" instead | rather than | in place of | as opposed to "),
        regex=rf"{JOINED}(?:let's |we should |you should |we |you can )?{MEANS}\b[^.;]{{1,80}}?"
        r"\b(?:instead(?=[.!,]| of|$)|rather than|in place of|as opposed to)"
        rf"|(?:^|[,;] ?)instead,? (?:of [^,;]{{2,60}}, ?)?(?:please |just )?(?:{ACT}\b|you (?:could|should))"
        r"|\b(?:I|we) (?:want|need|meant|mean|use|need you to \w+|want you to \w+)\b[^.;]{1,80}?"
        r"\b(?:instead|rather than|as opposed to)\b",
        examples=(
            "use uv instead of pip",
            "please write it in Rust rather than C",
            "Put the helper in its own file instead",
            "we use Postgres rather than MySQL here",
            "try a plain loop in place of the recursion",
            "Instead of a thread pool, use one worker",
        ),
        counters=(
            "it returned None instead of a list",
            "What can I use instead?",
            "I got a refund instead",
            "change the command so that it takes a path instead of a name",
            "update the card to show the price rather than the stock",
            "let the player jump instead of walk",
        ),
        weak=True,
    ),
    Pattern(
        name="manner-of-speech",
        type="preference",
        triggers=heard(
            " concise| brief| short| terse| verbose| simple| formal| informal| minimal| direct | honest |"
            " polite | reply | respond | answer | speak | emoji| small talk| flattery| apolog| preamble| filler| keep "
        ),
        regex=rf"{ORDER}(?:be|stay) (?:more |less |very |as )?{_TONE}\b"
        rf"|{ORDER}keep (?:it|them|this|things|your|the|all|every|\w+) ?(?:\w+ ){{0,2}}(?:as )?{_TONE}\b"
        rf"|{ORDER}keep (?:the |your )?(?:tone|style|wording|language|voice|writing|phrasing) \w+"
        rf"|{ORDER}keep (?:the |your |all |any )?(?:answers?|replies|explanations?|responses?|summar(?:y|ies)|messages?"
        r"|comments|descriptions?|commits?|functions|names|titles?) (?:to|under|below|within|at) \w+"
        rf"|{ORDER}(?:reply|respond|answer|speak|talk|explain)(?: to me| back)? (?:only |just )?(?:in|with) "
        r"(?!a moment|case|the following)\w+"
        rf"|{ORDER}no (?:more )?(?:emojis?|small talk|flattery|apologi\w+|preambles?|filler\w*)\b",
        examples=(
            "Be concise",
            "keep your answers short",
            "please answer in French",
            "No emojis",
            "Keep commit messages brief",
            "keep replies to two sentences",
            "keep the tone casual",
        ),
        counters=(
            "write a short story",
            "What is the short answer?",
            "a simple fix",
            "the reply is brief",
            "Answer the next question",
            "does it keep messages under a minute?",
        ),
        brief=True,
    ),
    Pattern(
        name="asked-for-good",
        type="preference",
        triggers=heard(
            " always | never | stop | not | rather than | instead of | from now on | from here on | next time |"
            " going forward | in future | in the future "
        ),
        regex=r"^(?:ok |so |please |and |but |also )*(?:can|could|would|will) (?:you|we) (?:please |pls |just "
        r"|maybe )*"
        rf"(?:(?:always|never|not) (?:\w+ly )?{ACT}\b|stop \w+ing\b"
        rf"|(?:[^?,]{{2,80}}? and )?{MEANS}\b[^?]{{2,160}}?\b(?:rather than|instead of) (?!me\b)\w+"
        r"|[^?]{2,160}\b(?:from (?:now|here) on|next time|going forward|in (?:the )?future)\b)",
        examples=(
            "can you please stop adding comments everywhere?",
            "could you always show the diff first?",
            "Would you not touch the lock file?",
            "can we read the real file rather than a copy?",
            "can you answer in French from here on?",
            "could you load the survey and use it rather than invented rows?",
        ),
        counters=(
            "can you add a footer to it?",
            "could you recommend a book?",
            "will it always be slow?",
            "can you make the chart show weeks instead of days?",
            "could you fix the first one?",
            "can we add a second level?",
        ),
        asks=True,
    ),
    Pattern(
        name="use-it-for",
        type="preference",
        triggers=heard(" use | go with | stick with | choose "),
        regex=rf"{ORDER}(?:use|go with|stick with|choose) (?!(?:it|this|that|them|these|those|the (?:same"
        rf"|following|above))\b)[\w@.`/+#-]+"
        r"(?: [\w.`/+#-]+){0,3}? (?:(?:for|in|on|across) (?:all|every|any|each|everything|anything|most|the (?:entire"
        r"|whole)|the rest)\b|everywhere|throughout|by default|at all times|consistently|from (?:now|here))",
        examples=(
            "use pnpm for every package",
            "Let's use UTC in all reports",
            "please use double quotes everywhere",
            "go with Postgres across the whole stack",
            "stick with metric units throughout",
            "use the small font for all captions",
        ),
        counters=(
            "can I use it for rent?",
            "what do you use for tests?",
            "I use it for work",
            "use the row number as a name",
            "Use the attached file for a chart",
            "use a queue for the mails",
        ),
        weak=True,
    ),
    Pattern(
        name="how-we-do-it",
        type="preference",
        triggers=heard(" we | our team | our project | our code | our repo | our codebase | our company | our shop "),
        regex=r"^(?:and |but |also |so |note that |note:? |fyi,? |btw,? |here "
        r"|in this (?:project|repo|codebase|team|company),? )*"
        r"(?:(?:here )?we|our (?:team|project|code|repo|codebase|company|shop)) (?:\w+ly |always |all )?"
        r"(?:names?|calls?|prefix(?:es)?|formats?|writes?|tags?|versions?|documents?|capitali[sz]es?|indents?|follows?"
        r"|pins?|lints?|squash(?:es)?|rebases?|keeps?|sticks? to|sorts?) "
        r"(?!(?:it|this|that|them|to|up|down|back|getting|going|seeing|having|running|about"
        r"|the (?:error|issue)|for)\b)\w+",
        examples=(
            "we name our branches after the ticket",
            "Our team writes docs in asciidoc",
            "in this repo we tag releases with a v",
            "we keep shaders in their own folder",
            "We prefix every table with app",
            "our code follows the google style",
        ),
        counters=(
            "we keep getting timeouts",
            "How do we name the branch?",
            "can we sort the rows?",
            "we called the bank",
            "should we keep the old page?",
            "we call it when the app starts",
        ),
        weak=True,
    ),
)
