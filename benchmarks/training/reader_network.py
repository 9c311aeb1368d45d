"""The network of the reader in torch: a BERT encoder with a head for relevance and one for the answer's span."""

import math
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

WIDTH, HEADS, INNER, VOCABULARY = 384, 12, 1536, 30522
MASKED = -1e4


class Layer(nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.n1, self.n2 = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        rows, length, _ = x.shape
        q, k, v = self.qkv(x).view(rows, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        # Plain products: the backward pass of torch's attention on a CPU takes half of a training step
        weights = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(WIDTH // HEADS) + bias, -1)
        x = self.n1(x + self.out((weights @ v).transpose(1, 2).reshape(rows, length, WIDTH)))
        return self.n2(x + self.down(functional.gelu(self.up(x))))


class Network(nn.Module):  # type: ignore[misc]
    def __init__(self, layers: int) -> None:
        super().__init__()
        self.word, self.pos, self.kind = (nn.Embedding(rows, WIDTH) for rows in (VOCABULARY, 512, 2))
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.pool, self.cls, self.span = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 1), nn.Linear(WIDTH, 2)

    def states(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> list[Tensor]:
        """The embedding and what each layer makes of it."""
        x = self.norm(self.word(ids) + self.kind(kinds) + self.pos(torch.arange(ids.shape[1]))[None])
        bias = (1.0 - mask[:, None, None, :].float()) * MASKED
        outputs = [x]
        for layer in self.layers:
            outputs.append(layer(outputs[-1], bias))
        return outputs

    def relevance(self, last: Tensor) -> Tensor:
        return self.cls(torch.tanh(self.pool(last[:, 0])))[:, 0]


def teacher(path: Path) -> Network:
    """The twelve layers of ms-marco-MiniLM-L-12-v2 (Apache-2.0) from an int8 ONNX file of it."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(path)).graph
    stored = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    products = {node.name: node.input[1] for node in graph.node if node.op_type == "MatMulInteger"}

    def full(name: str) -> Tensor:
        scale, zero = float(stored[f"{name}_scale"]), float(stored[f"{name}_zero_point"])
        return torch.tensor((stored[f"{name}_quantized"].astype("float32") - zero) * scale)

    def product(part: str) -> Tensor:
        (name,) = (weights for node, weights in products.items() if part in node)
        return full(name.removesuffix("_quantized")).T.contiguous()

    def plain(name: str) -> Tensor:
        return torch.tensor(stored[name].copy())

    def put(target: str, weights: Tensor, source: str) -> None:
        state[f"{target}.weight"], state[f"{target}.bias"] = weights, plain(f"{source}.bias")

    embeddings = "bert.embeddings"
    state: dict[str, Tensor] = {
        "word.weight": full(f"{embeddings}.word_embeddings.weight"),
        "pos.weight": full(f"{embeddings}.position_embeddings.weight"),
        "kind.weight": full(f"{embeddings}.token_type_embeddings.weight"),
    }
    put("norm", plain(f"{embeddings}.LayerNorm.weight"), f"{embeddings}.LayerNorm")
    for number in range(12):
        part, ours, theirs = f"layer.{number}", f"layers.{number}", f"bert.encoder.layer.{number}"
        heads = [f"attention.self.{name}" for name in ("query", "key", "value")]
        state[f"{ours}.qkv.weight"] = torch.cat([product(f"{part}/{head.replace('.', '/')}/") for head in heads])
        state[f"{ours}.qkv.bias"] = torch.cat([plain(f"{theirs}.{head}.bias") for head in heads])
        for name, source in (("out", "attention.output"), ("up", "intermediate"), ("down", "output")):
            put(f"{ours}.{name}", product(f"{part}/{source.replace('.', '/')}/dense/"), f"{theirs}.{source}.dense")
        for name, source in (("n1", "attention.output"), ("n2", "output")):
            put(f"{ours}.{name}", plain(f"{theirs}.{source}.LayerNorm.weight"), f"{theirs}.{source}.LayerNorm")
    put("pool", full("bert.pooler.dense.weight").T, "bert.pooler.dense")
    put("cls", full("classifier.weight").T.contiguous(), "classifier")
    network = Network(12)
    network.load_state_dict(state, strict=False)  # it has no head for spans
    network.eval()
    return network


def student(of: Network) -> Network:
    """Every second layer of the teacher."""
    result, weights_of = Network(len(of.layers) // 2), of.state_dict()
    state: dict[str, Any] = {
        name: value for name, value in weights_of.items() if not name.startswith(("layers.", "span."))
    }
    for name, value in weights_of.items():
        if name.startswith("layers."):
            _, number, rest = name.split(".", 2)
            if int(number) % 2:
                state[f"layers.{int(number) // 2}.{rest}"] = value
    result.load_state_dict(state, strict=False)
    return result
