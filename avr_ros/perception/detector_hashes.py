"""Which detector it was, by content: a path says nothing of what lies there tomorrow."""

from __future__ import annotations

import hashlib
from pathlib import Path

from avr_ros.perception.detector_description import SHIPPED, read_description
from avr_ros.perception.onnx_session import detector_bytes
from avr_ros.perception.onnx_settings import OnnxSettings


def detector_hashes(settings: OnnxSettings) -> dict[str, str]:
    """SHA-256 of the description and of the file that it names, the shipped ones too.

    Raises BadInputError for a wrong description, DetectorError for a file that cannot be read.
    """
    path = Path(settings.detector) if settings.detector else SHIPPED
    description = read_description(path)
    content = detector_bytes(Path(description.file), description.sha256)
    return {
        "description_sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "file_sha256": hashlib.sha256(content).hexdigest(),
    }
