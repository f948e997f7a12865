"""Every stage is whole: a template that fits its inputs, and an answer of the local model."""

import importlib
import pkgutil
from types import ModuleType

import pytest
from jinja2 import meta
from jinja2.sandbox import SandboxedEnvironment

from avr_ros.reasoning import stages
from avr_ros.reasoning.backends.local import ANSWERS
from avr_ros.reasoning.backends.openai.prompts import PACKAGE_TEMPLATES, SUFFIX
from avr_ros.schema.model import Record


def _modules() -> list[ModuleType]:
    names = sorted(item.name for item in pkgutil.iter_modules(stages.__path__))
    return [importlib.import_module(f"{stages.__name__}.{name}") for name in names]


STAGES = {
    value: module
    for module in _modules()
    for name, value in sorted(vars(module).items())
    if name in ("STAGE", "DECOMPOSE")
}


def _told(module: ModuleType) -> set[str]:
    """The names of all inputs of a module's stages."""
    inputs = [
        value
        for name, value in vars(module).items()
        if name.endswith("Inputs") and isinstance(value, type) and issubclass(value, Record)
    ]
    assert inputs, module.__name__
    return {field for kind in inputs for field in kind.model_fields}


def test_stages_templates_and_local_answers_are_the_same_set() -> None:
    templates = {path.name.removesuffix(SUFFIX) for path in PACKAGE_TEMPLATES.glob(f"*{SUFFIX}")}
    assert set(STAGES) == set(ANSWERS) == templates


@pytest.mark.parametrize("stage", STAGES)
def test_templates_say_only_what_the_stage_is_told(stage: str) -> None:
    text = (PACKAGE_TEMPLATES / f"{stage}{SUFFIX}").read_text(encoding="utf-8")
    environment = SandboxedEnvironment()
    assert set(environment.from_string(text).blocks) == {"system", "user"}
    assert meta.find_undeclared_variables(environment.parse(text)) <= _told(STAGES[stage])
