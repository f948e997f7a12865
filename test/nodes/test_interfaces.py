"""The interfaces are frozen: what a client may rely on is only added to."""

from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SAVED = Path(__file__).parents[1] / "data" / "interfaces.json"
"""Every interface that may be relied on: sections of lines without comments.

What is added is added here too: ``python test/nodes/test_interfaces.py`` writes it.
"""


def interfaces() -> dict[str, list[list[str]]]:
    """The lines of each interface file, by section, without comments and blanks."""
    found: dict[str, list[list[str]]] = {}
    for kind in ("msg", "srv", "action"):
        for path in sorted((ROOT / kind).glob(f"*.{kind}")):
            sections: list[list[str]] = [[]]
            for line in path.read_text().splitlines():
                words = line.partition("#")[0].split()
                if words == ["---"]:
                    sections.append([])
                elif words:
                    sections[-1].append(" ".join(words))
            found[f"{kind}/{path.stem}"] = sections
    return found


def is_subsequence(part: Sequence[str], whole: Sequence[str]) -> bool:
    rest = iter(whole)
    return all(line in rest for line in part)


def test_nothing_saved_is_gone_or_changed() -> None:
    now = interfaces()
    for name, sections in json.loads(SAVED.read_text()).items():
        assert name in now, f"{name} was removed"
        assert len(now[name]) == len(sections), name
        for saved, current in zip(sections, now[name], strict=True):
            assert is_subsequence(saved, current), f"{name} lost or changed one of {saved}"


def test_additions_are_saved_too() -> None:
    assert json.loads(SAVED.read_text()) == interfaces()


@pytest.mark.parametrize("name", sorted(interfaces()))
def test_every_field_is_explained(name: str) -> None:
    kind, stem = name.split("/")
    for line in (ROOT / kind / f"{stem}.{kind}").read_text().splitlines():
        declaration, mark, _ = line.partition("#")
        words = declaration.split()
        if not words or words == ["---"] or "=" in declaration:
            continue
        standard = words[0].startswith(("builtin_interfaces/", "avr_ros/", "std_msgs/"))
        assert (
            mark
            or words[1:] in (["episode_id"], ["run_id"], ["frame_id"])
            or standard
            or (len(words) == 2 and words[0] in ("string", "string[]", "bool"))
        ), f"{name}: {line}"


def test_the_built_interfaces_are_those_of_the_files() -> None:
    for name, sections in interfaces().items():
        kind, stem = name.split("/")
        built: Any = getattr(importlib.import_module(f"avr_ros.{kind}"), stem)
        parts = {
            "msg": [built],
            "srv": [built.Request, built.Response] if kind == "srv" else [],
            "action": [built.Goal, built.Result, built.Feedback] if kind == "action" else [],
        }[kind]
        for part, section in zip(parts, sections, strict=True):
            declared = [line.split()[1] for line in section if "=" not in line]
            names = list(part.get_fields_and_field_types())
            assert names == declared, name
            for line in section:
                if "=" in line:
                    constant, _, value = line.split()[1].partition("=")
                    assert getattr(part, constant) == int(value), f"{name}: {line}"


if __name__ == "__main__":
    SAVED.write_text(json.dumps(interfaces(), indent=1) + "\n")
