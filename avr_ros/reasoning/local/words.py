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
    """One word, number or mark: ``text`` in lower case as written, ``lemma`` without inflection."""

    text: str
    lemma: str
    form: Form = Form.OTHER

    @property
    def is_number(self) -> bool:
        """Whether the token is a whole number."""
        return self.text.isdecimal()


# base: past and participle of the past, where they are not made with -ed
_IRREGULAR: Final[dict[str, tuple[str, ...]]] = {
    "begin": ("began", "begun"),
    "bend": ("bent",),
    "cease": ("ceased",),
    "eat": ("ate", "eaten"),
    "go": ("went", "gone"),
    "hold": ("held",),
    "keep": ("kept",),
    "leave": ("left",),
    "lie": ("lay", "lain"),
    "make": ("made",),
    "quit": ("quit",),
    "read": ("read",),
    "ride": ("rode", "ridden"),
    "run": ("ran",),
    "see": ("saw", "seen"),
    "sit": ("sat",),
    "speak": ("spoke", "spoken"),
    "stand": ("stood",),
    "take": ("took", "taken"),
    "write": ("wrote", "written"),
}

_REGULAR: Final[tuple[str, ...]] = (
    "carry",
    "chat",
    "climb",
    "close",
    "commence",
    "continue",
    "converse",
    "crouch",
    "cycle",
    "descend",
    "ascend",
    "dine",
    "draw",
    "drag",
    "end",
    "finish",
    "gaze",
    "gesture",
    "glance",
    "greet",
    "grip",
    "handle",
    "interact",
    "jog",
    "lean",
    "listen",
    "look",
    "open",
    "peer",
    "phone",
    "point",
    "pull",
    "push",
    "recline",
    "remain",
    "scooter",
    "share",
    "skate",
    "start",
    "stare",
    "stay",
    "stop",
    "stoop",
    "stroll",
    "talk",
    "search",
    "type",
    "view",
    "use",
    "walk",
    "watch",
    "wave",
)

_DOUBLED: Final[frozenset[str]] = frozenset(
    {"begin", "chat", "drag", "grip", "jog", "quit", "run", "sit", "stop"}
)

_AUXILIARIES: Final[dict[str, tuple[str, ...]]] = {
    "be": ("am", "is", "are", "was", "were", "been", "being", "be"),
    "do": ("do", "does", "did", "done", "doing"),
    "have": ("have", "has", "had", "having"),
    "will": ("will", "would", "shall"),
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

_TOKEN: Final[re.Pattern[str]] = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+(?:\.\d+)?|[^\w\s]|_")
_DASHES: Final[dict[int, str]] = dict.fromkeys(map(ord, "‐‑‒–—"), "-")
_QUOTES: Final[dict[int, str]] = dict.fromkeys(map(ord, "‘’`´"), "'")


def tokenise(text: str) -> list[Token]:
    """Split a text into lower-case tokens with their dictionary forms.

    A possessive ``'s`` becomes a token of its own; other contractions are spelled out.
    """
    plain = unicodedata.normalize("NFKC", text).translate(_DASHES | _QUOTES).lower()
    tokens: list[Token] = []
    for match in _TOKEN.finditer(plain):
        for word in _CONTRACTIONS.get(match.group(), match.group()).split():
            if word.endswith("'s"):
                tokens.extend((_token(word[:-2]), Token("'s", "'s")))
            else:
                tokens.append(_token(word))
    return tokens


def _token(word: str) -> Token:
    lemma, form = _FORMS.get(word, (word, Form.OTHER))
    return Token(word, lemma, form)


def _inflections(base: str) -> dict[str, Form]:
    stem = base + base[-1] if base in _DOUBLED else base
    silent = base.endswith("e") and base not in ("see", "be")
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
