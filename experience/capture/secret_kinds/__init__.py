"""The kinds of secrets, the most telling first: where two see the same secret, the first one names it."""

from __future__ import annotations

from experience.capture.secret_kinds.blocks import BLOCKS
from experience.capture.secret_kinds.chance import CHANCE
from experience.capture.secret_kinds.clouds import CLOUDS
from experience.capture.secret_kinds.names import NAMES
from experience.capture.secret_kinds.places import PLACES
from experience.capture.secret_kinds.sentences import SENTENCES
from experience.capture.secret_kinds.services import SERVICES
from experience.capture.secret_kinds.shape import Kind
from experience.capture.secret_kinds.workshops import WORKSHOPS

__all__ = ["KINDS", "Kind"]

KINDS: tuple[Kind, ...] = CLOUDS + WORKSHOPS + SERVICES + BLOCKS + PLACES + NAMES + SENTENCES + CHANCE
