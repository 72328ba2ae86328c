"""Weights between two trainings: `python -m tests.pictures.mix OLD.onnx NEW.onnx OUT.onnx --share 0.7`.

Both must be of one network, the new ones gone on from the old. Each number is taken so far of the way from
the old one to the new: such means are better on other pictures (Wortsman et al., "Model soups", 2022).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import onnx
import onnx.numpy_helper


def mix(old: Path, new: Path, share: float) -> onnx.ModelProto:
    """The network with `share` (0 to 1) of the new weights; raises `ValueError` where it is another one."""
    mixed = onnx.load(old)
    others = {one.name: one for one in onnx.load(new).graph.initializer}
    if {one.name for one in mixed.graph.initializer} != others.keys():
        raise ValueError(f"{new} is not the network of {old}")
    for one in mixed.graph.initializer:
        before, after = (onnx.numpy_helper.to_array(kept) for kept in (one, others[one.name]))
        if before.dtype.kind == "f":
            between = ((1 - share) * before + share * after).astype(before.dtype)
            one.CopyFrom(onnx.numpy_helper.from_array(between, one.name))
    return mixed


def main() -> None:
    """Write the mean."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("old", "new", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--share", type=float, default=0.5)
    asked = parser.parse_args()
    onnx.save(mix(asked.old, asked.new, asked.share), asked.out)


if __name__ == "__main__":
    main()
