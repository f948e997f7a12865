"""Writes an evaluation bag as a recorder does: CDR messages with their definitions, in MCAP."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from mcap.writer import CompressionType, Writer
from numpy_messages import with_numpy
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from avr_ros.messages.episode import ledger_record_message
from avr_ros.messages.question import question_message
from avr_ros.messages.report import report_message
from avr_ros.messages.result import sample_result_message
from avr_ros.messages.step import step_message
from avr_ros.schema.episode import LedgerRecord
from avr_ros.schema.question import Question
from avr_ros.schema.report import Report
from avr_ros.schema.result import SampleResult
from avr_ros.schema.step import Step

DEFINITIONS = Path(__file__).parents[2] / "msg"


class WrittenBag:
    """One .mcap file; each ``write_...`` adds a message."""

    def __init__(self, path: Path, run_id: str = "run") -> None:
        self._store = _store()
        self._stream = path.open("wb")
        self._writer = Writer(
            self._stream, chunk_size=1, compression=CompressionType.NONE, use_chunking=True
        )
        self._writer.start("ros2")
        self._channels: dict[str, int] = {}
        self._run_id = run_id
        self.time = 1_700_000_000_000_000_000

    def __call__(self, name: str, /) -> Callable[..., Any]:
        return self._store.types[name]

    def write_question(self, question: Question) -> None:
        self.write("/scorer/questions", question_message(question, self))

    def write_record(self, record: LedgerRecord, frame_id: str = "camera") -> None:
        self.write("/replay/observations", ledger_record_message(record, frame_id, self))

    def write_step(self, step: Step) -> None:
        self.write("/agent/steps", step_message(step, self.time, self))

    def write_result(self, result: SampleResult) -> None:
        message = sample_result_message(result, self._run_id, self.time, self)
        self.write("/scorer/sample_results", message)

    def write_report(self, report: Report) -> None:
        self.write("/scorer/report", report_message(report, self._run_id, self.time, self))

    def write(self, topic: str, message: Any) -> None:
        name = message.__msgtype__
        if topic not in self._channels:
            text, _ = self._store.generate_msgdef(name, ros_version=2)
            schema = self._writer.register_schema(name, "ros2msg", text.encode())
            self._channels[topic] = self._writer.register_channel(topic, "cdr", schema)
        self.time += 1000
        self._writer.add_message(
            self._channels[topic],
            log_time=self.time,
            publish_time=self.time,
            data=bytes(self._store.serialize_cdr(with_numpy(message), name)),
        )

    def kill(self) -> None:
        """Leave the file as a killed recorder does: without its end."""
        self._stream.close()

    def finish(self) -> None:
        self._writer.finish()
        self._stream.close()


@cache
def _store() -> Typestore:
    store = get_typestore(Stores.ROS2_JAZZY)
    for definition in DEFINITIONS.glob("*.msg"):
        name = f"avr_ros/msg/{definition.stem}"
        store.register(get_types_from_msg(definition.read_text(), name))
    return store
