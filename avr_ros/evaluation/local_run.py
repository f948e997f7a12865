"""A whole run in one process, from what is asked for to the run's files."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

from avr_ros.agents.registry import make_agent
from avr_ros.benchmark.scoring.score import score
from avr_ros.evaluation.driver import DriverOptions, EvaluationDriver
from avr_ros.evaluation.listener import RunListener
from avr_ros.evaluation.local import LocalWorld
from avr_ros.evaluation.perceptions import make_perception
from avr_ros.evaluation.prepare import (
    RunQuestions,
    check_labels,
    check_recording,
    open_labels,
    read_run_questions,
)
from avr_ros.evaluation.request import RunRequest
from avr_ros.evaluation.run_folder import RunFolder
from avr_ros.evaluation.run_settings import run_settings, specification_of
from avr_ros.reasoning.make_backend import make_backend
from avr_ros.recordings.open_recording import open_recording
from avr_ros.recordings.recording import Recording


@dataclass(frozen=True)
class LocalRun:
    """A run that is ready: everything is checked, the folder is held."""

    questions: RunQuestions
    recording: Recording
    folder: RunFolder
    driver: EvaluationDriver


@contextmanager
def local_run(request: RunRequest, listeners: Sequence[RunListener] = ()) -> Iterator[LocalRun]:
    """Check a request, open everything that it names and hold its run folder.

    Raises BadInputError, before anything is written, for whatever is wrong with the request.
    """
    settings = run_settings(request)
    questions = read_run_questions(request)
    with (
        closing(make_backend(request.model, settings.model)) as model,
        closing(open_recording(request.dataset)) as recording,
    ):
        agent = make_agent(request.agent, model, settings.agent)
        check_recording(questions, recording, request.dataset)
        annotations = open_labels(request.dataset)
        check_labels(questions, annotations)
        world = LocalWorld(
            recording,
            agent,
            make_perception(settings.perception, annotations),
            jpeg_quality=settings.protocol.jpeg_quality,
        )
        specification = specification_of(request, questions)
        with RunFolder(request.out, specification, questions.content) as folder:
            driver = EvaluationDriver(
                questions.asked,
                questions.keys,
                world,
                world,
                score,
                folder,
                DriverOptions(workers=request.workers, question_deadline=request.question_deadline),
                listeners,
            )
            yield LocalRun(questions, recording, folder, driver)
