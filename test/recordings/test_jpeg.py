"""One decoder's pixels, whichever library is at work, and nothing but whole images."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from recording_files import jpeg_of, pixels_of

from avr_ros.recordings import jpeg
from avr_ros.recordings.errors import UnreadableJpeg


def picture(width: int, height: int, noise: int) -> npt.NDArray[np.uint8]:
    generator = np.random.default_rng(3)
    wave = (
        np.sin(np.linspace(0, 9, width))[None, :, None] * np.linspace(0, 99, height)[:, None, None]
    )
    return np.clip(127 + wave + generator.normal(0, noise, (height, width, 3)), 0, 255).astype(
        np.uint8
    )


@pytest.mark.parametrize("size", [(3760, 480), (481, 37), (16, 16), (801, 3), (1, 1)])
@pytest.mark.parametrize(
    "options",
    [
        [],
        [cv2.IMWRITE_JPEG_PROGRESSIVE, 1],
        [cv2.IMWRITE_JPEG_OPTIMIZE, 1],
        [cv2.IMWRITE_JPEG_RST_INTERVAL, 4],
    ],
)
@pytest.mark.parametrize("quality", [30, 90, 100])
def test_both_decoders_give_equal_pixels(
    size: tuple[int, int], options: list[int], quality: int
) -> None:
    simplejpeg = pytest.importorskip("simplejpeg")
    pixels = picture(*size, noise=20)
    settings = [cv2.IMWRITE_JPEG_QUALITY, quality, *options]
    encoded = [
        cv2.imencode(".jpg", image, settings)[1].tobytes() for image in (pixels, pixels[:, :, 0])
    ]
    if size[0] > 16 and not options:
        encoded += [
            simplejpeg.encode_jpeg(pixels, quality, "BGR", subsampling)
            for subsampling in ("444", "422", "420", "440", "411")
        ]
    for data in encoded:
        one, other = jpeg.decode_with_opencv(data), jpeg.decode_with_simplejpeg(data)
        assert np.array_equal(one, other)
        assert jpeg.size(data) == size
        assert np.array_equal(jpeg.decode(data), one)


@pytest.mark.parametrize("with_simplejpeg", [True, False])
def test_a_cut_off_image_is_refused_by_both_decoders(
    with_simplejpeg: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if with_simplejpeg:
        pytest.importorskip("simplejpeg")
    else:
        monkeypatch.setattr(jpeg, "simplejpeg", None)
        assert jpeg.decoder() == f"OpenCV {cv2.__version__}"
    data = jpeg_of(0)
    assert jpeg.decode(data).shape == (24, 188, 3)
    assert np.array_equal(jpeg.decode(data + bytes(100)), jpeg.decode(data)), "padding is no harm"
    for size in range(len(data)):
        with pytest.raises(UnreadableJpeg):
            jpeg.decode(data[:size])


def test_damage_inside_is_refused_where_simplejpeg_decodes() -> None:
    pytest.importorskip("simplejpeg")
    assert jpeg.decoder().startswith("simplejpeg ")
    data = bytearray(jpeg_of(0))
    scan = data.index(b"\xff\xda") + 14
    data[scan + 20 : scan + 24] = b"\xff\x00\xff\x00"
    del data[scan + 200 : scan + 500]
    with pytest.raises(UnreadableJpeg):
        jpeg.decode(bytes(data))


@given(st.data())
def test_changed_bytes_never_give_an_image_of_another_kind(data: st.DataObject) -> None:
    changed = bytearray(jpeg_of(1))
    at = data.draw(st.integers(0, len(changed) - 1))
    changed[at] = data.draw(st.integers(0, 255))
    try:
        width, height = jpeg.size(bytes(changed))
        if width * height < 1 << 20:
            assert jpeg.decode(bytes(changed)).shape == (height, width, 3)
    except UnreadableJpeg:
        pass


@given(st.binary(max_size=60))
def test_no_bytes_at_all_crash_the_header_reader(data: bytes) -> None:
    for start in (b"", b"\xff\xd8", b"\xff\xd8\xff\xc0"):
        with pytest.raises(UnreadableJpeg):
            jpeg.size(start + data)


def test_sizes_are_checked_before_memory_is_set_aside() -> None:
    data = bytearray(jpeg_of(0))
    frame = data.index(b"\xff\xc0")
    data[frame + 5 : frame + 9] = b"\xff\xff\xff\xff"
    with pytest.raises(UnreadableJpeg, match="65535 x 65535"):
        jpeg.decode(bytes(data))
    data[frame + 5 : frame + 9] = b"\0\0\0\0"
    with pytest.raises(UnreadableJpeg, match="0 x 0"):
        jpeg.decode(bytes(data))


def test_an_orientation_tag_does_not_turn_a_panorama() -> None:
    data = jpeg_of(0)
    exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"
    tagged = data[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + data[2:]
    assert jpeg.size(tagged) == (188, 24)
    assert np.array_equal(jpeg.decode_with_opencv(tagged), jpeg.decode_with_opencv(data))
    assert np.array_equal(jpeg.decode(tagged), jpeg.decode(data))


def test_encoding() -> None:
    pixels = pixels_of(0)
    assert jpeg.encode(pixels) == jpeg.encode(pixels, 90) == jpeg_of(0)
    assert len(jpeg.encode(pixels, 30)) < len(jpeg.encode(pixels, 95))
    window = np.tile(pixels, (1, 2, 1))[:, 100:290]
    assert jpeg.encode(window) == jpeg.encode(np.ascontiguousarray(window))
    for quality in (0, 101, -3):
        with pytest.raises(ValueError, match="quality"):
            jpeg.encode(pixels, quality)
    for wrong in (pixels[:, :, 0], pixels.astype(np.float32), pixels[:0]):
        with pytest.raises(ValueError, match="cannot encode"):
            jpeg.encode(wrong)  # type: ignore[arg-type]
