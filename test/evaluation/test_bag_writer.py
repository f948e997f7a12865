"""Evaluation bags: every file is readable, whatever a kill left behind."""

from __future__ import annotations

import struct
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml
from mcap.reader import make_reader
from rosbags.highlevel import AnyReader

from avr_ros.evaluation import bag_writer
from avr_ros.evaluation.bag_writer import BagTopic, BagWriter, attempt_files, repair
from avr_ros.evaluation.errors import RunFolderError

TOPIC = BagTopic("/talk", "std_msgs/msg/String", "string data\n")


def text(value: str) -> bytes:
    """A serialized std_msgs/String (CDR, little-endian)."""
    content = value.encode() + b"\0"
    return b"\0\1\0\0" + struct.pack("<I", len(content)) + content


def written(folder: Path, values: list[str], first_ns: int = 1000) -> BagWriter:
    writer = BagWriter(folder, "jazzy")
    number = writer.add_topic(TOPIC)
    for index, value in enumerate(values):
        writer.write(number, text(value), first_ns + index)
    return writer


def read(folder: Path) -> list[str]:
    with AnyReader([folder]) as reader:
        return [
            reader.deserialize(data, connection.msgtype).data  # type: ignore[attr-defined]
            for connection, _, data in reader.messages()
        ]


def information(folder: Path) -> dict[str, object]:
    content = yaml.safe_load((folder / "metadata.yaml").read_text())
    return dict(content["rosbag2_bagfile_information"])


def test_a_bag_opens_with_rosbags_and_mcap(tmp_path: Path) -> None:
    writer = written(tmp_path, ["a", "b"])
    assert writer.messages == 2
    writer.close()
    assert read(tmp_path) == ["a", "b"]
    with open(tmp_path / "bag_0.mcap", "rb") as stream:
        summary = make_reader(stream).get_summary()
    assert summary is not None and summary.statistics is not None
    assert summary.statistics.message_count == 2
    about = information(tmp_path)
    assert about["message_count"] == 2
    assert about["starting_time"] == {"nanoseconds_since_epoch": 1000}
    assert about["duration"] == {"nanoseconds": 1}


def test_each_start_adds_a_file(tmp_path: Path) -> None:
    for number in range(3):
        written(tmp_path, [f"{number}"], 1000 * number).close()
    assert [path.name for path in attempt_files(tmp_path)] == [
        "bag_0.mcap",
        "bag_1.mcap",
        "bag_2.mcap",
    ]
    assert information(tmp_path)["relative_file_paths"] == [
        "bag_0.mcap",
        "bag_1.mcap",
        "bag_2.mcap",
    ]
    assert read(tmp_path) == ["0", "1", "2"]


def test_the_end_may_come_while_others_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each writer describes the file as often as it can, so that ends and descriptions meet."""
    monkeypatch.setattr(bag_writer, "METADATA_PERIOD", 0.0)
    for turn in range(5):
        folder = tmp_path / str(turn)
        writer = BagWriter(folder, "jazzy")
        number = writer.add_topic(TOPIC)
        begun = threading.Event()

        def write(
            writer: BagWriter = writer, number: int = number, begun: threading.Event = begun
        ) -> int:
            count = 0
            while writer.write(number, text("x"), 1000 + count):
                count += 1
                begun.set()
            return count

        with ThreadPoolExecutor(2) as pool:
            counts = [pool.submit(write) for _ in range(2)]
            assert begun.wait(60.0)
            writer.close()
        total = sum(count.result() for count in counts)
        assert len(read(folder)) == information(folder)["message_count"] == total > 0
        assert sorted(path.name for path in folder.iterdir()) == ["bag_0.mcap", "metadata.yaml"]
        assert not writer.write(number, text("late"), 1)


def test_after_an_error_nothing_more_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = BagWriter(tmp_path / "bag", "jazzy")
    number = writer.add_topic(TOPIC)
    monkeypatch.setattr(bag_writer, "METADATA_PERIOD", 0.0)
    (tmp_path / "bag").rename(tmp_path / "moved")
    with pytest.raises(RunFolderError, match="cannot write"):
        writer.write(number, text("a"), 1)
    assert not writer.write(number, text("b"), 2)


def test_metadata_lists_a_file_from_its_beginning(tmp_path: Path) -> None:
    writer = BagWriter(tmp_path, "jazzy")
    assert information(tmp_path)["relative_file_paths"] == ["bag_0.mcap"]
    writer.close()
    assert read(tmp_path) == []


@pytest.mark.parametrize("lost", [1, 8, 9, 60, 200])
def test_a_file_that_was_cut_off_is_put_in_order(tmp_path: Path, lost: int) -> None:
    writer = written(tmp_path, ["a", "b", "c"])
    writer._stream.flush()
    path = tmp_path / "bag_0.mcap"
    path.write_bytes(path.read_bytes()[:-lost])
    again = BagWriter(tmp_path, "jazzy")
    assert again.repaired == ("bag_0.mcap",)
    number = again.add_topic(TOPIC)
    again.write(number, text("d"), 2000)
    again.close()
    values = read(tmp_path)
    assert values[-1] == "d"
    assert values[:-1] == ["a", "b", "c"][: len(values) - 1]
    assert not repair(path)


def test_a_file_without_a_message_is_put_in_order(tmp_path: Path) -> None:
    for content in (b"", b"\x89MCAP0\r\n", b"rubbish"):
        path = tmp_path / "bag_0.mcap"
        path.write_bytes(content)
        assert repair(path)
        assert read(path) == []


def test_nothing_written_is_lost_by_a_kill(tmp_path: Path) -> None:
    program = (
        "import os, signal, sys\n"
        f"sys.path[:0] = [{str(Path(__file__).parent)!r}]\n"
        "from pathlib import Path\n"
        "from test_bag_writer import written\n"
        f"written(Path({str(tmp_path)!r}), [str(number) for number in range(50)])\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=False)
    BagWriter(tmp_path, "jazzy").close()
    assert read(tmp_path) == [str(number) for number in range(50)]
