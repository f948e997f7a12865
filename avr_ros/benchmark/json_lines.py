"""Files of JSON lines, read strictly: an error names the file and the line."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record

RecordType = TypeVar("RecordType", bound=Record)


def read_content(path: Path) -> bytes:
    """A file's bytes; raises BadInputError where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInputError(
            f"{path}: cannot be read ({error.strerror}); give an existing file"
        ) from error


def split_lines(content: bytes) -> list[bytes]:
    """The lines of a file's content without their ends."""
    lines = content.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    return lines


def parse_line(model: type[RecordType], line: bytes, path: Path, number: int) -> RecordType:
    """One line as a record of type ``model``; raises BadInputError naming file and line.

    Types are strict (no number written as a string), unknown keys, repeated keys and values that
    are not finite are refused.
    """
    try:
        json.loads(line, object_pairs_hook=_without_repeats, parse_constant=_refuse_constant)
        return model.model_validate_json(line, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the line"
        raise malformed(path, number, f"{place}: {first['msg']}") from error
    except (ValueError, RecursionError) as error:
        raise malformed(path, number, f"not JSON ({error})") from error


def parse_lines(model: type[RecordType], path: Path) -> Iterator[tuple[int, RecordType]]:
    """Line numbers, from 1, and records of a file whose every line is of one type."""
    for number, line in enumerate(split_lines(read_content(path)), start=1):
        yield number, parse_line(model, line, path, number)


def malformed(path: Path, number: int, what: str) -> BadInputError:
    """The error for a line that cannot be used."""
    text = " ".join(what.split())
    return BadInputError(f"{path}:{number}: {text}; write the file again or correct this line")


def to_line(record: Record) -> str:
    """A record as one line of JSON without its end, the same bytes for the same values."""
    return json.dumps(record.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":"))


def write_lines(path: Path, records: Iterable[Record]) -> bytes:
    """Write records as lines, replacing the file in one step; return the bytes written."""
    content = "".join(to_line(record) + "\n" for record in records).encode()
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(content)
    os.replace(partial, path)
    return content


def _without_repeats(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key is given twice")
    return result


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")
