"""What a pattern is, and the pieces of English that several patterns share.

A pattern's `regex` is written as plain English: a space stands for any white space, an apostrophe may be missing in the
message. It is matched without regard to case, one sentence at a time.
"""

from __future__ import annotations

from experience.values import Value

PRIORITY = {"preference": "medium", "fact": "high", "policy": "critical"}  # of what a pattern captures, by its type


class Pattern(Value):
    """One construction of English that says something worth remembering, with sentences that show what it means."""

    name: str
    type: str  # of the memory it becomes; for feedback: success or failure
    triggers: tuple[str, ...]  # as `words` writes them; without any of these the regex cannot match
    regex: str
    examples: tuple[str, ...]
    counters: tuple[str, ...]  # near misses that no pattern at all may capture
    weak: bool = False  # gives way to any other pattern in the sentence, and to feedback about a failure
    brief: bool = False  # says enough in two words
    asks: bool = False  # may be put as a request or a reproach, with a question mark


# Where an order may begin: at the start of a sentence, after a mark, after a word that joins.
ORDER = (
    r"(?:^|[,;:(–—]\s*|\s-\s|^@[\w./:-]+,?\s|^(?:ok|okay|yes|yeah|yep|sure|great|good|no|also|again|now|then"
    r"|first|next|hey|note)\b,?\s)"
    r"(?:(?:and|but|so|then|also|please|pls|plz|just|kindly|again|instead|ok|okay|yes|note|let's|simply|maybe"
    r"|try to|remember to|I (?:want|need|expect) you to|I(?:'d| would) like you to) ){0,2}"
)
JOINED = r"(?:" + ORDER + r"|\b(?:and|but|so|then|please|or) )"
HOW = (  # the adverbs between a person and what they do
    r"(?:(?:\w+ly|really|also|always|never|often|still|much|very|just|do|would|far|quite|almost|rather|sometimes"
    r"|tend to|try to|like to|prefer to|have to|need to|must|will|can|as a rule) ){0,3}"
)
PERSON = r"\b(?:I|we)(?:'d|'ll|'ve)? "
NOT = r"(?:do not|don't|does not|doesn't|did not|didn't)"
ACT = (  # what an agent is told to do or to leave
    r"(?:add|alter|apply|ask|assume|break|bring|build|call|change|check|clean|comment|commit|convert|copy|create|cut"
    r"|declare|delete|deploy|disable|do|download|drop|edit|enable|execute|explain|expose|fake|fix|format|generate"
    r"|give"
    r"|go|guess|handle|hard-?code|hide|ignore|implement|import|include|insert|install|introduce|invent|keep|kill"
    r"|launch"
    r"|leave|link|list|load|log|look|make|mention|merge|migrate|mix|mock|modify|move|name|open|output|overwrite|pass"
    r"|post|print|publish|push|put|read|rebase|refactor|reformat|remove|rename|repeat|replace|reply|report|reset"
    r"|restart"
    r"|return|reuse|revert|rewrite|run|save|say|send|set|share|show|skip|start|stop|store|suggest|swap|switch"
    r"|talk|tell"
    r"|test|touch|track|try|turn|uninstall|update|upgrade|use|wait|wrap|write|work|translate|summari[sz]e"
    r"|describe|render|sort|validate|escape|serve|cache"
    r"|retry|throw|raise|catch|parse|pick|choose|follow|support|define|display|place|draw|cite|quote|squash|resize"
    r"|style|deduplicate"
    r"|index)"
)
MEANS = (  # of these, how the agent itself goes about it, rather than what the program shall do
    r"(?:use|reuse|put|write|do|run|call|keep|try|go with|pick|choose|install|store|read|import|test|name|take|work"
    r"|start|commit|push|extend|edit|stick|base|follow|query|look|draw)"
)
SCOPE = (  # of these, what the work is about
    MEANS[:-1] + r"|answer|apply|change|check|convert|delete|fix|focus|format|implement|migrate|modify|move|refactor"
    r"|reformat|remove|rename|review|rewrite|touch|translate|update)"
)


def heard(text: str) -> tuple[str, ...]:
    """Triggers, written one after the other with a bar between them."""
    return tuple(text.split("|"))
