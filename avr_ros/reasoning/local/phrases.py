"""All phrases but those of actions: people, relations, times, and words that ask."""

from typing import Final

from avr_ros.reasoning.local.phrase import Kind, Lexeme, Phrase, phrase
from avr_ros.reasoning.meaning import Edge, RelationKind

PERSON_NOUNS: Final = "person|pedestrian|individual|human|somebody|someone|one|figure"
_DEFINITE_NOUNS: Final = f"{PERSON_NOUNS}|partner|companion|neighbor|neighbour|target"
FRAME_NOUNS: Final = "frame|image|picture"
_NEAR: Final = "nearest|closest"
_ROBOT: Final = "robot|camera"
_SIDES: Final = {"left": RelationKind.LEFT_OF, "right": RelationKind.RIGHT_OF}


def _plain(kind: Kind, *texts: str, edge: Edge | None = None) -> list[Phrase]:
    """Phrases of one kind; ``@`` before a text stands for "which is the", "the" or nothing."""
    found: list[str] = []
    for text in texts:
        plain = text.removeprefix("@")
        asking = plain != text
        found += [f"what|which be? the? {plain}", f"the? {plain}"] if asking else [text]
    return [phrase(text, Lexeme(kind, text, edge=edge)) for text in found]


def _people() -> list[Phrase]:
    return [
        *_plain(Kind.PERSON, PERSON_NOUNS, f"one {PERSON_NOUNS}", "whoever", "target"),
        *_plain(
            Kind.PEOPLE,
            "people|persons|pedestrians|individuals|those|everyone|everybody|humans",
            "all|several|many|some? of? the|all? people|persons|pedestrians|individuals|those",
            "more than one person",
            "all",
        ),
        *_plain(
            Kind.SAME_PERSON,
            "they|he|she|them|him",
            f"this|that|same {_DEFINITE_NOUNS}",
            f"the same {_DEFINITE_NOUNS}",
            f"do this|that|the same {_DEFINITE_NOUNS}",
            f"do this|that {_DEFINITE_NOUNS}",
            f"the|this|that second|third|last|final {_DEFINITE_NOUNS}",
            "the|this|that latter person?",
            "the second|third|last of them|these|those",
            f"the {PERSON_NOUNS} reached|found",
            f"the {PERSON_NOUNS} you|we|one end up at|with",
            f"our {_DEFINITE_NOUNS}",
        ),
        *_plain(Kind.THEIR, "his|her|their|its"),
        *_plain(Kind.POSSESSIVE, "'s"),
        *_plain(
            Kind.PARTNER,
            "the? group? partner|companion",
            "the? group? partner|companion in|of a|the group|pair of? two?",
            "the? other member|person of|in the|their? two? -? person? group|pair",
            "the? other member|person of|in the|their? group|pair of two",
            "group|pair of two",
        ),
        *_plain(
            Kind.ONLY,
            "only|exactly|just",
            "single|sole|unique|alone|lone|solitary",
            "nobody|no else? but|except",
            f"only|exactly|just one|a? single? {PERSON_NOUNS}?",
        ),
        *_plain(
            Kind.NOBODY_ELSE,
            "nobody|no else|one else? be|do? so?",
            "nobody|noone else",
            "no one else",
            "and? no other|others|more|further",
            "and? no second|other one|person?",
            "there be no other|more|others",
            "and only|just one",
            "the only one to do so|that|this|it",
        ),
        *_plain(
            Kind.CLOSEST_TO_ROBOT,
            f"{_NEAR} to the {_ROBOT}",
            f"{_NEAR} {PERSON_NOUNS} to the {_ROBOT}",
            f"{_NEAR} to it",
        ),
    ]


def _side(text: str, kind: RelationKind, nearest: bool = False, own: bool = False) -> Phrase:
    return phrase(text, Lexeme(Kind.SIDE, text, relation=kind, nearest=nearest, own=own))


def _relations() -> list[Phrase]:
    found = [
        *_plain(
            Kind.NEAR,
            _NEAR,
            f"{_NEAR} neighbor|neighbour",
            "immediately|directly|adjacent",
        ),
        *_plain(
            Kind.NEAR_TO,
            f"stand|sit? {_NEAR}|next|adjacent to",
            f"{_NEAR} neighbor|neighbour of",
        ),
        *_plain(
            Kind.IN_DIRECTION,
            "in the direction in? which|that|where?",
            "in the direction",
        ),
        *_plain(Kind.FACES, "be? face", "be? turned to|toward|towards"),
        *_plain(Kind.OWN, "own"),
        *_plain(
            Kind.OWN_SIDE_MEANT,
            "left|right be|mean that|this|the person 's own left|right",
        ),
        *_plain(Kind.NEAREST_MEANT, f"take? the? {_NEAR} each|every time", f"always the? {_NEAR}"),
        *_plain(
            Kind.GROUP,
            "in the|a? same? group|pair of? two? with|as|of",
            "form|make|share a|the group|pair of? two? with?",
            "share a|the group with",
        ),
        _side("in front", RelationKind.IN_FRONT_OF, True),
        _side("in front of", RelationKind.IN_FRONT_OF, True),
        _side("ahead of", RelationKind.IN_FRONT_OF, True),
        _side("behind", RelationKind.BEHIND, True),
        _side("at|to|in the? back of", RelationKind.BEHIND, True),
    ]
    for side, kind in _SIDES.items():
        # A side's "of" is left to the reader: it says whether somebody is named then.
        found += [
            _side(f"on|to|at|toward|towards? the? {side} -? hand? side?", kind),
            _side(f"{_NEAR}|next|immediately to|on|at the {side} -? hand? side?", kind, True),
            _side(f"{_NEAR} {side} neighbor|neighbour", kind, True),
        ]
    return found


