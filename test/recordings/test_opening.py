"""What is at a path decides what is opened, nothing leads out of a data set, refusals say why."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from recording_files import (
    KINDS,
    TOPIC,
    Frame,
    frames,
    write_folder,
    write_mcap,
    write_rosbag1,
    write_timestamps,
)

from avr_ros.recordings.errors import (
    AmbiguousRecording,
    DamagedRecording,
    FrameNotFound,
    InvalidSequenceName,
    MalformedTimestamps,
    NotARecording,
    OutsideDataSet,
    StampsUnknown,
    TopicNotFound,
    UnknownSequence,
    UnreadableFrame,
    UnsupportedRecording,
)
from avr_ros.recordings.open_recording import open_recording
from avr_ros.recordings.recording import NO_STAMP, NoticeKind
from avr_ros.schema.errors import AvrError, BadInputError

CONTENT = frames(4)
SEQUENCE = "clark-center-2019-02-28_0"


def images(root: Path, sequence: str = SEQUENCE, content: list[Frame] = CONTENT) -> None:
    """Write images alone into a folder of sequences."""
    (root / sequence).mkdir(parents=True)
    for at, frame in enumerate(content):
        (root / sequence / f"{at:06d}.jpg").write_bytes(frame.jpeg)


def stamps(content: list[Frame] = CONTENT) -> dict[int, int]:
    return {at: frame.stamp_us for at, frame in enumerate(content)}


@pytest.mark.parametrize(
    ("image_folder", "timestamps_root"),
    [
        ("images/image_stitched", "."),
        ("image_stitched", "."),
        ("train_dataset_with_activity/images/image_stitched", "train_dataset_with_activity"),
        ("test_dataset_without_labels/images/image_stitched", "test_dataset_without_labels"),
        ("JRDB2022/train_images/images/image_stitched", "JRDB2022/train_timestamps"),
        ("JRDB2022/Test_images/test_dataset/images/image_stitched", "JRDB2022"),
        ("train_images/images/image_stitched", "."),
    ],
)
def test_the_archives_outer_folders_do_not_matter(
    image_folder: str, timestamps_root: str, tmp_path: Path
) -> None:
    images(tmp_path / image_folder)
    images(tmp_path / image_folder, "huang-2-2019-01-25_0")
    images(tmp_path / image_folder.replace("image_stitched", "image_0"), "never-opened")
    write_timestamps(tmp_path / timestamps_root, SEQUENCE, stamps())
    (tmp_path / image_folder / "notes.txt").write_text("no sequence")
    with open_recording(tmp_path) as recording:
        assert recording.sequences() == (SEQUENCE, "huang-2-2019-01-25_0")
        info = recording.sequence(SEQUENCE)
        assert info.stamps_us.tolist() == list(stamps().values())
        assert recording.encoded("huang-2-2019-01-25_0", 3) == CONTENT[3].jpeg


@pytest.mark.parametrize("part", [".", "images", "images/image_stitched"])
def test_a_part_of_a_data_set_finds_its_timestamps(part: str, tmp_path: Path) -> None:
    write_folder(tmp_path, SEQUENCE, CONTENT)
    images(tmp_path / "images" / "image_stitched", "other")
    with open_recording(tmp_path / part) as recording:
        assert recording.sequences() == (SEQUENCE, "other")
        assert recording.sequence(SEQUENCE).stamps_us.tolist() == list(stamps().values())


def test_one_sequence_of_a_data_set(tmp_path: Path) -> None:
    write_folder(tmp_path, SEQUENCE, CONTENT)
    images(tmp_path / "images" / "image_stitched", "other")
    with open_recording(tmp_path / "images" / "image_stitched" / SEQUENCE) as recording:
        assert recording.sequences() == (SEQUENCE,)
        assert recording.sequence(SEQUENCE).stamps_us.tolist() == list(stamps().values())


def test_both_trees_of_the_data_set_are_one_recording(tmp_path: Path) -> None:
    write_folder(tmp_path / "train_dataset_with_activity", "one", CONTENT)
    write_folder(tmp_path / "test_dataset_without_labels", "two", CONTENT)
    with open_recording(tmp_path) as recording:
        assert recording.sequences() == ("one", "two")
        for name in recording.sequences():
            assert recording.sequence(name).stamps_us.tolist() == list(stamps().values())
    write_folder(tmp_path / "copy", "two", CONTENT)
    with pytest.raises(AmbiguousRecording, match=r"copy.*two"):
        open_recording(tmp_path)


def test_each_tree_uses_its_own_timestamps(tmp_path: Path) -> None:
    write_folder(tmp_path / "a", SEQUENCE, CONTENT)
    write_timestamps(tmp_path / "b", SEQUENCE, dict.fromkeys(range(4), 5))
    with open_recording(tmp_path) as recording:
        assert recording.sequence(SEQUENCE).stamps_us.tolist() == list(stamps().values())
    shutil.move(tmp_path / "a" / "timestamps", tmp_path / "c" / "timestamps")
    with pytest.raises(AmbiguousRecording, match="stamps of sequence"):
        open_recording(tmp_path)


def test_a_folder_without_timestamps_is_used_by_id(tmp_path: Path) -> None:
    images(tmp_path / "image_stitched")
    with open_recording(tmp_path) as recording:
        info = recording.sequence(SEQUENCE)
        assert info.stamps_us.tolist() == [NO_STAMP] * 4
        assert [notice.kind for notice in info.notices] == [NoticeKind.STAMPS_MISSING]
        assert recording.encoded(SEQUENCE, 2) == CONTENT[2].jpeg
        with pytest.raises(StampsUnknown, match="by id"):
            recording.frame_at(SEQUENCE, CONTENT[2].stamp_us)


def test_images_and_timestamps_that_disagree(tmp_path: Path) -> None:
    write_folder(tmp_path, SEQUENCE, CONTENT)
    write_timestamps(tmp_path, SEQUENCE, {1: 500, 2: 600, 8: 700})
    folder = tmp_path / "images" / "image_stitched" / SEQUENCE
    (folder / "thumbs.db").write_bytes(b"")
    with open_recording(tmp_path) as recording:
        info = recording.sequence(SEQUENCE)
        assert info.frame_ids.tolist() == [0, 1, 2, 3]
        assert info.stamps_us.tolist() == [NO_STAMP, 500, 600, NO_STAMP]
        text = " ".join(notice.message for notice in info.notices)
        assert "2 images of" in text and "frame 0 first" in text
        assert "1 frames of" in text and "frame 8 first" in text
        assert "thumbs.db first" in text
        assert recording.frame_at(SEQUENCE, 549) == 1
        with pytest.raises(FrameNotFound):
            recording.encoded(SEQUENCE, 8)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "Invalid JSON"),
        ('{"data": 3}', "at data"),
        ('{"data": []}', "no entry has a camera stitched_image0"),
        (
            '{"data": [{"cameras": [{"name": "image0", "url": "0.jpg", "timestamp": 1}]}]}',
            "no entry",
        ),
        (
            '{"data": [{"cameras": [{"name": "x", "timestamp": "soon"}]}]}',
            r"data\.0\.cameras\.0\.t",
        ),
        ('{"data": [{"cameras": [{"name": "x", "timestamp": NaN}]}]}', r"timestamp"),
        ('{"data": [{"cameras": [{"name": "x", "timestamp": -1}]}]}', r"timestamp"),
        ('{"data": [{"cameras": [{"name": "x", "timestamp": 1e300}]}]}', r"timestamp"),
        (
            '{"data": [{"cameras": [{"name": "stitched_image0", "url": "a/b", "timestamp": 1}]}]}',
            "'a/b' at data.0",
        ),
        (
            json.dumps(
                {
                    "data": [
                        {"cameras": [{"name": "stitched_image0", "url": "7.jpg", "timestamp": at}]}
                        for at in (1, 2)
                    ]
                }
            ),
            "frame 7 has a second stamp at data.1",
        ),
    ],
)
def test_malformed_timestamps_are_refused(content: str, said: str, tmp_path: Path) -> None:
    write_folder(tmp_path, SEQUENCE, CONTENT)
    file = tmp_path / "timestamps" / SEQUENCE / "frames_img.json"
    file.write_text(content)
    with pytest.raises(MalformedTimestamps, match=said) as caught:
        open_recording(tmp_path)
    assert str(file) in str(caught.value)


def test_timestamps_of_another_recording_are_refused(tmp_path: Path) -> None:
    write_timestamps(tmp_path, "walk", {0: 1000, 1: 2000})
    with pytest.raises(MalformedTimestamps, match="belongs to another recording"):
        open_recording(write_rosbag1(tmp_path / "walk.bag", CONTENT))


def test_a_bad_sequence_leaves_the_others_usable(tmp_path: Path) -> None:
    write_folder(tmp_path, "good", CONTENT)
    write_folder(tmp_path / "more", "bad", [Frame(1, b"no image")] * 3)
    (tmp_path / "images" / "image_stitched" / "empty").mkdir()
    with open_recording(tmp_path) as recording:
        assert recording.sequences() == ("bad", "good")
        assert any("empty holds no images" in notice.message for notice in recording.notices)
        for _ in range(2):
            with pytest.raises(DamagedRecording, match=r"bad is readable.*000000\.jpg"):
                recording.sequence("bad")
        assert recording.encoded("good", 0) == CONTENT[0].jpeg
        with pytest.raises(UnknownSequence):
            recording.sequence("empty")


def test_an_image_that_disappears_costs_itself(tmp_path: Path) -> None:
    write_folder(tmp_path, SEQUENCE, CONTENT)
    with open_recording(tmp_path) as recording:
        recording.sequence(SEQUENCE)
        (tmp_path / "images" / "image_stitched" / SEQUENCE / "000001.jpg").unlink()
        with pytest.raises(UnreadableFrame, match=r"000001\.jpg at byte 0: No such file"):
            recording.panorama(SEQUENCE, 1)
        recording.panorama(SEQUENCE, 2)


def test_two_files_for_one_frame_are_ambiguous(tmp_path: Path) -> None:
    write_folder(tmp_path, SEQUENCE, CONTENT)
    (tmp_path / "images" / "image_stitched" / SEQUENCE / "1.jpg").write_bytes(CONTENT[1].jpeg)
    with pytest.raises(AmbiguousRecording, match="frame 1"):
        open_recording(tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "../walk",
        "..",
        ".",
        "",
        "/etc",
        "a/b",
        "a\\b",
        "walk/",
        "walk\0",
        "walk\n",
        "images/../walk",
    ],
)
def test_paths_are_no_sequence_names(name: str, tmp_path: Path) -> None:
    with open_recording(write_folder(tmp_path, "walk", CONTENT)) as recording:
        for ask in (
            lambda: recording.sequence(name),
            lambda: recording.frame_at(name, 0),
            lambda: recording.encoded(name, 0),
            lambda: recording.panorama(name, 0),
        ):
            with pytest.raises(InvalidSequenceName, match="not a sequence name"):
                ask()


def test_symlinks_out_of_the_data_set_are_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write_folder(outside, "secret", CONTENT)
    secret = outside / "images" / "image_stitched" / "secret"
    root = write_folder(tmp_path / "data", "walk", CONTENT)
    stitched = root / "images" / "image_stitched"
    (stitched / "leak").symlink_to(secret)
    (stitched / "walk" / "000009.jpg").symlink_to(secret / "000000.jpg")
    (stitched / "walk" / "000010.jpg").symlink_to(stitched / "walk" / "000001.jpg")
    (stitched / "loop").symlink_to(stitched / "loop")
    with open_recording(root) as recording:
        assert recording.sequences() == ("walk",)
        for name in ("leak", "loop"):
            with pytest.raises(OutsideDataSet):
                recording.sequence(name)
        info = recording.sequence("walk")
        assert info.frame_ids.tolist() == [0, 1, 2, 3, 10]
        assert recording.encoded("walk", 10) == CONTENT[1].jpeg
        assert any("000009.jpg leads out" in notice.message for notice in info.notices)
        with pytest.raises(FrameNotFound):
            recording.encoded("walk", 9)

    shutil.rmtree(root / "timestamps")
    (root / "timestamps").symlink_to(outside / "timestamps")
    with open_recording(root) as recording:
        assert any("timestamps leads out" in notice.message for notice in recording.notices)
        assert recording.sequence("walk").stamps_us[0] == NO_STAMP


def test_a_data_set_that_is_all_symlinks_out_is_refused_with_the_reason(tmp_path: Path) -> None:
    write_folder(tmp_path / "outside", "walk", CONTENT)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "images").symlink_to(tmp_path / "outside" / "images")
    with pytest.raises(NotARecording, match="images leads out of the data set"):
        open_recording(tmp_path / "data")
    (tmp_path / "link").symlink_to(tmp_path / "outside")
    with open_recording(tmp_path / "link") as recording:
        assert recording.sequences() == ("walk",), "the path itself may be a symlink"


def test_symlinked_bags_and_timestamps_stay_inside(tmp_path: Path) -> None:
    outside = write_rosbag1(tmp_path / "outside.bag", CONTENT)
    folder = tmp_path / "bags"
    folder.mkdir()
    (folder / "leak.bag").symlink_to(outside)
    with pytest.raises(OutsideDataSet, match="leak"):
        open_recording(folder)
    write_rosbag1(folder / "walk.bag", CONTENT)
    with open_recording(folder) as recording:
        assert recording.sequences() == ("walk",)
        with pytest.raises(OutsideDataSet):
            recording.sequence("leak")
    stamps_file = write_timestamps(tmp_path / "elsewhere", "walk", stamps())
    inner = folder / "timestamps" / "walk"
    inner.mkdir(parents=True)
    (inner / "frames_img.json").symlink_to(stamps_file)
    with pytest.raises(OutsideDataSet, match=r"frames_img\.json"):
        open_recording(folder / "walk.bag")


def test_a_file_listed_in_metadata_stays_inside_its_folder(tmp_path: Path) -> None:
    outside = write_mcap(tmp_path / "outside.mcap", CONTENT)
    folder = tmp_path / "walk"
    folder.mkdir()
    text = "rosbag2_bagfile_information:\n  relative_file_paths: ['{}']\n"
    (folder / "metadata.yaml").write_text(text.format("../outside.mcap"))
    with pytest.raises(NotARecording, match="its files are not there"):
        open_recording(folder)
    (folder / "outside.mcap").symlink_to(outside)
    with pytest.raises(OutsideDataSet):
        open_recording(folder)


def test_a_folder_of_bags_is_a_sequence_each(tmp_path: Path) -> None:
    (tmp_path / "rosbags").mkdir()
    write_rosbag1(tmp_path / "rosbags" / "a_0.bag", CONTENT)
    write_mcap(tmp_path / "rosbags" / "a_1.mcap", CONTENT)
    write_mcap(tmp_path / "rosbags" / "b" / "b_0.mcap", CONTENT[:2])
    write_mcap(tmp_path / "rosbags" / "b" / "b_1.mcap", CONTENT[2:])
    (tmp_path / "rosbags" / "broken.bag").write_bytes(b"#ROSBAG V2.0\n" + bytes(50))
    (tmp_path / "rosbags" / "readme.txt").write_text("no bag")
    (tmp_path / "labels").mkdir()
    for path in (tmp_path, tmp_path / "rosbags"):
        with open_recording(path) as recording:
            assert recording.sequences() == ("a_0", "a_1", "b", "broken")
            for name in ("a_0", "a_1", "b"):
                assert recording.encoded(name, 3) == CONTENT[3].jpeg
            with pytest.raises(DamagedRecording, match=r"No topic .*broken\.bag"):
                recording.sequence("broken")


def test_files_that_only_look_numbered_are_sequences_of_their_own(tmp_path: Path) -> None:
    folder = tmp_path / "mcap"
    write_mcap(folder / "clark-center-2019-02-28_0.mcap", CONTENT[:2])
    write_mcap(folder / "clark-center-2019-02-28_1.mcap", CONTENT[2:])
    with open_recording(folder) as recording:
        assert recording.sequences() == ("clark-center-2019-02-28_0", "clark-center-2019-02-28_1")


def test_two_bags_of_one_name_are_ambiguous(tmp_path: Path) -> None:
    write_rosbag1(tmp_path / "walk.bag", CONTENT)
    write_mcap(tmp_path / "walk.mcap", CONTENT)
    with pytest.raises(AmbiguousRecording, match=r"walk\.bag.*walk\.mcap"):
        open_recording(tmp_path)


def test_images_are_taken_before_bags_unless_a_topic_is_given(tmp_path: Path) -> None:
    write_folder(tmp_path, "walk", CONTENT)
    with pytest.raises(NotARecording, match="holds no bags; it holds images, timestamps"):
        open_recording(tmp_path, TOPIC)
    (tmp_path / "rosbags").mkdir()
    write_rosbag1(tmp_path / "rosbags" / "walk.bag", CONTENT[1:])
    with open_recording(tmp_path) as images_taken, open_recording(tmp_path, TOPIC) as bags_taken:
        assert images_taken.sequence("walk").frame_ids.tolist() == [0, 1, 2, 3]
        assert bags_taken.sequence("walk").frame_ids.tolist() == [1, 2, 3]


def test_other_files_named_as_a_bags_metadata_are_no_bag(tmp_path: Path) -> None:
    write_folder(tmp_path, "walk", CONTENT)
    (tmp_path / "metadata.yaml").write_text("license: free\n")
    with open_recording(tmp_path) as recording:
        assert recording.sequences() == ("walk",)


def test_refusals_say_what_was_found(tmp_path: Path) -> None:
    with pytest.raises(NotARecording, match="nothing at"):
        open_recording(tmp_path / "missing")
    with pytest.raises(NotARecording, match="it holds nothing"):
        open_recording(tmp_path)
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(NotARecording, match=r"it holds notes\.txt"):
        open_recording(tmp_path)
    with pytest.raises(NotARecording, match="starts with b'hello'"):
        open_recording(tmp_path / "notes.txt")
    (tmp_path / "old.bag").write_bytes(b"#ROSBAG V1.2\n")
    with pytest.raises(UnsupportedRecording, match="rosbag migrate"):
        open_recording(tmp_path / "old.bag")
    (tmp_path / "empty.mcap").write_bytes(b"")
    with pytest.raises(NotARecording, match="starts with b''"):
        open_recording(tmp_path / "empty.mcap")
    for error in (NotARecording, UnsupportedRecording, TopicNotFound, UnknownSequence):
        assert issubclass(error, BadInputError)
    assert issubclass(UnreadableFrame, AvrError)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "folder"])
def test_a_missing_topic_names_the_image_topics(kind: str, tmp_path: Path) -> None:
    path = KINDS[kind](tmp_path, CONTENT)
    with pytest.raises(TopicNotFound, match=f"its image topics are /?{TOPIC}; name one"):
        open_recording(path, "camera/compressed")
    with pytest.raises(UnsupportedRecording, match="imu/data.*holds std_msgs/msg/String"):
        open_recording(path, "imu/data")


@pytest.mark.parametrize(
    ("metadata", "notice"),
    [
        ("", "valid dictionary"),
        ("a: [", "is no YAML"),
        ("rosbag2_bagfile_information: {}", "paths"),
    ],
)
def test_unusable_metadata_are_passed_over(metadata: str, notice: str, tmp_path: Path) -> None:
    folder = tmp_path / "walk"
    write_mcap(folder / "walk_0.mcap", CONTENT)
    (folder / "metadata.yaml").write_text(metadata)
    with open_recording(folder) as recording:
        info = recording.sequence("walk")
        assert info.frame_ids.size == 4
        assert any(notice in found.message for found in info.notices)


def test_metadata_and_files_that_disagree(tmp_path: Path) -> None:
    folder = tmp_path / "walk"
    for at in (0, 2):
        write_mcap(folder / f"walk_{at}.mcap", CONTENT[at : at + 2])
    (folder / "metadata.yaml").write_text(
        "rosbag2_bagfile_information:\n  relative_file_paths: [walk_0.mcap, walk_1.mcap]\n"
    )
    with open_recording(folder) as recording:
        info = recording.sequence("walk")
        assert info.frame_ids.size == 2
        text = " ".join(notice.message for notice in info.notices)
        assert "walk_1.mcap is listed" in text and "walk_2.mcap is not listed" in text


def test_a_bag_compressed_as_a_whole_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "walk"
    write_mcap(folder / "walk_0.mcap", CONTENT)
    (folder / "metadata.yaml").write_text(
        "rosbag2_bagfile_information:\n  relative_file_paths: [walk_0.mcap.zstd]\n"
        "  compression_mode: FILE\n"
    )
    with pytest.raises(UnsupportedRecording, match="ros2 bag convert"):
        open_recording(folder)
