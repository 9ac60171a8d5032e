"""Corrections: the agent believed one thing, and the person says how it is instead."""

from __future__ import annotations

from experience.capture.patterns.shape import ACT, ORDER, Pattern, heard

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
            "no no no. the door opens to the left",
        ),
        counters=(
            "no problem",
            "No, thanks",
            "no idea why",
            "no, still the same error",
            "is there no other way?",
            "no luck",
        ),
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
            "the hall is not far away",
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
            "you needn't rewrite the intro",
        ),
        counters=(
            "do I need to restart?",
            "I don't need help",
            "is there no need for a fee?",
            "We don't need the banner at the top",
            "do we need an index for that?",
            "what do we need to bring?",
        ),
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
)
