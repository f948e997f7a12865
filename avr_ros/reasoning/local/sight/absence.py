"""Views that matter because somebody is not in them."""

from avr_ros.reasoning.local.sight.seen import SeenView
from avr_ros.reasoning.local.sight.wanted import Findings
from avr_ros.reasoning.meaning import PresenceAsked, QuestionMeaning


def shows_absence(meaning: QuestionMeaning, found: Findings, view: SeenView) -> bool:
    """Whether a view tells that the person meant is not there at the moment that is asked about."""
    asked = meaning.asked
    return (
        isinstance(asked, PresenceAsked)
        and asked.time.frame_id == view.frame
        and found.who is not None
        and not found.who.at(view.frame)
    )
