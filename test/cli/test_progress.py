"""How far a long task is, where no bar can be drawn."""

import pytest

from avr_ros.cli.progress import progress_bar


def test_a_pipe_gets_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("avr_ros.cli.progress.time.monotonic", lambda: now[0])
    with progress_bar("scores") as bar:
        task = bar.add_task("questions", total=40, scores="")
        for done in range(1, 41):
            now[0] += 5.0
            bar.update(task, completed=done, scores="combined 50.0 %" if done > 5 else "")
    printed = capsys.readouterr()
    assert printed.out == ""
    lines = printed.err.splitlines()
    assert lines[0] == "questions: 3 of 40"
    assert lines[1] == "questions: 6 of 40, combined 50.0 %"
    assert len(lines) == 13


def test_a_short_task_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar() as bar:
        task = bar.add_task("frames", total=None)
        bar.advance(task)
        bar.update(task, completed=7)
    assert capsys.readouterr() == ("", "")
