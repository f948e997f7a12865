"""The whole way through onnxruntime, with files that say the same of every picture."""

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import yaml
from onnx_files import UINT8, write_constant_detector

from avr_ros.geometry.crop import CropWindow
from avr_ros.geometry.panorama import JRDB_CYLINDER, Cylinder
from avr_ros.perception.errors import DetectorError, NotGrantedError, ProviderMissingError
from avr_ros.perception.onnx_perception import PIECES_OVERLAP, OnnxPerception, pieces
from avr_ros.perception.onnx_settings import OnnxSettings, Provider
from avr_ros.schema.episode import LedgerKind, LedgerRecord
from avr_ros.schema.observation import ObserveStatus

VIEW = np.full((480, 480, 3), 90, np.uint8)
SEAM = CropWindow(3600, 0, 480, 480, 3760)


def described(folder: Path, path: Path, **values: object) -> str:
    content = {
        "file": path.name,
        "layout": "ultralytics",
        "input": {"width": 640, "height": 640},
        "classes": {0: [], 1: ["sitting"]},
        **values,
    }
    description = folder / "detector.yaml"
    description.write_text(yaml.safe_dump(content))
    return str(description)


def two_people(folder: Path) -> Path:
    """In a view of 480 px: 30..90 x 120..240 twice (0.9, 0.8), 240..300 x 120..360 sitting."""
    rows = np.array(
        [
            [80, 240, 80, 160, 0.9, 0.0],
            [82, 240, 80, 160, 0.8, 0.1],
            [360, 320, 80, 320, 0.2, 0.7],
            [500, 320, 80, 320, 0.1, 0.2],
        ],
        np.float32,
    )
    return write_constant_detector(folder / "two.onnx", (1, 3, 640, 640), {"output0": rows.T[None]})


def record(kind: LedgerKind = LedgerKind.OBSERVATION, **values: object) -> LedgerRecord:
    made = LedgerRecord(
        episode_id="e",
        sequence_number=1,
        kind=kind,
        request_id="1",
        observation_id="e/1",
        sequence="s",
        frame_id=3,
        stamp_ns=0,
        azimuth=0.0,
        field_of_view=0.8,
        crop=SEAM,
        status=ObserveStatus.OK,
        message="",
        remaining_observations=1,
    )
    return replace(made, **values)  # type: ignore[arg-type]


def test_people_of_a_view_come_back_on_the_panorama(tmp_path: Path) -> None:
    perception = OnnxPerception(OnnxSettings(detector=described(tmp_path, two_people(tmp_path))))
    people = perception.detect(record(), VIEW)
    # Columns 30 and 240 of the view that starts at 3600: the second person is past the seam.
    assert [tuple(round(v, 3) for v in person.box) for person in people] == [
        (80.0, 120.0, 60.0, 240.0),
        (3630.0, 120.0, 60.0, 120.0),
    ]
    first, second = people
    assert first.actions == {"sitting": pytest.approx(1.0)}
    assert second.confidence == pytest.approx(0.9)
    assert second.actions["sitting"] == pytest.approx(0.0)
    assert first.heading is None
    assert np.linalg.norm(first.appearance) == pytest.approx(1.0, abs=1e-6)
    assert first.ground is not None
    # The lower edge at row 360: 434.63 / (360 - 209.383) m away, to the left of straight ahead.
    distance = 0.9 * 482.924 / (360 - 209.383)
    assert np.hypot(first.ground.x, first.ground.y) == pytest.approx(distance, rel=1e-6)


def test_the_score_needed_can_be_raised(tmp_path: Path) -> None:
    detector = described(tmp_path, two_people(tmp_path))
    people = OnnxPerception(OnnxSettings(detector=detector, confidence=0.85)).find(VIEW, SEAM)
    assert [round(person.box.x) for person in people] == [3630]


def test_a_narrow_view_is_scaled_back(tmp_path: Path) -> None:
    perception = OnnxPerception(OnnxSettings(detector=described(tmp_path, two_people(tmp_path))))
    people = perception.find(VIEW, CropWindow(3700, 120, 240, 240, 3760))
    assert [tuple(round(v, 3) for v in person.box) for person in people] == [
        (60.0, 180.0, 30.0, 120.0),
        (3715.0, 180.0, 30.0, 60.0),
    ]


