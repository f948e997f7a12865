"""Looks of the sample world: palettes, lighting, proportions of bodies, sensor.

A style changes what a picture looks like, never what happens in it. ``HELD_OUT_STYLE`` is the look
that perception is neither trained nor tuned on; ``MIXED_STYLE`` gives each sequence of a data set
one of the others in turn.

Colours are (blue, green, red) in 0..255, OpenCV's order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from avr_ros.schema.errors import BadInputError

Colour = tuple[int, int, int]
Tone = tuple[float, float, float]
"""A colour between whole levels, (blue, green, red)."""


def scaled(colour: Colour | Tone, factor: float) -> Tone:
    """A colour made darker or lighter."""
    return colour[0] * factor, colour[1] * factor, colour[2] * factor


def _bgr(*codes: str) -> tuple[Colour, ...]:
    """Colours from hexadecimal RRGGBB codes."""
    return tuple((int(c[4:6], 16), int(c[2:4], 16), int(c[0:2], 16)) for c in codes)


@dataclass(frozen=True)
class Style:
    """One look.

    ``sun_elevation`` and ``sun_spread`` in radians; ``sun`` and ``ambient`` are the direct and the
    diffuse share of the light outdoors, ``lamp_ambient`` the diffuse share indoors; ``tint``
    multiplies (blue, green, red); ``shadow`` is the darkness of cast shadows (0 none, 1 black) and
    ``shadow_blur`` their softness in metres; ``noise`` is the sensor's standard deviation in grey
    levels and ``lens_blur`` in pixels; ``stature`` and ``build`` are mean and standard deviation of
    body height in metres and of the girth factor; ``coats``, ``hats``, ``shorts`` and ``skirts``
    are probabilities; ``look_alike`` is the share of people who wear nearly the same.
    """

    name: str
    tops: tuple[Colour, ...]
    trousers: tuple[Colour, ...]
    shoes: tuple[Colour, ...]
    look_alike_outfit: tuple[Colour, Colour]
    look_alike: float
    sky_zenith: Colour
    sky_horizon: Colour
    cloud_cover: float
    cloud_colour: Colour
    foliage: tuple[Colour, ...]
    grass: Colour
    facades: tuple[Colour, ...]
    floors: tuple[Colour, ...]
    sun_elevation: float
    sun: float
    ambient: float
    lamp_ambient: float
    tint: tuple[float, float, float]
    shadow: float
    shadow_blur: float
    haze: float
    saturation: float
    contrast: float
    noise: float
    lens_blur: float
    vignette: float
    stature: tuple[float, float]
    build: tuple[float, float]
    coats: float
    hats: float
    shorts: float
    skirts: float
    short_sleeves: float


SKIN_TONES: Final[tuple[Colour, ...]] = _bgr(
    "f3d3bd", "eac0a0", "dba983", "c68d62", "a86f47", "8a5636", "6b4028", "f0c8ac"
)
HAIR_COLOURS: Final[tuple[Colour, ...]] = _bgr(
    "1a1513", "2b1d16", "3d281b", "5a3b25", "7d5836", "a88350", "c9a86a", "8d8d8d", "52301f"
)

DAYLIGHT: Final = Style(
    name="daylight",
    tops=_bgr(
        "b8322a",
        "2857a5",
        "e3e1dc",
        "2d2f36",
        "3f7f52",
        "d9a33a",
        "7a4a8c",
        "5f8fb8",
        "c9c3b4",
        "8c2f4a",
        "d4714b",
        "1f4f5e",
    ),
    trousers=_bgr("26334d", "1e1f24", "5c5a55", "8a7a5f", "3a4a66", "44403b", "b4a486"),
    shoes=_bgr("1a1a1c", "e4e2de", "5b3c26", "3c4452", "8f2f2a"),
    look_alike_outfit=_bgr("3c4654", "262b38"),  # type: ignore[arg-type]
    look_alike=0.3,
    sky_zenith=_bgr("3f78c0")[0],
    sky_horizon=_bgr("c9dcec")[0],
    cloud_cover=0.35,
    cloud_colour=_bgr("f6f7f8")[0],
    foliage=_bgr("3f6a2f", "4c7a37", "375f2f", "5d8a3e"),
    grass=_bgr("6f8f47")[0],
    facades=_bgr("d8c3a0", "c9a583", "b5705a", "dedad0", "a9b0b0"),
    floors=_bgr("b9b2a6", "c7bda9", "a59d94"),
    sun_elevation=0.85,
    sun=0.62,
    ambient=0.55,
    lamp_ambient=0.86,
    tint=(0.97, 1.0, 1.02),
    shadow=0.5,
    shadow_blur=0.05,
    haze=0.012,
    saturation=1.05,
    contrast=1.04,
    noise=2.6,
    lens_blur=0.55,
    vignette=0.06,
    stature=(1.72, 0.09),
    build=(1.0, 0.08),
    coats=0.1,
    hats=0.18,
    shorts=0.2,
    skirts=0.12,
    short_sleeves=0.5,
)

OVERCAST: Final = Style(
    name="overcast",
    tops=_bgr(
        "6b2b2b",
        "33455e",
        "c8c7c2",
        "23252a",
        "4a5d4b",
        "a88a4d",
        "5b4a66",
        "788a99",
        "8c8579",
        "3f5c66",
        "9a5a3f",
    ),
    trousers=_bgr("1f2633", "17181b", "4c4a46", "6b604d", "2f3b4d"),
    shoes=_bgr("141416", "b8b5ae", "463022", "2f343d"),
    look_alike_outfit=_bgr("2b2d33", "1d1f24"),  # type: ignore[arg-type]
    look_alike=0.4,
    sky_zenith=_bgr("a9b3bb")[0],
    sky_horizon=_bgr("d6dadc")[0],
    cloud_cover=0.95,
    cloud_colour=_bgr("c3c9ce")[0],
    foliage=_bgr("3a5234", "45603c", "33492f"),
    grass=_bgr("5f7a48")[0],
    facades=_bgr("b7b2a8", "9c8577", "8d9498", "a89a88", "c2bfb8"),
    floors=_bgr("9fa09d", "8f8b85", "aaa69d"),
    sun_elevation=1.1,
    sun=0.22,
    ambient=0.78,
    lamp_ambient=0.82,
    tint=(1.04, 1.0, 0.97),
    shadow=0.22,
    shadow_blur=0.22,
    haze=0.02,
    saturation=0.82,
    contrast=0.96,
    noise=3.4,
    lens_blur=0.65,
    vignette=0.09,
    stature=(1.74, 0.08),
    build=(1.03, 0.09),
    coats=0.3,
    hats=0.15,
    shorts=0.04,
    skirts=0.08,
    short_sleeves=0.15,
)

EVENING: Final = Style(
    name="evening",
    tops=_bgr(
        "9c3b2e",
        "2c4272",
        "d9cfc0",
        "2a2a30",
        "5a6b3f",
        "c78a2f",
        "6b3f6f",
        "4f7a8c",
        "b39b7a",
        "7b2b3b",
        "31586b",
    ),
    trousers=_bgr("232a3d", "1b1a1e", "57504a", "7d6a4d", "36425a", "a08c6a"),
    shoes=_bgr("18171a", "d4cdc2", "4f3421", "373d49"),
    look_alike_outfit=_bgr("5a5248", "332f2c"),  # type: ignore[arg-type]
    look_alike=0.3,
    sky_zenith=_bgr("53719f")[0],
    sky_horizon=_bgr("f0c596")[0],
    cloud_cover=0.5,
    cloud_colour=_bgr("f2c9a8")[0],
    foliage=_bgr("4e5e2c", "5c6b31", "3f5128", "75712f"),
    grass=_bgr("7b8445")[0],
    facades=_bgr("cfa77c", "b98a66", "a8644c", "d8c0a0", "9d9a97"),
    floors=_bgr("ac9c88", "b9a78c", "958777"),
    sun_elevation=0.42,
    sun=0.72,
    ambient=0.45,
    lamp_ambient=0.78,
    tint=(0.84, 0.97, 1.12),
    shadow=0.42,
    shadow_blur=0.10,
    haze=0.018,
    saturation=1.02,
    contrast=1.06,
    noise=3.8,
    lens_blur=0.6,
    vignette=0.12,
    stature=(1.71, 0.1),
    build=(0.99, 0.1),
    coats=0.15,
    hats=0.12,
    shorts=0.1,
    skirts=0.15,
    short_sleeves=0.35,
)

VIVID: Final = Style(
    name="vivid",
    tops=_bgr(
        "e0342b",
        "1f6fd6",
        "ffffff",
        "17a05f",
        "f5c21b",
        "ef7d1a",
        "8e44ad",
        "e84393",
        "18a7b5",
        "111318",
        "9bd13b",
    ),
    trousers=_bgr("22406f", "121317", "c9b68b", "6d7784", "f0eee9", "3b5b3f"),
    shoes=_bgr("ffffff", "111214", "d8352b", "2255aa"),
    look_alike_outfit=_bgr("f0efec", "28416b"),  # type: ignore[arg-type]
    look_alike=0.3,
    sky_zenith=_bgr("2f86e0")[0],
    sky_horizon=_bgr("bfe0f7")[0],
    cloud_cover=0.2,
    cloud_colour=_bgr("ffffff")[0],
    foliage=_bgr("3f8f33", "57a83c", "2f7a34", "74b845"),
    grass=_bgr("7fb14a")[0],
    facades=_bgr("e8d5b0", "d98c66", "f1ece0", "b9c7cf", "cf6f55"),
    floors=_bgr("cfc6b4", "d8cfbd", "b8b3aa"),
    sun_elevation=1.05,
    sun=0.7,
    ambient=0.55,
    lamp_ambient=0.92,
    tint=(1.0, 1.0, 1.0),
    shadow=0.55,
    shadow_blur=0.04,
    haze=0.008,
    saturation=1.2,
    contrast=1.08,
    noise=1.9,
    lens_blur=0.5,
    vignette=0.03,
    stature=(1.69, 0.1),
    build=(1.0, 0.1),
    coats=0.0,
    hats=0.3,
    shorts=0.4,
    skirts=0.18,
    short_sleeves=0.8,
)

WINTER: Final = Style(
    name="winter",
    tops=_bgr(
        "37474f",
        "5d4037",
        "880e4f",
        "1b3a4b",
        "4e5d52",
        "b0a99f",
        "263238",
        "6a1b2a",
        "7c6f64",
        "39424e",
        "a0522d",
    ),
    trousers=_bgr("15191f", "22262d", "3b3a3a", "2a3444", "4a423b"),
    shoes=_bgr("141313", "3a2a1f", "6b655e"),
    look_alike_outfit=_bgr("20262e", "16191e"),  # type: ignore[arg-type]
    look_alike=0.45,
    sky_zenith=_bgr("8a9aad")[0],
    sky_horizon=_bgr("dfe3e8")[0],
    cloud_cover=0.7,
    cloud_colour=_bgr("e3e6ea")[0],
    foliage=_bgr("5b5a48", "6a5a44", "4b5148"),
    grass=_bgr("b9bfbd")[0],
    facades=_bgr("9aa0a6", "8a7f78", "b4b0ad", "7c6a60"),
    floors=_bgr("a9adb2", "b9bcc0", "979a9e"),
    sun_elevation=0.35,
    sun=0.35,
    ambient=0.66,
    lamp_ambient=0.74,
    tint=(1.1, 1.0, 0.92),
    shadow=0.3,
    shadow_blur=0.14,
    haze=0.028,
    saturation=0.75,
    contrast=0.95,
    noise=5.0,
    lens_blur=0.8,
    vignette=0.15,
    stature=(1.74, 0.1),
    build=(1.14, 0.1),
    coats=0.75,
    hats=0.5,
    shorts=0.0,
    skirts=0.03,
    short_sleeves=0.0,
)

TRAINED_STYLES: Final[tuple[str, ...]] = ("daylight", "overcast", "evening", "vivid")
"""Looks that perception may be trained and tuned on."""

HELD_OUT_STYLE: Final = "winter"
"""The look kept out of training and tuning; results on it are reported apart."""

MIXED_STYLE: Final = "mixed"
"""Not a look: sequence k takes the k-th trained style, in turn."""

STYLES: Final[dict[str, Style]] = {
    style.name: style for style in (DAYLIGHT, OVERCAST, EVENING, VIVID, WINTER)
}
"""Every look by name."""


def style_names() -> tuple[str, ...]:
    """What a specification's style may be."""
    return (MIXED_STYLE, *STYLES)


def style_of_sequence(name: str, sequence_index: int) -> Style:
    """The look of one sequence of a data set whose style is ``name``.

    Raises BadInputError for an unknown name.
    """
    if name == MIXED_STYLE:
        return STYLES[TRAINED_STYLES[sequence_index % len(TRAINED_STYLES)]]
    if name not in STYLES:
        raise BadInputError(
            f"unknown sample style {name!r}: choose one of {', '.join(style_names())}"
        )
    return STYLES[name]
