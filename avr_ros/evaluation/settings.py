"""Settings given as ``name=value`` texts, for the pydantic models that declare them."""

import difflib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record


def apply_settings(
    texts: Sequence[str], models: Mapping[str, type[Record]], seed: int
) -> dict[str, Record]:
    """Build each part's settings from ``name=value`` or ``part.name=value`` texts.

    ``models`` maps the parts (agent, perception, model) to their settings' types. A part with a
    setting ``seed`` gets the run's seed unless it is given.

    Raises BadInputError for a text without ``=``, an unknown name (naming the nearest one), a
    name that several parts have, a repeated name, and a value of the wrong kind.
    """
    given: dict[str, dict[str, Any]] = {part: {} for part in models}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name:
            raise BadInputError(f"setting {text!r} is not of the form name=value")
        part, plain = _owner(name, models)
        if plain in given[part]:
            raise BadInputError(f"setting {name!r} is given twice; give it once")
        given[part][plain] = _value(value.strip(), models[part], plain)
    built: dict[str, Record] = {}
    for part, model in models.items():
        values = dict(given[part])
        if "seed" in model.model_fields:
            values.setdefault("seed", seed)
        try:
            built[part] = model.model_validate(values)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            name = ".".join(str(item) for item in first["loc"]) or part
            raise BadInputError(f"setting {part}.{name}: {first['msg']}") from error
    return built


def _owner(name: str, models: Mapping[str, type[Record]]) -> tuple[str, str]:
    part, dot, plain = name.partition(".")
    if dot and part in models:
        if plain in models[part].model_fields:
            return part, plain
    else:
        owners = [part for part, model in models.items() if name in model.model_fields]
        if len(owners) == 1:
            return owners[0], name
        if owners:
            choices = " or ".join(f"{owner}.{name}" for owner in owners)
            raise BadInputError(f"setting {name!r} is ambiguous; write {choices}")
    known = [field for model in models.values() for field in model.model_fields]
    known += [f"{part}.{field}" for part, model in models.items() for field in model.model_fields]
    near = difflib.get_close_matches(name, known, n=1)
    listing = ", ".join(sorted({item for item in known if "." not in item})) or "there is none"
    hint = f"did you mean {near[0]!r}?" if near else f"known: {listing}"
    raise BadInputError(f"there is no setting {name!r}; {hint}")


def _value(text: str, model: type[Record], name: str) -> Any:
    """The value as JSON where the setting is no text, so that numbers and lists can be given."""
    if model.model_fields[name].annotation is str:
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
