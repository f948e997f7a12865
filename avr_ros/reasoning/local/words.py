"""Words of a question: tokens, and the dictionary forms of verbs."""

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum
from typing import Final


class Form(str, Enum):
    """How a verb is inflected."""

    BASE = "base"
    THIRD = "third"
    PARTICIPLE = "participle"
    PAST = "past"
    OTHER = "other"


@dataclass(frozen=True)
class Token:
    """One word, number or mark: ``text`` in lower case as written, ``lemma`` without inflection.

    ``name`` is whether the word is a capital letter that stands for somebody, as in "B is left
    of A".
    """

    text: str
    lemma: str
    form: Form = Form.OTHER
    name: bool = False

    @property
    def is_number(self) -> bool:
        """Whether the token is a whole number."""
        return self.text.isdecimal()


# base: past and participle of the past, where they are not made with -ed
_IRREGULAR: Final[dict[str, tuple[str, ...]]] = {
    "begin": ("began", "begun"),
    "bend": ("bent",),
    "bring": ("brought",),
    "choose": ("chose", "chosen"),
    "come": ("came",),
    "eat": ("ate", "eaten"),
    "find": ("found",),
    "get": ("got", "gotten"),
    "give": ("gave", "given"),
    "go": ("went", "gone"),
    "hang": ("hung",),
    "hold": ("held",),
    "keep": ("kept",),
    "leave": ("left",),
    "let": ("let",),
    "lie": ("lay", "lain"),
    "make": ("made",),
    "mean": ("meant",),
    "put": ("put",),
    "quit": ("quit",),
    "read": ("read",),
    "ride": ("rode", "ridden"),
    "rise": ("rose", "risen"),
    "run": ("ran",),
    "see": ("saw", "seen"),
    "sit": ("sat",),
    "speak": ("spoke", "spoken"),
    "show": ("showed", "shown"),
    "stand": ("stood",),
    "take": ("took", "taken"),
    "tell": ("told",),
    "write": ("wrote", "written"),
}

_REGULAR: Final[tuple[str, ...]] = (
    "appear",
    "assume",
    "answer",
    "ask",
    "call",
    "carry",
    "cease",
    "chat",
    "climb",
    "close",
    "commence",
    "consider",
    "continue",
    "count",
    "converse",
    "crouch",
    "cycle",
    "depart",
    "descend",
    "describe",
    "determine",
    "disappear",
    "ascend",
    "dine",
    "elapse",
    "engage",
    "estimate",
    "draw",
    "drag",
    "end",
    "face",
    "finish",
    "focus",
    "follow",
    "form",
    "gaze",
    "gesture",
    "glance",
    "greet",
    "grip",
    "handle",
    "happen",
    "dismount",
    "identify",
    "interact",
    "jog",
    "lean",
    "listen",
    "locate",
    "look",
    "measure",
    "move",
    "name",
    "need",
    "occur",
    "occupy",
    "open",
    "pass",
    "peer",
    "perform",
    "phone",
    "pick",
    "point",
    "proceed",
    "pull",
    "push",
    "reach",
    "recline",
    "remain",
    "report",
    "resume",
    "say",
    "scooter",
    "separate",
    "share",
    "skate",
    "start",
    "stare",
    "state",
    "stay",
    "step",
    "stop",
    "suppose",
    "stoop",
    "stroll",
    "talk",
    "search",
    "turn",
    "type",
    "vanish",
    "wait",
    "view",
    "use",
    "walk",
    "want",
    "watch",
    "wave",
)

_DOUBLED: Final[frozenset[str]] = frozenset(
    {
        "begin",
        "chat",
        "drag",
        "get",
        "grip",
        "jog",
        "let",
        "put",
        "quit",
        "run",
        "sit",
        "step",
        "stop",
    }
)

_AUXILIARIES: Final[dict[str, tuple[str, ...]]] = {
    "be": ("am", "is", "are", "was", "were", "been", "being", "be"),
    "do": ("do", "does", "did", "done", "doing"),
    "have": ("have", "has", "had", "having"),
    "will": ("will", "would", "shall"),
    "can": ("can", "could", "may", "might"),
    "must": ("must", "should"),
}

