"""Which topic of a bag holds the panoramas."""

from __future__ import annotations

from collections.abc import Mapping

from avr_ros.recordings.errors import DamagedRecording, TopicNotFound, UnsupportedRecording
from avr_ros.recordings.image_message import ImageType

STITCHED_TOPIC = "ros_indigosdk_node/stitched_image0/compressed"
"""JRDB's topic of stitched panoramas; its bags write topics without a leading slash."""


def same_topic(one: str, other: str) -> bool:
    """Tell whether two topic names are the same but for a leading slash."""
    return one.lstrip("/") == other.lstrip("/")


def choose_topic(
    path: str, topics: Mapping[str, str], wanted: str | None, hint: str = ""
) -> ImageType:
    """Return the image type of the wanted topic, JRDB's where none is given.

    ``topics`` holds the type of every topic of the bag; ``hint`` is added to a refusal.

    :raises DamagedRecording: the bag has no topic at all.
    :raises TopicNotFound: the bag has no such topic; the message lists those with images.
    :raises UnsupportedRecording: the topic holds no images.
    """
    if not topics:
        raise DamagedRecording(f"No topic can be found in {path}.{hint and ' ' + hint}")
    name = wanted or STITCHED_TOPIC
    types = {kind for topic, kind in topics.items() if same_topic(topic, name)}
    if not types:
        images = sorted(topic for topic, kind in topics.items() if ImageType.named(kind))
        instead = (
            f"its image topics are {', '.join(images)}; name one"
            if images
            else (f"none of its {len(topics)} topics holds images")
        )
        raise TopicNotFound(f"{path} has no topic {name}; {instead}.{hint and ' ' + hint}")
    image_types = {ImageType.named(kind) for kind in types}
    image_type = image_types.pop()
    if image_type is None or image_types:
        raise UnsupportedRecording(
            f"Topic {name} of {path} holds {', '.join(sorted(types))}; "
            f"{ImageType.COMPRESSED.value} and {ImageType.RAW.value} can be read."
        )
    return image_type
