"""report.html: whole, self-contained, escaped, and small however many questions there are."""

import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from run_doubles import BOX, Host, ScriptedAsker, question, questions_and_keys, right, specification

from avr_ros.benchmark.identity import SequenceIdentity
from avr_ros.benchmark.question_files import questions_header, read_keys, write_question_files
from avr_ros.benchmark.scoring.score import score
from avr_ros.evaluation.driver import EvaluationDriver
from avr_ros.evaluation.run_folder import RunFolder
from avr_ros.evaluation.stored_run import load_run
from avr_ros.recordings import jpeg
from avr_ros.recordings.errors import FrameNotFound
from avr_ros.report.evidence_picture import EvidencePictures
from avr_ros.report.page_rows import MAX_DETAILED, chosen_for_detail
from avr_ros.report.write_report import make_page, make_report, write_report
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.prediction import Evidence, Prediction
from avr_ros.schema.question import Question

VOID = {"meta", "rect", "line", "img", "input", "br", "link"}


class GreyRecording:
    """A recording whose every panorama is grey and whose frame 13 is missing."""

    notices = ()

    def sequences(self) -> tuple[str, ...]:
        return ("sequence_0", "sequence_1", "sequence_2")

    def panorama(self, sequence: str, frame_id: int) -> npt.NDArray[np.uint8]:
        if frame_id == 13:
            raise FrameNotFound("no frame 13")
        return np.full((480, 3760, 3), 128, dtype=np.uint8)

    def close(self) -> None:
        pass


class Checker(HTMLParser):
    """Collects text, and fails on tags that are not closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        assert tag != "script"
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def write_files(folder: Path, count: int, first: Question) -> tuple[Path, Path]:
    questions, keys = questions_and_keys(count)
    questions[0] = first
    identities = [
        SequenceIdentity(
            name=f"sequence_{number}",
            frames=500,
            frame_ids="0" * 64,
            first_stamp_us=0,
            last_stamp_us=10,
            annotations="0" * 64,
        )
        for number in range(3)
    ]
    header = questions_header(identities, 1, "a test", count)
    return write_question_files(folder, header, questions, keys.values())


def make_run(folder: Path, count: int) -> RunFolder:
    """A finished run: even questions right, odd ones wrong with the evidence of frame 13."""
    nasty = question(0).model_copy(
        update={"text": 'Who is <script>alert("x")</script> & "it"? {{ 7 * 6 }}'}
    )
    questions_path, keys_path = write_files(folder, count, nasty)
    from avr_ros.benchmark.question_files import read_questions

    question_set = read_questions(questions_path)
    keys = read_keys(keys_path, question_set)
    host = Host()
    good = right(host)

    def script(asked, episode_id, on_step, cancel):  # type: ignore[no-untyped-def]
        number = int(asked.question_id[1:])
        if number % 10 == 5:
            return Prediction(abstained=True, reason="<b>nobody</b> was seen")
        if number % 2 == 0:
            return good(asked, episode_id, on_step, cancel)
        observation_id = host.grant(episode_id, 13)
        return Prediction(
            answer=FrameAnswer(frame_id=13 if number > 3 else 1_000_000),
            evidence=Evidence(observation_id=observation_id, frame_id=13, azimuth_deg=0.0, box=BOX),
        )

    run = RunFolder(
        folder / "run",
        specification(hashes={"questions": question_set.sha256, "keys": keys.sha256}),
        questions_path.read_bytes(),
    )
    EvaluationDriver(question_set.questions, keys, host, ScriptedAsker(script), score, run).run()
    write_report(run, keys, GreyRecording())  # type: ignore[arg-type]
    return run


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("page")
    make_run(folder, 12).close()
    return (folder / "run/report.html").read_text()


def test_page_is_well_formed_and_loads_nothing(page: str) -> None:
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    assert checker.addresses
    assert all(address.startswith("data:image/jpeg;base64,") for address in checker.addresses)
    assert not re.search(r"https?://|url\(|@import", page)


def test_page_escapes_what_others_wrote(page: str) -> None:
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "{{ 7 * 6 }}" in page
    assert "<b>nobody" not in page


def test_page_shows_marks_scores_answers_and_keys(page: str) -> None:
    checker = Checker()
    checker.feed(page)
    text = " ".join("".join(checker.text).split())
    for expected in (
        "Oracle perception",
        "Stand-in model",
        "avr_ros scores",
        "look at frame 20",
        "frame 1000000",
        "right: frame 10",
        "no picture: no frame 13",
        "abstained",
        "conditional hallucination".capitalize(),
        "The key's person, frame 50",
    ):
        assert expected in text


def test_page_grows_by_little_for_each_question(tmp_path: Path) -> None:
    run = make_run(tmp_path, 300)
    run.close()
    stored = load_run(tmp_path / "run")
    report = make_report(stored)
    page = make_page(stored, report, {}, GreyRecording())  # type: ignore[arg-type]
    assert page.count("<figure>") <= 2 * MAX_DETAILED
    assert len(page) < 3_000 * stored.question_set.header.count
    assert f"{MAX_DETAILED} of 300 questions are shown with pictures" in page


def test_detail_is_shared_between_right_and_wrong(tmp_path: Path) -> None:
    make_run(tmp_path, 40).close()
    results = load_run(tmp_path / "run").results
    wrong = {item.question_id for item in results if not item.score.combined}
    assert len(wrong) == 20
    chosen = chosen_for_detail(results, 10)
    assert len([name for name in chosen if name in wrong]) == 5
    assert chosen == chosen_for_detail(results, 10)
    assert len(chosen_for_detail(results, 30)) == 30
    assert len(chosen_for_detail(results, 100)) == 40
    right_only = [item for item in results if item.score.combined]
    assert len(chosen_for_detail(right_only, 10)) == 10


def test_boxes_are_drawn_where_they_are() -> None:
    questions, keys = questions_and_keys(1)
    host = Host()
    from avr_ros.schema.episode import EpisodeSpecification

    host.open_episode(EpisodeSpecification("q000#1"))
    observation_id = host.grant("q000#1", 0)
    ledger = host.close_episode("q000#1").ledger
    assert ledger is not None
    prediction = Prediction(
        answer=FrameAnswer(frame_id=0),
        evidence=Evidence(observation_id=observation_id, frame_id=0, azimuth_deg=0.0, box=BOX),
    )
    (picture,) = EvidencePictures(GreyRecording()).pictures(  # type: ignore[arg-type]
        questions[0], keys["q000"], prediction, ledger, right=True
    )
    import base64

    image = jpeg.decode(base64.b64decode(picture.uri.partition(",")[2])).astype(int)
    assert image.shape == (320, 320, 3)
    # The host's view begins at column 0; the box at (100, 100) is at two thirds of it.
    blue, _, red = image[round(160 * 2 / 3), round(100 * 2 / 3)]
    assert red - blue > 80
    _, wrong = EvidencePictures(GreyRecording()).pictures(  # type: ignore[arg-type]
        questions[0], keys["q000"], prediction, ledger, right=False
    )
    assert wrong.caption == "The key's person, frame 0"
    blue, _, red = image[30, 200]
    assert abs(red - blue) < 10
