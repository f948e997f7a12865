"""A ledger as one line of JSON."""

import math
from typing import Any

from pydantic import Field, ValidationError

from avr_ros.geometry.crop import CropWindow
from avr_ros.schema.episode import Ledger, LedgerKind, LedgerRecord
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record
from avr_ros.schema.observation import ObserveStatus


class _RecordLine(Record):
    """A ledger record; kind and status by name, what a refused request had of NaN as text."""

    sequence_number: int
    kind: str
    request_id: str
    observation_id: str
    sequence: str
    frame_id: int
    stamp_us: int
    azimuth: float | str
    field_of_view: float | str
    crop: tuple[int, int, int, int, int] | None
    status: str
    message: str
    remaining_observations: int


class _LedgerLine(Record):
    """The ledger of one episode."""

    episode_id: str
    refusals_not_recorded: int = Field(ge=0)
    records: tuple[_RecordLine, ...]


def ledger_to_json(ledger: Ledger) -> str:
    """Write a ledger as one line, angles in radians, stamps in whole microseconds."""
    return _LedgerLine(
        episode_id=ledger.episode_id,
        refusals_not_recorded=ledger.refusals_not_recorded,
        records=tuple(_line(record) for record in ledger.records),
    ).model_dump_json()


def ledger_from_json(line: str) -> Ledger:
    """Read a ledger's line. Raises BadInputError where it is not one."""
    try:
        read = _LedgerLine.model_validate_json(line)
        return Ledger(
            episode_id=read.episode_id,
            refusals_not_recorded=read.refusals_not_recorded,
            records=tuple(_record(read.episode_id, item) for item in read.records),
        )
    except (ValidationError, KeyError, ValueError) as error:
        raise BadInputError(f"not a ledger line: {str(error).splitlines()[0]}") from error


def _line(record: LedgerRecord) -> _RecordLine:
    crop = record.crop
    return _RecordLine(
        sequence_number=record.sequence_number,
        kind=record.kind.name,
        request_id=record.request_id,
        observation_id=record.observation_id,
        sequence=record.sequence,
        frame_id=record.frame_id,
        stamp_us=record.stamp_ns // 1000,
        azimuth=_number(record.azimuth),
        field_of_view=_number(record.field_of_view),
        crop=None
        if crop is None
        else (crop.left, crop.top, crop.width, crop.height, crop.panorama_width),
        status=record.status.name,
        message=record.message,
        remaining_observations=record.remaining_observations,
    )


def _record(episode_id: str, line: _RecordLine) -> LedgerRecord:
    values: dict[str, Any] = line.model_dump(
        exclude={"kind", "status", "crop", "stamp_us", "azimuth", "field_of_view"}
    )
    return LedgerRecord(
        episode_id=episode_id,
        kind=LedgerKind[line.kind],
        status=ObserveStatus[line.status],
        crop=None if line.crop is None else CropWindow(*line.crop),
        stamp_ns=line.stamp_us * 1000,
        azimuth=float(line.azimuth),
        field_of_view=float(line.field_of_view),
        **values,
    )


def _number(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)
