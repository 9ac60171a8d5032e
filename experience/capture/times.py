"""Schedules: on which day, at which time or how often something happens."""

from __future__ import annotations

import re

from experience.capture.phrases import ADVERBS, BE, Found, topic
from experience.capture.wording import singular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.capture.phrases import Sentence, Words

DAYS = "monday tuesday wednesday thursday friday saturday sunday weekday weekend workday".split()
MONTHS = "january february march april may june july august september october november december".split()
CLOCK = r"\d{1,2}(?::\d\d)?(?:am|pm|h)?$|noon$|midnight$|\d{1,2}(?::\d\d)?$"
ZONE = frozenset("am pm utc gmt cet cest est edt pst pdt o'clock local time sharp".split())
OFTEN = frozenset("daily weekly monthly nightly hourly yearly quarterly biweekly fortnightly".split())
UNITS = frozenset("second minute hour day week month quarter year sprint night morning".split())
COUNTS = frozenset("other two three four six second third few".split())
HAPPENING = frozenset("go goes out happen happens take takes place held run runs occur occurs".split())
LEADING = frozenset("on at every each by".split())
PAST = r"(?:\w+ed|went|had|was|were|got|did|made|took|came|saw|met|ran|left|said|gave|found)$"


def scheduled(sentence: Sentence) -> Found | None:
    """`deploys go out on Tuesdays`, `the standup is at 9:30`."""
    low = sentence.low
    for at in range(1, len(low)):
        if (low[at] in LEADING or low[at] in OFTEN) and (kind := _kind(low[at:])):
            return _happening(low, at, kind)
    return None


def _kind(low: Words) -> str:
    """Whether these words are a day, a time of day or a frequency, up to the end."""
    words = [singular(word) for word in (low[1:] if low[0] in LEADING else low) if word != "the"]
    if not words or len(words) > 5:
        return ""
    joined = frozenset("and at on , -".split())
    if all(word in DAYS or word in joined for word in words) and low[0] not in ("at", "by"):
        return "day"
    if low[0] in ("at", "by") and all(re.match(CLOCK, word) or word in ZONE for word in words):
        return "clock"
    if low[0] in ("every", "each") and words[-1] in (*UNITS, *DAYS):
        return "often" if all(word in COUNTS or word.isdigit() for word in words[:-1]) else ""
    return "often" if words[0] in OFTEN and len(words) == 1 else ""


def _happening(low: Words, at: int, kind: str) -> Found | None:
    """What happens then: the thing, with its verb where the verb says more than that it happens."""
    if any(re.match(PAST, word) and word not in BE and word != "held" for word in low[1:at]) or "was" in low[:at]:
        return None
    left = low[:at]
    while len(left) > 1 and (left[-1] in HAPPENING or left[-1] in BE or left[-1] in ADVERBS or left[-1] == "scheduled"):
        left = left[:-1]
    verb = left != low[:at] or (left[0] in ("we", "i") and len(left) > 1) or len(left) > 1
    about = " ".join(left) if left[0] == "we" else topic(left, left)
    value = " ".join(singular(word) for word in low[at:] if word not in LEADING and word != "the")
    if not about or not verb or left[0] in ("i", "let", "let's", "see"):
        return None
    return Found(key=f"{kind} | {about}", value=value, sure=True)
