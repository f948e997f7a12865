"""Opens whatever is at a path as a recording."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from avr_ros.recordings.bag import open_bag
from avr_ros.recordings.bag_file import ChunkCache, new_chunk_cache
from avr_ros.recordings.bag_layout import (
    bag_of_file,
    bag_of_folder,
    bags_in,
    is_bag_folder,
    timestamps_beside,
)
from avr_ros.recordings.errors import AmbiguousRecording, NotARecording, RecordingError
from avr_ros.recordings.frame_source import FrameSource
from avr_ros.recordings.jrdb_folder import JrdbFolder
from avr_ros.recordings.jrdb_layout import Layout, data_set_root, find_layout, holds_images
from avr_ros.recordings.recording import Notice
from avr_ros.recordings.stored_recording import DEFAULT_CACHE_BYTES, StoredRecording

Openers = dict[str, Callable[[], FrameSource]]


def open_recording(
    path: str | os.PathLike[str],
    topic: str | None = None,
    *,
    cache_bytes: int = DEFAULT_CACHE_BYTES,
    prefetch: bool = True,
) -> StoredRecording:
    """Open a JRDB data set, a bag, or a folder of bags, whichever is at ``path``.

    A bag is one sequence, named by its file's or folder's name; of a folder of bags each is one.
    Where a data set has both, its images are taken, unless a ``topic`` is given, which looks for
    bags alone. Without a topic a bag is read from JRDB's, ``ros_indigosdk_node/stitched_image0/
    compressed``. Nothing is written, so that read-only media work.

    A single sequence is opened at once, each of several at its first use.

    :raises NotARecording: nothing there can be opened; the message says what was found.
    :raises AmbiguousRecording: two things claim to be the same sequence.
    :raises RecordingError: the single sequence there cannot be opened, see :func:`open_bag` and
        :class:`JrdbFolder`.
    """
    at = Path(path)
    if not at.exists():
        raise NotARecording(f"There is nothing at {at}.")
    cache = new_chunk_cache()
    openers: Openers = {}
    notices: list[Notice] = []
    refused: dict[str, RecordingError] = {}
    single = at.resolve()
    if not at.is_dir() or is_bag_folder(single):
        openers[single.stem if single.is_file() else single.name] = partial(
            _open_bag, single, topic, cache
        )
    else:
        _look_into(single, topic, cache, openers, notices, refused)
    if not openers:
        if refused:
            raise next(iter(refused.values()))
        raise NotARecording(_what_was_found(at, topic, notices))
    recording = StoredRecording(
        str(at),
        openers,
        notices=tuple(notices),
        refused=refused,
        cache_bytes=cache_bytes,
        prefetch=prefetch,
    )
    if len(openers) == 1:
        try:
            recording.sequence(next(iter(openers)))
        except BaseException:
            recording.close()
            raise
    return recording


def _look_into(
    folder: Path,
    topic: str | None,
    cache: ChunkCache,
    openers: Openers,
    notices: list[Notice],
    refused: dict[str, RecordingError],
) -> None:
    """Fill in what a folder holds: images, else bags."""
    root = data_set_root(folder)
    layout = find_layout(root)
    if topic is None:
        openers.update(_image_openers(folder, root, layout))
    notices.extend(layout.notices)
    refused.update(layout.refused)
    if openers:
        return
    for place in (folder, *layout.rosbags):
        bags, outside = bags_in(place, layout.root)
        refused.update(outside)
        for name, path in bags.items():
            if name in openers:
                raise AmbiguousRecording(
                    f"{path} and a bag in another folder below {folder} are both named {name}; "
                    "open one of the folders."
                )
            openers[name] = partial(_open_bag, path, topic, cache)


def _image_openers(folder: Path, root: Path, layout: Layout) -> Openers:
    single = holds_images(folder)
    sequences = {folder.name: folder} if single else layout.image_folders()
    return {
        name: partial(_open_images, name, images, root, layout)
        for name, images in sequences.items()
    }


def _open_images(name: str, images: Path, root: Path, layout: Layout) -> JrdbFolder:
    return JrdbFolder(name, images, root, layout.timestamps_of(name, images))


def _open_bag(path: Path, topic: str | None, cache: ChunkCache) -> FrameSource:
    bag = bag_of_folder(path) if path.is_dir() else bag_of_file(path)
    return open_bag(bag, topic, cache, timestamps_beside(path, bag.name))


def _what_was_found(path: Path, topic: str | None, notices: list[Notice]) -> str:
    names = sorted(os.listdir(path))
    found = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    wanted = "bags" if topic else "image_stitched/<sequence>/ nor bags"
    text = f"{path} holds neither JRDB's {wanted}" if not topic else f"{path} holds no bags"
    text += f"; it holds {found or 'nothing'}."
    return " ".join([text, *(notice.message for notice in notices)])
