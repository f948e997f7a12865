"""Reads an evaluation bag: questions, ledger, steps, results and report as schema types.

A bag is a .mcap file or a folder of them. Messages are found by their type, not their topic, and
decoded by the definitions that the bag itself holds, so that remapped topics and bags of other
versions can be read. A file that was cut off by a kill is read up to its last whole chunk.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mcap.reader import make_reader
from mcap.records import Channel, Message, Schema
from mcap.stream_reader import StreamReader
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from avr_ros.evaluation.run_folder import episode_id_of
from avr_ros.messages.episode import ledger_record_from_message
from avr_ros.messages.message_types import MessageContentError
from avr_ros.messages.question import question_from_message
from avr_ros.messages.report import report_from_message
from avr_ros.messages.result import sample_result_from_message
from avr_ros.messages.step import step_from_message
from avr_ros.schema.episode import Ledger, LedgerRecord
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.question import Question
from avr_ros.schema.report import Report
from avr_ros.schema.result import SampleResult
from avr_ros.schema.step import Step

QUESTION: Final[str] = "avr_ros/msg/Question"
LEDGER_RECORD: Final[str] = "avr_ros/msg/LedgerRecord"
STEP: Final[str] = "avr_ros/msg/Step"
SAMPLE_RESULT: Final[str] = "avr_ros/msg/SampleResult"
REPORT: Final[str] = "avr_ros/msg/EvaluationReport"

_READ: Final[frozenset[str]] = frozenset({QUESTION, LEDGER_RECORD, STEP, SAMPLE_RESULT, REPORT})
_ENCODINGS: Final[dict[str, str]] = {"cdr": "ros2msg"}


@dataclass(frozen=True)
class BagTopic:
    """One topic of a bag."""

    name: str
    type_name: str
    messages: int


@dataclass(frozen=True)
class EvaluationBag:
    """What an evaluation bag holds.

    ``questions`` are by id in the order of their first message; ``results`` the last attempt's of
    each question; ``ledgers`` and ``steps`` are by episode id. ``missing_records`` counts gaps in
    the sequence numbers of the ledgers. ``damaged`` names the files that were cut off.
    """

    path: Path
    files: tuple[Path, ...]
    topics: tuple[BagTopic, ...]
    first_stamp_ns: int
    last_stamp_ns: int
    questions: dict[str, Question]
    results: dict[str, SampleResult]
    ledgers: dict[str, Ledger]
    steps: dict[str, list[Step]]
    report: Report | None
    missing_records: int
    damaged: tuple[str, ...]

    def ledger_of(self, result: SampleResult) -> Ledger:
        """The ledger of the attempt behind a result; empty where nothing was recorded."""
        episode_id = episode_id_of(result.question_id, result.attempt)
        return self.ledgers.get(episode_id, Ledger(episode_id))


def bag_files(path: Path) -> tuple[Path, ...]:
    """The .mcap files of a bag in the order of their names; empty where there is none."""
    if path.is_file():
        return (path,) if path.suffix == ".mcap" else ()
    if path.is_dir():
        return tuple(sorted(item for item in path.iterdir() if item.suffix == ".mcap"))
    return ()


def is_evaluation_bag(path: Path) -> bool:
    """Whether a bag holds messages of an evaluation.

    Whole files tell by their summary; only of one that was cut off the messages are looked at.
    """
    return any(_holds_evaluation(file) for file in bag_files(path))


def _holds_evaluation(file: Path) -> bool:
    try:
        with open(file, "rb") as stream:
            summary = make_reader(stream).get_summary()
    except OSError as error:
        raise BadInputError(f"cannot read {file}: {error.strerror}") from error
    except Exception:  # cut off or no MCAP: the parser raises many kinds
        summary = None
    if summary is not None and summary.schemas:
        return any(schema.name in _READ for schema in summary.schemas.values())
    try:
        return any(schema.name in _READ for _, schema, _ in _messages(file, []))
    except BadInputError:
        return False


def read_bag(path: Path, panorama_width: int = 3760) -> EvaluationBag:
    """Read an evaluation bag; ``panorama_width`` in pixels.

    Raises BadInputError where there is no bag, a file is no MCAP, a message is not what its type
    says, or the bag holds several runs.
    """
    files = bag_files(path)
    if not files:
        raise BadInputError(f"{path} holds no .mcap file; give an evaluation bag or a run folder")
    content = _Content(panorama_width)
    for file in files:
        content.read(file)
    return content.bag(path, files)


@dataclass
class _Content:
    """What has been read so far."""

    panorama_width: int
    topics: dict[tuple[str, str], int] = field(default_factory=dict)
    stamps: list[int] = field(default_factory=list)
    questions: dict[str, Question] = field(default_factory=dict)
    results: dict[str, SampleResult] = field(default_factory=dict)
    records: dict[str, dict[int, LedgerRecord]] = field(default_factory=dict)
    steps: dict[str, dict[int, Step]] = field(default_factory=dict)
    report: Report | None = None
    runs: set[str] = field(default_factory=set)
    damaged: list[str] = field(default_factory=list)

    def read(self, file: Path) -> None:
        """Add a file; an episode that it holds replaces what earlier files hold of it.

        Each start of a run writes a file of its own, and an episode that a kill cut short is
        done again under its id.
        """
        records: dict[str, dict[int, LedgerRecord]] = {}
        steps: dict[str, dict[int, Step]] = {}
        types = _Types()
        for channel, schema, message in _messages(file, self.damaged):
            topic = (channel.topic, schema.name)
            self.topics[topic] = self.topics.get(topic, 0) + 1
            self.stamps = _widened(self.stamps, message.log_time)
            if schema.name not in _READ:
                continue
            decoded = types.decode(file, channel, schema, message)
            try:
                self._take(schema.name, decoded, records, steps)
            except MessageContentError as error:
                raise BadInputError(f"{file}, topic {channel.topic}: {error}") from error
        self.records.update(records)
        self.steps.update(steps)

    def _take(
        self,
        type_name: str,
        message: Any,
        records: dict[str, dict[int, LedgerRecord]],
        steps: dict[str, dict[int, Step]],
    ) -> None:
        if type_name == QUESTION:
            question = question_from_message(message)
            self.questions.setdefault(question.question_id, question)
        elif type_name == LEDGER_RECORD:
            record = ledger_record_from_message(message, self.panorama_width)
            # Exchanges outside of episodes carry sequence number 0 and belong to no ledger.
            if record.sequence_number:
                records.setdefault(record.episode_id, {})[record.sequence_number] = record
        elif type_name == STEP:
            step = step_from_message(message)
            steps.setdefault(step.episode_id, {})[step.number] = step
        elif type_name == SAMPLE_RESULT:
            self.runs.add(str(message.run_id))
            self._take_result(sample_result_from_message(message))
        else:
            self.report = report_from_message(message)

    def _take_result(self, result: SampleResult) -> None:
        kept = self.results.get(result.question_id)
        if kept is None or kept.attempt <= result.attempt:
            self.results[result.question_id] = result

    def bag(self, path: Path, files: tuple[Path, ...]) -> EvaluationBag:
        """All that was read."""
        if len(self.runs) > 1:
            raise BadInputError(
                f"{path} holds results of {len(self.runs)} runs ({', '.join(sorted(self.runs))}); "
                "give the bag of one"
            )
        ledgers = {name: _ledger(name, records) for name, records in self.records.items()}
        missing = sum(max(found) - len(found) for found in self.records.values())
        return EvaluationBag(
            path=path,
            files=files,
            topics=tuple(
                BagTopic(name, type_name, count)
                for (name, type_name), count in sorted(self.topics.items())
            ),
            first_stamp_ns=self.stamps[0] if self.stamps else 0,
            last_stamp_ns=self.stamps[1] if self.stamps else 0,
            questions=self.questions,
            results=self.results,
            ledgers=ledgers,
            steps={
                name: [found[number] for number in sorted(found)]
                for name, found in self.steps.items()
            },
            report=self.report,
            missing_records=missing,
            damaged=tuple(self.damaged),
        )


class _Types:
    """Decodes messages by the definitions of the file that they come from."""

    def __init__(self) -> None:
        self._stores: dict[int, Typestore] = {}

    def decode(self, file: Path, channel: Channel, schema: Schema, message: Message) -> Any:
        """A message as an object with the fields of its type."""
        if _ENCODINGS.get(channel.message_encoding) != schema.encoding:
            raise BadInputError(
                f"{file}, topic {channel.topic}: encoding {channel.message_encoding} with "
                f"definitions in {schema.encoding} cannot be read, only cdr with ros2msg"
            )
        try:
            store = self._stores.get(schema.id)
            if store is None:
                store = get_typestore(Stores.EMPTY)
                store.register(get_types_from_msg(schema.data.decode(), schema.name))
                self._stores[schema.id] = store
            return store.deserialize_cdr(message.data, schema.name)
        except Exception as error:  # rosbags and NumPy raise many kinds for bytes that do not fit
            raise BadInputError(
                f"{file}, topic {channel.topic}, message {message.sequence}: not a valid "
                f"{schema.name} ({type(error).__name__}: {error})"
            ) from error


def _messages(file: Path, damaged: list[str]) -> Iterator[tuple[Channel, Schema, Message]]:
    """The messages of a file in the order of writing, up to where it was cut off."""
    schemas: dict[int, Schema] = {}
    channels: dict[int, Channel] = {}
    found = False
    try:
        with open(file, "rb") as stream:
            for record in StreamReader(stream).records:
                found = True
                if isinstance(record, Schema):
                    schemas[record.id] = record
                elif isinstance(record, Channel):
                    channels[record.id] = record
                elif isinstance(record, Message):
                    channel = channels[record.channel_id]
                    if channel.schema_id in schemas:
                        yield channel, schemas[channel.schema_id], record
    except OSError as error:
        raise BadInputError(f"cannot read {file}: {error.strerror}") from error
    except Exception as error:  # the parser raises many kinds for bytes that are no MCAP
        if not found:
            raise BadInputError(f"{file} is not an MCAP file ({error})") from error
        damaged.append(file.name)


def _widened(stamps: list[int], stamp: int) -> list[int]:
    return [min(stamps[0], stamp), max(stamps[1], stamp)] if stamps else [stamp, stamp]


def _ledger(episode_id: str, records: dict[int, LedgerRecord]) -> Ledger:
    return Ledger(episode_id, tuple(records[number] for number in sorted(records)))
