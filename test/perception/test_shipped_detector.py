"""The detector that ships, on a sequence of the sample world that it has never seen."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from avr_ros.geometry import boxes
from avr_ros.geometry.crop import CropWindow, cut
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.perception.detector_description import SHIPPED, read_description
from avr_ros.perception.onnx_perception import OnnxPerception, pieces
from avr_ros.perception.onnx_settings import OnnxSettings
from avr_ros.recordings import jpeg
from avr_ros.sample.labels import box_2d
from avr_ros.sample.render import Renderer, Sight
from avr_ros.sample.specification import SampleSpecification
from avr_ros.sample.world import simulate
from avr_ros.schema.detection import Detection

WIDTH = JRDB_CYLINDER.width
FRAME = 30


@pytest.fixture(scope="module")
def scene() -> Iterator[tuple[np.ndarray, list[Sight]]]:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    world = simulate(SampleSpecification(seed=1950, sequences=1, frames=60, style="overcast"), 0)
    image, sights, _ = Renderer(world).frame(FRAME)
    yield jpeg.decode(jpeg.encode(image)), sights
    cv2.setNumThreads(threads)


@pytest.fixture(scope="module")
def perception() -> OnnxPerception:
    return OnnxPerception()


def same(a: list[Detection], b: list[Detection]) -> bool:
    return len(a) == len(b) and all(
        one.box == other.box
        and one.confidence == other.confidence
        and one.actions == other.actions
        and one.appearance.tobytes() == other.appearance.tobytes()
        and one.heading == other.heading
        for one, other in zip(a, b, strict=True)
    )


def test_it_is_small() -> None:
    assert SHIPPED.with_suffix(".onnx").stat().st_size < 5_000_000
    assert read_description(SHIPPED).sha256


def test_it_finds_the_people_who_are_plainly_seen(
    scene: tuple[np.ndarray, list[Sight]], perception: OnnxPerception
) -> None:
    panorama, sights = scene
    people = [s for s in sights if s.visible >= 0.9 and s.outline[3] - s.outline[1] >= 60]
    assert len(people) >= 5
    found = perception.find_around(panorama)
    overlaps = boxes.iou_matrix(
        [box_2d(person) for person in people], [one.box for one in found], WIDTH
    )
    assert np.mean(overlaps.max(axis=1) >= 0.5) >= 0.8
    placed = []
    for person, row in zip(people, overlaps, strict=True):
        best = found[int(np.argmax(row))]
        if row.max() < 0.5 or person.distance > 8.0:
            continue
        assert best.ground is not None
        placed.append(abs(np.hypot(best.ground.x, best.ground.y) - person.distance))
        assert np.linalg.norm(best.appearance) == pytest.approx(1.0, abs=1e-4)
    assert np.median(placed) < 0.6


def test_equal_pixels_give_equal_bytes(
    scene: tuple[np.ndarray, list[Sight]], perception: OnnxPerception
) -> None:
    panorama, sights = scene
    plainest = max(sights, key=lambda s: s.visible * (s.outline[3] - s.outline[1]))
    left = int(plainest.outline[0] - 200) % WIDTH
    window = CropWindow(left, 0, 480, 480, WIDTH)
    view = cut(panorama, window)
    first = perception.find(view, window)
    assert first
    assert same(first, perception.find(view.copy(), window))
    assert same(first, OnnxPerception().find(view, window))


def test_a_batch_is_as_good_as_one_at_a_time(
    scene: tuple[np.ndarray, list[Sight]], perception: OnnxPerception
) -> None:
    panorama, _ = scene
    together = perception.find_around(panorama)
    alone = OnnxPerception(OnnxSettings(batch=1)).find_around(panorama)
    assert len(together) == len(alone)
    for one, other in zip(together, alone, strict=True):
        np.testing.assert_allclose(one.box, other.box, atol=0.05)


def test_a_turned_camera_sees_the_same_people(
    scene: tuple[np.ndarray, list[Sight]], perception: OnnxPerception
) -> None:
    """A turn by one piece's step moves every box by as much: the seam is none."""
    panorama, _ = scene
    step = pieces(JRDB_CYLINDER)[3].left
    assert step * 4 == WIDTH
    here = perception.find_around(panorama)
    turned = perception.find_around(np.ascontiguousarray(np.roll(panorama, -step, axis=1)))
    moved = sorted(((one.box.x + step) % WIDTH, one.box.y) for one in turned)
    np.testing.assert_allclose(sorted((one.box.x, one.box.y) for one in here), moved, atol=0.05)
