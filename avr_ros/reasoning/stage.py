"""Typed stages: what is asked of a model, and the type of its reply.

Agents know stages only. A stage says nothing of prompts, servers or pixels' encodings, so that a
server, the local grammar and eyes, a recorded run or a script can answer it alike.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, create_model

from avr_ros.schema.detection import Detection
from avr_ros.schema.model import Record
from avr_ros.schema.observation import GivenFrame, Observation

Reply = TypeVar("Reply", bound=BaseModel)
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class StageImage:
    """A picture shown to a model: JPEG bytes and what it is called in the inputs.

    ``source`` is the view or panorama that the picture shows. ``detect`` finds the people in it,
    with the episode's own perception: the eyes of backends that have none themselves. Neither is
    part of what is asked.
    """

    name: str
    jpeg: bytes = field(repr=False)
    source: Observation | GivenFrame | None = field(default=None, repr=False, compare=False)
    detect: Callable[[], Sequence[Detection]] | None = field(
        default=None, repr=False, compare=False
    )

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the bytes."""
        return hashlib.sha256(self.jpeg).hexdigest()


@dataclass(frozen=True)
class StageRequest(Generic[Reply]):
    """One question to a model.

    ``stage`` names what is asked, ``inputs`` hold what the model is told, ``reply_type`` what it
    may reply: its enumerations list what is legal now (see :func:`limited`). ``scope`` is the
    question that the call belongs to; it is no part of what is asked.
    """

    stage: str
    inputs: Record
    reply_type: type[Reply]
    images: tuple[StageImage, ...] = ()
    scope: str = ""

    @property
    def schema(self) -> dict[str, Any]:
        """JSON schema of the reply; not to be changed, since equal requests share it."""
        return _schema(self.reply_type)

    @cached_property
    def key(self) -> str:
        """Hash of all that is asked: stage, inputs, images and the legal replies."""
        content = {
            "stage": self.stage,
            "inputs": self.inputs.model_dump(mode="json"),
            "images": [[image.name, image.digest] for image in self.images],
            "schema": self.schema,
        }
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()


def limited(model: type[Model], **legal: Sequence[str | int | None]) -> type[Model]:
    """A reply type whose named fields take only the values that are legal now.

    ``limited(Look, frame_id=[3, 4, 5])`` is ``Look`` with an enumeration of three frames. The
    same limits give the same schema. Raises ValueError for a field that does not exist and for an
    empty list: nothing legal is nothing to ask.
    """
    for name, values in legal.items():
        if name not in model.model_fields:
            raise ValueError(f"{model.__name__} has no field {name!r}")
        if not values:
            raise ValueError(f"no value of {model.__name__}.{name} is legal: do not ask")
    return _limited(
        model, tuple((name, tuple(dict.fromkeys(values))) for name, values in legal.items())
    )


@lru_cache(maxsize=256)
def _limited(
    model: type[Model], legal: tuple[tuple[str, tuple[str | int, ...]], ...]
) -> type[Model]:
    # Kept, because making a type takes longer than all that the client does in a call, and agents
    # ask with the same limits again and again.
    fields: dict[str, Any] = {}
    for name, values in legal:
        choice = Literal[values]  # type: ignore[valid-type]
        fields[name] = (choice, model.model_fields[name])
    return create_model(model.__name__, __base__=model, __doc__=model.__doc__, **fields)


@lru_cache(maxsize=256)
def _schema(reply_type: type[BaseModel]) -> dict[str, Any]:
    return reply_type.model_json_schema()
