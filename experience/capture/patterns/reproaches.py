"""Reproaches: what the agent did and should not have, or was told and did not do."""

from __future__ import annotations

from experience.capture.patterns.shape import ORDER, Pattern, heard

_HARM = (
    r"(?:forgot|misse?d|ignored|skipped|broke|deleted|removed|erased|overwrote|overwritten|nuked|wiped|reverted|lost"
    r"|dropped|messed|screwed|misunderstood|misread|misinterpreted|misspelled|duplicated|hard-?coded|hallucinated"
    r"|invented|made up|assumed|confused|mixed|left out|neglected|violated|keep|failed to|over-?engineered|undid"
    r"|destroyed|clobbered|replaced|commented out|disabled|stopped|swallowed)"
)
_DEED = (
    r"(?:added|built|called|changed|committed|copied|created|did|edited|fixed|gave|imported|installed|made|merged"
    r"|modified|moved|named|placed|pushed|put|ran|renamed|returned|rewrote|sent|set|started|tested|tried|updated|used"
    r"|went|wrote"
    r"|(?:are (?:\w+ )?|(?<=\byoure (?:\w+ )?))(?:using|editing|changing|adding|testing|looking|running|working"
    r"|confusing|mixing|assuming|missing|ignoring|forgetting|skipping|overthinking)|were)"
)
_SOFT = r"(?:(?:just|also|still|again|only|already|even|have|\w+ly|'ve) )"
_ASIDE = (
    r"(?<!\b(?:if|how|whether|what|when|where|which|after|before|once|until|unless|because|everything|anything|all) )"
)
_TELL = (
    r"(?:ask(?:ed)?|tell|told|say|said|want(?:ed)?|mean|meant|request(?:ed)?|approved?|authori[sz]ed?|instruct(?:ed)?)"
)

