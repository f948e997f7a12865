"""A key that a run really used is nowhere in what the run leaves behind or prints."""

import logging
from pathlib import Path
from typing import Any

import pytest
from model_server import Handler, model_server, says, status
from test_replay_of_calls import run

from avr_ros.reasoning.backends.openai.backend import KEY_VARIABLE, OpenAIBackend
from avr_ros.reasoning.backends.openai.prompts import PromptBook
from avr_ros.reasoning.backends.openai.settings import OpenAISettings

KEY = "sk-nobody-may-read-this-314159"


def test_a_used_key_is_in_no_file_log_or_output_of_a_run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The server repeats the key where servers do: in the message that refuses it."""
    (tmp_path / "look.jinja").write_text(
        "{% block system %}Look.{% endblock %}{% block user %}{{ question }}{% endblock %}"
    )
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    caplog.set_level(logging.DEBUG)

    def reply(handler: Handler, body: dict[str, Any]) -> None:
        name = body["messages"][1]["content"][0]["text"]
        if name == "q001":
            status(401, f"incorrect key {KEY} (Bearer {KEY})")(handler, body)
        elif name == "q002":
            status(500, f'{{"error": {{"message": "no quota for {KEY}"}}}}')(handler, body)
        else:
            says('{"frame_id": 12}')(handler, body)

    settings = OpenAISettings(wait_seconds=0.001, attempts=2, repairs=1)
    with model_server(reply) as (url, told):
        model = OpenAIBackend(url, "m", settings, PromptBook(tmp_path))
        samples = run(tmp_path / "run", model)
        model.close()
    assert set(told.keys) == {f"Bearer {KEY}"}, "the key was to be used"
    assert sum(sample["prediction"]["failure"] == "model_unavailable" for sample in samples) == 2
    written = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert {"calls.jsonl", "samples.jsonl"} <= {path.name for path in written}
    for path in written:
        assert KEY.encode() not in path.read_bytes(), path
    assert KEY not in caplog.text
    printed = capfd.readouterr()
    assert KEY not in printed.out + printed.err
