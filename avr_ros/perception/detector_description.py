"""The YAML file that declares a detector: which file, what goes in, what comes out.

    file: person_detector.onnx
    layout: ultralytics
    input: {width: 640, height: 640, colour: rgb, divide_by: 255.0}
    classes: {0: []}

See docs/perception.md for every key.
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Final

import yaml
from pydantic import Field, ValidationError, field_validator

from avr_ros.perception.letterbox import Fit
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record
from avr_ros.schema.vocabulary import ACTION_INDEX

SHIPPED: Final = Path(__file__).parent / "models" / "sample_people.yaml"
"""Description of the detector that comes with the package."""


class Layout(str, Enum):
    """What a detector's outputs are.

    ``avr``: this package's own named outputs (docs/perception.md). ``ultralytics``: one output
    (B, 4 + C, N) of centre, size and class scores in input px, which needs NMS (YOLOv8, 11).
    ``ultralytics_end_to_end``: one output (B, N, 6) of corners, score and class, NMS done (v10 and
    exports with ``nms=True``). ``detr``: class logits (B, N, C) and boxes (B, N, 4) of centre and
    size as shares of the input (DETR, RT-DETR).
    """

    AVR = "avr"
    ULTRALYTICS = "ultralytics"
    ULTRALYTICS_END_TO_END = "ultralytics_end_to_end"
    DETR = "detr"


class Colour(str, Enum):
    """Order of the input's channels."""

    BGR = "bgr"
    RGB = "rgb"


class Activation(str, Enum):
    """What turns a DETR's logits into scores: RT-DETR's sigmoid, or DETR's softmax, whose last
    class is "nothing"."""

    SIGMOID = "sigmoid"
    SOFTMAX = "softmax"


Triple = tuple[float, float, float]


class DetectorInput(Record):
    """What the detector is fed: (v / divide_by - mean) / std for each channel, in its order."""

    width: int = Field(ge=32, le=4096, description="px")
    height: int = Field(ge=32, le=4096, description="px")
    fit: Fit = Field(default=Fit.LETTERBOX, description="how a picture is brought to that size")
    padding: int = Field(default=114, ge=0, le=255, description="grey level around the picture")
    colour: Colour = Field(default=Colour.RGB, description="order of the channels")
    channels_last: bool = Field(default=False, description="(B, H, W, 3) instead of (B, 3, H, W)")
    divide_by: float = Field(default=255.0, gt=0, description="what bytes are divided by first")
    mean: Triple = Field(default=(0.0, 0.0, 0.0), description="subtracted after the division")
    std: tuple[
        Annotated[float, Field(gt=0)], Annotated[float, Field(gt=0)], Annotated[float, Field(gt=0)]
    ] = Field(default=(1.0, 1.0, 1.0), description="divided by last")


class DetectorDescription(Record):
    """A detector and how to use it. ``file`` is relative to the description's own folder."""

    file: str = Field(min_length=1, description="the .onnx file")
    sha256: str = Field(
        default="", pattern="^([0-9a-f]{64})?$", description="the file's hash; empty: not checked"
    )
    layout: Layout = Field(description="what the outputs are")
    input: DetectorInput
    outputs: tuple[str, ...] = Field(
        default=(), description="names of the outputs to use, in the layout's order; empty: all"
    )
    classes: dict[int, tuple[str, ...]] = Field(
        default={0: ()},
        description="class numbers that are people, each with the actions that the class tells",
    )
    activation: Activation = Field(
        default=Activation.SIGMOID, description="detr only: from logits to scores"
    )
    confidence: float = Field(default=0.4, ge=0, le=1, description="lowest score of a person")
    overlap: float = Field(
        default=0.6, gt=0, le=1, description="IoU from which two boxes are the same person"
    )
    most_people: int = Field(default=100, ge=1, le=1000, description="people of one view")

    @field_validator("classes")
    @classmethod
    def _known_actions(cls, value: dict[int, tuple[str, ...]]) -> dict[int, tuple[str, ...]]:
        if not value:
            raise ValueError("name at least one class that is a person")
        for number, names in value.items():
            if number < 0:
                raise ValueError(f"class {number} is negative")
            for name in names:
                if name not in ACTION_INDEX:
                    raise ValueError(f"class {number}: {name!r} is not an action of JRDB's")
        return value


def read_description(path: Path) -> DetectorDescription:
    """Read a description; its ``file`` comes back as an absolute path.

    Raises BadInputError, naming file and key, for whatever is wrong with it.
    """
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInputError(
            f"detector description {path} cannot be read: {error.strerror or error}; "
            "set perception.detector to the YAML file of a detector"
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise BadInputError(f"detector description {path} is not YAML: {reason}") from error
    try:
        description = DetectorDescription.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"]) or "the file"
        raise BadInputError(f"detector description {path}: {key}: {first['msg']}") from error
    file = (path.absolute().parent / description.file).resolve()
    return description.model_copy(update={"file": str(file)})
