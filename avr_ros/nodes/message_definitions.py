"""Message definitions with all their parts, as bags carry them."""

import re
from pathlib import Path

from ament_index_python.packages import get_package_share_directory

SEPARATOR = "=" * 80

_PRIMITIVES = frozenset({"bool", "byte", "char", "float32", "float64", "string", "wstring"}) | {
    f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
}
_FIELD = re.compile(r"^([A-Za-z][A-Za-z0-9_/]*)(?:<=\d+)?(?:\[[^\]]*\])?\s+[A-Za-z]")


def full_definition(type_name: str) -> str:
    """The text of a message type (``package/msg/Type``) followed by those that it is made of.

    The form is that of rosbag2's MCAP files: parts are separated by a line of 80 ``=`` and named
    ``MSG: package/Type``.
    """
    texts: dict[str, str] = {}
    _collect(type_name, texts)
    first, *parts = texts.items()
    text = first[1]
    for name, part in parts:
        package, _, short = name.split("/")
        text += f"{SEPARATOR}\nMSG: {package}/{short}\n{part}"
    return text


def _collect(type_name: str, texts: dict[str, str]) -> None:
    if type_name in texts:
        return
    package, kind, short = type_name.split("/")
    path = Path(get_package_share_directory(package), kind, f"{short}.msg")
    text = path.read_text(encoding="utf-8").rstrip("\n") + "\n"
    texts[type_name] = text
    for line in text.splitlines():
        match = _FIELD.match(line)
        if match is None or match[1] in _PRIMITIVES:
            continue
        *owner, part = match[1].split("/")
        _collect(f"{owner[0] if owner else package}/msg/{part}", texts)
