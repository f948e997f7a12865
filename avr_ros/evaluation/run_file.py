"""Run files: one YAML file for each row of a table, so that one command runs a row."""

from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, ValidationError

from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record


class RunFile(Record):
    """Agent, model, perception and settings of a row.

    ``row`` says which row of which table it is; ``settings`` are values by name, as of ``--set``.
    """

    row: str = Field(min_length=1)
    agent: str
    model: str
    perception: str
    workers: int = Field(default=1, ge=1, le=256)
    settings: dict[str, bool | int | float | str] = Field(default_factory=dict)

    def texts(self) -> tuple[str, ...]:
        """The settings as ``name=value`` texts."""
        return tuple(f"{name}={_text(value)}" for name, value in self.settings.items())


def read_run_file(path: Path) -> RunFile:
    """Read a run file. Raises BadInputError, naming file and field, for one that is not whole."""
    try:
        content: Any = yaml.safe_load(path.read_text())
    except OSError as error:
        raise BadInputError(
            f"run file {path} cannot be read: {error.strerror or error}; give an existing file"
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        first = str(error).splitlines()[0]
        raise BadInputError(f"run file {path} is not YAML: {first}; repair it") from error
    try:
        return RunFile.model_validate(content)
    except ValidationError as error:
        item = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in item["loc"]) or "the file"
        raise BadInputError(f"run file {path}: {place}: {item['msg']}; repair it") from error


def _text(value: bool | int | float | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