_CONTRACTIONS: Final[dict[str, str]] = {
    "who's": "who is",
    "that's": "that is",
    "when's": "when is",
    "what's": "what is",
    "they're": "they are",
    "they've": "they have",
    "i'm": "i am",
    "there's": "there is",
}

_TOKEN: Final[re.Pattern[str]] = re.compile(
    r"[a-z]+(?:'[a-z]+)?|\d+(?:\.\d+)?|[^\w\s]|_", re.IGNORECASE
)
_ENDS: Final = (".", "?", "!", ";", ":", '"')
_DASHES: Final[dict[int, str]] = dict.fromkeys(map(ord, "‐‑‒–—"), "-")
_QUOTES: Final[dict[int, str]] = dict.fromkeys(map(ord, "‘’`´"), "'")


def tokenise(text: str) -> list[Token]:
    """Split a text into lower-case tokens with their dictionary forms.

    A possessive ``'s`` becomes a token of its own; other contractions are spelled out.
    """
    plain = unicodedata.normalize("NFKC", text).translate(_DASHES | _QUOTES)
    written: list[str] = []
    for match in _TOKEN.finditer(plain):
        word = match.group()
        for part in _CONTRACTIONS.get(word.lower(), word).split():
            written.extend((part[:-2], "'s") if part.lower().endswith("'s") else (part,))
    shouted = plain == plain.upper()
    return [
        _token(word.lower(), not shouted and _is_name(written, position))
        for position, word in enumerate(written)
    ]


def _is_name(words: list[str], position: int) -> bool:
    """Whether a word is a letter that names somebody, and neither "I" nor the article "A"."""
    word = words[position]
    if len(word) != 1 or not "A" <= word <= "Z" or word == "I":
        return False
    if word != "A" or (position and words[position - 1] not in _ENDS):
        return True
    following = words[position + 1] if position + 1 < len(words) else ""
    return not following.isalpha() or following in _AFTER_A_NAME


_AFTER_A_NAME: Final = frozenset({"is", "was", "be", "from", "to", "and", "has", "forms"})


def _token(word: str, name: bool) -> Token:
    if name:
        return Token(word.upper(), word.upper(), name=True)
    lemma, form = _FORMS.get(word, (word, Form.OTHER))
    return Token(word, lemma, form)


def _inflections(base: str) -> dict[str, Form]:
    stem = base + base[-1] if base in _DOUBLED else base
    silent = base.endswith("e") and base not in ("see", "be", "free")
    participle = "lying" if base == "lie" else (stem[:-1] if silent else stem) + "ing"
    if base.endswith(("s", "sh", "ch", "o")):
        third = base + "es"
    elif base.endswith("y") and base[-2] not in "aeiou":
        third = base[:-1] + "ies"
    else:
        third = base + "s"
    if base in _IRREGULAR:
        past = _IRREGULAR[base]
    elif base.endswith("y") and base[-2] not in "aeiou":
        past = (base[:-1] + "ied",)
    else:
        past = (stem + "d" if silent else stem + "ed",)
    forms = {third: Form.THIRD, participle: Form.PARTICIPLE}
    forms.update(dict.fromkeys(past, Form.PAST))
    forms[base] = Form.BASE
    return forms


def _all_forms() -> dict[str, tuple[str, Form]]:
    forms: dict[str, tuple[str, Form]] = {}
    for base in (*_REGULAR, *_IRREGULAR):
        for form, kind in _inflections(base).items():
            forms[form] = (base, kind)
    for base, words in _AUXILIARIES.items():
        for word in words:
            forms[word] = (base, Form.OTHER)
    # "left" is a side in this world, and a form of "leave" nowhere.
    del forms["left"]
    return forms


_FORMS: Final[dict[str, tuple[str, Form]]] = _all_forms()
