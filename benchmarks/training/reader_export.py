"""Last step of training the reader: the network as one int8 ONNX file that describes itself.

    python -m benchmarks.training.reader_export WORK/reader.pt FIGURES.json reader.onnx

FIGURES.json is the output of reader_calibrate (or {} to export a model for it). Weights have one scale a column,
activations are quantized as they come; attention is one operation of onnxruntime.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from benchmarks.training.reader_network import HEADS
from benchmarks.training.reader_pairs import PASSAGE_TOKENS, QUESTION_TOKENS
from tools.reading.reading_model import METADATA

_LARGEST = 127
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_POSITIONS = QUESTION_TOKENS + PASSAGE_TOKENS + 3
# What a model is worth before it is calibrated
NEUTRAL: dict[str, Any] = {
    "format": 1,
    "name": "Zorora reader 1 (six layers, from ms-marco-MiniLM-L-12-v2)",
    "licence": "Apache-2.0",
    "question_tokens": QUESTION_TOKENS,
    "passage_tokens": PASSAGE_TOKENS,
    "passages": [0, 0, 1],
    "units": [0, 0, 1],
    "span": [0, 0, 1],
}


class Graph:
    """An ONNX graph as it grows."""

    def __init__(self, state: dict[str, Any]) -> None:
        self._state = {name: value.float().numpy() for name, value in state.items()}
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}

    def weights(self, name: str) -> Any:
        return self._state[name]

    def constant(self, name: str, value: Any) -> str:
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.array(value, order="C"), name)
        return name

    def node(self, kind: str, inputs: list[str], outputs: int | list[str] = 1, **more: Any) -> Any:
        names = outputs if isinstance(outputs, list) else [f"t{len(self.nodes)}.{n}" for n in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, **more))
        return names[0] if len(names) == 1 else names

    def linear(self, x: str, name: str) -> str:
        weights = self.weights(f"{name}.weight").T
        scale = np.maximum(np.abs(weights).max(0), 1e-8) / _LARGEST
        whole = self.constant(f"{name}.w", np.round(weights / scale).astype(np.int8))
        quantized, by, zero = self.node("DynamicQuantizeLinear", [x], 3)
        product = self.node("Cast", [self.node("MatMulInteger", [quantized, whole, zero])], to=TensorProto.FLOAT)
        factor = self.node("Mul", [by, self.constant(f"{name}.s", scale.astype(np.float32))])
        return self.add(self.node("Mul", [product, factor]), self.constant(f"{name}.b", self.weights(f"{name}.bias")))

    def add(self, left: str, right: str) -> str:
        return str(self.node("Add", [left, right]))

    def norm(self, x: str, name: str) -> str:
        parts = [self.constant(f"{name}.{part}", self.weights(f"{name}.{part}")) for part in ("weight", "bias")]
        return str(self.node("LayerNormalization", [x, *parts], axis=-1, epsilon=1e-12))

    def embedding(self) -> str:
        words = self.weights("word.weight")
        scale = (words.max() - words.min()) / 255
        zero = round(float(-words.min() / scale))
        whole = np.clip(np.round(words / scale) + zero, 0, 255).astype(np.uint8)
        rows = self.node("Gather", [self.constant("word", whole), "input_ids"])
        limits = [self.constant("word.s", np.float32(scale)), self.constant("word.z", np.uint8(zero))]
        x = self.node("DequantizeLinear", [rows, *limits])
        one, two = self.constant("one", np.array([1])), self.constant("two", np.array([2]))
        length = self.node("Slice", [self.node("Shape", ["input_ids"]), one, two])
        table = self.constant("pos", self.weights("pos.weight")[:_POSITIONS].astype(np.float16))
        start, axis = self.constant("start_at", np.array([0])), self.constant("axis", np.array([0]))
        places = self.node("Cast", [self.node("Slice", [table, start, length, axis])], to=TensorProto.FLOAT)
        kinds = self.node("Gather", [self.constant("kind", self.weights("kind.weight")), "token_type_ids"])
        return self.norm(self.add(self.add(x, kinds), places), "norm")

    def layer(self, x: str, name: str, mask: str) -> str:
        parts = self.node("Split", [self.linear(x, f"{name}.qkv")], 3, axis=-1, num_outputs=3)
        seen = self.node("MultiHeadAttention", [*parts, "", mask], domain="com.microsoft", num_heads=HEADS)
        x = self.norm(self.add(x, self.linear(seen, f"{name}.out")), f"{name}.n1")
        inner = self.node("Gelu", [self.linear(x, f"{name}.up")])
        return self.norm(self.add(x, self.linear(inner, f"{name}.down")), f"{name}.n2")

    def outputs(self, x: str) -> None:
        """score, start and end."""
        first = self.node("Gather", [x, self.constant("first", np.array(0))], axis=1)
        pooled, last = self.node("Tanh", [self.linear(first, "pool")]), self.constant("last", np.array([-1]))
        heads = {name: self.constant(f"{name}.w", self.weights(f"{name}.weight").T) for name in ("cls", "span")}
        biases = {name: self.constant(f"{name}.b", self.weights(f"{name}.bias")) for name in ("cls", "span")}
        self.node("Squeeze", [self.node("Gemm", [pooled, heads["cls"], biases["cls"]]), last], ["score"])
        both = self.add(self.node("MatMul", [x, heads["span"]]), biases["span"])
        start, end = self.node("Split", [both], 2, axis=-1, num_outputs=2)
        self.node("Squeeze", [start, last], ["start"])
        self.node("Squeeze", [end, last], ["end"])


def export(state: dict[str, Any], figures: dict[str, Any], path: Path) -> None:
    graph = Graph(state)
    x, mask = graph.embedding(), graph.node("Cast", ["attention_mask"], to=TensorProto.INT32)
    for number in range(1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))):
        x = graph.layer(x, f"layers.{number}", mask)
    graph.outputs(x)
    graph_proto = helper.make_graph(
        graph.nodes,
        "reader",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["rows", "length"]) for name in _INPUTS],
        [
            helper.make_tensor_value_info("score", TensorProto.FLOAT, ["rows"]),
            *(helper.make_tensor_value_info(side, TensorProto.FLOAT, ["rows", "length"]) for side in ("start", "end")),
        ],
        list(graph.constants.values()),
    )
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph_proto, opset_imports=opsets, ir_version=9, producer_name="zorora")
    helper.set_model_props(model, {METADATA: json.dumps(NEUTRAL | figures)})
    onnx.save(model, str(path))


if __name__ == "__main__":
    saved = torch.load(sys.argv[1], map_location="cpu")
    export(
        saved["model"] if "model" in saved else saved["s"], json.loads(Path(sys.argv[2]).read_text()), Path(sys.argv[3])
    )