def _times() -> list[Phrase]:
    nouns = FRAME_NOUNS
    return [
        phrase(
            f"{nouns}|frames number|no|id|index? .? #|_|-|:? <number>", Lexeme(Kind.FRAME, "frame")
        ),
        phrase("# <number>", Lexeme(Kind.FRAME, "frame")),
        *_plain(
            Kind.SPAN,
            "what|which two? frames|images",
            f"from|between what|which {nouns}? to|until|till|through|and what|which {nouns}?",
            f"@first {nouns}? and|to|through the? last {nouns}|frames|one?",
            f"@first {nouns}|frames and|to|until? the? last {nouns}|frames|one?",
            f"start|starting|begin|beginning {nouns}? and the? end|ending|stop|final"
            f" {nouns}|frames",
            "start|begin and later? stop|end|finish",
            f"the {nouns} it|this|that start|begin and the {nouns} it|this|that end|stop",
            f"@span|stretch|interval|period|range of? {nouns}|frames|time?",
            "from when to|until|till when",
        ),
        *_plain(
            Kind.FIRST,
            f"@first|earliest {nouns}? to? show?",
            f"@first|earliest {PERSON_NOUNS} to show",
            "for the first time",
        ),
        *_plain(
            Kind.LAST,
            f"@last|latest|final {nouns}?",
            "until|till|up|to which|what|when frame|image?",
        ),
        *_plain(
            Kind.FRAME_WORD,
            f"in|at|on|during|by|from? what|which {nouns}|moment|time|point on|onward|onwards?",
            f"@{nouns}|moment|instant|number|id|frames where|when|at|in|of? which?",
            "when",
        ),
        *_plain(
            Kind.AFTERWARDS,
            "after that|this|which",
            "afterwards|afterward|later|thereafter on?",
            "some|a time|while later|after|afterwards",
            "at? some|a later point|time|moment",
            "later|next time",
            "from then|there on",
        ),
        *_plain(Kind.AFTER, "after", "following", "later than", "since"),
        *_plain(Kind.ONWARDS, "on? onward|onwards", "and later|after"),
        *_plain(Kind.BEFORE, "before", "prior to", "earlier than"),
        *_plain(Kind.UNTIL, "until|till", "up to|till", "by|once"),
        *_plain(
            Kind.EDGE,
            "start|begin|commence|resume to?",
            "take up",
            "take|turn|switch to",
            "go over|on to",
            "the? start|beginning|onset of",
            "first step of",
            "beginning",
            edge=Edge.START,
        ),
        *_plain(
            Kind.EDGE,
            "stop|end|finish|cease|quit to?",
            "no longer",
            "not do? any longer|more",
            "leave off",
            "the? end of",
            "be? done|finished|through with",
            "let go of it|something?",
            edge=Edge.STOP,
        ),
    ]


