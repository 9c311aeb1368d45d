"""A tiny reading model, made here: it takes "blue" for the answer to everything."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tools.reading.reading_model import METADATA

BLUE = 2630  # the token of vocab.txt
FIGURES: dict[str, Any] = {
    "format": 3,
    "name": "tiny reader",
    "licence": "Apache-2.0",
    "question_tokens": 8,
    "passage_tokens": 16,
    "relevance": 0.1,
    "begins": 0.0,
    "lead": 0.0,
    "answers": [0, 1, 0],
    "span": [0, 0, 1],
}


def tiny_model(
    path: Path,
    *,
    inputs: tuple[str, ...] = ("input_ids", "attention_mask", "token_type_ids"),
    figures: Any = FIGURES,
    **outputs: str | None,
) -> Path:
    """Writes the model. figures: its metadata. outputs: other formulas of score, start, end; None:
    no such output."""
    usual: dict[str, str | None] = {"score": "relevance", "start": "place", "end": "place"}
    formulas = {name: formula for name, formula in (usual | outputs).items() if formula}
    nodes = [
        helper.make_node("Equal", [inputs[0], "blue"], ["is_blue"]),
        helper.make_node("Cast", ["is_blue"], ["found"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["found", "ten"], ["place"]),
        helper.make_node("ReduceMax", ["place", "last_axis"], ["highest"], keepdims=0),
        helper.make_node("Sub", ["highest", "five"], ["relevance"]),
        helper.make_node("Log", ["five_below"], ["not_a_number"]),
        helper.make_node("Add", ["relevance", "not_a_number"], ["nothing"]),
        helper.make_node("Transpose", ["place"], ["turned"], perm=[1, 0]),
        *(helper.make_node("Identity", [formula], [name]) for name, formula in formulas.items()),
    ]
    constants = {
        "blue": np.int64(BLUE),
        "ten": np.float32(10),
        "five": np.float32(5),
        "five_below": np.float32(-5),
    }
    initial = [numpy_helper.from_array(np.array(value), name) for name, value in constants.items()]
    initial.append(numpy_helper.from_array(np.array([-1]), "last_axis"))
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "l"]) for name in inputs],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in formulas],
        initial,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    if figures is not None:
        helper.set_model_props(
            model, {METADATA: figures if isinstance(figures, str) else json.dumps(figures)}
        )
    onnx.save(model, path)
    return path
