"""Whole runs over ROS: the same results as in one process, whatever is killed on the way."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from board_checks import check_boards, check_page
from mcap.reader import make_reader
from rosbags.highlevel import AnyReader
from set_up_processes import UpProcess, is_alive, lines_of, wait_until
from small_scene import SEQUENCE, Scene

from avr_ros.cli.main import main
from avr_ros.evaluation.bag_reader import read_bag
from avr_ros.evaluation.local_run import local_run
from avr_ros.evaluation.request import RunRequest
from avr_ros.evaluation.stored_run import load_run
from avr_ros.evaluation.times import without_times
from avr_ros.processes.run_choice import unfinished_run
from avr_ros.processes.shared_memory import FOLDER, files_in_use
from avr_ros.report.write_report import write_report

KILLED = ("replay", "agent", "world_model", "recorder", "oracle_perception", "scorer")


def samples(run: Path) -> list[Any]:
    """The lines of samples.jsonl without times."""
    return [without_times(json.loads(line)) for line in (run / "samples.jsonl").open()]


def report(run: Path) -> Any:
    """report.json without times and without what the run's own folder decides."""
    content = without_times(json.loads((run / "report.json").read_text()))
    for part in ("seconds", "model_seconds", "perception_seconds"):
        content["cost"].pop(part, None)
    return content


def results_in_bag(run: Path) -> list[Any]:
    """The last attempt's result of each question in the bag, as rosbags reads it, without times."""
    found: dict[str, tuple[int, Any]] = {}
    with AnyReader([run / "bag"]) as reader:
        wanted = [item for item in reader.connections if item.msgtype == "avr_ros/msg/SampleResult"]
        for connection, _, data in reader.messages(connections=wanted):
            message: Any = reader.deserialize(data, connection.msgtype)
            if message.attempt >= found.get(message.question_id, (0, None))[0]:
                content = without_times(json.loads(message.sample))
                found[message.question_id] = (message.attempt, content)
    order = [sample["question_id"] for sample in samples(run)]
    assert set(order) == set(found)
    return [found[name][1] for name in order]


def run_request(scene: Scene, out: Path, limit: int = 0, agent: str = "avr") -> RunRequest:
    """The run that is compared."""
    return RunRequest(
        dataset=scene.dataset,
        questions=scene.questions,
        keys=scene.keys,
        out=out,
        agent=agent,
        model="local",
        perception="oracle",
        limit=limit,
    )


