"""Writes a trained network as an ONNX file with its description.

    python -m training.export RUN/network.pt [--out avr_ros/perception/models]

Normalisation, the choice of candidates and the second stage are part of the graph.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path
from typing import Final

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from avr_ros.perception.detector_description import SHIPPED
from avr_ros.perception.layouts.avr import ACTIONS_KEY, OUTPUTS
from avr_ros.sample.specification import SAMPLE_VERSION
from training.crops import GESTURES, POSTURES, SIZE
from training.network import PIXEL_SCALE, PersonNetwork, take_weights

OPSET: Final = 17

HALVED_FROM: Final = 1000
"""Numbers of a tensor from which it is kept in half precision: those of the weights, which need no
more. They are made whole once, as a file is loaded."""

WHOLE: Final = "/whole"
"""Ending of the name of a tensor that was made whole."""

_DESCRIPTION: Final = """\
# The detector that ships: it knows the people of the sample world and nothing else.
# Written by training/export.py; docs/perception.md says what each key means.
file: {file}
sha256: {sha256}
layout: avr
input: {{width: 480, height: 480, fit: rows, padding: 128, colour: bgr, channels_last: true}}
confidence: {confidence}
overlap: {overlap}
"""


def main(arguments: list[str] | None = None) -> int:
    """Export."""
    parser = argparse.ArgumentParser(
        prog="training.export",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("weights", type=Path)
    parser.add_argument("--out", type=Path, default=SHIPPED.parent)
    parser.add_argument("--name", default=SHIPPED.stem)
    parser.add_argument("--confidence", type=float, default=0.54)
    parser.add_argument("--overlap", type=float, default=0.6)
    options = parser.parse_args(arguments)
    network = PersonNetwork(len(POSTURES), len(GESTURES))
    take_weights(network, options.weights)
    network.eval()
    path = options.out / f"{options.name}.onnx"
    options.out.mkdir(parents=True, exist_ok=True)
    names = ["image", *OUTPUTS]
    torch.onnx.export(
        network,
        (torch.zeros(1, SIZE, SIZE, 3, dtype=torch.uint8),),
        str(path),
        input_names=names[:1],
        output_names=names[1:],
        opset_version=OPSET,
        dynamo=False,
        dynamic_axes={name: {0: "batch"} for name in names},
    )
    model = onnx.load(str(path))
    onnx.helper.set_model_props(
        model,
        {
            ACTIONS_KEY: ",".join((*POSTURES, *GESTURES)),
            "trained_on": f"avr_ros sample world {SAMPLE_VERSION}",
        },
    )
    join_scale(model)
    halve(model)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, str(path))
    description = _DESCRIPTION.format(
        file=path.name,
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        confidence=options.confidence,
        overlap=options.overlap,
    )
    path.with_suffix(".yaml").write_text(description)
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")
    return 0


def join_scale(model: onnx.ModelProto) -> None:
    """Divide the first convolution's weights instead of its pixels, which are many more."""
    values = {one.name: one for one in model.graph.initializer}
    constants = {
        node.output[0]: numpy_helper.to_array(node.attribute[0].t)
        for node in model.graph.node
        if node.op_type == "Constant"
    }
    scalings = {
        node.output[0]: node
        for node in model.graph.node
        if node.op_type == "Div" and constants.get(node.input[1]) == np.float32(PIXEL_SCALE)
    }
    (first,) = (
        node for node in model.graph.node if node.op_type == "Conv" and node.input[0] in scalings
    )
    scaling = scalings[first.input[0]]
    weights = numpy_helper.to_array(values[first.input[1]]) / np.float32(PIXEL_SCALE)
    values[first.input[1]].CopyFrom(numpy_helper.from_array(weights, first.input[1]))
    first.input[0] = scaling.input[0]
    model.graph.node.remove(scaling)
    if not any(scaling.input[1] in node.input for node in model.graph.node):
        (constant,) = (node for node in model.graph.node if scaling.input[1] in node.output)
        model.graph.node.remove(constant)


def halve(model: onnx.ModelProto) -> None:
    """Keep the large tensors of float32 in half precision, each with a cast before its users."""
    casts: dict[str, onnx.NodeProto] = {}
    for tensor in model.graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or np.prod(tensor.dims) < HALVED_FROM:
            continue
        half = numpy_helper.to_array(tensor).astype(np.float16)
        if not np.all(np.isfinite(half)):
            raise OverflowError(f"{tensor.name} is too large for half precision")
        tensor.CopyFrom(numpy_helper.from_array(half, tensor.name))
        casts[tensor.name] = helper.make_node(
            "Cast",
            [tensor.name],
            [tensor.name + WHOLE],
            f"{tensor.name}/Cast",
            to=TensorProto.FLOAT,
        )
    for node in model.graph.node:
        for place, name in enumerate(node.input):
            if name in casts:
                node.input[place] = name + WHOLE
    nodes = [*casts.values(), *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)


if __name__ == "__main__":
    sys.exit(main())
