import math

import numpy as np
import pytest

from avr_ros.perception.detector_description import Activation
from avr_ros.perception.errors import DetectorError
from avr_ros.perception.layouts import avr, detr, ultralytics
from avr_ros.perception.layouts.found import Found, finite

CLASSES: dict[int, tuple[str, ...]] = {0: (), 2: ("sitting",)}


def test_rows_of_centres_and_class_scores() -> None:
    output = np.array(
        [
            [100.0, 300.0],
            [200.0, 50.0],
            [40.0, 20.0],
            [80.0, 60.0],
            [0.9, 0.1],
            [0.99, 0.2],
            [0.3, 0.8],
        ]
    )
    found = ultralytics.needs_nms(output, CLASSES)
    np.testing.assert_allclose(found.corners, [[80, 160, 120, 240], [290, 20, 310, 80]])
    np.testing.assert_allclose(found.score, [0.9, 0.8])
    assert found.action_names == ("sitting",)
    np.testing.assert_allclose(found.actions, [[0.3 / 0.9], [1.0]])


def test_a_class_that_the_detector_has_not_is_refused() -> None:
    with pytest.raises(DetectorError, match="names class 2"):
        ultralytics.needs_nms(np.zeros((5, 3)), CLASSES)


def test_end_to_end_rows_without_padding_and_other_classes() -> None:
    output = np.array(
        [
            [10, 20, 30, 60, 0.8, 2],
            [10, 20, 30, 60, 0.7, 1],
            [50, 20, 90, 60, 0.6, 0],
            [0, 0, 0, 0, 0.0, 0],
        ],
        np.float64,
    )
    found = ultralytics.end_to_end(output, CLASSES)
    np.testing.assert_allclose(found.corners, [[10, 20, 30, 60], [50, 20, 90, 60]])
    np.testing.assert_allclose(found.score, [0.8, 0.6])
    np.testing.assert_allclose(found.actions, [[1.0], [0.0]])


def test_another_shape_is_refused() -> None:
    with pytest.raises(DetectorError, match=r"\(boxes, 6\)"):
        ultralytics.end_to_end(np.zeros((300, 7)), CLASSES)
    with pytest.raises(DetectorError, match="4 \\+ classes"):
        ultralytics.needs_nms(np.zeros((4, 8400)), CLASSES)


def test_detr_by_sigmoid() -> None:
    logits = np.array([[0.0, -math.log(3), math.log(4)]])
    boxes = np.array([[0.5, 0.25, 0.2, 0.1]])
    found = detr.decode(logits, boxes, (480, 640), CLASSES, Activation.SIGMOID)
    np.testing.assert_allclose(found.corners, [[256, 96, 384, 144]])
    np.testing.assert_allclose(found.score, [0.8])
    np.testing.assert_allclose(found.actions, [[1.0]])


def test_detr_by_softmax_leaves_nothing_out() -> None:
    logits = np.log(np.array([[6.0, 1.0, 3.0]]))
    found = detr.decode(logits, np.zeros((1, 4)), (10, 10), {0: ()}, Activation.SOFTMAX)
    np.testing.assert_allclose(found.score, [0.6])
    with pytest.raises(DetectorError, match="2 classes"):
        detr.decode(logits, np.zeros((1, 4)), (10, 10), {2: ()}, Activation.SOFTMAX)


def own_outputs(count: int) -> dict[str, np.ndarray]:
    return {
        "boxes": np.zeros((1, count, 4)),
        "scores": np.zeros((1, count)),
        "actions": np.zeros((1, count, 2)),
        "visibility": np.zeros((1, count)),
        "foot": np.zeros((1, count, 3)),
        "heading": np.zeros((1, count, 2)),
        "appearance": np.zeros((1, count, 64)),
    }


def test_own_outputs_are_checked() -> None:
    found = avr.decode(own_outputs(3), 0, ("walking", "standing"))
    assert len(found) == 3
    wrong = own_outputs(3) | {"appearance": np.zeros((1, 3, 32))}
    with pytest.raises(DetectorError, match="'appearance'"):
        avr.decode(wrong, 0, ("walking", "standing"))


def test_own_files_name_their_actions() -> None:
    assert avr.action_names({"actions": "walking,sitting"}) == ("walking", "sitting")
    with pytest.raises(DetectorError, match="names no actions"):
        avr.action_names({})
    with pytest.raises(DetectorError, match="'flying'"):
        avr.action_names({"actions": "walking,flying"})


def test_numbers_that_are_none_do_not_pass() -> None:
    found = Found(np.array([[0.0, 0.0, np.nan, 1.0]]), np.ones(1), np.zeros((1, 0)), ())
    with pytest.raises(DetectorError, match="corners"):
        finite(found)
