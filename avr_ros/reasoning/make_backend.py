"""Model backends by name: ``local``, ``openai:URL#NAME``, ``replay:RUN``."""

from pathlib import Path
from typing import Any

from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.backends.local import LocalBackend
from avr_ros.reasoning.backends.replay import ReplayBackend
from avr_ros.reasoning.model_name import parse_model
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record


class NoSettings(Record):
    """A model that has none."""


def model_settings_type(name: str) -> type[Record]:
    """The settings of a model. Raises ModelNameError for a name that cannot be read."""
    if parse_model(name).kind == "openai":
        from avr_ros.reasoning.backends.openai.settings import OpenAISettings

        return OpenAISettings
    return NoSettings


def make_backend(name: str, settings: Record | None = None) -> ModelBackend:
    """The backend of a model; ``settings`` are of the model's own type, none for its defaults.

    Raises ModelNameError for a name that cannot be read, BadInputError for settings of another
    type, and ReplayError for a run without readable calls.
    """
    wanted = model_settings_type(name)
    chosen = wanted() if settings is None else settings
    if not isinstance(chosen, wanted):
        raise BadInputError(
            f"model {name!r} has settings of type {wanted.__name__}, not {type(chosen).__name__}"
        )
    model = parse_model(name)
    if model.kind == "local":
        return LocalBackend()
    if model.kind == "replay":
        return ReplayBackend(Path(model.address))
    # Imported here: the client takes half a second, which those without a server need not wait.
    from avr_ros.reasoning.backends.openai.backend import OpenAIBackend
    from avr_ros.reasoning.backends.openai.settings import OpenAISettings
    from avr_ros.reasoning.cache import ReplyCache

    assert isinstance(chosen, OpenAISettings)
    cache = ReplyCache(Path(chosen.cache)) if chosen.cache else None
    return OpenAIBackend(model.address, model.model, chosen, cache=cache)


def recorded_settings(name: str, settings: Record) -> dict[str, Any]:
    """What a run writes down of a model's settings, the hash of its prompts included."""
    values = settings.model_dump(mode="json")
    if parse_model(name).kind == "openai":
        from avr_ros.reasoning.backends.openai.prompts import PromptBook

        values["templates_sha256"] = PromptBook().digest
    return values