def test_pieces_go_around_with_an_overlap() -> None:
    for cylinder in (JRDB_CYLINDER, Cylinder(width=500, height=480), Cylinder(300, 480)):
        windows = pieces(cylinder)
        starts = [window.left for window in windows]
        gaps = np.diff([*starts, starts[0] + cylinder.width])
        if len(windows) > 1:
            assert max(gaps) <= windows[0].width - PIECES_OVERLAP
        assert all(window.height == cylinder.height for window in windows)
    assert len(pieces(JRDB_CYLINDER)) == 12


def test_a_panorama_is_looked_at_all_around(tmp_path: Path) -> None:
    perception = OnnxPerception(OnnxSettings(detector=described(tmp_path, two_people(tmp_path))))
    panorama = np.zeros((480, 3760, 3), np.uint8)
    people = perception.detect(record(LedgerKind.GIVEN_FRAME, crop=None), panorama)
    assert len(people) == 2 * 12
    with pytest.raises(DetectorError, match="3760x480"):
        perception.find_around(VIEW)


def test_what_was_not_granted_is_not_looked_at(tmp_path: Path) -> None:
    perception = OnnxPerception(OnnxSettings(detector=described(tmp_path, two_people(tmp_path))))
    with pytest.raises(NotGrantedError, match="BUDGET_EXHAUSTED"):
        perception.detect(record(status=ObserveStatus.BUDGET_EXHAUSTED), VIEW)
    with pytest.raises(NotGrantedError, match="names no crop"):
        perception.detect(record(crop=None), VIEW)
    with pytest.raises(DetectorError, match="blue-green-red"):
        perception.find(VIEW[..., 0], SEAM)


def test_detr_needs_no_class_of_its_own(tmp_path: Path) -> None:
    file = write_constant_detector(
        tmp_path / "detr.onnx",
        ("batch", 3, 640, 640),
        {
            "logits": np.array([[[2.0], [-9.0]]], np.float32),
            "pred_boxes": np.array([[[0.5, 0.5, 0.1, 0.4], [0.2, 0.2, 0.1, 0.1]]], np.float32),
        },
    )
    detector = described(
        tmp_path,
        file,
        layout="detr",
        classes={0: []},
        input={"width": 640, "height": 640, "fit": "stretch"},
    )
    people = OnnxPerception(OnnxSettings(detector=detector)).find(VIEW, SEAM)
    assert [tuple(round(v, 3) for v in person.box) for person in people] == [
        (56.0, 144.0, 48.0, 192.0)
    ]
    assert people[0].confidence == pytest.approx(1 / (1 + np.exp(-2.0)))


def test_the_input_is_what_the_description_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fed: list[np.ndarray] = []
    run = onnxruntime.InferenceSession.run

    def spy(self: object, names: object, inputs: dict[str, np.ndarray]) -> object:
        fed.append(inputs["images"])
        return run(self, names, inputs)

    monkeypatch.setattr(onnxruntime.InferenceSession, "run", spy)
    declared = {
        "width": 640,
        "height": 640,
        "divide_by": 255.0,
        "mean": [0.5, 0.0, 0.0],
        "std": [0.25, 1.0, 1.0],
    }
    detector = described(tmp_path, two_people(tmp_path), input=declared)
    view = np.zeros((480, 480, 3), np.uint8)
    view[...] = (51, 102, 255)
    OnnxPerception(OnnxSettings(detector=detector)).find(view, SEAM)
    assert fed[0].shape == (1, 3, 640, 640)
    assert fed[0].dtype == np.float32
    np.testing.assert_allclose(fed[0][0, :, 5, 5], [(1.0 - 0.5) / 0.25, 0.4, 0.2], atol=1e-6)


