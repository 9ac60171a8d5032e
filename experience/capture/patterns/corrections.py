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
        r"(?:is|are|was|were|should|lives?|means?|uses?|needs?|wants?|runs?|belongs?|called) actually (?!(?:pretty"
        r"|really|quite|so|very|good|great|fun|nice|not bad)\b)\w+"
        r"|\b(?:it|that|this|they|we)(?:'s|'re) actually \w+"
        r"|\bI actually (?:meant?|want(?:ed)?|need(?:ed)?|prefer|said|asked|use|changed|moved|renamed)\b"
        r"|\b(?:we|it|they) actually (?!(?:see|get|got|like|love|saw)\b)\w+",
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
        regex=r"^(?:(?:oh|hmm|um|err|well|ah|ok|but|lol|haha|ugh|bro|dude|man|sorry),? )?(?:no|nope"
        r"|nah)(?: no){0,3}(?:[,.!:;–—-]+ ?"
        r"| - )(?:no[,.!]? )*"
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
        r"(?!(?:sure|only|just|merely|simply|working|perfect|bad|great|urgent|necessar\w+|too|very|so|really|quite"
        r"|yet|there|seeing"
        r"|able|a big)\b)"
        r"[^,.;]{1,50}?,? but (?:rather |instead )?(?!(?:also|it|i|i'm|we|you|still|there|then|can|could|what|why"
        r"|how|not)\b)\w+"
        r"|\b(?:is not|isn't|are not|aren't|it's not|that's not|they're not|was not|wasn't) "
        r"[^,.;]{1,50}?(?:[,;] ?| )(?:it's|it is|its|that's|they're|they are|use)\b \w+"
        r"|[,;] (?:and |so |because )?(?:it|that|this|they)(?:'s|'re| is| are) not (?:in|on|at|from|an?|the) "
        r"(?!(?:right|same|correct|problem)\b)[\w./-]+(?: [\w./-]+)?[.!]*$"
        r"|\bthe (?:issue|problem|bug|error|cause|question|point) (?:is not|isn't|was not|wasn't) \w+",
        examples=(
            "not the client but the server keeps the state",
            "It is stored not in cents but in euros",
            "it's not a list, it's a tuple",
            "the problem isn't the query",
            "The owner isn't Kim, it's Lee",
            "the key comes from the vault, its not in the env",
            "it isnt a crack its a cable",
        ),
        counters=(
            "not only fast but also small",
            "I'm not sure but it seems slow",
            "it is not bad but slow",
            "They are not just labels but they have an order as well",
            "is it not red but green?",
        ),
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
        r"|to)\b)[\w`@./-]+(?: [\w`./-]+){0,3}[.!]*$"
        r"|(?:^|, )(?!(?:why|maybe|probably|perhaps|or|if|do|does|did|can|could|would|will|should|still|im|is|are"
        r"|was|of"
        r"|and|but|me|\w+ly)\b)[\w./-]+ not (?!(?:sure|working|yet|now|really|even|all|only|be|been|just|needed"
        r"|required|possible"
        r"|found|set|there|able|so|too|very|because|if|when|to|\w+(?:ed|ing))\b)[\w./-]+[.!]*$"
        r"|\b(?:is|are|lives?|goes|runs?|comes|belongs?|says?|means?|called|named|with) (?:in |on |at |from |the "
        r"|an? )*"
        r"[\w`@./-]+(?: (?!but|and|or|if)[\w`@./-]+)? not (?:in |on |at |from |the |an? )*(?!(?:sure|working|yet"
        r"|now|really|even|all|only"
        r"|be|been|have|being|just|needed|required|possible|necessary|available|found|set|there|able|allowed|supposed"
        r"|enough|so|too|very|because|if|when|to|\w+(?:ed|ing))\b)[\w`@./-]+(?: [\w`@./-]+)?[.!]*$",
        examples=(
            "you rotated the staging key, not the live one",
            "we want to count rows, not pages",
            "The tests belong in tests/unit, not in src",
            "we count on cron, not on a queue",
            "its port 9000 not 8000",
            "the column is net_price not price",
            "Maria runs the warehouse not the shop",
            "lol no, minutes not seconds",
        ),
        counters=(
            "the page is blank, not sure why",
            "I ran it, not working",
            "is it blue, not green?",
            "the server is up not sure about the queue",
            "the map is there but not visible",
            "it runs but not on my phone?",
        ),
    ),
    Pattern(
        name="not-what-i-wanted",
        type="fact",
        triggers=heard(
            " the old | the other | the previous | the wrong | what i | what we |"
            " how i | how we | how it | how this | wrong | incorrect | not right |"
            " not correct | not true | isnt right | isnt correct | isnt true | false | your | look like | match |"
            " follow | reflect | correspond | conform | resemble | belong | isnt | wasnt | dont think |"
            " so that | so this | so it | so those "
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
        r"|\b(?:is|are|was|were) (?:wrong|incorrect|not right),? (?:it(?:'s|s| is| should)|they(?:'re| are| should)|use"
        r"|should be|the (?:correct|right|real))\b"
        r"|\bI (?:don't|do not) think (?:that's|this is|it's|that is|it is|those are|these are) (?:right|correct"
        r"|true|what|how|the (?:right|case))\b"
        r"|\bso (?:that|this|it|those) (?:[\w-]+ ){0,2}(?:can't|cannot|won't|will not|wouldn't"
        r"|isn't going to) (?:work|help|fly|do)\b"
        r"|^(?:no,? |but |ok,? |hmm,? )*(?:that|this|it|those|these) (?:isn't|is not|wasn't|was not|aren't"
        r"|are not) (?:the|a|an|my|our)"
        r" (?:[\w-]+ ){1,3}(?:I|we) (?!can\b|could\b)\w+"
        r"|\bwhich (?:is|was|are|seems) (?:\w+ly )?(?:wrong|incorrect|false|not (?:right|correct|true))\b"
        r"|\byour (?:\w+ ){1,3}(?:is|are|was|were) (?:\w+ly |still |just )?(?:wrong|incorrect|off|outdated|not"
        r" (?:right|correct|true))\b"
        r"|\b(?:this|that|it|these|those) (?:does not|doesn't|do not|don't|did not|didn't) (?:\w+ )?"
        r"(?:look like|match|follow|reflect|correspond to|conform to|resemble|belong) (?!it\b)\w+"
        r"|^(?:oh |but |no,? |ok,? |hmm,? |wait,? |dude,? )*(?:that|this|it|those|these|they)"
        r"(?:'s|'re| is| was| are| were) (?:still |just |all )?(?:the (?:wrong|old|other|previous) [\w-]+"
        r"|in the wrong (?:file|branch|folder|directory|repo\w*|module|package|layer|section|table|chapter))\b"
        r"|^wrong (?:file|branch|folder|directory|repo\w*|module|table|page|version|language|place|one|way|order"
        r"|name)\b",
        examples=(
            "that's not what I asked for",
            "this isnt quite what we need",
            "thats wrong, the tax is 7 percent",
            "That is not how we name branches",
            "it is in the wrong folder",
            "It returns cents, which is wrong",
            "This doesn't match the mockup I sent",
            "thats the old map",
            "wrong table, i was reading the other one",
            "the tax rate is wrong, it should be 19 percent",
            "i dont think thats right, May has 31 days",
            "that isnt the sketch i sent",
            "the tablet has no keyboard so that shortcut cant work",
        ),
        counters=(
            "what is wrong here?",
            "is that correct?",
            "I know what I want",
            "the amount was wrong",
            "it opens the wrong page",
            "the arrow sits in the wrong place",
        ),
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
        rf"|{ORDER}(?:don't|do not) need to {ACT}\b|\bwe (?:don't|do not) need (?:to \w+|an?|(?:any )?"
        rf"(?:more|other|new|extra|another)|that|all (?:this|that|these|those))\b"
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
        counters=(
            "do I need to restart?",
            "I don't need help",
            "is there no need for a fee?",
            "We don't need the banner at the top",
            "do we need an index for that?",
        ),
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
        r"|\bI (?:\w+ )?remind(?:ed)? you\b|^(?:as |just )*a (?:\w+ )?reminder(?: that\b|:|,)|\b(?:keep"
        r"|bear) in mind\b|\bfor"
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
        regex=r"(?:^|[,;:.] ?|\b(?:and|but|so|because|no|think|since) )(?:it|this|that|they|these|those"
        r"|which) (?:really |probably )?"
        r"(?:should|ought to) (?:(?:only|just|still|already|rather|actually|always|instead|really) "
        r"(?!(?:work|help|fix|do (?:it|the trick)|suffice|be (?:able|fine|ok|okay|enough)|not)\b)"
        r"|(?:have been|come|live|go|sit|belong|stay|remain|match|point|say|read|use|mean|follow|look (?:like|the)"
        r"|be (?!(?:able|fine|ok|okay|enough|good|easy|possible|working|done|ready|there|it|all|great|nice"
        r"|simple|better|faster|straightforward)\b))\b)",
        examples=(
            "it should be https",
            "No, that should live in the shared folder",
            "they should come sorted by date",
            "this should have been a warning",
            "it should still point north",
            "and it should say kilometres",
        ),
        counters=(
            "should it be https?",
            "it should work now",
            "that should be enough",
            "it should be able to start",
            "There should be a button for that",
            "It should open a dialog with two buttons",
            "they should collect three keys to win",
        ),
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
        ),
        counters=("wait for the build", "hold on a second", "Sorry, what was that?", "sorry to bother you"),
        weak=True,
    ),
)