@pytest.fixture(scope="module")
def reference(scene: Scene, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run in one process."""
    folder = tmp_path_factory.mktemp("reference") / "run"
    with local_run(run_request(scene, folder)) as run:
        run.driver.run()
        write_report(run.folder, run.questions.keys, run.recording)
    return folder


SECRET = "sk-very-secret-0123456789"


@dataclass(frozen=True)
class Undisturbed:
    """A run over ROS that nothing disturbed, what it printed, and who was given the key."""

    folder: Path
    text: str
    holders: set[str]
    commands: bytes


@pytest.fixture(scope="module")
def undisturbed(scene: Scene, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """One run over ROS with a key in the environment."""
    folder = tmp_path_factory.mktemp("undisturbed")
    arguments = {**scene.arguments, "out": "run", "workers": "3"}
    up = UpProcess(folder, "replay", arguments, {"OPENAI_API_KEY": SECRET})
    with up.scorer_stopped(folder / "run" / "journal.jsonl", 1):
        holders = up.holders(SECRET)
        pids = up.nodes().values()
        commands = b"".join(Path(f"/proc/{pid}/cmdline").read_bytes() for pid in pids)
    assert up.wait() == 0, up.text
    return Undisturbed(folder / "run", up.text, holders, commands)


def test_both_ways_give_the_same_samples(reference: Path, undisturbed: Undisturbed) -> None:
    assert len(samples(reference)) >= 8
    assert samples(undisturbed.folder) == samples(reference)
    assert report(undisturbed.folder) == report(reference)
    assert report(reference)["oracle_perception"] is True


@pytest.mark.parametrize("agent", ["monolithic", "react", "eviseek"])
def test_other_agents_give_the_same_samples_both_ways(
    scene: Scene, tmp_path: Path, agent: str
) -> None:
    """Given panoramas, views in turns, and a board: each way of using the tools once."""
    with local_run(run_request(scene, tmp_path / "one_process", 2, agent)) as run:
        run.driver.run()
    arguments = {**scene.arguments, "out": "nodes", "agent": agent, "limit": "2"}
    up = UpProcess(tmp_path, "replay", arguments)
    assert up.wait() == 0, up.text
    compared = samples(tmp_path / "nodes")
    assert compared == samples(tmp_path / "one_process")
    assert len(compared) == 2 and not any(sample["prediction"]["failure"] for sample in compared)
    if agent == "eviseek":
        bag = read_bag(tmp_path / "nodes" / "bag")
        states = check_boards(bag.steps, bag.ledgers)
        run = load_run(tmp_path / "one_process")
        kept = check_boards(run.steps(run.results), run.ledgers(run.results))
        # A bag orders episodes as their messages came.
        assert {name.partition("#")[0]: state for name, state in states.items()} == kept
        check_page((tmp_path / "nodes" / "report.html").read_text(), states)


def test_progress_and_table_are_printed(undisturbed: Undisturbed) -> None:
    total = len(samples(undisturbed.folder))
    assert f"{total}/{total} questions" in undisturbed.text
    assert "action_boundary" in undisturbed.text
    assert "ROS_DOMAIN_ID=" in undisturbed.text
    assert "Traceback" not in undisturbed.text


def test_the_bag_holds_everything(undisturbed: Undisturbed) -> None:
    run = undisturbed.folder
    assert results_in_bag(run) == samples(run)
    bag = read_bag(run / "bag")
    assert (bag.missing_records, bag.damaged) == (0, ())
    assert json.loads(bag.report.model_dump_json()) == json.loads((run / "report.json").read_text())
    for result in bag.results.values():
        ledger = bag.ledger_of(result)
        assert [record.sequence_number for record in ledger.records] == list(
            range(1, len(ledger.records) + 1)
        )
        assert sum(record.granted for record in ledger.records) == result.cost.observations
        assert len(bag.steps[ledger.episode_id]) == result.cost.steps
    assert set(bag.questions) == set(bag.results)


def test_third_party_tools_open_the_bag(undisturbed: Undisturbed) -> None:
    (path,) = (undisturbed.folder / "bag").glob("*.mcap")
    with open(path, "rb") as stream:
        reader = make_reader(stream)
        summary = reader.get_summary()
        topics = {channel.topic for _, channel, _ in reader.iter_messages()}
    assert summary is not None and summary.statistics is not None
    assert topics >= {
        "/scorer/questions",
        "/replay/observations",
        "/agent/steps",
        "/agent/annotated",
        "/world_model/graph",
        "/scorer/sample_results",
        "/scorer/report",
        "/diagnostics",
    }
    with AnyReader([undisturbed.folder / "bag"]) as bag:
        assert bag.message_count == summary.statistics.message_count
        for connection, _, data in bag.messages():
            bag.deserialize(data, connection.msgtype)
        pictures = bag.topics["/agent/annotated"].msgcount
    assert pictures == sum(
        sample["prediction"]["evidence"] is not None for sample in samples(undisturbed.folder)
    )


@pytest.mark.timeout(400)
def test_killed_nodes_end_the_run_and_the_next_start_goes_on(
    scene: Scene, reference: Path, tmp_path: Path
) -> None:
    """Each node is killed in mid-run in turn, each time one more question is done."""
    arguments = {**scene.arguments, "out": "run", "workers": "1"}
    run = tmp_path / "run"
    used: set[str] = set()
    for name in KILLED:
        done = lines_of(run / "journal.jsonl")
        up = UpProcess(tmp_path, "replay", arguments)
        with up.scorer_stopped(run / "journal.jsonl", done + 1):
            pids = up.nodes()
            assert name in pids, up.text
            used.update(*(files_in_use(pid) for pid in pids.values()))
            os.kill(pids[name], signal.SIGKILL)
        assert up.wait() == 1, up.text
        assert "Traceback" not in up.text, up.text
        assert not [pid for pid in pids.values() if is_alive(pid)]
    assert not (run / "report.json").exists()
    up = UpProcess(tmp_path, "replay", arguments)
    assert up.wait() == 0, up.text
    assert "going on with" in up.text
    assert samples(run) == samples(reference)
    assert report(run) == report(reference)
    assert results_in_bag(run) == samples(run)
    assert len(list((run / "bag").glob("*.mcap"))) == len(KILLED) + 1
    assert used and not used & set(os.listdir(FOLDER))


def test_an_unfinished_run_goes_on_by_itself(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a folder named, the latest run goes on where it is the same and not finished."""
    arguments = {**scene.arguments, "limit": "11", "workers": "1"}
    up = UpProcess(tmp_path, "replay", arguments)
    with up.scorer_stopped(tmp_path / "runs" / "latest" / "journal.jsonl", 1):
        up.process.send_signal(signal.SIGINT)
        wait_until(lambda: "SIGINT: stopping" in up.text, up.text)
    assert up.wait() == 1
    assert "Traceback" not in up.text, up.text
    request = run_request(scene, Path(), limit=11)
    runs = tmp_path / "runs"
    monkeypatch.setenv("GIT_DIR", os.devnull)
    assert unfinished_run(request, runs) == runs / (runs / "latest").resolve().name
    assert unfinished_run(request.model_copy(update={"limit": 5}), runs) is None
    up = UpProcess(tmp_path, "replay", arguments)
    assert up.wait() == 0, up.text
    assert "going on with" in up.text
    assert len([path for path in runs.iterdir() if not path.is_symlink()]) == 1
    assert unfinished_run(request, runs) is None


def test_ctrl_c_while_starting_leaves_nothing_behind(scene: Scene, tmp_path: Path) -> None:
    up = UpProcess(tmp_path, "replay", {**scene.arguments, "out": "run"})
    up.wait_for_node("scorer")
    pids = up.nodes()
    up.process.send_signal(signal.SIGINT)
    assert up.wait() == 1
    assert "Traceback" not in up.text, up.text
    assert not [pid for pid in pids.values() if is_alive(pid)]


def test_bad_input_is_refused_before_anything_starts(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in (
        {"nonsense": "1"},
        {**scene.arguments, "workers": "many"},
        {**scene.arguments, "agent": "nobody"},
        {**scene.arguments, "keys": str(scene.questions)},
        {"dataset": str(scene.dataset)},
    ):
        words = [f"{name}:={value}" for name, value in arguments.items()]
        assert main(["up", "replay", *words]) == 2
        printed = capfd.readouterr()
        assert not printed.out and len(printed.err.splitlines()) == 1, printed.err
    assert main(["up", "replay", "dataset"]) == 2
    assert main(["up", "relay"]) == 2
    assert not list(tmp_path.iterdir())


def test_keys_reach_the_agent_alone(undisturbed: Undisturbed) -> None:
    assert undisturbed.holders == {"agent"}
    assert SECRET.encode() not in undisturbed.commands
    for path in undisturbed.folder.parent.rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes(), path


def test_a_live_set_up_ends_by_ctrl_c(scene: Scene, tmp_path: Path) -> None:
    arguments = {"play": SEQUENCE, "dataset": str(scene.dataset), "namespace": "up"}
    up = UpProcess(tmp_path, "live", {**arguments, "out": "live"})
    bag = tmp_path / "live" / "bag" / "metadata.yaml"
    wait_until(bag.exists, f"{bag}: {up.text}")
    pids = up.nodes()
    assert len(pids) == 6
    up.process.send_signal(signal.SIGINT)
    assert up.wait() == 0, up.text
    assert "Traceback" not in up.text, up.text
    assert not [pid for pid in pids.values() if is_alive(pid)]
    assert "ROS_DOMAIN_ID" not in up.text
    with AnyReader([bag.parent]) as reader:
        assert reader.message_count >= 0
