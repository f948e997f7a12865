"""The one place where JPEGs are decoded and encoded.

Decoding is done by simplejpeg where it is installed, else by OpenCV; both use libjpeg-turbo's exact
integer transform and smooth chroma upsampling and give equal pixels for every well-formed image
(a test compares them). They differ where an image is damaged inside its compressed data: simplejpeg
refuses it, OpenCV returns wrong pixels without a word. :func:`decoder` says which one is at work,
for a run's record. Encoding is always done by OpenCV, whose bytes do not depend on what else is
installed.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from avr_ros.recordings.errors import UnreadableJpeg

try:
    import simplejpeg
except ImportError:
    simplejpeg = None

DEFAULT_QUALITY = 90
MAX_PIXELS = 1 << 26
"""Larger images are refused before memory is set aside for them (a panorama has 1.8 million)."""

_START_OF_IMAGE = b"\xff\xd8"
_END_OF_IMAGE = b"\xff\xd9"
_START_OF_SCAN = 0xDA
# Start-of-frame markers (ITU-T T.81, table B.1): C0 to CF without DHT, JPG and DAC.
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_WITHOUT_LENGTH = frozenset({0x01, *range(0xD0, 0xD8)})


def decoder() -> str:
    """Return the name and version of the library that decodes, for a run's record."""
    if simplejpeg is None:
        return f"OpenCV {cv2.__version__}"
    return f"simplejpeg {simplejpeg.__version__}"


def size(data: bytes | memoryview) -> tuple[int, int]:
    """Return width and height in pixels from the headers, and check that the image is complete.

    :raises UnreadableJpeg: no JPEG, cut off before its end marker, too large, or of a kind that
        panoramas do not come in (not 8 bits, neither grey nor of three components).
    """
    data = bytes(data)
    if not data.startswith(_START_OF_IMAGE):
        raise UnreadableJpeg(f"No JPEG: starts with {data[:4].hex(' ') or 'nothing'}.")
    dimensions: tuple[int, int] | None = None
    at = 2
    while True:
        if at + 4 > len(data):
            raise UnreadableJpeg(f"The JPEG is cut off in its headers, after {len(data)} bytes.")
        if data[at] != 0xFF:
            raise UnreadableJpeg(f"The JPEG's headers are damaged at its byte {at}.")
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker in _WITHOUT_LENGTH:
            at += 2
            continue
        if marker == _START_OF_SCAN:
            break
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in _START_OF_FRAME:
            dimensions = _frame_header(data[at + 4 : at + 2 + length])
        at += 2 + length
    if dimensions is None:
        raise UnreadableJpeg("The JPEG's headers give no size.")
    if data.rfind(_END_OF_IMAGE) < at:
        raise UnreadableJpeg(f"The JPEG is cut off: no end marker in its {len(data)} bytes.")
    return dimensions


def _frame_header(body: bytes) -> tuple[int, int]:
    if len(body) < 6:
        raise UnreadableJpeg("The JPEG's frame header is too short.")
    height = int.from_bytes(body[1:3], "big")
    width = int.from_bytes(body[3:5], "big")
    if body[0] != 8 or body[5] not in (1, 3):
        raise UnreadableJpeg(
            f"The JPEG has {body[5]} components of {body[0]} bits; 1 or 3 of 8 bits can be read."
        )
    if not 0 < width * height <= MAX_PIXELS:
        raise UnreadableJpeg(f"The JPEG says it is {width} x {height} px.")
    return width, height


def decode(data: bytes | memoryview) -> npt.NDArray[np.uint8]:
    """Return the pixels, (height, width, 3) uint8, blue-green-red, read-only.

    An orientation tag in the file is not applied: a panorama's columns are its azimuths.

    :raises UnreadableJpeg: as :func:`size`, or the compressed data is damaged.
    """
    width, height = size(data)
    pixels = decode_with_opencv(data) if simplejpeg is None else decode_with_simplejpeg(data)
    if pixels.shape != (height, width, 3):
        raise UnreadableJpeg(f"The JPEG decodes to {pixels.shape}, not to {width} x {height} px.")
    pixels.flags.writeable = False
    return pixels


def decode_with_simplejpeg(data: bytes | memoryview) -> npt.NDArray[np.uint8]:
    """Decode with simplejpeg; what :func:`decode` uses where it is installed."""
    assert simplejpeg is not None
    try:
        pixels: npt.NDArray[np.uint8] = simplejpeg.decode_jpeg(data, colorspace="BGR", strict=True)
    except ValueError as error:
        raise UnreadableJpeg(f"The JPEG does not decode: {error}.") from error
    return pixels


def decode_with_opencv(data: bytes | memoryview) -> npt.NDArray[np.uint8]:
    """Decode with OpenCV; what :func:`decode` uses elsewhere."""
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    if pixels is None:
        raise UnreadableJpeg("The JPEG does not decode.")
    return np.asarray(pixels, np.uint8)


def encode(pixels: npt.NDArray[np.uint8], quality: int = DEFAULT_QUALITY) -> bytes:
    """Return pixels, (height, width, 3) uint8, blue-green-red, as a JPEG.

    The same pixels and quality (1 to 100) give the same bytes with one version of OpenCV.

    :raises ValueError: the array has another shape or type, or the quality is out of range.
    """
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3 or not pixels.size:
        raise ValueError(f"cannot encode {pixels.dtype} {pixels.shape}, needs uint8 (h, w, 3)")
    if not 1 <= quality <= 100:
        raise ValueError(f"JPEG quality {quality} is not within 1 to 100")
    done, buffer = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError(f"OpenCV could not encode an image of {pixels.shape}")
    return buffer.tobytes()
