"""Last step of training the reader: make tools/data/reader.onnx of what train_reader wrote.

    python -m benchmarks.training.export_reader IN.npz OUT.onnx

The file holds what differs from the embedding model (tools/data/embedder.onnx): changes of low rank
in half precision, biases, layer norms, and the three outputs. Of the other weights it says where
they are in embedder.onnx (external data of ONNX), so OUT.onnx runs only beside a copy of that.
Needs onnx.
"""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tools.reading.reading_model import METADATA

EMBEDDER = Path(__file__).parents[2] / "tools" / "data" / "embedder.onnx"
LAYERS = 12
# Names of weights in the embedding model -> in IN.npz
EMBEDDINGS = {
    "embeddings.word_embeddings.weight": "we",
    "embeddings.token_type_embeddings.weight": "te",
    "embeddings.position_embeddings.weight": "pe",
    "embeddings.LayerNorm.weight": "lw",
    "embeddings.LayerNorm.bias": "lb",
}
LINEAR = {
    "attention.self.query": "q",
    "attention.self.key": "k",
    "attention.self.value": "v",
    "attention.output.dense": "o",
    "intermediate.dense": "i",
    "output.dense": "d",
}
NORMS = {
    "attention.output.LayerNorm.weight": "n1w",
    "attention.output.LayerNorm.bias": "n1b",
    "output.LayerNorm.weight": "n2w",
    "output.LayerNorm.bias": "n2b",
}
FIGURES: dict[str, Any] = {
    "format": 3,
    "name": "bge-small-en-v1.5 as a reader",
    "licence": "Apache-2.0",
    "question_tokens": 48,
    "passage_tokens": 256,
    "relevance": 0.22,
    "begins": 0.1,
    "lead": 1.2,
    # Chosen on 390 questions about four collections (HELD_OUT of reader_data), of which 109 are
    # answered nowhere
    "answers": [1.38, 0.45, 1.33],
    "span": [-20, 0, 0],  # no span is ever likely: the model ranks passages
}
_LARGE = 20_000  # bytes of a tensor from which on it stays in embedder.onnx
_STATES = "last_hidden_state"

Weights = Mapping[str, Any]


def main(source: Path, output: Path) -> None:
    """See the top of this file."""
    model, weights = onnx.load(EMBEDDER), np.load(source)
    graph = model.graph
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    for name, key in weight_names().items():
        if key in weights:
            tensors[name].CopyFrom(_tensor(name, weights[key]))
    nodes = list(graph.node)
    followers = dict(_with_change(name, nodes) for name in _linear_names()) | dict(
        [_with_token_types(nodes)]
    )
    pieces = [_half(name, array) for name, array in _low_rank(weights)]
    del graph.node[:], graph.output[:], graph.value_info[:]
    graph.node.extend(cast for _, cast in pieces)
    for node in nodes:
        graph.node.extend([node, *followers.get(node.name, ())])
    graph.node.extend(_output_nodes())
    graph.output.extend(_outputs())
    _refer_to_embedder(graph.initializer)
    graph.initializer.extend([*(tensor for tensor, _ in pieces), *_output_tensors(weights)])
    helper.set_model_props(model, {METADATA: json.dumps(FIGURES)})
    output.write_bytes(model.SerializeToString())


def _linear_names() -> list[str]:
    return [f"encoder.layer.{number}.{name}" for number in range(LAYERS) for name in LINEAR]


def weight_names() -> dict[str, str]:
    """Name in the embedding model -> name in IN.npz."""
    names = dict(EMBEDDINGS)
    for number in range(LAYERS):
        before, here = f"encoder.layer.{number}", f"layers.{number}"
        names |= {f"{before}.{name}": f"{here}.{short}" for name, short in NORMS.items()}
        names |= {f"{before}.{name}.weight": f"{here}.{short}.w" for name, short in LINEAR.items()}
        names |= {f"{before}.{name}.bias": f"{here}.{short}.b" for name, short in LINEAR.items()}
    return names


def _low_rank(weights: Weights) -> Iterable[tuple[str, Any]]:
    """(name, matrix) of the changes of all linear layers: down to the rank, and up again."""
    for number in range(LAYERS):
        for name, key in LINEAR.items():
            yield f"encoder.layer.{number}.{name}.down", weights[f"layers.{number}.{key}.A"].T
            yield f"encoder.layer.{number}.{name}.up", weights[f"layers.{number}.{key}.B"].T


