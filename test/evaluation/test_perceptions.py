"""What a run can name as its perception."""

import hashlib
from pathlib import Path

import pytest
from run_doubles import specification
from written_runs import write_questions

from avr_ros.evaluation.perceptions import (
    perception_names,
    perception_settings_of_run,
    perception_settings_type,
    recorded_perception_settings,
)
from avr_ros.evaluation.prepare import read_run_questions
from avr_ros.evaluation.request import RunRequest
from avr_ros.evaluation.run_settings import specification_of
from avr_ros.evaluation.settings import apply_settings
from avr_ros.evaluation.specification import differences
from avr_ros.perception.detector_description import SHIPPED, read_description
from avr_ros.perception.onnx_settings import OnnxSettings, Provider
from avr_ros.perception.oracle_settings import OracleSettings
from avr_ros.schema.errors import BadInputError


def test_names() -> None:
    assert perception_names() == ("oracle", "onnx")
    with pytest.raises(BadInputError, match="did you mean 'onnx'"):
        perception_settings_type("onx")


def test_settings_of_a_detector(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    built = apply_settings(
        ["detector=mine.yaml", "provider=cuda", "threads=3"],
        {"perception": perception_settings_type("onnx")},
        0,
    )
    # A relative path is as seen from where the run was started.
    assert built["perception"] == OnnxSettings(
        detector=str(tmp_path / "mine.yaml"), provider=Provider.CUDA, threads=3
    )
    with pytest.raises(BadInputError, match="perception.provider"):
        apply_settings(["provider=gpu"], {"perception": OnnxSettings}, 0)


def test_a_run_writes_down_which_detector_saw(tmp_path: Path) -> None:
    questions = write_questions(tmp_path, 1)
    request = RunRequest(
        dataset=tmp_path,
        questions=questions,
        keys=questions.with_name("keys.jsonl"),
        out=tmp_path / "out",
        agent="avr",
        model="local",
        perception="onnx",
    )
    frozen = specification_of(request, read_run_questions(request))
    assert frozen.perception_settings == recorded_perception_settings(OnnxSettings())


def test_a_run_names_its_detector_by_content(tmp_path: Path) -> None:
    shipped = recorded_perception_settings(OnnxSettings())
    assert shipped["description_sha256"] == hashlib.sha256(SHIPPED.read_bytes()).hexdigest()
    assert shipped["file_sha256"] == read_description(SHIPPED).sha256
    assert perception_settings_of_run("onnx", shipped) == OnnxSettings()
    described, file = tmp_path / "mine.yaml", tmp_path / "mine.onnx"
    text = "{file: mine.onnx, layout: detr, input: {width: 64, height: 64}}"
    described.write_text(text)
    file.write_bytes(b"one")
    settings = OnnxSettings(detector=str(described))
    kept = recorded_perception_settings(settings)
    file.write_bytes(b"two")
    found = differences(
        specification(perception_settings=kept),
        specification(perception_settings=recorded_perception_settings(settings)),
    )
    assert [name.split(":")[0] for name in found] == ["perception_settings.file_sha256"]
    with pytest.raises(BadInputError, match="not the one of the run: file_sha256"):
        perception_settings_of_run("onnx", kept)
    file.write_bytes(b"one")
    described.write_text(text + "\n")
    with pytest.raises(BadInputError, match="description_sha256"):
        perception_settings_of_run("onnx", kept)
    assert recorded_perception_settings(OracleSettings()) == OracleSettings().model_dump()
    # Runs from before hashes were kept can still be read.
    old = settings.model_dump(mode="json")
    assert perception_settings_of_run("onnx", old) == settings
