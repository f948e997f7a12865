"""A detector's file opened by onnxruntime."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from avr_ros.perception.errors import DetectorError, ProviderMissingError
from avr_ros.perception.onnx_settings import Provider

_PROVIDERS: Final[dict[Provider, str]] = {
    Provider.CPU: "CPUExecutionProvider",
    Provider.CUDA: "CUDAExecutionProvider",
    Provider.TENSORRT: "TensorrtExecutionProvider",
}

_TYPES: Final[dict[str, type[np.generic]]] = {
    "tensor(uint8)": np.uint8,
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
}


class OnnxSession:
    """One detector, ready to run. May be used by several threads at once."""

    def __init__(
        self,
        path: Path,
        *,
        sha256: str = "",
        provider: Provider = Provider.CPU,
        threads: int = 1,
        outputs: Sequence[str] = (),
    ) -> None:
        """Open a file.

        Raises DetectorError where the file is missing, has another hash, is no ONNX file or has
        not the inputs and outputs that it should, ProviderMissingError where the provider is not
        there: nothing falls back to another one.
        """
        data = detector_bytes(path, sha256)
        wanted = _PROVIDERS[provider]
        available = onnxruntime.get_available_providers()
        if wanted not in available:
            raise ProviderMissingError(
                f"onnxruntime {onnxruntime.__version__} has no {wanted} (it has "
                f"{', '.join(available)}): install the onnxruntime build that has it, or choose "
                "provider cpu"
            )
        try:
            self._session = onnxruntime.InferenceSession(
                data, _options(threads), providers=[wanted]
            )
        except Exception as error:
            raise DetectorError(
                f"detector {path} cannot be opened: {' '.join(str(error).split())[:300]}"
            ) from error
        # A provider that fails to start is replaced by the processor with no more than a warning.
        if wanted not in self._session.get_providers():
            raise ProviderMissingError(
                f"{wanted} does not start on this machine: its libraries or device are missing; "
                "see onnxruntime's log, or choose provider cpu"
            )
        self._path = path
        self._input = self._input_of()
        self._dtype = _TYPES[self._input.type]
        names = [output.name for output in self._session.get_outputs()]
        missing = [name for name in outputs if name not in names]
        if missing:
            raise DetectorError(
                f"detector {path} has no output {missing[0]!r}; it has {', '.join(names)}"
            )
        self._outputs = list(outputs) or names
        self.metadata: dict[str, str] = dict(self._session.get_modelmeta().custom_metadata_map)
        shape = self._input.shape
        self.fixed_batch: int | None = shape[0] if isinstance(shape[0], int) else None

    @property
    def input_type(self) -> type[np.generic]:
        """Type of the input's elements: uint8, float32 or float16."""
        return self._dtype

    @property
    def input_shape(self) -> list[int | str | None]:
        """The input's four dimensions as the file declares them."""
        return list(self._input.shape)

    @property
    def output_names(self) -> list[str]:
        """The outputs that `run` returns."""
        return list(self._outputs)

    def run(self, batch: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Run a batch. Raises DetectorError where onnxruntime refuses it."""
        try:
            values = self._session.run(self._outputs, {self._input.name: batch})
        except Exception as error:
            raise DetectorError(
                f"detector {self._path} failed: {' '.join(str(error).split())[:300]}"
            ) from error
        return dict(zip(self._outputs, values, strict=True))

    def _input_of(self) -> Any:
        inputs = self._session.get_inputs()
        if len(inputs) != 1:
            names = ", ".join(item.name for item in inputs)
            raise DetectorError(
                f"detector {self._path} takes {len(inputs)} inputs ({names}): export it with the "
                "image alone"
            )
        if inputs[0].type not in _TYPES or len(inputs[0].shape) != 4:
            raise DetectorError(
                f"detector {self._path} takes {inputs[0].type} of shape {inputs[0].shape}: "
                "export it with one batch of images of float, half or uint8"
            )
        return inputs[0]


def detector_bytes(path: Path, sha256: str = "") -> bytes:
    """A detector's file, of that hash where one is given. Raises DetectorError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DetectorError(
            f"detector {path} cannot be read: {error.strerror or error}; "
            "correct 'file' in its description"
        ) from error
    found = hashlib.sha256(data).hexdigest()
    if sha256 and found != sha256:
        raise DetectorError(
            f"detector {path} has the SHA-256 {found}, its description says {sha256}: fetch the "
            "file again or correct the description"
        )
    return data


def _options(threads: int) -> Any:
    """Options that leave the other cores alone: nothing spins while it waits."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    options.log_severity_level = 3
    return options
