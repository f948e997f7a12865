"""JRDB's actions in the words that people use for them.

Written as phrases of :mod:`avr_ros.reasoning.local.phrase`: words separated by blanks, ``a|b`` is
either, a trailing ``?`` may be left out, and a word stands for all its inflections.
"""

from typing import Final

_SOMETHING: Final = "something|sth|anything|object|item|thing|it|luggage|stuff"
_SOMEONE: Final = "someone|somebody|anyone|another|others|people|person|friend|friends"
_ARTICLE: Final = "a|an|the|some|their|his|her|any"
_PHONES: Final = "phone|telephone|cellphone|mobile|smartphone"
_STAIRS: Final = "stairs|staircase|steps|stairway"
_DOOR_VERBS: Final = "open|close|push|pull|hold|use|handle"

ACTION_PHRASES: Final[dict[str, tuple[str, ...]]] = {
    "walking": (
        "walk around|along|about|on?",
        "stroll",
        "go on foot",
        "be on foot",
        "take a|some walk",
    ),
    "standing": (
        "stand up? still|around?",
        "stay|be on their? foot|feet",
    ),
    "holding sth": (
        f"hold|carry|grip {_ARTICLE}? {_SOMETHING}",
        "hold|carry|grip on? to?",
        f"have {_ARTICLE}? {_SOMETHING} in {_ARTICLE}? hand|hands",
    ),
    "sitting": ("sit around|down?", "be? seated"),
    "listening to someone": (f"listen to? {_ARTICLE}? {_SOMEONE}", "listen"),
    "talking to someone": (
        f"talk|speak|chat|converse to|with {_ARTICLE}? {_SOMEONE}",
        "talk|speak|chat|converse",
        f"have a conversation with? {_SOMEONE}?",
    ),
    "looking at robot": (
        "look|stare|gaze|glance at|toward|towards the|a|our? robot|camera",
        "watch the|our robot|camera",
    ),
    "looking into sth": (f"look|peer|gaze|stare into|inside {_ARTICLE}? {_SOMETHING}",),
    "looking at sth": (
        f"look|stare|gaze|glance at|toward|towards {_ARTICLE}? {_SOMETHING}",
        f"watch {_ARTICLE}? {_SOMETHING}",
    ),
    "cycling": (
        "cycle",
        f"ride {_ARTICLE}? bicycle|bike",
        f"be? on {_ARTICLE} bicycle|bike",
        "bike|biking|bicycling",
    ),
    "going upstairs": (
        f"go|walk|climb|run up {_ARTICLE}? {_STAIRS}",
        f"climb|ascend {_ARTICLE}? {_STAIRS}",
        "go|walk|climb|run upstairs",
        f"go|walk|climb|run? on {_ARTICLE} {_STAIRS} go? up",
    ),
    "bending": (
        "bend down|over|forward?",
        "bend oneself|themselves down|over|forward?",
        "stoop down?",
        "lean down|over|forward",
    ),
    "typing": (f"type on|at? {_ARTICLE}? keyboard|laptop|computer?",),
    "interaction with door": (
        f"interact with {_ARTICLE}? door",
        f"interaction with {_ARTICLE}? door",
        f"{_DOOR_VERBS} {_ARTICLE}? door open|closed?",
        f"{_DOOR_VERBS} or|and {_DOOR_VERBS} {_ARTICLE}? door open|closed?",
    ),
    "eating sth": (
        f"eat {_ARTICLE}? {_SOMETHING}",
        "eat food|lunch|dinner?",
        "dine",
        "have a|their? lunch|dinner|meal",
    ),
    "talking on the phone": (
        f"talk|speak on|over|by|into {_ARTICLE}? {_PHONES}",
        f"be? on {_ARTICLE} {_PHONES}",
        f"use {_ARTICLE}? {_PHONES}",
        "phone",
        "phone|telephone call",
        "have|make a|the? phone|telephone call",
        "the call",
    ),
    "pointing at sth": (f"point at|to|toward|towards {_ARTICLE}? {_SOMETHING}", "point"),
    "going downstairs": (
        f"go|walk|run|climb down {_ARTICLE}? {_STAIRS}",
        f"descend {_ARTICLE}? {_STAIRS}",
        "go|walk|climb|run downstairs",
        f"go|walk|climb|run? on {_ARTICLE} {_STAIRS} go? down",
    ),
    "reading": (f"read {_ARTICLE}? {_SOMETHING}|book|paper|newspaper|magazine?",),
    "pushing": (f"push {_ARTICLE}? {_SOMETHING}|cart|trolley|stroller?",),
    "skating": ("skate", "skateboard", f"ride|be? on? {_ARTICLE} skateboard"),
    "scootering": ("scooter", f"ride {_ARTICLE}? scooter", f"be? on {_ARTICLE} scooter"),
    "greeting gestures": (
        f"greet {_ARTICLE}? {_SOMEONE}?",
        "greeting gestures|gesture",
        "make|do a? greeting gestures|gesture",
        f"wave at|to? {_ARTICLE}? {_SOMEONE}",
        "wave",
    ),
    "running": ("run", "jog"),
    "writing": (f"write {_ARTICLE}? {_SOMETHING}", "write down?"),
    "pulling": (f"pull|drag {_ARTICLE}? {_SOMETHING}|suitcase|cart|trolley?",),
    "lying": ("lie down? on? the? ground|floor|grass|bench?", "recline"),
}
"""Phrases of each action."""

STARTING_PHRASES: Final[dict[str, tuple[str, ...]]] = {
    "standing": ("get up to? stand?", "get up on|to their feet", "rise to? their? feet?"),
    "sitting": ("take a seat",),
    "cycling": (f"get on {_ARTICLE} bicycle|bike and? ride? it?",),
}
"""Phrases that say of an action that it starts."""

STOPPING_PHRASES: Final[dict[str, tuple[str, ...]]] = {
    "talking on the phone": ("hang up",),
    "cycling": ("dismount", f"get off {_ARTICLE} bicycle|bike"),
}
"""Phrases that say of an action that it stops."""

PEOPLE_NAMED_BY_ACTION: Final[dict[str, tuple[str, ...]]] = {
    "cycling": ("cyclist|bicyclist|biker", "bike|bicycle rider"),
    "running": ("runner|jogger",),
    "walking": ("walker",),
    "reading": ("reader",),
    "skating": ("skater|skateboarder",),
    "scootering": ("scooter rider|driver",),
    "writing": ("writer",),
}
"""Nouns that say what somebody does."""
