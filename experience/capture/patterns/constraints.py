"""Constraints: what must be and what must not be."""

from __future__ import annotations

from experience.capture.patterns.shape import ACT, JOINED, MEANS, ORDER, Pattern, heard

_PAST = (  # after "must have" these speak of a guess about the past
    r"(?:been|felt|had|gone|got|gotten|done|made|broken|missed|forgotten|lost|left|taken|seen|known|come|run|sent|put"
    r"|set|become"
    r"|thought|read|written|hit|cut|let|kept|\w+ed)"
)
_IDLE = (  # without a person before it, "don't …" with one of these is no order
    r"(?:worry|mind|know|think|see|understand|get|have|care|forget|need|want|like|remember|believe|feel|recall"
    r"|recognise"
    r"|recognize|work|exist|seem|match|appear|matter|hear|find|agree|look|bother|even|really|really|love|trust"
    r"|you|we|i|they"
    r"|it|enjoy|all|help|show|hesitate|panic|stress|be (?:sorry|afraid|shy)|give up|stop (?:dreaming|believing)"
    r"|let (?:it|that|this|them|him|her|anything|anyone) (?:get|stop|bother|bring))"
)

PATTERNS = (
    Pattern(
        name="must",
        type="policy",
        triggers=heard(" must | mustnt "),
        regex=r"(?<!\ba )(?<!\bthere )(?<!-)\bmust (?:also |always |only |all |first |\w+ly )?"
        rf"(?!(?:be|not|never|say|admit|confess|seem|mean|think|know|like|want|look|feel|come|see|try|enjoy|love"
        rf"|miss|hate|do"
        rf" activities)\b|have {_PAST}\b)\w+"
        r"|\b(?:must not|mustn't|must never|must always|must only|must at all times) \w+"
        r"|\b(?:all|every|each|any|no|both|everything|none)\b[^,.;]{0,50}? must be \w+"
        r"|(?<!\bit )(?<!\bthis )(?<!\bthat )(?<!\bthere )(?<!\bthey )(?<!\bhe )(?<!\byou )\bmust be "
        r"(?:at least|at most|no more|no longer|less than|more than|under|below|above|between|exactly|one of|able"
        r" to|unique"
        r"|compatible|optional|\w+ed (?:before|after|using|via|through))\b",
        examples=(
            "must support Python 3.11",
            "Every handler must return JSON",
            "You must not push to main",
            "all dates must be in UTC",
            "the reply must never leak a stack trace",
        ),
        counters=(
            "it must be the cache",
            "you must have missed a file",
            "There must be a leak somewhere",
            "Must I use a lock?",
            "the cache must be broken",
        ),
    ),
    Pattern(
        name="required",
        type="policy",
        triggers=heard(
            " required| mandatory | forbidden | prohibited | not allowed | not permitted | off limits |"
            " non negotiable | nonnegotiable | unacceptable | banned | requirement | requirements |"
            " arent allowed | isnt allowed | disallowed "
        ),
        regex=r"^(?:it is |it's |is )?(?:strictly |absolutely |also )?required\b(?! (?:for what|by whom|field))[:"
        r" ]*\w+"
        r"|\b(?:is|are|it's|they're) (?:\w+ly |always |also )?(?:required|mandatory|forbidden|prohibited"
        r"|disallowed|banned|off-? ?limits"
        r"|non-?negotiable|unacceptable)\b|\b(?:is|are)(?:n't| not) (?:allowed|permitted|acceptable)\b(?! to"
        r" (?:me|transfer|withdraw))"
        r"|\byou(?:'re| are) required to\b|\b(?:hard |strict |only |key |main |one )?requirements?(?: is| are|:) \w+",
        examples=(
            "Required: a changelog entry for each release",
            "required Python 3.12 or newer",
            "Type hints are required",
            "Force pushes are not allowed",
            "it is mandatory to sign commits",
        ),
        counters=(
            "add libraries if required",
            "is a visa required?",
            "the required field is empty",
            "Login was required",
        ),
    ),
    Pattern(
        name="dont-ever",
        type="policy",
        triggers=heard(
            " ever | under no circumstances | on no account | at no point | no exceptions | in no case | at all costs "
        ),
        regex=rf"{JOINED}(?:don't|do not) (?:you )?(?:ever|under any circumstances) \w+"
        r"|\byou (?:don't|do not|must not|should not|shouldn't|are not to) ever \w+|\bnever,? ever \w+|\bnot ever \w+"
        r"|\b(?:under no circumstances|on no account|at no point|in no case|no exceptions|at all costs)\b",
        examples=(
            "don't ever force push",
            "dont ever touch the billing table",
            "Do not ever log a password",
            "never ever skip the hooks",
            "Under no circumstances rename that column",
        ),
        counters=("have you ever seen this?", "I don't ever see it", "forever is long"),
    ),
    Pattern(
        name="do-not",
        type="policy",
        triggers=heard(" dont | do not | refrain from | donot | lets not | let us not "),
        regex=rf"{JOINED}let(?:'s| us) not (?!forget\b)\w+|{ORDER}(?:don't|do not|donot)(?: just| simply|"
        rf" actually)? (?!{_IDLE}\b)\w+"
        rf"|(?<!\b(?:they|we|i|you|which|that|these|those)\b[^,;]*)\b(?:and|but|so|then|please|or|also) (?:please"
        rf" )?(?:don't|do not)(?: just)? (?!give up){ACT}\b"
        rf"|\b(?:please|and|but) (?:please )?(?:don't|do not) (?!give up){ACT}\b(?! (?:now|any ?more|at all|either"
        rf"|properly"
        rf"|correctly|right))(?= \w)"
        rf"|{JOINED}refrain from \w+|\bI (?:don't|do not) want you to \w+",
        examples=(
            "DO NOT RENAME THE COLUMNS",
            "dont touch the tests",
            "Please do not add comments",
            "fix the parser but don't rename anything",
            "lets not touch the cache layer",
        ),
        counters=(
            "don't worry about it",
            "dont know why",
            "I don't get it",
            "they pass but don't work",
            "Don't you see it?",
        ),
    ),
    Pattern(
        name="stop-doing",
        type="policy",
        triggers=heard(" stop | quit | cease | enough with "),
        regex=rf"{JOINED}(?:stop|quit|cease) (?:with |all )?(?:the |your )?(?!(?:working|running)\b)\w+ing\b"
        r"|\byou (?:need to|have to|must|should|can|keep) stop \w+ing\b|\benough with the\b",
        examples=(
            "stop adding emojis",
            "please stop rewriting my tests",
            "Quit guessing",
            "you need to stop apologizing",
        ),
        counters=("it stopped working", "how do I stop charging?", "stop the server"),
        brief=True,
    ),
    Pattern(
        name="should-not",
        type="policy",
        triggers=heard(
            " should not | shouldnt | should never | should only | should always | you should | you need to |"
            " you have to | nothing | nobody | no one | none of | no | cant | cannot | can not | must not |"
            " ought not | better not | are not to | may not | you cant | you cannot |"
            " may only | we cant | we cannot | we can not "
        ),
        regex=r"\b(?:should not|shouldn't|should never|should only ever|ought not to|are not to) "
        r"(?!(?:have|be (?:a |an |too |that |so )?(?:problem|hard|difficult|big|long|issue|happening))\b)\w+"
        r"|\bshould (?:only|always|at most|at least|at all times) \w+"
        r"|\b(?:nothing|nobody|no one|none of (?:the|these|those)|no [\w-]+) (?!is\b|was\b)[^,.;?]{0,40}?\b(?:may"
        r"|should|must|shall|is to"
        r"|are to) \w+"
        r"|\b(?:can't|cannot|can not|must not|may not|should not) (?:get|grow|go|become|take|exceed"
        r"|cost) (?:any )?(?:bigger|larger|longer"
        r"|slower|over|above|more|beyond|past|higher|\d)"
        r"|(?<!\b(?:if|now|next|do|that|what|whatever) )\byou (?:need|have) to"
        rf" (?:always |first |only |\w+ly )?{MEANS}\b"
        r"|\byou should (?!(?:be able|see|get|have|know|find|now|be (?:seeing|good|fine)|already|still)\b)\w+"
        r"|\b(?:you (?:may not|may only|can only|cannot|can't|can not)|we (?:cannot|can't|can not))"
        r" (?:just |simply |ever )?"
        r"(?:use (?!it\b|this\b|that\b)|change|edit|modify|delete|push|commit|rely|assume|touch|add|remove|install|do"
        r"|mock|skip|rename|merge)\b",
        examples=(
            "you should not edit generated files",
            "The parser shouldn't print anything",
            "you should plan before you code",
            "You can't rely on the system clock",
            "you need to run the migrations by hand",
            "tests should only touch temporary folders",
            "we cant add another service",
            "nothing on the home screen may move",
            "the archive cannot grow any larger",
        ),
        counters=(
            "should we not use it?",
            "now you need to write the second level",
            "you have to see the trailer",
            "you should see it now",
            "that shouldn't be a problem",
            "I was charged and shouldn't have been",
        ),
    ),
    Pattern(
        name="has-to-be",
        type="policy",
        triggers=heard(" has to | have to | needs to | need to | cant be | cannot be | can not be "),
        regex=r"(?<!\b(?:I|we|you|they|may|will|would|might|not|never|doesn't|don't|if it|if that|if this)"
        r" )\b(?:has|have) to "
        r"(?:be|stay|remain|work|support|run|fit|match|use|follow|comply|come|go)\b"
        r"|\b(?:the|each|every|all|any|our|that|this|both|everything) (?:(?!users?|customers?|players?|people"
        r"|person|team"
        r"|clients?|admins?)[\w-]+ ){0,3}(?:has|have) to (?!(?:do|wait|pay|go|see|know|deal)\b)\w+"
        r"|^(?!users\b|customers\b|players\b|clients\b|admins\b|visitors\b)[a-z][\w-]+s have to (?!(?:do|wait|pay"
        r"|go|see|know|deal)\b)\w+"
        r"|\b(?:it|this|that|everything|all|both|they|(?:each|every) \w+) (?:also )?needs? to (?:stay|remain|work"
        r"|support|run|fit|match|be)\b"
        r"|\b(?:can't|cannot|can not) be (?:changed|modified|touched|removed|deleted|renamed|hard-?coded|null"
        r"|empty|negative|larger"
        r"|longer|bigger|more|less|shared|public|exposed|edited|committed|mutable|global)\b",
        examples=(
            "the output has to be valid JSON",
            "It needs to work offline",
            "the name cannot be empty",
            "every query has to finish within a second",
            "levels have to load without a network",
            "the trailer has to fit in thirty seconds",
        ),
        counters=(
            "I have to be at work",
            "does it have to be red?",
            "the page cannot be found",
            "the user has to click twice",
            "users have to wait for minutes",
            "I need to go",
        ),
        weak=True,
    ),
    Pattern(
        name="our-rule",
        type="policy",
        triggers=heard(
            " rule | rules | policy | convention | conventions | standard | guideline | guidelines | agreed | decided "
        ),
        regex=r"\b(?:the|our|my|one|a) (?:\w+ )?(?:rule|convention|guideline|standard)s? (?:here"
        r" )?(?:is|are|says?)\b (?!missing|wrong|not|empty|broken|failing)\w+"
        r"|\bour (?:\w+ )?policy (?:is|says)\b|\b(?:as|like) (?:we )?(?:agreed|decided)\b|\bwe (?:have"
        r" )?(?:agreed|decided) (?:to|that|on|not|against)\b",
        examples=("our convention is snake_case", "we agreed to drop Python 3.9", "The rule here is one test per file"),
        counters=("the rules page is empty", "which rule is it?", "they decided to leave"),
        weak=True,
    ),
)
