"""Small ONNX files written by hand, in protobuf's wire format (onnx.proto of the ONNX project)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FLOAT, UINT8 = 1, 2


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def _varint(value: int) -> bytes:
    out = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        out.append(low | (0x80 if value else 0))
        if not value:
            return bytes(out)


def _value(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    dimensions = b"".join(
        _bytes(1, _number(1, size) if isinstance(size, int) else _text(2, size)) for size in shape
    )
    tensor = _number(1, kind) + _bytes(2, dimensions)
    return _text(1, name) + _bytes(2, _bytes(1, tensor))


def _tensor(name: str, values: NDArray[np.float32]) -> bytes:
    sizes = b"".join(_number(1, size) for size in values.shape)
    return sizes + _number(2, FLOAT) + _text(8, name) + _bytes(9, values.tobytes())


def write_constant_detector(
    path: Path,
    input_shape: Sequence[int | str],
    outputs: Mapping[str, NDArray[np.float32]],
    *,
    kind: int = FLOAT,
    metadata: Mapping[str, str] | None = None,
) -> Path:
    """Write a file that takes an image and always gives the same outputs."""
    graph = _text(2, "constant")
    for name, values in outputs.items():
        graph += _bytes(1, _text(1, f"{name}_value") + _text(2, name) + _text(4, "Identity"))
        graph += _bytes(5, _tensor(f"{name}_value", np.asarray(values, np.float32)))
        graph += _bytes(12, _value(name, FLOAT, values.shape))
    graph += _bytes(11, _value("images", kind, input_shape))
    model = _number(1, 8) + _bytes(7, graph) + _bytes(8, _text(1, "") + _number(2, 17))
    for key, text in (metadata or {}).items():
        model += _bytes(14, _text(1, key) + _text(2, text))
    path.write_bytes(model)
    return path
