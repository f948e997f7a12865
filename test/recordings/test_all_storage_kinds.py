"""The same frames, stamps, bytes and pixels come out of every kind of storage."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from recording_files import HEIGHT, KINDS, TOPIC, WIDTH, frames, write_timestamps

from avr_ros.recordings.errors import FrameNotFound, RecordingClosed, UnknownSequence
from avr_ros.recordings.open_recording import open_recording
from avr_ros.recordings.recording import Recording, StoredAs


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_the_same_recording(kind: str, tmp_path: Path) -> None:
    content = frames(13)
    path = KINDS[kind](tmp_path, content)
    before = sorted(tmp_path.rglob("*"))
    with open_recording(path) as recording:
        as_protocol: Recording = recording
        assert as_protocol.sequences() == ("walk",)
        info = recording.sequence("walk")
        assert info.frame_ids.tolist() == list(range(13))
        assert info.stamps_us.tolist() == [frame.stamp_us for frame in content]
        assert (info.width, info.height, info.stored_as) == (WIDTH, HEIGHT, StoredAs.JPEG)
        for frame_id in (5, 0, 12, 4, 11, *range(13)):
            frame = content[frame_id]
            assert recording.encoded("walk", frame_id) == frame.jpeg
            panorama = recording.panorama("walk", frame_id)
            expected = cv2.imdecode(np.frombuffer(frame.jpeg, np.uint8), cv2.IMREAD_COLOR)
            assert np.array_equal(panorama, expected)
            assert not panorama.flags.writeable
            assert recording.frame_at("walk", frame.stamp_us) == frame_id
        for frame_id in (-1, 13):
            with pytest.raises(FrameNotFound, match="no frame"):
                recording.panorama("walk", frame_id)
        with pytest.raises(UnknownSequence, match="it has walk"):
            recording.sequence("run")
    assert sorted(tmp_path.rglob("*")) == before
    recording.close()
    for ask in (
        lambda: recording.sequences(),
        lambda: recording.panorama("walk", 0),
        lambda: recording.encoded("walk", 0),
    ):
        with pytest.raises(RecordingClosed):
            ask()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "folder"])
def test_the_topic_may_be_given(kind: str, tmp_path: Path) -> None:
    path = KINDS[kind](tmp_path, frames(2))
    with open_recording(path, TOPIC) as one, open_recording(path, "/" + TOPIC) as other:
        assert one.encoded("walk", 1) == other.encoded("walk", 1)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "folder"])
def test_ids_and_stamps_come_from_a_timestamps_file(kind: str, tmp_path: Path) -> None:
    content = frames(6)
    folder = tmp_path / "rosbags"
    folder.mkdir()
    path = KINDS[kind](folder, content)
    # Frame 2 was never extracted, ids start at 4, stamps went through a float and are off by one.
    listed = {4: 0, 5: 1, 7: 3, 8: 4, 9: 5}
    stamps = {frame_id: content[at].stamp_us + frame_id % 2 for frame_id, at in listed.items()}
    write_timestamps(path.parent.parent, path.stem, stamps)
    with open_recording(path) as recording:
        info = recording.sequence("walk")
        assert info.frame_ids.tolist() == list(listed)
        assert info.stamps_us.tolist() == list(stamps.values())
        for frame_id, at in listed.items():
            assert recording.encoded("walk", frame_id) == content[at].jpeg
        assert any("1 images of" in notice.message for notice in info.notices)
