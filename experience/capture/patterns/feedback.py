"""Feedback: how the last attempt went. It becomes an outcome, never a memory."""

from __future__ import annotations

from experience.capture.patterns.shape import Pattern, heard

_NOT = r"(?:not|\w+n't|never|nothing|no longer)"
_WORK = (
    r"(?:work|works|worked|working|help|helps|helped|change|changed|changing|fix|fixed|solve|solved|show|shows"
    r"|showing"
    r"|shown|load|loading|run|running|start|starting|appear|appearing|open|opening|compile|build|update|updated"
    r"|updating"
    r"|respond|responding|do anything|make (?:a|any) difference|go away|resolve|resolved|display|displayed|render"
    r"|connect"
    r"|pass|passing|happen|happening|improve|improved|visible|there|right|correct|fixed)"
)
_STATE = (
    r"(?:blank|empty|broken|missing|gone|worse|stuck|frozen|black|white|failing|red|down|invisible"
    r"|unreadable|wrong|off)"
)

PATTERNS = (
    Pattern(
        name="still-broken",
        type="failure",
        triggers=heard(" still | persists | remains | same | again | keeps | keep getting "),
        regex=rf"\bstill (?:\w+ ){{0,2}}?(?:{_NOT}|fail\w*|broken|crash\w*|error\w*|wrong|get\w*|see\w*|having"
        rf"|have|the same|shows?"
        rf"|{_STATE}|happen\w*|throw\w*|stuck|can't|cannot|does|did|is|has|hard)\b|\b(?:can't|cannot|don't"
        rf"|doesn't|isn't) still\b"
        r"|\bsame (?:\w+ )?(?:error|issue|problem|result|thing|bug|behaviou?r|outcome|message|failure)s?\b"
        r"|\b(?:error|issue|problem|bug|warning)s? (?:still )?(?:persists?|remains?|exists?)\b|\b(?:fail(?:s|ed)?"
        r"|crash(?:es|ed)?|breaks?|broke|happen(?:s|ed)?) again\b|\bkeeps? (?:getting|failing|crashing|showing)\b",
        examples=(
            "it still doesn't load",
            "Same error as before",
            "it still crashes",
            "i still get a timeout",
            "it failed again",
            "the uploads fail again",
        ),
        counters=("keep it still", "use the same name", "run it again"),
    ),
    Pattern(
        name="did-not-work",
        type="failure",
        triggers=heard(
            " not | nt | didnt | doesnt | isnt | wasnt | dont | cant | cannot | wont | arent | nothing | hasnt |"
            " havent | no | never | didn | im not "
        ),
        regex=rf"\b(?:did|does|is|was|(?<=\w )(?<!\b(?:please|just|and|but|so|then|also|you) )do|are|has|have|had"
        rf"|will|would|could)(?:n't| not) (?:\w+ly |even |really |all |actually )?{_WORK}\b"
        rf"|\b(?:won't|can't|cannot) (?:\w+ly |even )?{_WORK}\b|\b(?:it|that|this)(?:'s)? not {_WORK}\b|^not"
        rf" {_WORK}\b"
        r"|\bnothing (?:happens|happened|changed|changes|shows|showed|works|worked|appears|appeared|loads)\b"
        r"|\bno (?:change|improv\w+|difference|luck|effect|dice|joy|success|output)\b"
        r"|\bI (?:don't|do not|can't|cannot|can not|didn't|am not|'m not)(?: even| really)? (?:see|seeing|hear"
        r"|notice|get|getting) (?!why|how|what)\w+"
        r"|\bI'm not (?:seeing|getting)\b",
        examples=(
            "that didnt work",
            "the margin did not change",
            "no improvement",
            "nothing happens when I click it",
            "I don't see the button",
        ),
        counters=("does it not work?", "do not change it", "no, use the other one"),
    ),
    Pattern(
        name="now-it-is-bad",
        type="failure",
        triggers=heard(
            " blank| empty| broken| missing| gone| worse| stuck| frozen| black | white | failing| fails| failed|"
            " crash| broke| error| wrong| too | exception| down | off | red | invisible| unreadable| disappeared|"
            " flicker"
        ),
        regex=rf"\b(?:(?:it|that|this|they|everything)(?:'s|'re)?|\w+)(?: is| are| looks?| seems?| went| got|"
        rf" became| turned|(?<=\b(?:its|thats|theyre|everythings)\b)) "
        rf"(?:now |just |all |completely |even |still |totally )?(?:{_STATE})\b"
        r"|\b(?:fails|failed|failing|crash(?:es|ed)?|broke|breaks|disappeared|flickers?) (?:now|with|on|when|the"
        r"|at|to|after|everything|my|again)\b"
        r"|\b(?:is|are|looks?|it's) (?:now |still |way |just |far |much |a bit )*too (?!many requests)\w+\b"
        r"|\b(?:get|getting|got|throws?|threw|gives?|gave|seeing|see) (?:me )?(?:an? |the |this |that |these"
        r" )?(?:\w+ )?(?:errors?|exceptions?)\b"
        r"|\b(?:made|makes|got|getting) (?:(?:it|that|things|everything) )?(?:even |only |much )?worse\b"
        r"|\b(?:it|that|this|tests?|build|you) (?:\w+ )?(?:crashed|broke|failed|fails|crashes)\b",
        examples=(
            "it's blank now",
            "the page is empty",
            "now it is worse",
            "The font is too small",
            "the build failed",
            "that made it worse",
        ),
        counters=("is it broken?", "handle the empty list", "log a missing key"),
    ),
    Pattern(
        name="works-now",
        type="success",
        triggers=heard(
            " works| worked| working| fixed| solved| resolved| pass| did it | did the trick | green |"
            " no more errors| all good "
        ),
        regex=r"\b(?:it|that|this|everything|all|now|they|app|build|which) (?:\w+ ){0,2}?(?:works|worked|is"
        r" working|are working|fixed|solved"
        r"|resolved|did (?:it|the trick))\b|^(?:works|worked|fixed|solved|resolved)\b|\b(?:works?|working) (?:now"
        r"|great|perfectly|fine|well|again|like a charm)\b"
        r"|\b(?:is|are|'s|'re|got|been) (?:now |all |finally )?(?:fixed|solved|resolved|working|passing|green)\b"
        r"|\btests? (?:all |now )*pass(?:ed|es)?\b|\bno more errors\b|\ball good\b",
        examples=(
            "works now, thanks",
            "that fixed it",
            "all tests pass now",
            "it is working again",
            "that did the trick",
        ),
        counters=("does it work now?", "run it until the page works", "fix the works page"),
    ),
    Pattern(
        name="well-done",
        type="success",
        triggers=heard(
            " perfect| great| awesome| excellent| amazing| brilliant| thank| thx| nice| love it | looks good|"
            " look good| well done| good job| nailed it| lgtm| exactly what | beautiful| fantastic| wonderful|"
            " good work| looks great"
        ),
        regex=r"^(?:ok |okay |wow |oh |yes |and |that's |this is |it's |that is |looks |holy \w+ that's )*[, ]*"
        r"(?:perfect|great|awesome|excellent|amazing|brilliant|nice|beautiful|fantastic|wonderful|lgtm|well done"
        r"|good (?:job|work)|thanks?(?: you)?|thx)"
        r"(?=\s*(?:[!.,;:)]|$|thanks|thank|work|job|stuff|thx|now))"
        r"|(?<!\bmake \w+ )\b(?:looks? (?:good|great|perfect|awesome|nice)|nailed it|love it|exactly what I"
        r" (?:wanted|needed|meant))\b",
        examples=("perfect, thank you", "Great!", "looks good to me", "awesome work", "exactly what I needed"),
        counters=("make it look great", "a great many rows", "is it perfect?"),
    ),
)
