"""A declared detector: pictures in, people out, in the pictures' own pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from avr_ros.geometry.crop import CropWindow
from avr_ros.perception.detector_description import Colour, DetectorDescription, Layout
from avr_ros.perception.errors import DetectorError
from avr_ros.perception.layouts import avr, detr, ultralytics
from avr_ros.perception.layouts.found import Found, finite
from avr_ros.perception.letterbox import Placement, fitted, place
from avr_ros.perception.onnx_session import OnnxSession
from avr_ros.perception.onnx_settings import OnnxSettings


class Detector:
    """A detector that is open. May be used by several threads at once."""

    def __init__(self, description: DetectorDescription, settings: OnnxSettings) -> None:
        """Open the described file. Raises DetectorError where it is not what is described."""
        self.description = description
        outputs = description.outputs or (avr.OUTPUTS if description.layout is Layout.AVR else ())
        self._session = OnnxSession(
            Path(description.file),
            sha256=description.sha256,
            provider=settings.provider,
            threads=settings.threads,
            outputs=outputs,
        )
        self._size = (description.input.height, description.input.width)
        self._check()
        self._actions = (
            avr.action_names(self._session.metadata) if description.layout is Layout.AVR else ()
        )
        fixed = self._session.fixed_batch
        self.batch = settings.batch if fixed is None else fixed
        """Pictures that one run takes."""
        self._padded = fixed is not None and fixed > 1

    def detect(
        self, pictures: Sequence[NDArray[np.uint8]], windows: Sequence[CropWindow]
    ) -> list[Found]:
        """People in pictures (H, W, 3), blue-green-red, each the view of a window.

        Corners and feet are in the picture's px and may lie outside of it.
        """
        result: list[Found] = []
        for first in range(0, len(pictures), self.batch):
            some = pictures[first : first + self.batch]
            placements = [
                place(picture.shape[:2], self._size, self.description.input.fit, window)
                for picture, window in zip(some, windows[first:], strict=False)
            ]
            outputs = self._session.run(self._prepared(some, placements))
            for position, placement in enumerate(placements):
                found = finite(self._decoded(outputs, position))
                result.append(_in_picture(found, placement))
        return result

    def _prepared(
        self, pictures: Sequence[NDArray[np.uint8]], placements: Sequence[Placement]
    ) -> NDArray[Any]:
        declared = self.description.input
        ready = [
            fitted(picture, placement, self._size, declared.padding)
            for picture, placement in zip(pictures, placements, strict=True)
        ]
        if self._padded:
            ready += [np.zeros_like(ready[0])] * (self.batch - len(ready))
        if declared.colour is Colour.RGB:
            ready = [
                np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8) for image in ready
            ]
        batch: NDArray[Any] = ready[0][None] if len(ready) == 1 else np.stack(ready)
        if self._session.input_type is not np.uint8:
            scale = 1.0 / (declared.divide_by * np.asarray(declared.std, np.float64))
            shift = -np.asarray(declared.mean, np.float64) / np.asarray(declared.std, np.float64)
            batch = batch * scale.astype(np.float32) + shift.astype(np.float32)
        if not declared.channels_last:
            batch = batch.transpose(0, 3, 1, 2)
        return np.ascontiguousarray(batch, dtype=self._session.input_type)

    def _decoded(self, outputs: dict[str, NDArray[Any]], position: int) -> Found:
        description = self.description
        if description.layout is Layout.AVR:
            return avr.decode(outputs, position, self._actions)
        values = [np.asarray(output[position], np.float64) for output in outputs.values()]
        if description.layout is Layout.DETR:
            return detr.decode(
                values[0], values[1], self._size, description.classes, description.activation
            )
        if description.layout is Layout.ULTRALYTICS:
            return ultralytics.needs_nms(values[0], description.classes)
        return ultralytics.end_to_end(values[0], description.classes)

    def _check(self) -> None:
        """Refuse a file whose input and number of outputs are not the described ones."""
        description, session = self.description, self._session
        height, width = self._size
        wanted = (height, width, 3) if description.input.channels_last else (3, height, width)
        for declared, given in zip(session.input_shape[1:], wanted, strict=True):
            if isinstance(declared, int) and declared != given:
                raise DetectorError(
                    f"detector {description.file} takes images {session.input_shape[1:]}, its "
                    f"description says {list(wanted)}: correct 'input'"
                )
        needed = {Layout.AVR: len(avr.OUTPUTS), Layout.DETR: 2}.get(description.layout, 1)
        if len(session.output_names) != needed:
            raise DetectorError(
                f"detector {description.file} has the outputs {', '.join(session.output_names)}, "
                f"layout {description.layout.value} uses {needed}: name them in 'outputs'"
            )


def _in_picture(found: Found, placement: Placement) -> Found:
    foot = found.foot
    if foot is not None:
        place_in = placement.to_picture(np.concatenate([foot[:, :2], foot[:, :2]], axis=1))
        foot = np.stack([place_in[:, 0], place_in[:, 1], foot[:, 2] / placement.scale_y], axis=1)
    return replace(found, corners=placement.to_picture(found.corners), foot=foot)
