"""A cross-encoder of a few bytes: an ONNX graph written by hand, without the onnx package.

It adds up the rows of a table that the token ids choose (Gather, ReduceSum): a model whose answer
depends on its words.
"""

import struct
from collections.abc import Sequence
from pathlib import Path

FLOAT, INT64 = 1, 7


def write(
    folder: Path, table: Sequence[Sequence[float]], vocabulary: Sequence[str], config: str | None
) -> Path:
    """model.onnx, vocab.txt and config.json in a folder. table[id] = what a token adds to each
    output."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(_model(table))
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    if config is not None:
        (folder / "config.json").write_text(config, encoding="utf-8")
    return folder


def _model(table: Sequence[Sequence[float]]) -> bytes:
    width = len(table[0])
    values = struct.pack(f"<{len(table) * width}f", *(value for row in table for value in row))
    weights = (
        _numbers(1, [len(table), width]) + _int(2, FLOAT) + _text(8, "table") + _bytes(9, values)
    )
    axes = _numbers(1, [1]) + _int(2, INT64) + _text(8, "axes") + _bytes(9, struct.pack("<q", 1))
    gather = _text(1, "table") + _text(1, "input_ids") + _text(2, "rows") + _text(4, "Gather")
    keep = _text(1, "keepdims") + _int(3, 0) + _int(20, 2)
    total = (
        _text(1, "rows")
        + _text(1, "axes")
        + _text(2, "logits")
        + _text(4, "ReduceSum")
        + _bytes(5, keep)
    )
    graph = (
        _bytes(1, gather) + _bytes(1, total) + _text(2, "tiny") + _bytes(5, weights) + _bytes(5,
            axes)
        + _bytes(11, _value("input_ids", INT64, ["batch", "tokens"]))
        + _bytes(12, _value("logits", FLOAT, ["batch", width]))
    )  # fmt: skip
    return _int(1, 8) + _bytes(7, graph) + _bytes(8, _text(1, "") + _int(2, 13))


def _value(name: str, kind: int, shape: Sequence[str | int]) -> bytes:
    dims = b"".join(
        _bytes(1, _text(2, dimension) if isinstance(dimension, str) else _int(1, dimension))
        for dimension in shape
    )
    return _text(1, name) + _bytes(2, _bytes(1, _int(1, kind) + _bytes(2, dims)))


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def _int(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number)


def _bytes(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _text(field: int, text: str) -> bytes:
    return _bytes(field, text.encode())


def _numbers(field: int, numbers: Sequence[int]) -> bytes:
    return b"".join(_int(field, number) for number in numbers)
