"""Run files: a row of a table in one command."""

from pathlib import Path

import pytest

from avr_ros.agents.registry import agent_settings_type
from avr_ros.evaluation.run_file import read_run_file
from avr_ros.evaluation.settings import apply_settings
from avr_ros.reasoning.model_name import parse_model
from avr_ros.schema.errors import BadInputError

RUNS = Path(__file__).parents[2] / "config" / "runs"


@pytest.mark.parametrize("path", sorted(RUNS.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_row_names_an_agent_a_model_and_settings_that_exist(path: Path) -> None:
    row = read_run_file(path)
    built = apply_settings(row.texts(), {"agent": agent_settings_type(row.agent)}, seed=0)
    assert set(row.settings) <= set(built["agent"].model_dump())
    assert all(getattr(built["agent"], name) == value for name, value in row.settings.items())
    assert parse_model(row.model)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("row: a\nagent: avr\nmodel: local\n", "perception"),
        ("row: a\nagent: avr\nmodel: local\nperception: onnx\nmore: 1\n", "more"),
        ("row: [", "not YAML"),
    ],
)
def test_what_is_not_whole_is_refused(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "row.yaml"
    path.write_text(text)
    with pytest.raises(BadInputError, match=words):
        read_run_file(path)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="cannot be read"):
        read_run_file(tmp_path / "none.yaml")