def _with_change(name: str, nodes: Sequence[Any]) -> tuple[str, list[Any]]:
    """The last node of a linear layer, and what follows it: the change of low rank, added."""
    last = next(node for node in nodes if node.op_type == "Add" and f"{name}.bias" in node.input)
    path = f"/{name.replace('.', '/').replace('layer/', 'layer.')}/MatMul"
    product = next(
        node for node in nodes if node.op_type == "MatMulInteger" and node.name.startswith(path)
    )
    # Its input is quantised; the change is of what was there before
    unquantised = next(node.input[0] for node in nodes if node.output[0] == product.input[0])
    result, last.output[0] = last.output[0], f"{last.output[0]}.plain"
    return last.name, [
        helper.make_node(
            "MatMul", [unquantised, f"{name}.down"], [f"{name}.low"], name=f"{name}.down"
        ),
        helper.make_node(
            "MatMul", [f"{name}.low", f"{name}.up"], [f"{name}.change"], name=f"{name}.up"
        ),
        helper.make_node(
            "Add", [f"{result}.plain", f"{name}.change"], [result], name=f"{name}.changed"
        ),
    ]


def _with_token_types(nodes: Sequence[Any]) -> tuple[str, list[Any]]:
    """The embedding model was trained on single texts: what is added to its vectors of question and
    passage."""
    name, rows = (
        "/embeddings/token_type_embeddings/Gather_output_0_DequantizeLinear",
        "token_type_change_rows",
    )
    last = next(node for node in nodes if node.name == name)
    result, last.output[0] = last.output[0], f"{last.output[0]}.plain"
    return name, [
        helper.make_node(
            "Gather", ["token_type_change", "token_type_ids"], [rows], name="token_type_change"
        ),
        helper.make_node("Add", [f"{result}.plain", rows], [result], name="token_types_changed"),
    ]


def _half(name: str, array: Any) -> tuple[Any, Any]:
    """A matrix in half precision, and the node that makes single precision of it."""
    tensor = numpy_helper.from_array(
        np.ascontiguousarray(array.astype("f4"), dtype="f2"), f"{name}.half"
    )
    return tensor, helper.make_node(
        "Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT, name=f"{name}.cast"
    )


def _tensor(name: str, array: Any) -> Any:
    return numpy_helper.from_array(np.ascontiguousarray(array, dtype="f4"), name)


def _output_nodes() -> list[Any]:
    """relevance comes from the first state of the last layer, start and end of an answer from
    all."""
    chosen = (
        ("relevance_2d", "relevance", 0, 1),
        ("span_scores", "start", 0, 2),
        ("span_scores", "end", 1, 2),
    )
    indexes = ("zero_index", "one_index")
    relevance, start, end = (
        helper.make_node("Gather", [whole, indexes[index]], [part], axis=axis, name=part)
        for whole, part, index, axis in chosen
    )
    return [
        helper.make_node(
            "Gather", [_STATES, "zero_index"], ["first_state"], axis=1, name="first_state"
        ),
        helper.make_node(
            "MatMul", ["first_state", "relevance_weight"], ["relevance_row"], name="relevance_row"
        ),
        helper.make_node(
            "Add",
            ["relevance_row", "relevance_bias"],
            ["relevance_column"],
            name="relevance_column",
        ),
        helper.make_node("Flatten", ["relevance_column"], ["relevance_2d"], axis=1),
        relevance,
        helper.make_node("MatMul", [_STATES, "span_weight"], ["span_states"], name="span_states"),
        helper.make_node("Add", ["span_states", "span_bias"], ["span_scores"], name="span_scores"),
        start,
        end,
    ]


def _output_tensors(weights: Weights) -> list[Any]:
    return [
        _tensor("token_type_change", weights["te2"]),
        _tensor("relevance_weight", weights["rel.weight"].T),
        _tensor("relevance_bias", weights["rel.bias"]),
        _tensor("span_weight", weights["span.weight"].T),
        _tensor("span_bias", weights["span.bias"]),
        numpy_helper.from_array(np.array(0, "i8"), "zero_index"),
        numpy_helper.from_array(np.array(1, "i8"), "one_index"),
    ]


def _outputs() -> list[Any]:
    shapes = {"relevance": ["batch"], "start": ["batch", "sequence"], "end": ["batch", "sequence"]}
    return [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in shapes.items()
    ]


def _refer_to_embedder(tensors: Iterable[Any]) -> None:
    """Replace large tensors by their places in the file of the embedding model."""
    data = EMBEDDER.read_bytes()
    for tensor in tensors:
        size = len(tensor.raw_data)
        if not tensor.name.endswith("_quantized") or size <= _LARGE:
            continue
        assert data.count(tensor.raw_data) == 1, tensor.name
        offset = data.index(tensor.raw_data)
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (
            ("location", EMBEDDER.name),
            ("offset", str(offset)),
            ("length", str(size)),
        ):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, value


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
