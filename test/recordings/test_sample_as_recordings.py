"""The sample's three forms are one recording."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from avr_ros.recordings.open_recording import open_recording
from avr_ros.recordings.recording import Recording
from avr_ros.sample.sample import ensure_sample
from avr_ros.sample.specification import SampleSpecification

SPECIFICATION = SampleSpecification(seed=5, sequences=2, frames=3, people=1, bags=True)


def check_equal(bags: Recording, folders: Recording) -> None:
    assert bags.sequences() == folders.sequences()
    for name in folders.sequences():
        info, expected = bags.sequence(name), folders.sequence(name)
        assert info.notices == ()
        assert np.array_equal(info.frame_ids, expected.frame_ids)
        assert np.array_equal(info.stamps_us, expected.stamps_us)
        assert (info.width, info.height) == (expected.width, expected.height)
        for frame_id in info.frame_ids.tolist():
            assert bags.encoded(name, frame_id) == folders.encoded(name, frame_id)
            assert np.array_equal(bags.panorama(name, frame_id), folders.panorama(name, frame_id))


def test_folders_and_both_kinds_of_bags_are_equal(tmp_path: Path) -> None:
    root = ensure_sample(tmp_path / "sample", SPECIFICATION, workers=1).directory
    with open_recording(root) as folders:
        assert [folders.sequence(name).frame_ids.size for name in folders.sequences()] == [3, 3]
        for kind in ("rosbags", "ros2bags"):
            with open_recording(root / kind) as bags:
                check_equal(bags, folders)
        # Without a timestamps file beside them, ids come from the order of the stamps.
        (root / "timestamps").rename(root / "hidden")
        for kind in ("rosbags", "ros2bags"):
            with open_recording(root / kind) as bags:
                check_equal(bags, folders)
