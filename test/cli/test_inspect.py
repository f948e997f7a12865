"""``avr inspect``: one recording in three kinds of storage, runs, bags, and faults."""

import json
from pathlib import Path

import pytest
from written_bag import WrittenBag

from avr_ros.cli.main import main
from avr_ros.sample.sample import ensure_sample
from avr_ros.sample.specification import SampleSpecification

TIMES = (
    "name",
    "frames",
    "first_frame",
    "last_frame",
    "frame_ids_sha256",
    "first_stamp_us",
    "last_stamp_us",
    "stamps_sha256",
    "duration",
    "median_rate",
    "width",
    "height",
)


def inspected(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, object]:
    assert main(["inspect", *map(str, arguments), "--json"]) == 0
    summary: dict[str, object] = json.loads(capsys.readouterr().out)
    return summary


@pytest.fixture(scope="module")
def with_bags(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ensure_sample(
        tmp_path_factory.mktemp("bags") / "sample",
        SampleSpecification(seed=5, sequences=2, frames=6, people=3, bags=True),
        workers=1,
    ).directory


def test_folders_and_bags_name_the_same_sequences_frames_and_stamps(
    with_bags: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for place in (with_bags, with_bags / "rosbags", with_bags / "ros2bags"):
        summary = inspected(capsys, place, "--no-labels")
        sequences: list[dict[str, object]] = summary["sequences"]  # type: ignore[assignment]
        found.append([{name: item[name] for name in TIMES} for item in sequences])
    assert len(found[0]) == 2
    assert found[0] == found[1] == found[2]


def test_one_bag_is_one_sequence(with_bags: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = inspected(capsys, with_bags)["sequences"]
    for place in (*sorted(with_bags.glob("rosbags/*.bag")), *sorted(with_bags.glob("ros2bags/*"))):
        (one,) = inspected(capsys, place)["sequences"]  # type: ignore[misc]
        (same,) = [item for item in whole if item["name"] == one["name"]]  # type: ignore[attr-defined]
        assert {name: one[name] for name in TIMES} == {name: same[name] for name in TIMES}


def test_labels_and_their_oddities_are_counted(
    with_bags: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    summary = inspected(capsys, with_bags)
    for sequence in summary["sequences"]:  # type: ignore[attr-defined]
        assert sequence["labels"]["boxes"] > 0
        assert sequence["labels"]["faults"] == []
    assert summary["oddities"]
    assert main(["inspect", str(with_bags)]) == 0
    text = capsys.readouterr().out
    assert "Oddities of the labels" in text
    assert str(summary["sequences"][0]["first_stamp_us"]) in text  # type: ignore[index]


def test_a_broken_label_file_costs_its_sequence_alone(
    with_bags: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = ensure_sample(
        tmp_path / "sample", SampleSpecification(seed=5, sequences=2, frames=3, people=2), workers=1
    ).directory
    labels = sorted((made / "labels/labels_2d_activity_social_stitched").glob("*.json"))[0]
    labels.write_text(labels.read_text()[:200])
    first, second = inspected(capsys, made)["sequences"]  # type: ignore[misc]
    assert any(labels.name in fault for fault in first["labels"]["faults"])
    assert second["labels"]["faults"] == []
    assert second["labels"]["boxes"] > 0


def test_an_evaluation_bag_is_told_from_a_recording(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from run_doubles import question

    bag = WrittenBag(tmp_path / "bag_0.mcap")
    bag.write_question(question(1))
    bag.finish()
    summary = inspected(capsys, tmp_path)
    assert summary["kind"] == "evaluation bag"
    assert summary["questions"] == 1
    assert summary["topics"] == [
        {"name": "/scorer/questions", "type": "avr_ros/msg/Question", "messages": 1}
    ]
    assert main(["inspect", str(tmp_path)]) == 0
    assert "/scorer/questions" in capsys.readouterr().out
