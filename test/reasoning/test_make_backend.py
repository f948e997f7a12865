"""Models by name: which backend, which settings, and what a run writes down of them."""

from pathlib import Path

import pytest

from avr_ros.reasoning.backends.local import LocalBackend
from avr_ros.reasoning.backends.openai.backend import OpenAIBackend
from avr_ros.reasoning.backends.openai.prompts import PromptBook
from avr_ros.reasoning.backends.openai.settings import OpenAISettings
from avr_ros.reasoning.backends.replay import CALLS_NAME, ReplayBackend, ReplayError
from avr_ros.reasoning.make_backend import (
    NoSettings,
    make_backend,
    model_settings_type,
    recorded_settings,
)
from avr_ros.reasoning.model_name import ModelNameError
from avr_ros.schema.errors import BadInputError

SERVER = "openai:http://localhost:1/v1#m"


def test_each_name_has_its_backend(tmp_path: Path) -> None:
    (tmp_path / CALLS_NAME).touch()
    made = {name: make_backend(name) for name in ("local", SERVER, f"replay:{tmp_path}")}
    assert [type(backend) for backend in made.values()] == [
        LocalBackend,
        OpenAIBackend,
        ReplayBackend,
    ]
    for name, backend in made.items():
        assert backend.name == name
        backend.close()


def test_settings_belong_to_their_model() -> None:
    assert model_settings_type("local") is NoSettings
    assert model_settings_type(SERVER) is OpenAISettings
    with pytest.raises(BadInputError, match="NoSettings"):
        make_backend("local", OpenAISettings())


def test_what_cannot_be_made_is_said(tmp_path: Path) -> None:
    with pytest.raises(ModelNameError):
        make_backend("gpt")
    with pytest.raises(ReplayError, match=CALLS_NAME):
        make_backend(f"replay:{tmp_path}")


def test_a_run_names_settings_and_templates() -> None:
    written = recorded_settings(SERVER, OpenAISettings(seed=4, temperature=0.5))
    assert (written["seed"], written["temperature"]) == (4, 0.5)
    assert written["templates_sha256"] == PromptBook().digest
    assert recorded_settings("local", NoSettings()) == {}


def test_a_changed_template_is_another_run(tmp_path: Path) -> None:
    path = tmp_path / "look.jinja"
    path.write_text("{% block system %}a{% endblock %}")
    before = PromptBook(tmp_path).digest
    path.write_text("{% block system %}b{% endblock %}")
    assert PromptBook(tmp_path).digest != before


def test_the_cache_is_a_setting(tmp_path: Path) -> None:
    folder = tmp_path / "replies"
    make_backend(SERVER, OpenAISettings(cache=str(folder))).close()
    assert folder.is_dir()
