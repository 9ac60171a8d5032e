"""Corrections: the agent did or believed one thing, and the person says how it is instead."""

from __future__ import annotations

from experience.capture.patterns.shape import ACT, JOINED, ORDER, Pattern, heard

_HARM = (
    r"(?:forgot|missed|misse?d|ignored|skipped|broke|deleted|removed|erased|overwrote|overwritten|nuked|wiped"
    r"|reverted|lost"
    r"|dropped|messed|screwed|misunderstood|misread|misinterpreted|misspelled|duplicated|hard-?coded|hallucinated"
    r"|invented"
    r"|made up|assumed|confused|mixed|left out|neglected|violated|keep|failed to|over-?engineered|undid"
    r"|destroyed"
    r"|clobbered|replaced|commented out|disabled|stopped)"
)
_DEED = (
    r"(?:added|built|called|changed|committed|copied|created|did|edited|fixed|gave|imported|installed|made|merged"
    r"|modified"
    r"|moved|named|placed|pushed|put|ran|renamed|returned|rewrote|sent|set|started|tested|tried|updated|used|went"
    r"|wrote"
    r"|(?:are (?:\w+ )?|(?<=\byoure (?:\w+ )?))(?:using|editing|changing|adding|testing|looking|running|working"
    r"|confusing|mixing|assuming|missing"
    r"|ignoring|forgetting|skipping|overthinking)|were)"
)
_SOFT = r"(?:(?:just|also|still|again|only|already|even|have|\w+ly|'ve) )"

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
        name="you-did-wrong",
        type="fact",
        triggers=heard(" you | youve | youre "),
        regex=rf"\b(?:you|you've|u) {_SOFT}{{0,3}}{_HARM}\b(?! (?:it working|up the good))"
        rf"|\byou {_SOFT}?(?:didn't|did not|haven't|have not|aren't|are not|weren't|never|don't|do not) "
        r"(?:\w+ly |even |actually |really )?(?!(?:need|have) (?:to|my|me|any)|see\b|know\b|mind\b|think\b|want\b"
        r"|like\b|worry\b)\w+"
        r"|\bI (?:can )?(?:see|notice|noticed|saw)(?: that)? you(?:'ve| have|'re| are)? (?!(?:can|could|will"
        r"|might|may)\b)\w+"
        rf"|{ORDER}(?:I think |I believe |it (?:looks|seems) like |(?:looks|seems) like |this time |wait,?"
        rf" )?(?:you|you've) (?!even\b){_SOFT}{{0,3}}"
        r"(?:added|built|called|changed|committed|copied|created|edited|imported|installed|made|merged|modified"
        r"|moved|named|placed|pushed|put"
        r"|ran|renamed|rewrote|set|started|updated|used|wrote) (?!it work|a good|a great|my"
        r" day)\w+(?!.*\b(?:great|thank\w*|nice|perfect|awesome|good)\b)"
        rf"|\byou(?:'re)? {_SOFT}{{0,3}}{_DEED}\b[^.;]{{2,80}}?"
        r"\b(?:wrong|incorrect\w*|instead of|rather than|without|, not|but|although|though|by mistake|again|twice"
        r"|too (?:much|many))\b"
        r"|\byou(?:'re| are) (?:wrong|mistaken|incorrect|not listening|supposed to|not supposed to|missing the)\b"
        r"|\byou(?:'ve| have)? (?:were|was|weren't|got|had) (?:\w+ )?(?:supposed to|it wrong|that wrong|it"
        r" backwards)\b",
        examples=(
            "you forgot the migration",
            "looks like you wiped the seed data",
            "you didnt run the linter",
            "You put the helper in the wrong folder",
            "you were supposed to ask first",
            "you renamed the public function",
        ),
        counters=(
            "You made a great page, thanks",
            "did you forget something?",
            "you can add a test",
            "thank you",
            "have you removed it?",
        ),
    ),
    Pattern(
        name="you-should-have",
        type="fact",
        triggers=heard(
            " should have | shouldve | shouldnt have | should not have | could have | supposed to | suppose to "
        ),
        regex=r"\byou (?:really |probably )?(?:should(?:'ve| have| not have|n't have)|could have(?: just)?) \w+"
        r"|(?<!\b(?:how|what|where|why|when|who|I|which|if) (?:\w+ ){0,4})\b(?:is|are|was|were|it's|that's"
        r"|they're)(?: not|n't)? "
        r"(?:only |just |actually )?supposed? to\b",
        examples=(
            "you should have asked first",
            "You shouldn't have merged that",
            "the cache is supposed to live in Redis",
        ),
        counters=("should we have a test?", "what is it supposed to do?", "we should have lunch"),
    ),
    Pattern(
        name="i-did-not-ask",
        type="fact",
        triggers=heard(
            " ask| tell | told | say | said | want| mean| request| approve| authorize| authorise| specif|"
            " thought | instruct"
        ),
        regex=r"\bI (?:didn't|did not|never|haven't|have not) (?:\w+ly |even )?"
        r"(?:ask(?:ed)?|tell|told|say|said|want(?:ed)?|mean|meant|request(?:ed)?|approved?|authori[sz]ed?"
        r"|instruct(?:ed)?)\b"
        r"(?! (?:about|my|the (?:bank|refund|payment)|a refund))"
        r"|\b(?:I|we) (?:only|just|specifically|explicitly|clearly|already|literally|really|actually) "
        r"(?:meant|said|asked|told|wanted|requested|specified|mean|want(?:ed)? (?:you|the|it))\b(?! to (?:ask"
        r"|know|check|say|see))"
        r"|\bI(?:'ve| have)? (?:already |just )?(?:asked|told|instructed) you\b|\bI thought (?:we|you) \w+|\bI"
        r" asked for (?!a refund|my|the money|help)\w+|\b(?:as|like|what) I (?:\w+ly )?(?:said|asked|told|meant"
        r"|mentioned|requested|specified)\b"
        r"|\bI (?:meant|mean) (?!to\b|business)\w+|^(?:but )?I said \w+",
        examples=(
            "i didnt ask you to refactor it",
            "I only wanted a sketch",
            "I meant the header of the page",
            "I told you to keep the old name",
            "I explicitly asked for one file",
        ),
        counters=(
            "what did I say?",
            "I wanted to ask about the price",
            "I asked for my money back",
            "what do I mean by that?",
        ),
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
        name="why-did-you",
        type="fact",
        triggers=heard(" why "),
        regex=r"^(?:and |but |so |ok |also |wait,? |hey,? )*why (?:(?:did(?:n't)?|haven't|have|were|would"
        r"|weren't) (?:you|u)"
        r"|(?:are|aren't) (?:you|u|we) (?:\w+ )?(?=\w+ing\b)|(?:do|don't) (?:you|u|we) (?:keep|still|always"
        r"|suddenly))"
        r" ?(?:not |still |just |even |always |suddenly )*(?!charg|declin|need|ask|reject|tak|like|choose|want"
        r"|love|lose)\w+"
        r"|\bI (?:don't|do not|can't|cannot) (?:understand|get|see|know) why you (?!charg|declin|need|ask|reject"
        r"|tak)\w+"
        r"(?!.*\b(?:my|me|mine|money|card|account|refund)\b)",
        examples=(
            "why didnt you run the tests",
            "Why are you editing the vendored code?",
            "why did you rename the class",
        ),
        counters=("why did it fail", "Why is my account locked?", "tell me why you decline my card"),
        asks=True,
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
    Pattern(
        name="did-i-not-say",
        type="fact",
        triggers=heard(
            " didnt i | didnt we | havent i | havent we | did i not | did we not | werent you | werent we |"
            " arent you | arent we | wasnt it | isnt it | isnt that | isnt this "
        ),
        regex=r"^(?:but |and |so |wait,? )*(?:(?:didn't|haven't) (?:I|we)|did (?:I|we) not) (?:\w+ )?"
        r"(?:say|said|tell|told|ask|asked|agree|agreed|mention|mentioned|decide|decided|specify|specified|explain"
        r"|explained)\b"
        r"|^(?:but |and |so |wait,? )*(?:weren't|aren't|wasn't|isn't) (?:you|we|it|that|this) (?:\w+ )?supposed to\b",
        examples=("didn't I ask you to use tabs?", "wasn't it supposed to be blue?", "Did we not agree on JSON?"),
        counters=("Isn't it late?", "didn't I pay already?", "aren't you a bot?"),
        asks=True,
    ),
)
