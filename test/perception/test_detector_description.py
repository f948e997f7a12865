from pathlib import Path

import pytest

from avr_ros.perception.detector_description import Layout, read_description
from avr_ros.schema.errors import BadInputError

EXAMPLES = Path(__file__).resolve().parents[2] / "config" / "detectors"

GOOD = """
file: people.onnx
layout: ultralytics
input: {width: 640, height: 640}
classes: {0: [], 3: [sitting]}
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "detector.yaml"
    path.write_text(text)
    return path


def test_the_file_is_found_beside_the_description(tmp_path: Path) -> None:
    description = read_description(write(tmp_path, GOOD))
    assert description.file == str((tmp_path / "people.onnx").resolve())
    assert description.layout is Layout.ULTRALYTICS
    assert description.classes == {0: (), 3: ("sitting",)}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (GOOD + "confidenc: 0.3", "confidenc"),
        (GOOD.replace("ultralytics", "yolo"), "layout"),
        (GOOD.replace("sitting", "flying"), "classes"),
        (GOOD.replace("{0: [], 3: [sitting]}", "{}"), "classes"),
        (GOOD.replace("width: 640", "width: 0"), "input.width"),
        (GOOD + "sha256: abc", "sha256"),
        ("- a list", "the file"),
        ("file: [", "not YAML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, key: str) -> None:
    with pytest.raises(BadInputError, match="detector.yaml") as caught:
        read_description(write(tmp_path, text))
    assert key in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_description(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="cannot be read"):
        read_description(tmp_path / "none.yaml")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_examples_are_descriptions(path: Path) -> None:
    assert read_description(path).file.startswith(str(EXAMPLES.resolve()))
