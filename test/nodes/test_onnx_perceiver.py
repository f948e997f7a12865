"""The agent node's eyes where they are a detector."""

from pathlib import Path

import numpy as np
import pytest
import yaml
from onnx_files import write_constant_detector

from avr_ros.agents.tools import EpisodeCancelledError, Panorama, ToolFailedError, View
from avr_ros.evaluation.cancellation import Cancellation
from avr_ros.geometry.crop import CropWindow
from avr_ros.geometry.panorama import Cylinder
from avr_ros.nodes.onnx_perceiver import OnnxPerceiver
from avr_ros.perception.onnx_perception import OnnxPerception
from avr_ros.perception.onnx_settings import OnnxSettings
from avr_ros.schema.observation import GivenFrame, Observation
from avr_ros.schema.prediction import FailureKind

CYLINDER = Cylinder(width=1880)


@pytest.fixture
def perception(tmp_path: Path) -> OnnxPerception:
    rows = np.array([[100, 240, 40, 160, 0.9]], np.float32)
    write_constant_detector(tmp_path / "one.onnx", (1, 3, 480, 480), {"out": rows.T[None]})
    description = tmp_path / "one.yaml"
    content = {
        "file": "one.onnx",
        "layout": "ultralytics",
        "input": {"width": 480, "height": 480},
    }
    description.write_text(yaml.safe_dump(content))
    return OnnxPerception(OnnxSettings(detector=str(description)))


def test_views_and_panoramas_of_the_served_geometry(perception: OnnxPerception) -> None:
    perceiver = OnnxPerceiver(perception, Cancellation(), CYLINDER)
    window = CropWindow(1700, 0, 480, 480, CYLINDER.width)
    observation = Observation("e/1", "s", 1, 0, 0.0, 0.8, window)
    (person,) = perceiver.detect(View(observation, np.zeros((480, 480, 3), np.uint8)))
    assert person.box == (1780.0, 160.0, 40.0, 160.0)
    panorama = np.zeros((480, CYLINDER.width, 3), np.uint8)
    people = perceiver.detect(Panorama(GivenFrame("e/2", "s", 1, 0, b""), panorama))
    # Six pieces, a sixth of the width apart.
    starts = [index * 1880 // 6 for index in range(6)]
    assert [person.box.x for person in people] == [start + 80.0 for start in starts]
    with pytest.raises(ToolFailedError, match="1880x480") as caught:
        perceiver.detect(Panorama(GivenFrame("e/2", "s", 1, 0, b""), panorama[:, :480]))
    assert caught.value.kind is FailureKind.PERCEPTION_FAILED


def test_nobody_is_looked_for_once_the_question_has_ended(perception: OnnxPerception) -> None:
    cancellation = Cancellation()
    cancellation.cancel(FailureKind.CANCELLED)
    perceiver = OnnxPerceiver(perception, cancellation, CYLINDER)
    observation = Observation("e/1", "s", 1, 0, 0.0, 0.8, CropWindow(0, 0, 480, 480, 1880))
    with pytest.raises(EpisodeCancelledError):
        perceiver.detect(View(observation, np.zeros((480, 480, 3), np.uint8)))
