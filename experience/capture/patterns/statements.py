"""Statements: how it is, where we work, what to go back to; said to an agent that did not know."""

from __future__ import annotations

from experience.capture.patterns.shape import JOINED, Pattern, heard

PATTERNS = (
    Pattern(
        name="remember-this",
        type="fact",
        triggers=heard(
            " remember | keep in mind | bear in mind | for the record | dont forget that | take note | remind |"
            " reminded | reminder "
        ),
        regex=rf"{JOINED}(?:always )?remember(?: this| that|,|:)+ ?(?!to\b|one\b|time\b|day\b)\w+|^remember (?:I"
        rf"|we|our|my|the|it's|you)\b"
        r"|\bI (?:\w+ )?remind(?:ed)? you\b|^(?:as |just )*a (?:\w+ )?reminder(?: that\b|:|,)|\b(?:keep"
        r"|bear) in mind\b|\bfor"
        r" the record\b|\bdon't forget that\b|^take note\b",
        examples=(
            "Remember this: the demo is on Thursday",
            "remember that our staging box has 2 cores",
            "keep in mind the API is rate limited",
            "a reminder that releases freeze on Friday",
            "Don't forget that Kim owns billing",
            "for the record, the archive is read only",
        ),
        counters=(
            "do you remember that?",
            "I don't remember that code",
            "remember to add a test",
            "it is a great reminder of our trip",
            "remember me",
            "I cannot remember the name",
        ),
        weak=True,
    ),
    Pattern(
        name="undo-it",
        type="fact",
        triggers=heard(" revert | undo | roll back | rollback | back | restore "),
        regex=rf"{JOINED}(?:(?:can|could|lets|let us|we should|you should) (?:you )?)?(?:please )?(?:just"
        rf" )?(?:revert|undo|roll ?back) (?:back )?"
        r"(?:it|that|this|these|those|the|your|all|every\w+|to)\b"
        rf"|{JOINED}(?:put|change|turn|switch|bring|move|set|take|get) (?:it|that|this|them|those|the [\w-]+(?:"
        rf" [\w-]+)?) back\b(?! (?:up|to me)\b)"
        rf"|{JOINED}(?:go|switch) back to (?:the|using|how|what|a|my|our|plain) ?\w+",
        examples=(
            "revert the change to the parser",
            "put the old title back",
            "please go back to the two-column layout",
        ),
        counters=("I want my money back", "get back to me soon", "how do I undo this?", "can you call me back?"),
        weak=True,
    ),
    Pattern(
        name="it-is-so",
        type="fact",
        triggers=heard(
            " only | just | already | we have | for that | for this | for exactly | we dropped | we removed |"
            " we renamed |"
            " we moved | we replaced | we deprecated | we retired | we switched | we migrated | we got rid |"
            " doesnt exist |"
            " does not exist | dont exist | do not exist |"
            " no such |"
            " not exist | called | named | located | stored | defined | spelled | spelt | hosted | the correct |"
            " the right | the proper | the actual | the real "
        ),
        regex=r"\bwe already (?:have|had|use|used|do|did|decided|agreed|discussed|support|tried|talked|got)\b"
        r"|\bwe have (?:one|it|(?:an? )?(?!bug|issue|problem|question|error)[\w-]+(?: (?!bug|issue|problem|question"
        r"|error)[\w-]+)?) (?:already|for (?:exactly )?(?:that|this)|under \w+|in [\w.-]*[/.]\w+)"
        r"|\b(?:there's|there is) an? [\w-]+(?: [\w-]+){0,2} for (?:exactly )?(?:that|this)\b"
        r"|\bwe (?:dropped|removed|renamed|moved|replaced|deprecated|retired|switched|migrated|got rid of)"
        r" (?:that|this|it|those|them|to|from|away|off)\b"
        r"|\b(?:there's|there is|there are) already \w+|\bthere(?:'s| is| are) no such \w+"
        r"|(?<!\b(?:if|when|unless|case|whether|where|once) )\b(?:that|this|the"
        r"|those) (?:[\w`./-]+ ){1,3}(?:doesn't|does not|don't|do not) (?:even |actually )?exist\b"
        r"|\b(?:it|that|this|they)(?:'s| is|'re| are) (?:\w+ly )?(?:called|named|located|stored|defined|spelled"
        r"|spelt|hosted) \w+"
        r"|\b(?:this|that|it)(?:'s| is) (?:only|just) (?:for|an?|to|meant|a) \w+"
        r"|\bthe (?:correct|right|proper|actual|real) (?:[\w`./-]+ ){1,3}(?:is|are|should be) [\w/.`-]",
        examples=(
            "we already have a helper for that",
            "There is already a cache",
            "that method doesn't exist",
            "its called parse_all",
            "The correct port is 9000",
            "we have a slider for exactly that",
            "there is a shader for this",
            "we retired that font in spring",
        ),
        counters=(
            "I already paid",
            "is there already a fix?",
            "it already works",
            "we have a problem in production",
            "there is a page for the team",
            "we have a demo on thursday",
            "if the folder does not exist create it",
        ),
        weak=True,
    ),
    Pattern(
        name="where-we-are",
        type="fact",
        triggers=heard(" so | which means | therefore "),
        regex=r"\b(?:I'm|I am|we're|we are|this is|it's|it is|they're|they are) (?:still |all |only |stuck )?"
        r"(?:on|using|running|behind|limited to|stuck (?:on|with|at)|an? (?:old|shared|public|private|legacy|small))"
        r" (?!(?:it|this|that|top|the same page|my way|fire|hold)\b)[^,;?]{2,40}[,;]? ?\b(?:so|which means|therefore) "
        r"(?!(?:can|could|how|what|why|where|I|is|are|do|should|would)\b)\w+",
        examples=(
            "im on windows so the shell script is useless",
            "we're on an old Ruby, so that syntax is out",
            "this is a shared host so there is no systemd",
            "They are behind a proxy, which means no websockets",
            "we are still using Python 3.8 so match statements are out",
            "it's running on a tablet so hover means nothing",
        ),
        counters=(
            "I'm using the form, so how do I save?",
            "are we on the new plan so we can call?",
            "it's so slow",
            "I am on it",
            "we are using flask",
            "I'm on the train so I can not call",
        ),
        weak=True,
    ),
    Pattern(
        name="hold-on",
        type="fact",
        triggers=heard(" wait | hold on | hang on | sorry | oops | correction | typo "),
        regex=r"^(?:wait|hold on|hang on|sorry|oops|correction|typo|my mistake|my bad)(?:[,.!:;–—-]+ ?| -"
        r" )(?:no,? |but |actually,? |I (?:meant|mean) )*"
        r"(?!(?:for|until|so|what|how|why|can|could|to|about|i'm|still|let|is|are|do|does|did|but i)\b)\w+"
        r"|^(?:oh,? |no,? |ah,? |ok,? )*wait (?:but |no |actually )?(?:that|this|it|those|(?:the|that|this) [\w-]+)"
        r"(?:'s| is| are| was| should| means| lives)\b",
        examples=(
            "wait, that is the old branch",
            "Sorry, the deadline is Tuesday",
            "correction: the file is in docs",
            "oh wait this is the staging key",
            "no wait the score is per team",
            "Correction, the talk is at ten",
        ),
        counters=(
            "wait for the build",
            "hold on a second",
            "Sorry, what was that?",
            "sorry to bother you",
            "wait so it runs twice?",
            "wait a minute please",
        ),
        weak=True,
    ),
)
