"""Prompt templates: for each stage what the system and the user say.

A template is a file ``<stage>.jinja`` with the blocks ``system`` and ``user``; both see the stage's
inputs by name. What never changes belongs into ``system``, so that servers can reuse it. Templates
belong to the server backend alone. Their hash stands in a run.
"""

import hashlib
from pathlib import Path
from typing import Any, Final

from jinja2 import FileSystemLoader, StrictUndefined, TemplateError
from jinja2.sandbox import SandboxedEnvironment

from avr_ros.reasoning.stage import StageRequest
from avr_ros.schema.errors import AvrError

PACKAGE_TEMPLATES: Final = Path(__file__).parents[2] / "templates"
"""The package's own templates."""

SUFFIX: Final = ".jinja"


class PromptError(AvrError):
    """A stage has no template, or its template does not fit its inputs."""


class PromptBook:
    """The templates of a folder. Thread-safe."""

    def __init__(self, folder: Path = PACKAGE_TEMPLATES) -> None:
        self._folder = folder
        self._templates = SandboxedEnvironment(
            loader=FileSystemLoader(folder),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,
        )

    @property
    def digest(self) -> str:
        """SHA-256 over the names and texts of all templates."""
        digest = hashlib.sha256()
        for path in sorted(self._folder.glob(f"*{SUFFIX}")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
        return digest.hexdigest()

    def system(self, request: StageRequest[Any]) -> str:
        """What the system says. Raises PromptError."""
        return self._render("system", request)

    def user(self, request: StageRequest[Any]) -> str:
        """What the user says, before the pictures. Raises PromptError."""
        return self._render("user", request)

    def _render(self, block: str, request: StageRequest[Any]) -> str:
        name = request.stage + SUFFIX
        inputs = request.inputs.model_dump(mode="json")
        try:
            template = self._templates.get_template(name)
            if block not in template.blocks:
                raise PromptError(
                    f"template {name} of {self._folder} has no block {block!r}; add it"
                )
            return "".join(template.blocks[block](template.new_context(inputs))).strip()
        except TemplateError as error:
            raise PromptError(
                f"template {name} of {self._folder} cannot be filled for stage {request.stage!r}: "
                f"{type(error).__name__}: {error}; correct the template"
            ) from error
