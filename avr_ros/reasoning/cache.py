"""Replies kept on disk by the whole request, so that nothing is paid for twice."""

import os
import tempfile
from pathlib import Path

from pydantic import ValidationError

from avr_ros.reasoning.call import CallOutcome, CallRecord


class ReplyCache:
    """A folder of replies, one file a request; safe to share between threads and processes."""

    def __init__(self, folder: Path) -> None:
        """Keep replies in a folder, which is made if necessary."""
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def get(self, key: str) -> CallRecord | None:
        """The record kept under a hash; none if there is none, or one of another version."""
        try:
            record = CallRecord.model_validate_json(self._path(key).read_bytes())
        except (FileNotFoundError, ValidationError):
            return None
        return record if record.outcome is CallOutcome.OK else None

    def put(self, key: str, record: CallRecord) -> None:
        """Keep the record of a call that succeeded. A reader sees all of it or nothing."""
        path = self._path(key)
        path.parent.mkdir(exist_ok=True)
        handle, partial = tempfile.mkstemp(dir=path.parent, suffix=".partial")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(record.model_dump_json())
            os.replace(partial, path)
        except OSError:
            Path(partial).unlink(missing_ok=True)
            raise

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"
