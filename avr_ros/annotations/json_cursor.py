"""Reading a large JSON file piece by piece, so that only one frame is objects at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from avr_ros.annotations.errors import LabelFileError

_SPACE = re.compile(r"[ \t\n\r]*")


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


class JsonCursor:
    """A position in a JSON text.

    `members` and `elements` walk an object or array; the caller reads each value (by `value`, or
    by walking it in turn) before asking for the next. Everything that is not JSON raises
    LabelFileError with the character offset, and so does a key that occurs twice.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            # Decoded from bytes, since text mode would turn line ends and so move the offsets.
            self._text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            raise LabelFileError(path, f"byte {error.start}", "not UTF-8 text") from error
        except OSError as error:
            raise LabelFileError(path, "offset 0", f"unreadable ({error.strerror})") from error
        self._position = 0
        self._decode = json.JSONDecoder(parse_constant=_refuse_constant).raw_decode

    def value(self) -> object:
        """Read the value at the position whole."""
        self._skip_space()
        try:
            value, self._position = self._decode(self._text, self._position)
        except json.JSONDecodeError as error:
            raise self._error(error.msg, error.pos) from error
        except (ValueError, RecursionError) as error:
            raise self._error(str(error)) from error
        return value

    def members(self) -> Iterator[str]:
        """Walk the object at the position, yielding each key with the position at its value."""
        self._expect("{")
        seen: set[str] = set()
        if self._take("}"):
            return
        while True:
            self._skip_space()
            start = self._position
            key = self.value()
            if not isinstance(key, str):
                raise self._error("a key that is not text", start)
            if key in seen:
                raise self._error(f"the key {key!r} a second time", start)
            seen.add(key)
            self._expect(":")
            yield key
            if self._take("}"):
                return
            self._expect(",")

    def elements(self) -> Iterator[int]:
        """Walk the array at the position, yielding each index with the position at its value."""
        self._expect("[")
        if self._take("]"):
            return
        index = 0
        while True:
            yield index
            index += 1
            if self._take("]"):
                return
            self._expect(",")

    def finish(self) -> None:
        """Make sure that nothing follows."""
        self._skip_space()
        if self._position != len(self._text):
            raise self._error("more text after the end")

    def _skip_space(self) -> None:
        match = _SPACE.match(self._text, self._position)
        assert match is not None
        self._position = match.end()

    def _take(self, character: str) -> bool:
        self._skip_space()
        if self._text.startswith(character, self._position):
            self._position += 1
            return True
        return False

    def _expect(self, character: str) -> None:
        if not self._take(character):
            found = self._text[self._position : self._position + 1]
            problem = f"{found!r} instead of" if found else "the file ends before"
            raise self._error(f"{problem} {character!r}")

    def _error(self, problem: str, position: int | None = None) -> LabelFileError:
        offset = self._position if position is None else position
        return LabelFileError(self.path, f"offset {offset}", f"malformed JSON ({problem})")