def test_a_file_that_is_not_as_described(tmp_path: Path) -> None:
    file = two_people(tmp_path)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    OnnxPerception(OnnxSettings(detector=described(tmp_path, file, sha256=digest)))
    wrong = [
        ({"sha256": "0" * 64}, digest),
        ({"outputs": ["boxes"]}, "it has output0"),
        ({"layout": "detr"}, "layout detr uses 2"),
        ({"layout": "avr"}, "no output 'boxes'"),
        ({"input": {"width": 480, "height": 480}}, "correct 'input'"),
        ({"input": {"width": 640, "height": 640, "channels_last": True}}, "correct 'input'"),
        ({"file": "none.onnx"}, "cannot be read"),
        ({"file": "detector.yaml"}, "cannot be opened"),
    ]
    for values, message in wrong:
        with pytest.raises(DetectorError, match=message) as caught:
            OnnxPerception(OnnxSettings(detector=described(tmp_path, file, **values)))
        assert "\n" not in str(caught.value)


def test_a_missing_provider_is_no_fallback(tmp_path: Path) -> None:
    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("this onnxruntime has the provider")
    detector = described(tmp_path, two_people(tmp_path))
    with pytest.raises(ProviderMissingError, match="CUDAExecutionProvider"):
        OnnxPerception(OnnxSettings(detector=detector, provider=Provider.CUDA))


def test_an_own_file_needs_the_names_of_its_actions(tmp_path: Path) -> None:
    outputs = {
        "boxes": np.array([[[100, 100, 160, 300]]], np.float32),
        "scores": np.array([[0.9]], np.float32),
        "actions": np.array([[[0.8, 0.3]]], np.float32),
        "visibility": np.array([[0.7]], np.float32),
        "foot": np.array([[[130.0, 209.383 + 0.9 * 482.924 / 5.0, 2.0]]], np.float32),
        "heading": np.array([[[-1.0, 0.0]]], np.float32),
        "appearance": np.full((1, 1, 64), 0.125, np.float32),
    }
    shape = ("batch", 480, 480, 3)
    declared = {"width": 480, "height": 480, "fit": "rows", "colour": "bgr", "channels_last": True}
    file = write_constant_detector(tmp_path / "own.onnx", shape, outputs, kind=UINT8)
    detector = described(tmp_path, file, layout="avr", input=declared)
    with pytest.raises(DetectorError, match="names no actions"):
        OnnxPerception(OnnxSettings(detector=detector))
    write_constant_detector(
        file, shape, outputs, kind=UINT8, metadata={"actions": "walking,reading"}
    )
    # The view's middle, where the foot is, straight ahead: column 1880.
    window = CropWindow(1750, 0, 480, 480, 3760)
    (person,) = OnnxPerception(OnnxSettings(detector=detector)).find(VIEW, window)
    assert person.box == (1850.0, 100.0, 60.0, 200.0)
    assert list(person.actions) == ["walking", "reading"]
    assert person.ground is not None
    assert (person.ground.x, person.ground.y) == pytest.approx((5.0, 0.0), abs=1e-4)
    assert person.ground.sigma == pytest.approx(np.sqrt(2.0) * 2.0 * 25.0 / 434.6316, rel=1e-4)
    # Facing against the direction of sight: towards the camera.
    assert abs(person.heading or 0.0) == pytest.approx(np.pi, abs=1e-6)
    assert person.visibility == pytest.approx(0.7)


def test_a_piece_leaves_whom_its_edge_cuts_to_its_neighbour(tmp_path: Path) -> None:
    """In view px 0..100 and 380..478 (cut, middles near the edge), 0..220 (cut, yet wide), 240..300
    (whole)."""
    spans = [(0, 100, 60), (380, 478, 120), (0, 220, 240), (240, 300, 400)]
    rows = np.array(
        [
            [(a + b) / 2 * 4 / 3, (top + 30) * 4 / 3, (b - a) * 4 / 3, 80, 0.9, 0.0]
            for a, b, top in spans
        ],
        np.float32,
    )
    file = write_constant_detector(
        tmp_path / "cut.onnx", (1, 3, 640, 640), {"output0": rows.T[None]}
    )
    perception = OnnxPerception(OnnxSettings(detector=described(tmp_path, file)))
    assert len(perception.find(VIEW, SEAM)) == 4
    panorama = np.full((480, 3760, 3), 90, np.uint8)
    widths = sorted(round(one.box.w) for one in perception.find_around(panorama))
    assert widths == [60] * 12 + [220] * 12
