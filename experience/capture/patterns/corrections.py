"""Corrections: the agent believed one thing, and the person says how it is instead."""

from __future__ import annotations

from experience.capture.patterns.shape import ACT, JOINED, ORDER, Pattern, heard

PATTERNS = (
    Pattern(
        name="actually",
        type="fact",
        triggers=heard(" actually "),
        regex=rf"{ORDER}actually,? (?!(?:never|nvm|great|good|nice|nothing|no problem|works|worked|it works)\b)\w+"
        r"|\b(?:it|that|this|they|these|he|she|there|we|I|which|name|file|\w+) "
        r"(?:is|are|was|were|should|lives?|means?|uses?|needs?|wants?|runs?|belongs?|called) actually \w+"
        r"|\b(?:it|that|this|they|we)(?:'s|'re) actually \w+"
        r"|\b(?:I|we|it|they) actually (?!(?:see|get|got|like|love|saw)\b)\w+",
        examples=(
            "Actually, the port is 8081",
            "actually we deploy from trunk",
            "the config is actually in the parent folder",
            "We actually store it in cents",
        ),
        counters=("does it actually work?", "Actually, great work", "can you actually see it?"),
        weak=True,
    ),
    Pattern(
        name="no-it-is",
        type="fact",
        triggers=heard(" no | nope | nah | wrong | not "),
        regex=r"^(?:oh |hmm |um |err |well |ah |ok |but )?(?:no|nope|nah)(?:[,.!:;–—-]+ ?| - )(?:no[,.!]? )*"
        r"(?!(?:thanks?|thank|thx|problem|worries|need|idea|it's (?:ok|fine|good)|that's (?:all|it|fine|ok|good"
        r"|great)"
        r"|go ahead|not? yet|i'm (?:good|fine|done)|nothing|please continue|continue|looks|all good"
        r"|still)\b)[\w`\"'(]+ ?\w"
        r"|^(?:oh |but )?no (?:i|you|we|it|it's|its|that|that's|this|the|they|there|don't|do not|just|use|not|my"
        r"|your|please|only)"
        r"\b (?!(?:is|was) (?:fine|ok|good))\w+"
        r"|^wrong[,.!:;]? \w+|^not like (?:that|this)\b"
        r"|^not (?!(?:a (?:problem|big|bad)|at all|for now|the (?:best|end)|in a hurry)\b)(?:that|this|the|those"
        r"|in|on|at|for|from|with|by|as|an?|to) "
        r"[^,.;]{1,40}[,.;:-] ?\w+",
        examples=(
            "no, the file is called setup.cfg",
            "No. Use the staging database",
            "nope, it belongs in the other module",
            "no i meant the second table",
            "Not that file, the other one",
        ),
        counters=("no problem", "No, thanks", "no idea why", "no, still the same error", "is there no other way?"),
        weak=True,
    ),
    Pattern(
        name="not-x-but-y",
        type="fact",
        triggers=heard(" not | isnt | arent | wasnt "),
        regex=r"(?<!\bdo )(?<!\bdoes )(?<!\bdid )(?<!\bcan )(?<!\bcould )(?<!\bwould )(?<!\bwill )(?<!\bif )\bnot "
        r"(?!(?:sure|only|working|perfect|bad|great|urgent|necessar\w+|too|very|so|really|quite|yet|there|seeing"
        r"|able|a big)\b)"
        r"[^,.;]{1,50}?,? but (?:rather |instead )?(?!(?:also|it|i|i'm|we|you|still|there|then|can|could|what|why"
        r"|how|not)\b)\w+"
        r"|\b(?:is not|isn't|are not|aren't|it's not|that's not|they're not|was not|wasn't) "
        r"[^,.;]{1,50}?[,;] ?(?:it's|it is|its|that's|they're|they are|use)\b \w+"
        r"|\bthe (?:issue|problem|bug|error|cause|question|point) (?:is not|isn't|was not|wasn't) \w+",
        examples=(
            "not the client but the server keeps the state",
            "It is stored not in cents but in euros",
            "it's not a list, it's a tuple",
            "the problem isn't the query",
            "The owner isn't Kim, it's Lee",
        ),
        counters=("not only fast but also small", "I'm not sure but it seems slow", "it is not bad but slow"),
        weak=True,
    ),
    Pattern(
        name="this-not-that",
        type="fact",
        triggers=heard(" not "),
        regex=r"\w[\w`\"')\]]*(?:,| -| –| —|\s\()? ?(?<=[,(–—-]\s?)(?:and |so |but )?not (?:just |only |to |in "
        r"|on |from |for |with |at |as |by )?"
        r"(?!(?:sure|that it|working|yet|now|really|even|bad|so|too|if|because|when|much|able|seeing|getting"
        r"|again|all|sure"
        r"|necessar\w+|found|showing|possible|required|needed|allowed|only|a problem|a big|available|been|be)\b)"
        r"[\w`\"'@./][^,;?]{0,70}$"
        rf"|(?:{ORDER}{ACT}|\bit's|\bit is|\bthat's|\bwe use|\bI want|\bI meant|\bI said|\bI mean)\b [^,.;?]{{1,60}}?"
        r"(?<!\b(?:is|are|was|were|do|does|did|can|could|will|would|should|must|may|might|has|have|had|if|or|and"
        r"|but|why|whether|\w+ly|just))"
        r" not (?:the |a |an |in |on |to |from |for |with )?(?!(?:sure|working|yet|now|really|even|all|only|be"
        r"|been|have|being|just|needed|required"
        r"|possible|necessary|available|found|set|there|able|allowed|supposed|enough|so|too|very|because|if|when"
        r"|to)\b)[\w`@./-]+(?: [\w`./-]+){0,3}[.!]*$",
        examples=(
            "you rotated the staging key, not the live one",
            "we want to count rows, not pages",
            "The tests belong in tests/unit, not in src",
            "we count on cron, not on a queue",
            "its port 9000 not 8000",
        ),
        counters=("the page is blank, not sure why", "I ran it, not working", "is it blue, not green?"),
    ),
    Pattern(
        name="not-what-i-wanted",
        type="fact",
        triggers=heard(
            " what i | what we | how i | how we | how it | how this | wrong | incorrect | not right |"
            " not correct | not true | isnt right | isnt correct | isnt true | false | your | look like | match |"
            " follow | reflect | correspond | conform | resemble | belong | isnt | wasnt "
        ),
        regex=r"\b(?:not|isn't|wasn't|aren't) (?:exactly |quite |really |at all |even )?(?:what|how|the way|where"
        r"|why) "
        r"(?:I|we|it|this|that|you) (?:\w+)"
        r"|^(?:oh |but |no,? |i think |sorry,? |hmm,? |ok,? |well,? )*(?:that|this|it|you|those|these|they)(?:'s|"
        r" is|'re| are| was| were) "
        r"(?:\w+ly |still |just |all |the )*(?:wrong|incorrect|false|mistaken|not (?:right|correct|true|the"
        r" (?:case|right)))\b"
        r"|^(?:no,? |but |ok |and )?(?:that|this|it) (?:still |just )?(?:isn't|wasn't) (?:\w+ly |still |quite"
        r" )?(?:right|correct|true|the (?:case|right))\b"
        r"|\bwhich (?:is|was|are|seems) (?:\w+ly )?(?:wrong|incorrect|false|not (?:right|correct|true))\b"
        r"|\byour (?:\w+ ){1,3}(?:is|are|was|were) (?:\w+ly |still |just )?(?:wrong|incorrect|off|outdated|not"
        r" (?:right|correct|true))\b"
        r"|\b(?:this|that|it|these|those) (?:does not|doesn't|do not|don't|did not|didn't) (?:\w+ )?"
        r"(?:look like|match|follow|reflect|correspond to|conform to|resemble|belong) (?!it\b)\w+"
        r"|\b(?:the|a) wrong (?:file|branch|place|folder|directory|one|way|name|version|module|repo\w*|function"
        r"|approach|table)\b",
        examples=(
            "that's not what I asked for",
            "this isnt quite what we need",
            "thats wrong, the tax is 7 percent",
            "That is not how we name branches",
            "it is in the wrong folder",
            "It returns cents, which is wrong",
            "This doesn't match the mockup I sent",
        ),
        counters=("what is wrong here?", "is that correct?", "I know what I want", "the amount was wrong"),
    ),
    Pattern(
        name="no-need",
        type="fact",
        triggers=heard(
            " no need | dont need | do not need | dont have to | not necessary | unnecessary | neednt |"
            " not needed | isnt needed | doesnt need | doesnt have to | does not need | does not have to |"
            " overkill | over engineered | overengineered | too "
        ),
        regex=r"\bno need (?:to|for)\b|\byou (?:don't|do not) (?:need|have) to \w+|\byou needn't \w+"
        rf"|{ORDER}(?:don't|do not) need to {ACT}\b|\bwe (?:don't|do not) need (?:to \w+|an?|any|the|this|that"
        rf"|those|these)\b"
        r"|\b(?:is|are|was|were)(?:n't| not) (?:necessary|needed) (?:to|for|here)\b|\bI (?:don't|do not) need you"
        r" to\b"
        r"|\b(?:it|this|that|they|we) (?:doesn't|don't|does not|do not) (?:really |actually )?(?:need|have) to \w+"
        r"|^(?:no,? |but |ok,? )?(?:that|this|it|those|they)(?:'s| is|'re| are)(?:n't| not)? (?:\w+ly )?(?:not"
        r" needed|not necessary|unnecessary|needed"
        r"|overkill|over-?engineered|too (?:much|complicated|complex|verbose|many))\b",
        examples=(
            "no need to restart the server",
            "you don't have to explain every step",
            "we dont need a second cache",
            "It doesn't have to be pretty",
            "this is overkill",
        ),
        counters=("do I need to restart?", "I don't need help", "is there no need for a fee?"),
    ),
    Pattern(
        name="remember-this",
        type="fact",
        triggers=heard(
            " remember | keep in mind | bear in mind | for the record | dont forget that | take note | remind |"
            " reminded | reminder "
        ),
        regex=rf"{JOINED}(?:always )?remember(?: this| that|,|:)+ ?(?!to\b|one\b|time\b|day\b)\w+|^remember (?:I"
        rf"|we|our|my|the|it's|you)\b"
        r"|\b(?:I (?:\w+ )?remind(?:ed)? you|(?:as |just )?a (?:\w+ )?reminder)\b|\b(?:keep|bear) in mind\b|\bfor"
        r" the record\b|\bdon't forget that\b|^take note\b",
        examples=(
            "Remember this: the demo is on Thursday",
            "remember that our staging box has 2 cores",
            "keep in mind the API is rate limited",
            "a reminder that releases freeze on Friday",
            "Don't forget that Kim owns billing",
        ),
        counters=("do you remember that?", "I don't remember that code", "remember to add a test"),
        weak=True,
    ),
    Pattern(
        name="it-should-be",
        type="fact",
        triggers=heard(" should | shouldve | ought to "),
        regex=r"(?:^|[,;:.] ?|\b(?:and|but|so|because|no|think|since) )(?:it|this|that|they|these|those|there"
        r"|which) (?:really |probably )?"
        r"(?:should|ought to) (?:only |just |still |also |already |rather |actually |always )?"
        r"(?!(?:work|help|fix|do (?:it|the trick)|suffice|not|I|we|you|it|be (?:able|fine|ok|okay|enough|good"
        r"|easy|possible|working|done|ready|there|it|all|great|nice"
        r"|simple|better|faster|straightforward))\b)\w+",
        examples=("it should be https", "No, that should live in the shared folder", "they should come sorted by date"),
        counters=("should it be https?", "it should work now", "that should be enough", "it should be able to start"),
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
            " only | just | already | doesnt exist | does not exist | dont exist | do not exist | no such |"
            " not exist | called | named | located | stored | defined | spelled | spelt | hosted | the correct |"
            " the right | the proper | the actual | the real "
        ),
        regex=r"\bwe already (?:have|had|use|used|do|did|decided|agreed|discussed|support|tried|talked|got)\b"
        r"|\b(?:there's|there is|there are) already \w+|\bthere(?:'s| is| are) no such \w+"
        r"|\b(?:that|this|the|those) (?:[\w`./-]+ ){1,3}(?:doesn't|does not|don't|do not) (?:even |actually )?exist\b"
        r"|\b(?:it|that|this|they)(?:'s| is|'re| are) (?:\w+ly )?(?:called|named|located|stored|defined|spelled"
        r"|spelt|hosted) \w+"
        r"|\b(?:this|that|it)(?:'s| is) (?:only|just) (?:for|an?|to|meant|a) \w+"
        r"|\bthe (?:correct|right|proper|actual|real) (?:[\w`./-]+ ){1,3}(?:is|are|should be|was) [\w/.`-]",
        examples=(
            "we already have a helper for that",
            "There is already a cache",
            "that method doesn't exist",
            "its called parse_all",
            "The correct port is 9000",
        ),
        counters=("I already paid", "is there already a fix?", "it already works"),
        weak=True,
    ),
    Pattern(
        name="hold-on",
        type="fact",
        triggers=heard(" wait | hold on | hang on | sorry | oops | correction | typo "),
        regex=r"^(?:wait|hold on|hang on|sorry|oops|correction|typo|my mistake|my bad)(?:[,.!:;–—-]+ ?| -"
        r" )(?:no,? |but |actually,? |I (?:meant|mean) )*"
        r"(?!(?:for|until|what|how|why|can|could|to|about|i'm|still|let|is|are|do|does|did|but i)\b)\w+",
        examples=("wait, that is the old branch", "Sorry, the deadline is Tuesday", "correction: the file is in docs"),
        counters=("wait for the build", "hold on a second", "Sorry, what was that?", "sorry to bother you"),
        weak=True,
    ),
)
