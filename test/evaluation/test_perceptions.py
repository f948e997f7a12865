"""What a run can name as its perception."""

from pathlib import Path

import pytest

from avr_ros.evaluation.perceptions import perception_names, perception_settings_type
from avr_ros.evaluation.settings import apply_settings
from avr_ros.perception.onnx_settings import OnnxSettings, Provider
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
