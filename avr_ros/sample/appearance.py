"""What a person looks like: proportions, colours, clothes and things worn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from avr_ros.sample.styles import HAIR_COLOURS, SKIN_TONES, Colour, Style


@dataclass(frozen=True)
class Appearance:
    """A person's look for the whole sequence; colours are (blue, green, red).

    ``stature`` in metres, ``build`` is a girth factor. ``top_kind`` is tshirt, shirt, jacket,
    hoodie or coat; ``bottom_kind`` trousers, shorts or skirt; ``hair_kind`` short, long, bun, bald
    or curly; ``hat_kind`` none, cap, beanie or brim; ``stripe`` none, chest or rows.
    """

    stature: float
    build: float
    skin: Colour
    hair: Colour
    hair_kind: str
    top: Colour
    top_kind: str
    inner: Colour
    long_sleeves: bool
    stripe: str
    stripe_colour: Colour
    bottom: Colour
    bottom_kind: str
    shoes: Colour
    hat_kind: str
    hat: Colour
    backpack: Colour | None
    shoulder_bag: Colour | None
    scarf: Colour | None
    beard: bool
    glasses: bool
    variant: float


def _pick(rng: np.random.Generator, colours: tuple[Colour, ...]) -> Colour:
    return colours[int(rng.integers(len(colours)))]


def _near(rng: np.random.Generator, colour: Colour, spread: float) -> Colour:
    """The colour as another batch of the same cloth would have it."""
    shift = rng.normal(0.0, spread) + rng.normal(0.0, spread / 3.0, 3)
    blue, green, red = (int(v) for v in np.clip(np.asarray(colour) + shift, 0, 255))
    return blue, green, red


def draw_appearance(rng: np.random.Generator, style: Style, rides: bool = False) -> Appearance:
    """A random person of a style; ``rides`` keeps to clothes that fit on a bicycle."""
    look_alike = rng.random() < style.look_alike
    top = _pick(rng, style.tops)
    bottom = _pick(rng, style.trousers)
    kind_draw = rng.random()
    if kind_draw < style.coats:
        top_kind = "coat"
    else:
        top_kind = ("tshirt", "shirt", "jacket", "hoodie")[int(rng.integers(4))]
    bottom_draw = rng.random()
    if bottom_draw < style.shorts:
        bottom_kind = "shorts"
    elif bottom_draw < style.shorts + style.skirts and not rides:
        bottom_kind = "skirt"
    else:
        bottom_kind = "trousers"
    long_sleeves = top_kind in ("jacket", "hoodie", "coat") or rng.random() > style.short_sleeves
    hair_kind = ("short", "short", "long", "long", "bun", "curly", "bald")[int(rng.integers(7))]
    hat_kind = "none"
    if rng.random() < style.hats:
        hat_kind = ("cap", "beanie", "brim")[int(rng.integers(3))]
    if rides and top_kind == "coat":
        top_kind = "jacket"
    if look_alike:
        top, bottom = style.look_alike_outfit
        top_kind, bottom_kind, long_sleeves = "jacket", "trousers", True
    # Whoever wears what others wear mostly differs by one thing that can be seen from afar.
    distinct = look_alike and rng.random() < 0.65
    if distinct:
        hat_kind = ("cap", "beanie", "brim", "none")[int(rng.integers(4))]
    stripe = "none"
    if (distinct and hat_kind == "none") or rng.random() < 0.15:
        stripe = ("chest", "rows")[int(rng.integers(2))]
    backpack = _pick(rng, style.tops) if rng.random() < 0.26 else None
    shoulder_bag = _pick(rng, style.tops) if backpack is None and rng.random() < 0.2 else None
    return Appearance(
        stature=float(np.clip(rng.normal(*style.stature), 1.48, 1.98)),
        build=float(np.clip(rng.normal(*style.build), 0.82, 1.4)),
        skin=_near(rng, _pick(rng, SKIN_TONES), 4.0),
        hair=_near(rng, _pick(rng, HAIR_COLOURS), 4.0),
        hair_kind=hair_kind,
        top=_near(rng, top, 3.0),
        top_kind=top_kind,
        inner=_pick(rng, style.tops),
        long_sleeves=long_sleeves,
        stripe=stripe,
        stripe_colour=_pick(rng, style.tops),
        bottom=_near(rng, bottom, 3.0),
        bottom_kind=bottom_kind,
        shoes=_pick(rng, style.shoes),
        hat_kind=hat_kind,
        hat=_pick(rng, style.tops),
        backpack=backpack,
        shoulder_bag=shoulder_bag,
        scarf=_pick(rng, style.tops) if rng.random() < 0.5 * style.coats else None,
        beard=hair_kind != "long" and rng.random() < 0.25,
        glasses=rng.random() < 0.2,
        variant=float(rng.random()),
    )