def _asking() -> list[Phrase]:
    return [
        *_plain(
            Kind.WHAT,
            "what",
            "what|which activity|action|thing|things of?",
            "which of? the? these|those|following|choices|options?",
            "which of the listed|given|offered? actions|activities|answers|things",
            "how be",
            "what be the? first activity|action|thing",
        ),
        *_plain(Kind.HOW_MANY, "how many|much|often"),
        *_plain(Kind.NEXT, "next", "subsequently", "the? following activity|action"),
        *_plain(Kind.NEXT, "before any other|others|else", "something new|else|different"),
        *_plain(Kind.NEXT_ACTION, "next|new|following activity|action|thing"),
        *_plain(
            Kind.SECONDS,
            "how many seconds lie|be|pass|go? by|there|separate|elapse? in|between?",
            "in? seconds|secs",
            "what? time in seconds",
            "how much time",
        ),
        *_plain(
            Kind.HOW_LONG,
            "how long",
            "how long be? it|there?",
        ),
        *_plain(
            Kind.DISTANCE,
            "how far|distant|close|near off|away?",
            "how many metres|meters off|away?",
            "the? number of metres|meters",
            "in? metres|meters|m off|away?",
            "ground? distance in? metres|meters? to|from|between?",
        ),
        *_plain(
            Kind.DIRECTION,
            "in|at|under|with|to|towards? what|which|the? best? viewing|looking?"
            " direction|angle|azimuth|way of? the? view?",
            "the? heading|bearing of the view",
            "where must|do|will|can|be the|you|we|one? robot? have? to? look|turn",
            "where be? the? best place? to? look?",
            "where? to? look",
            "where to turn|point",
            "best see where",
            "the? best? view",
            "best visible|seen?",
            "point the camera at",
        ),
        *_plain(
            Kind.PRESENCE,
            "still",
            "present",
            "visible",
            "be still? there|here|around",
            "still there|here|around",
            "no longer there|here|around|visible|present|seen|in? view?",
            "in view|sight",
            "in|on the picture|scene any? more|anymore|longer",
            "see any more|longer",
            "see anymore",
            "gone",
            "go away",
            "around",
            "disappear|vanish|depart",
            "leave the? scene|view|picture?",
            "have they|he|she left",
            "left by then",
            "remain|stay in the? scene|view|picture",
            "remain|stay there|here|around|visible|present",
            "remain|stay until|till",
            "remain|stay up to",
        ),
        *_plain(Kind.RELATIVE, "who|that|which|whom|whose"),
        *_plain(Kind.SAME_ACTION, "do so|that|this|it", "the|this|that action|activity", "it"),
        *_plain(Kind.BE, "be", "have been", "will be", "appear to? be?", "be seen"),
        *_plain(Kind.HAVE, "have"),
        *_plain(Kind.DO, "do", "will|can|must"),
        *_plain(Kind.AND, "and", "while", "and also|then?"),
        *_plain(Kind.OR, "or"),
        *_plain(Kind.OF, "of"),
        *_plain(Kind.COMMA, ",", "-", ":", "(", ")", '"', "'", ";"),
        *_plain(Kind.STOP, ".", "!"),
        phrase("?", Lexeme(Kind.QUESTION, "?")),
    ]


def _meaningless() -> list[Phrase]:
    view = "viewpoint|perspective|view|eyes|camera|angle"
    texts = (
        "a|an|the|very|now|then|as|there|here|both|also|too|else",
        "please|tell|give|locate|take|name|state|find|report|say|choose|pick|consider|follow|watch",
        "determine|identify|count|estimate|let|call|want|need|mean|focus|see|answer|get|put|keep|show",
        "me|us|i|you|we|your|my|whether|if|but|so|already",
        "look|search|watch for|out|at",
        "instead|list|away",
        "yes or no",
        "keep an eye on",
        f"go on to|from the|a|them|{PERSON_NOUNS}",
        "keep|go on? watching|following|looking?",
        "you|we can? see",
        "start|begin|starting|beginning from|with|at",
        "go|move|step|continue|proceed from|on|to|there? from|on|to|there?",
        "as? see|view|look|told from|by the robot",
        f"as? see|view|look? from|in|with|by the {_ROBOT} 's? {view}",
        f"as? see|view|look? from|in|with|by the {_ROBOT} 's? point of view",
        f"left|right mean as? the {_ROBOT} see it|them|this|him|her?",
        f"and left|right as the {_ROBOT} see it|them|this|him|her?",
        f"as the {_ROBOT} see it|them|this?",
        "from|by where the robot stands|is",
        f"from|in|to|between|and? the? {_ROBOT}",
        f"{_ROBOT} 's",
        "in|at|on|during|by|over|for|to|with|as|through|throughout|from|out|onto|between|among",
        "keep|continue|remain|stay on?",
        "first of all",
        "scene|video|recording|sequence|panorama|robot|question|camera",
        "visible|shown|answer|number|group|pair|two|member|hand|side|back",
        "the picture|image of",
        "carry|carried out",
        "engaged|engage|occupied|involved in?",
        "performed|perform|done",
        "up to",
        "can be seen",
        "that moment|time|frame",
        "at|by|in that|this|some moment|time|frame|point",
        "all at|in that|this frame",
        "lie between|apart these|those|the? two? moments|events?",
        "lie in the middle",
        "these|those|the two moments|events|times",
        "from the|this|that moment|time|instant when|on?",
        "the moment|time|instant|point|frame when|where|that?",
        "along|over|on the ground",
        "measured",
        "show them then",
        "where they are seen last",
        "or in? one of the last frames that|which show them",
        "answer with a frame number",
        "an? azimuth in degrees",
        "0 straight ahead of the robot",
        "positive to its|the left",
        "go by between|from",
        "come",
        "pass|elapse|separate",
        "a|one|two? frame number|numbers",
        "where|make|again|under|together|reached|thing|occur|happen",
        "i . e .",
        "of interest",
        "as well",
        "step|stage|first <number>",
        "measure|gap|difference|duration|towards|toward|wait|suppose|assume|describe",
        "the? time",
        "start|begin :",
    )
    return [phrase(text, None) for text in texts]


def all_phrases() -> list[Phrase]:
    """Every phrase, in order of precedence among equally long ones."""
    return [*_people(), *_relations(), *_times(), *_asking(), *_meaningless()]
