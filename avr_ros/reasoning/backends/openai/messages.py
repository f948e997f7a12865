"""Chat messages: the same order always, what never changes first, so that servers reuse it."""

import base64
import json
from typing import Any

import cv2

from avr_ros.reasoning.backends.openai.prompts import PromptBook
from avr_ros.reasoning.stage import StageImage, StageRequest
from avr_ros.recordings import jpeg

Message = dict[str, Any]

_SHRINK = 0.75
_SMALLEST_SIDE = 32


def first_messages(
    request: StageRequest[Any], prompts: PromptBook, max_image_bytes: int, with_schema: bool
) -> list[Message]:
    """The messages that ask a stage.

    ``with_schema`` writes the reply's schema into the system's message, for servers that cannot
    be held to it otherwise.
    """
    system = prompts.system(request)
    if with_schema:
        schema = json.dumps(request.schema, separators=(",", ":"), sort_keys=True)
        system += (
            f"\n\nReply with one JSON object, and nothing else, that fits this schema:\n{schema}"
        )
    content: list[dict[str, Any]] = [{"type": "text", "text": prompts.user(request)}]
    for image in request.images:
        content.append({"type": "text", "text": f"Picture {image.name}:"})
        content.append(
            {"type": "image_url", "image_url": {"url": data_url(image, max_image_bytes)}}
        )
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": content if request.images else content[0]["text"]},
    ]


def repair_messages(text: str, problem: str) -> list[Message]:
    """What is said after a reply that was not of the right type."""
    return [
        {"role": "assistant", "content": text},
        {
            "role": "user",
            "content": f"That reply cannot be used: {problem}. "
            "Reply again with one corrected JSON object, and nothing else.",
        },
    ]


def data_url(image: StageImage, max_bytes: int) -> str:
    """A picture as a data URL, made smaller step by step until it has at most ``max_bytes``."""
    data = image.jpeg
    if len(data) > max_bytes:
        pixels = jpeg.decode(data)
        while len(data) > max_bytes and min(pixels.shape[:2]) > _SMALLEST_SIDE:
            size = (int(pixels.shape[1] * _SHRINK), int(pixels.shape[0] * _SHRINK))
            pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(pixels.dtype)
            data = jpeg.encode(pixels)
    return "data:image/jpeg;base64," + base64.b64encode(data).decode("ascii")
