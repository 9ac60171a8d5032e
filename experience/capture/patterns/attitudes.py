"""What a person says about themselves: likes, dislikes, habits, needs."""

from __future__ import annotations

from experience.capture.patterns.shape import HOW, PERSON, Pattern, heard

_ADVERBS = r"(?:(?:\w+ly|really|also|always|still|much|very|just|do|absolutely|both) ){0,3}"
_HABITS = (
    r"(?:accept|adopt|attend|book|buy|consider|consume|cook|dine|do|drink|drive|eat|engage|feed|fly|follow|go|invest"
    r"|keep|learn|listen|live|order|own|participate|pay|play|purchase|read|ride|run|squash|merge|review|release"
    r"|name|store|host|pin|sign|shop|sleep|smoke|stay|stream"
    r"|study"
    r"|support|take|tip|train|travel|trust|try|use|visit|watch|wear|work|write|code|build|deploy|commit|ship|mock"
    r"|test)"
)
_DEGREES = r"(?:\w+(?:[- ]\w+)?,? ){0,3}?"
_KINDS = (
    r"(?:vegan|vegetarian|pescatarian|teetotal\w*|celiac|coeliac|diabetic|kosher|halal|introvert|minimalist|pacifist)"
)

PATTERNS = (
    Pattern(
        name="i-prefer",
        type="preference",
        triggers=heard(
            " prefer | prefers | favor | favour | rather | better | nicer | cleaner | preferable | best | more |"
            " most | to keep | to stay | to stick | to remain | to avoid | to only | to always | to never |"
            " to maintain | to preserve | to be consistent "
        ),
        regex=rf"{PERSON}{HOW}(?:prefer|favou?r)\b"
        r"(?! (?:(?:the )?(?:option|variant|choice|approach|number|first|second|third|last|former|latter|other)\b"
        r"|[b-z\d]\b))"
        r"|\b(?:I|we)(?:'d| would) (?:much |really )?rather\b"
        r"|\bI (?:want|would like|'d like|need)(?: (?:it|this|that|them|everything|things|the [\w-]+))? to"
        r" (?:keep|stay|stick|remain|avoid|only|always|never|maintain|preserve|be consistent)\b(?! \w+ing\b)"
        r"|^(?:please )?prefer \w+|\bI (?:\w+ly )?(?:like|liked|love|loved) [^,.;]{2,60} (?<!even )(?:better|more"
        r"|best|most)\b"
        r"|\b(?:it|that|this|which)(?:'s| is|'d be| would be|'ll be| will be) (?:\w+ )?(?:better|nicer|cleaner"
        r"|preferable|best) (?:to|if|with|when|than(?! before| it was| last| the (?:old|last|previous)| yesterday)"
        r"|without|as)\b",
        examples=(
            "I prefer tabs over spaces",
            "i much prefer dark themes",
            "We'd rather keep one big table",
            "Prefer composition to inheritance",
            "I liked the old icons better",
            "it is cleaner to keep them apart",
            "I want to keep the sidebar narrow",
            "Due to my back, I strongly prefer standing desks",
        ),
        counters=(
            "Do you prefer tabs or spaces?",
            "if you prefer, run it twice",
            "a rather long story",
            "i prefer option b",
            "I prefer the second one",
            "thats much better than before",
        ),
    ),
    Pattern(
        name="i-like",
        type="preference",
        triggers=heard(" like | love | enjoy | adore | appreciate | value | prioritize | prioritise "),
        regex=rf"\bI {_ADVERBS}(?:like|love|enjoy|adore|appreciate|value|prioriti[sz]e)"
        r" (?!it\b|this\b|that\b|these\b|those\b|the \w+ you\b|how\b|what\b|your?\b|the (?:new|current|idea|way"
        r"|look|design|direction|changes?|results?|layout|concept|sound|approach)\b|where\b|to (?:see|know|ask"
        r"|have)\b|and\b)\w+"
        rf"|\bI {_ADVERBS}(?:like|love|appreciate|prefer) it (?:when|if|that)\b",
        examples=(
            "I love short commit messages",
            "I really enjoy hiking alone",
            "i like my coffee black",
            "i like it when the tests are fast",
            "I value short answers",
            "we all talked but I love quiet offices",
        ),
        counters=(
            "I like it",
            "I'd like a refund",
            "I love what you did there",
            "it looks like a bug",
            "I like the new layout",
            "do you like cats?",
        ),
    ),
    Pattern(
        name="i-dislike",
        type="preference",
        triggers=heard(
            " dislike| hate | despise | detest | loathe | abhor | resent | stand | bear | tolerate | handle |"
            " abide | stomach | digest "
        ),
        regex=rf"{PERSON}{HOW}(?:dislike|hate|despise|detest|loathe|abhor|resent)\b"
        rf"|{PERSON}{HOW}(?:can't|cannot|can not|couldn't) {_ADVERBS}"
        r"(?:stand|bear|tolerate|abide|stomach|digest|handle)\b(?! (?:this|the|it) (?:error|request|case))",
        examples=(
            "I dislike wrapper classes",
            "i absolutely hate loud offices",
            "I cannot stand squeaky chairs",
            "We can't tolerate flaky tests",
            "I despise long meetings",
        ),
        counters=("Why do people hate pop music?", "the server can't handle this", "a stand for the bike"),
    ),
    Pattern(
        name="i-do-not-like",
        type="preference",
        triggers=heard(" dont | do not | never | wont | will not | rarely | seldom | not "),
        regex=rf"{PERSON}{_ADVERBS}(?:don't|do not|never|rarely|seldom) {_ADVERBS}"
        r"(?:like|enjoy|love|appreciate|care for|care about|believe in|trust|support|do well|feel comfortable"
        r"|want|wish)"
        r"\b(?! (?:to be (?:rude|a)|it to (?:sound|seem)|my \w+ any|any ?more))",
        examples=(
            "I don't like trailing commas",
            "i dont really enjoy crowded places",
            "I do not want new dependencies",
            "We don’t care for emojis in commits",
        ),
        counters=("Don't you like it?", "i dont think so", "I do not know why", "I don't see the button"),
    ),
    Pattern(
        name="i-never-do",
        type="preference",
        triggers=heard(
            " dont | do not | never | wont | will not | rarely | seldom | cant | cannot | can not | no longer "
        ),
        regex=rf"{PERSON}{_ADVERBS}(?:don't|do not|never|won't|will not|rarely|seldom|no longer) (?:ever )?{_ADVERBS}"
        rf"(?:{_HABITS}|(?<=\bnever (?:ever )?)want)"
        r" (?!anything (?:wrong|else)|this|that|it\b|the (?:same|money|app|card))\w+"
        r"|\bI (?:can't|cannot|can not) (?:eat|drink|wear|be around|have (?:any )?(?:pets|dairy|gluten|nuts|animals)"
        r"|consume|live without|work without|do without)\b",
        examples=(
            "I never eat meat",
            "i dont watch horror films",
            "We never deploy on Fridays",
            "I won't use any closed-source editor",
            "I cannot eat gluten",
        ),
        counters=("I never received the mail", "I don't have the file", "I can't use my card", "we never got that far"),
    ),
    Pattern(
        name="i-avoid",
        type="preference",
        triggers=heard(
            " avoid| refuse| boycott| steer clear | stay away | shy away | abstain| refrain| opt for | opt out |"
            " insist on | swear by | gravitate | lean toward| stick to | stick with | rely on | stay clear |"
            " keep away "
        ),
        regex=rf"{PERSON}{HOW}(?:avoid|refuse|boycott|(?:steer|stay) clear of|(?:stay|shy|keep) away from|abstain"
        rf"|refrain"
        r"|opt (?:for|out)|insist on|swear by|gravitate|lean towards?|stick (?:to|with)|rely on)\b(?! a refund)",
        examples=(
            "I avoid global state",
            "i try to avoid dairy",
            "We refuse to vendor binaries",
            "I stay away from crowded beaches",
            "We rely on feature flags",
        ),
        counters=("How do I avoid this error?", "the server refuses the connection", "this avoids a copy"),
    ),
    Pattern(
        name="i-only-do",
        type="preference",
        triggers=heard(
            " only | exclusively | always | usually | typically | generally | strictly | solely | mostly |"
            " religiously | tend to "
        ),
        regex=r"\b(?:I|we) (?:can |will |would )?(?:also |almost |much )?"
        r"(?:only|exclusively|always|usually|typically|generally|strictly|solely|mostly|religiously|tend to)"
        r" (?:ever |want to |like to |need to )?"
        rf"(?!(?:I|we)\b)(?:{_HABITS}|want|like|enjoy|need|respond|speak|answer|review|merge|push|run|choose|pick"
        rf"|wash)"
        r" (?!this|that|it\b|the (?:money|same|app|card)|(?:\w+ )?(?:errors?|issues?)\b)\w+",
        examples=(
            "I only use cruelty-free soap",
            "I exclusively ride steel bicycles",
            "we always test on a real device",
            "I usually work at night",
            "i can only wear cotton shirts",
        ),
        counters=("I only got half of it", "I only see one row", "it only happens at night", "I always get an error"),
    ),
    Pattern(
        name="i-have-an-aversion",
        type="preference",
        triggers=heard(
            " aversion| preference| dislike| distaste| allerg| phobia| fear | intoleran| interest in | objection|"
            " sensitiv| hatred| affinity| soft spot| weakness | passion | favorite| favourite| go to | preferred |"
            " my default | my usual | my main | my primary | our default | our usual | our main "
        ),
        regex=rf"\b(?:I|we)(?:'ve)?(?: \w+ly)? (?:have|got|suffer from|harbou?r)(?: got)? (?:an? |the |some |no "
        rf"|my )?{_DEGREES}"
        r"(?:aversion|preference|dislike|distaste|allerg(?:y|ies)|phobia|fear of|intolerance|objection|hatred"
        r"|affinity"
        r"|soft spot|weakness for|passion for|sensitivit(?:y|ies)|sensitive (?:skin|stomach|eyes|ears|teeth))"
        r"|\b(?:I|we)(?:'ve| have|'ve got| have got) (?:absolutely |really )?(?:no|little|zero) (?:\w+ )?interest in"
        r"|\b(?:my|our) (?:\w+ )?(?:(?:favou?rite|preferred|go-to|default|usual|main"
        r"|primary) \w+(?: \w+){0,3}? (?:is|are)"
        r"|preferences? (?:is|are|would be))\b",
        examples=(
            "I have an aversion to neon colors",
            "I have a mild sesame allergy",
            "We have a strong preference for small releases",
            "I've no interest in sports cars",
            "My favorite language is Elm",
            "my default shell is fish",
        ),
        counters=("the preference page is empty", "I have no idea", "save the preferences", "I have a question"),
    ),
    Pattern(
        name="i-am",
        type="preference",
        triggers=heard(
            " allergic | fan | not into | interested | uninterested | comfortable | opposed | uncomfortable |"
            " against | averse | afraid | scared | terrified | sensitive | fond | intolerant | advocate |"
            " believer | diet | keen | picky | particular | vegan| vegetarian| pescatarian| teetotal| celiac|"
            " coeliac| diabetic| kosher| halal| introvert| minimalist| pacifist| passionate | committed |"
            " partial | fascinated | big on | drawn to | person | guy | girl | lover | purist | fine with |"
            " ok with | okay with "
        ),
        regex=r"\bI(?:'m| am| have always been| get)(?: not)? (?:an? )?(?:(?:\w+ly|very|so|really|big|huge|strict"
        r"|strong"
        r"|lifelong|firm|also|just|quite|too|particularly|much of|at all|currently|severely|always|bit) )*(?:a )?"
        r"(?:allergic to|(?:\w+ )?intolerant|averse to|opposed to|against|afraid of|scared of|terrified of"
        r"|sensitive to"
        r"|fond of"
        r"|uninterested in|uncomfortable|picky|particular about|partial to|passionate about|committed to"
        r"|fascinated by"
        rf"|big on|drawn to|advocate|believer|keen on|fan of|{_KINDS}\b|on an? [\w-]+(?: [\w-]+)? diet)"
        r"|\bI(?:'m| am) (?:\w+ly )?(?:fine|ok|okay) with (?!(?:it|this|that|you\w*|these|those|the"
        r"|either|both)\b)\w+"
        r"|\bI(?:'m| am) (?:(?:really|just|also|honestly|simply) )?not (?:at all |really |particularly |very |that )?"
        r"(?:into|interested in|comfortable|keen|a \w*\s?fan|a \w+ person)\b"
        r"|\bI(?:'m| am) (?:really |definitely |still )?(?:more of )?an? [\w-]+ (?:person|guy|girl|lover|purist)\b",
        examples=(
            "I'm allergic to pollen",
            "im not a fan of ORMs",
            "I am firmly opposed to telemetry",
            "I'm really not into golf",
            "I am a lifelong vegetarian",
            "I’m on a low-salt diet",
            "im more of a spreadsheet person",
            "I'm fine with long lines",
        ),
        counters=(
            "I'm interested in new recipes",
            "are you allergic to nuts?",
            "I am not able to log in",
            "Im not sure",
        ),
    ),
    Pattern(
        name="i-follow",
        type="preference",
        triggers=heard(" diet| believe in | lifestyle| practice | practise | observe "),
        regex=rf"\bI {HOW}(?:follow|keep to|keep|eat|maintain|observe|live|practi[cs]e|believe in|adhere to) "
        r"(?:an? |the |my )?(?:[\w-]+,? ){0,4}?(?:diet|lifestyle|rule|rules|fast|kosher|halal|sabbath)\b",
        examples=(
            "I follow a salt-free diet",
            "I keep kosher at home with a plain diet",
            "I live a zero-waste lifestyle",
        ),
        counters=("Which diet should I follow?", "the diet page is empty"),
    ),
    Pattern(
        name="i-find",
        type="preference",
        triggers=heard(
            " i find | me feel | makes me | make me | to me | interest me | for me | my thing | best | bores me |"
            " bother me | bothers me | annoys me | annoy me | deal breaker| dealbreaker| cup of tea | my style "
        ),
        regex=r"\bI find (?!out\b|the file\b|a (?:way|bug)\b|that\b)[^,.;]{2,60}?(?:\btoo |\boverly |\bvery "
        r"|\bquite |\breally "
        r"|\bextremely |\bso |boring|\w{3,}(?:ating|oring|ring|cting|ying|ful|less|ive|able|ous|helming|cult|hard"
        r"|ful))"
        r"|\bI find [^,.;]{2,60}? (?:hard|harder|easier|confusing|ugly|messy|unreadable|overkill|noisy|clearer)\b"
        r"|\bI (?:learn|work|sleep|focus|concentrate|think|study|perform) (?:\w+ly )?(?:best|better)\b"
        r"|\bmakes? me (?:feel )?(?:\w+ly |so |very |too )?(?:uncomfortable|anxious|nauseous|sick|dizzy|nervous"
        r"|ill|sad|uneasy)"
        r"|\b(?:don't|doesn't|do not|does not|never) (?:\w+ly )?(?:appeal to|interest|excite|suit) me\b"
        r"|\b(?:annoys?|bothers?|bores?) me\b|\b(?:isn't|aren't|is not|are not|not) (?:really )?(?:for me|my"
        r" (?:thing|style|cup of tea))"
        r"|\bdeal-? ?breakers?\b",
        examples=(
            "I find long videos tiring and too slow",
            "I work best in the morning",
            "Strobe lights make me uncomfortable",
            "Sequels don't interest me",
            "open offices are not my thing",
        ),
        counters=("Where can I find the logs?", "can you make me a list", "this one is for me"),
    ),
    Pattern(
        name="i-need-it-so",
        type="preference",
        triggers=heard(" require | need to avoid | have to avoid | i need | call me "),
        regex=r"\bI (?:\w+ly )?require (?!a (?:refund|new)|help|assistance)\w+|\bI (?:need|have) to avoid\b"
        r"|\bso I (?:\w+ly )?need (?:an? |the |my )?\w+[^,.;]{0,40}? (?:with|that|without)\b"
        r"|^(?:please |just )?call me (?!when|if|back|at|on|once|after|later|asap)\w+",
        examples=(
            "I require step-free access",
            "I have to avoid bright screens",
            "My desk is small, so I need a laptop with a long battery life",
            "Call me Sam",
        ),
        counters=("I need a second monitor", "call me when it is done", "do I need to avoid this?"),
    ),
)