PATTERNS = (
    Pattern(
        name="you-did-wrong",
        type="fact",
        triggers=heard(" you | youve | youre | time "),
        regex=rf"{_ASIDE}\b(?:you|you've) (?:seem to have |seemed to )?{_SOFT}{{0,3}}{_HARM}\b(?! it working)"
        rf"|{_ASIDE}\byou {_SOFT}?(?:didn't|did not|haven't|have not|aren't|are not|weren't|never|don't|do not) "
        r"(?:\w+ly |even |actually |really )?(?!(?:need|have) (?:to|my|me|any)|see\b|know\b|mind\b|think\b|want\b"
        r"|like\b|worry\b)\w+"
        rf"|{ORDER}(?:I think |I believe |it (?:looks|seems) like |(?:looks|seems) like |this time |wait,?"
        rf" )?(?:you|you've) (?!even\b){_SOFT}{{0,3}}"
        r"(?:added|built|called|changed|committed|copied|created|edited|imported|installed|made|merged|modified"
        r"|moved|named|placed|pushed|put|ran|renamed|rewrote|set|started|updated|used|wrote) "
        r"(?!it\b|an? (?:good|great|nice|lot|impact|real|huge)|my |me\b|us\b|your |every)\w+(?!.*\b(?:great"
        r"|thank\w*|nice|perfect"
        r"|awesome|good)\b)"
        r"(?!.*[,;.] (?:and )?(?:now|next|please|can you|could you|so now)\b)"
        rf"|\byou(?:'re)? {_SOFT}{{0,3}}{_DEED}\b[^.;]{{2,80}}?"
        r"\b(?:wrong|incorrect\w*|instead of|rather than|without|, not|but|although|though|by mistake|again|twice"
        r"|too (?:much|many))\b"
        r"|\byou(?:'re| are) (?:\w+ly |just |still |again )?(?:confusing|mixing|misreading|misunderstanding"
        r"|ignoring|overthinking"
        r"|overcomplicating|forgetting|skipping|guessing|repeating|hallucinating|contradicting)\b"
        r"|\bthis is the (?:\w+(?:nd|rd|th)|last) time (?:you|I)\b|\bfor the (?:\w*(?:nd|rd|th)|last) time\b"
        r"|\byou(?:'re| are) (?:wrong|mistaken|incorrect|not listening|supposed to|not supposed to|missing the)\b"
        r"|\byou(?:'ve| have)? (?:were|was|weren't|got|had) (?:\w+ )?(?:supposed to|it wrong|that wrong|it"
        r" backwards)\b"
        r"|\bwhat you (?:did|made|built|wrote|gave me|showed me|sent|\w+ed)\b[^.;?]{0,30} (?:is|are|was|were|looks?) "
        r"(?!(?:\w+ly )?(?:great|good|perfect|nice|fine|awesome|correct|right|ok|okay)\b)\w+",
        examples=(
            "you forgot the migration",
            "looks like you wiped the seed data",
            "you didnt run the linter",
            "You put the helper in the wrong folder",
            "you were supposed to ask first",
            "you renamed the public function",
            "you seem to have missed the second chapter",
            "what you wrote there is not a proof",
            "you are confusing gross with net",
            "this is the third time you break the header",
        ),
        counters=(
            "You made a great page, thanks",
            "did you forget something?",
            "you can add a test",
            "thank you",
            "have you removed it?",
            "tell me if you missed anything",
            "you created the queue, now write the worker",
            "list what you changed",
            "love how you never give up",
            "what you built is great",
        ),
    ),
    Pattern(
        name="you-should-have",
        type="fact",
        triggers=heard(
            " not meant to | never meant to | nt meant to | not intended to | never intended to | isnt meant to |"
            " wasnt meant to |"
            " arent meant to | should have | shouldve | shouldnt have | should not have | could have | couldve |"
            " supposed to"
            " | suppose to "
        ),
        regex=r"(?<!\bif )\byou (?:really |probably |just )?(?:should(?:'ve| have| not have|n't have)"
        r"|could(?:'ve| have)(?: just)?) (?!an?\b|the\b|any\b)\w+"
        r"|(?<!\b(?:how|what|where|why|when|who|I|which|if) (?:\w+ ){0,4})\b(?:is|are|was|were|it's|that's"
        r"|they're)(?: not|n't)? "
        r"(?:only |just |actually )?supposed? to\b"
        r"|\b(?:(?:is|are|was|were) (?:not|never)|isn't|aren't|wasn't|weren't) (?:meant|intended|supposed) to\b",
        examples=(
            "you should have asked first",
            "You shouldn't have merged that",
            "you couldve just passed the date in",
            "the logo was never meant to move",
            "the cache is supposed to live in Redis",
            "that level is not supposed to be this dark",
            "you really should have kept the alias",
        ),
        counters=(
            "should we have a test?",
            "what is it supposed to do?",
            "we should have lunch",
            "if you could have any job",
            "you should have a file called notes.txt",
            "where is it supposed to be saved?",
        ),
    ),
    Pattern(
        name="i-did-not-ask",
        type="fact",
        triggers=heard(
            " ask| tell | told | say | said | want| mean| request| approve| authorize| authorise| specif|"
            " thought | instruct| already | talking about | referring to "
        ),
        regex=rf"\bI (?:didn't|did not|never|haven't|have not) (?:\w+ly |even )?{_TELL}\b"
        r"(?! (?:about|to (?:go|be|see|do|have)\b|my|the (?:bank|refund|payment)|a refund))"
        r"|\b(?:I|we) (?:only|just|specifically|explicitly|clearly|already|literally|really|actually) "
        r"(?:meant|said|asked|told|wanted|requested|specified|mean|want(?:ed)? (?:you|the|it))\b(?! to (?:ask|know"
        r"|check|say|see|let|fill|share|tell|thank|catch|make)\b)"
        r"|\bI(?:'ve| have)? (?:already |just )?(?:asked|told|instructed) you\b|\bI thought (?:we|you) \w+"
        r"|\bI(?:'ve| have)? already (?:gave|given|sent|showed|shown|answered|explained|mentioned|described|tried)"
        r" (?:you|this|that|it|how|why)\b"
        r"|\bI asked for (?!a refund|my|the money|help)\w+"
        rf"|\b(?:as|like) I (?:\w+ly )?{_TELL}\b|\b(?:do|follow|not) (?:only |just |exactly )?what I {_TELL}\b"
        r"|\bI (?:meant|mean) (?!to\b|business)\w+|^(?:but )?I said (?!that I\b)\w+"
        r"|\bI was (?:talking about|referring to|asking (?:about|for)) (?!my\b)\w+",
        examples=(
            "i didnt ask you to refactor it",
            "I only wanted a sketch",
            "I meant the header of the page",
            "I told you to keep the old name",
            "I explicitly asked for one file",
            "i was talking about the tablet layout",
            "just do what i asked",
            "ive already explained how the ledger works",
        ),
        counters=(
            "what did I say?",
            "I wanted to ask about the price",
            "I asked for my money back",
            "what do I mean by that?",
            "summarize what i said in the standup",
            "I already sent the money",
        ),
    ),
    Pattern(
        name="why-did-you",
        type="fact",
        triggers=heard(" why | how come | who told you | what made you | who asked you "),
        regex=r"^(?:and |but |so |ok |also |wait,? |hey,? )*(?:why|how come)(?: (?:on earth|the (?:hell|heck)|tf))? "
        r"(?:(?:did(?:n't)?|haven't|have|were|would|weren't) you|(?:are|aren't) (?:you|we) (?:\w+ )?(?=\w+ing\b)"
        r"|(?:do|don't) (?:you|we) (?:keep|still|always|suddenly)|you (?:didn't|haven't|keep|still|always|never))"
        r" ?(?:not |still |just |even |always |suddenly )*(?!charg|declin|need|ask|reject|tak|like|choose|want"
        r"|love|lose|think|recommend|suggest|have\b)\w+"
        r"|\bI (?:don't|do not|can't|cannot) (?:understand|get|see|know) why you (?!charg|declin|need|ask|reject"
        r"|tak|can|would)\w+(?!.*\b(?:my|me|mine|money|card|account|refund)\b)"
        r"|^(?:and |but |so |wait,? )*why (?:is|are) there (?:now|suddenly|all of a sudden|so many) \w+"
        r"|^(?:who (?:told|asked)|what made) you to? ?(?!come|visit)\w+",
        examples=(
            "why didnt you run the tests",
            "Why are you editing the vendored code?",
            "why did you rename the class",
            "how come you keep touching the podfile?",
            "why do you still use the old palette",
            "Why would you add a second table for this?",
            "who told you to drop the index?",
            "why are there suddenly two headers?",
        ),
        counters=(
            "why did it fail",
            "Why is my account locked?",
            "tell me why you decline my card",
            "why do we need a lock here?",
            "why would you recommend rust?",
            "how come it works on android?",
        ),
        asks=True,
    ),
    Pattern(
        name="take-care",
        type="fact",
        triggers=heard(" carefully | closely | harder | attention | more careful "),
        regex=r"(?:^|[,;:.-] ?|\b(?:and|please|but|so|must|need to|should) )(?:please )?"
        r"(?:think|look|read|check|try|listen|review|reread|inspect|study)"
        r"(?: (?:at )?(?:it|this|that|them|again|the [\w ]{2,30}?|my [\w ]{2,30}?|what [\w ]{2,30}?))?"
        r"(?: (?:again,?|a bit|much|more|very))* (?:more carefully|more closely|harder|again,? (?:but )?carefully)\b"
        r"|(?:^|[,;:.-] ?|\b(?:and|please|but|must|need to|should|to) )be (?:a (?:bit|little) |much )?more careful\b"
        r"|(?:^|[,;:.-] ?|\b(?:and|please|must|need to|should) )pay (?:more |closer |better )?attention\b",
        examples=(
            "look more closely at the second column",
            "read the ticket again, carefully",
            "Please be more careful",
            "think harder about the edge of the map",
            "pay attention to the units",
            "check it more carefully",
        ),
        counters=(
            "is it harder to test?",
            "the boss should get harder each level",
            "how closely are they related?",
            "read this file carefully and tell me what it does",
            "I looked at it closely",
            "it got my attention",
        ),
    ),
    Pattern(
        name="did-i-not-say",
        type="fact",
        triggers=heard(
            " didnt i | didnt we | havent i | havent we | did i not | did we not | werent you | werent we |"
            " arent you | arent we | wasnt it | isnt it | isnt that | isnt this | wasnt that | wasnt this "
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
