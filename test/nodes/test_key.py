"""A server's key, in a run over ROS that uses it, is nowhere but in the agent's environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mcap.reader import make_reader
from model_server import Handler, model_server, says, status
from set_up_processes import UpProcess
from small_scene import Scene

from avr_ros.reasoning.backends.openai.backend import KEY_VARIABLE
from avr_ros.reasoning.local.parser import understand
from avr_ros.reasoning.stages.understand import Understanding

KEY = "sk-marked-0f1e2d3c4b5a6978"
QUESTIONS = 4


def indiscreet(handler: Handler, body: dict[str, Any]) -> None:
    """Repeat the key in errors, in replies and around them; some questions fail for good."""
    key = handler.headers["authorization"]
    text = body["messages"][1]["content"].removeprefix("Question: ")
    with handler.told.lock:
        turn = len(handler.told.bodies)
    if turn == 1:
        status(500, f"{key} is tired")(handler, body)
    elif turn == 2:
        status(403, f"{key} may not")(handler, body)
    elif turn == 3:
        says(f'{{"meaning": {{"reason": "{key}"}}}}')(handler, body)
    else:
        reply = Understanding(meaning=understand(text)).model_dump_json()
        says(f"With {key}: {reply}")(handler, body)


def command(path: Path) -> bytes:
    """A process's command line, empty where it has ended meanwhile."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def messages(bag: Path) -> bytes:
    """All messages of a bag, chunks unpacked."""
    found = []
    for path in sorted(bag.glob("*.mcap")):
        with open(path, "rb") as file:
            found += [message.data for _, _, message in make_reader(file).iter_messages()]
    assert found
    return b"".join(found)


def test_a_key_stays_with_the_agent(scene: Scene, tmp_path: Path) -> None:
    log_folder = tmp_path / "logs"
    with model_server(indiscreet) as (url, told):
        arguments = {
            **scene.arguments,
            "out": "run",
            "workers": "1",
            "limit": str(QUESTIONS),
            "model": f"openai:{url}#m",
            "settings": "model.wait_seconds=0.01 model.attempts=1",
        }
        variables = {KEY_VARIABLE: KEY, "ROS_LOG_DIR": str(log_folder)}
        up = UpProcess(tmp_path, "replay", arguments, variables)
        with up.scorer_stopped(tmp_path / "run" / "journal.jsonl", 1):
            nodes = up.nodes()
            holders = up.holders(KEY)
            commands = b"".join(map(command, Path("/proc").glob("[0-9]*/cmdline")))
        assert up.wait() == 0, up.text
    assert len(nodes) >= 5
    assert holders == {"agent"}
    assert KEY.encode() not in commands
    assert set(told.keys) == {f"Bearer {KEY}"}
    written = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert {tmp_path / "run" / name for name in ("calls.jsonl", "report.html")} <= set(written)
    assert [str(path) for path, content in written.items() if KEY.encode() in content] == []
    assert KEY.encode() not in messages(tmp_path / "run" / "bag")
    calls = (tmp_path / "run" / "calls.jsonl").read_text()
    assert calls.count("[key]") >= 4, "the server's indiscretions were recorded without the key"
