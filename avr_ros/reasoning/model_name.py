"""Models by name: ``local``, ``openai:URL#NAME``, ``replay:RUN``."""

import difflib
from dataclasses import dataclass
from typing import Literal

from avr_ros.schema.errors import BadInputError

KINDS = ("local", "openai", "replay")


class ModelNameError(BadInputError):
    """A model's name cannot be read."""


@dataclass(frozen=True)
class ModelName:
    """A parsed name: ``address`` is the server's URL or the run's folder, ``model`` its model."""

    kind: Literal["local", "openai", "replay"]
    address: str = ""
    model: str = ""


def parse_model(text: str) -> ModelName:
    """Read a model's name. Raises ModelNameError."""
    kind, _, rest = text.partition(":")
    if kind == "local" and not rest:
        return ModelName("local")
    if kind == "openai":
        address, _, model = rest.rpartition("#")
        if address.startswith(("http://", "https://")) and model:
            return ModelName("openai", address.rstrip("/"), model)
        raise ModelNameError(
            f"model {text!r} is not of the form openai:URL#NAME, for example "
            "openai:http://localhost:8000/v1#qwen"
        )
    if kind == "replay" and rest:
        return ModelName("replay", rest)
    near = difflib.get_close_matches(kind, KINDS, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "use local, openai:URL#NAME or replay:RUN"
    raise ModelNameError(f"there is no model {text!r}; {hint}")
