"""What the trainers of the table's networks have in common: layers, light, the loop, the file."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import onnx.numpy_helper
import torch
from numpy.typing import NDArray
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from companion.cameras import Camera

Array = NDArray[Any]
Weights = dict[str, torch.Tensor]


def asked(
    about: str | None, more: Callable[[argparse.ArgumentParser], object] | None = None
) -> argparse.Namespace:
    """The command line of a trainer; seeds torch and keeps it and OpenCV to the threads asked for."""
    parse = argparse.ArgumentParser(description=about)
    parse.add_argument("out", type=Path)
    parse.add_argument("sessions", nargs="+", type=Path)
    parse.add_argument("--left-out", nargs="*", type=Path, default=[])
    parse.add_argument("--start", type=Path, help="weights to go on from, .onnx or .pt")
    parse.add_argument(
        "--half-way", action="store_true", help="keep the mean of the weights started from and those learned"
    )
    parse.add_argument("--steps", type=int, default=3000)
    parse.add_argument("--seed", type=int, default=1)
    parse.add_argument("--threads", type=int, default=1)
    if more:
        more(parse)
    told = parse.parse_args()
    if told.half_way and not told.start:
        parse.error("--half-way needs --start")
    torch.manual_seed(told.seed)
    torch.set_num_threads(told.threads)
    cv2.setNumThreads(1)
    return told


def begin(net: nn.Module, start: Path | None, loss_of_batch: Callable[[], torch.Tensor]) -> Weights:
    """Give a network the weights to go on from, if there are any; gives those it begins with.

    An .onnx (or its parts, "a.onnx", "a-beside.onnx" and "a-among.onnx") is what `export` wrote: each
    convolution with its normalisation drawn in. They are parted again so that nothing changes: the
    normalisation undoes itself, by what it sees in some batches. Of a .pt, torch's own, what fits is
    taken: the last layers of one that sees larger pictures begin anew.
    """
    if start and start.suffix == ".onnx":
        others = (start.with_name(f"{start.stem}-{part}.onnx") for part in ("beside", "among"))
        parts = [start, *(other for other in others if other.exists())]
        left = _take_layers(net, parts)
        _undo_themselves(net, loss_of_batch)
        with torch.no_grad():
            for norm, bias in left.items():
                norm.bias += bias.to(norm.bias.device)
    elif start:
        anew = net.state_dict()
        fits = {name: value for name, value in torch.load(start).items() if value.shape == anew[name].shape}
        net.load_state_dict(anew | fits)
    return {name: value.clone() for name, value in net.state_dict().items()}


def _take_layers(net: nn.Module, parts: list[Path]) -> dict[nn.BatchNorm2d, torch.Tensor]:
    """The weights of all layers, in the order in which they are asked.

    Gives what each normalisation has to add where the convolution before it has no room for it.
    """
    files = [onnx.load(part).graph for part in parts]
    kept = {one.name: onnx.numpy_helper.to_array(one) for graph in files for one in graph.initializer}
    asked = [node for graph in files for node in graph.node if node.op_type in ("Conv", "Gemm")]
    every = list(net.modules())
    own = [(at, one) for at, one in enumerate(every) if isinstance(one, (nn.Conv2d, nn.Linear))]
    left: dict[nn.BatchNorm2d, torch.Tensor] = {}
    with torch.no_grad():
        for (at, layer), node in zip(own, asked, strict=True):
            weight, bias = (torch.from_numpy(kept[name].copy()) for name in node.input[1:])
            layer.weight.copy_(weight)
            if layer.bias is None:
                norm = every[at + 1]
                assert isinstance(norm, nn.BatchNorm2d)
                left[norm] = bias
            else:
                layer.bias.copy_(bias)
    return left


def _undo_themselves(net: nn.Module, loss_of_batch: Callable[[], torch.Tensor], batches: int = 40) -> None:
    norms = [module for module in net.modules() if isinstance(module, nn.BatchNorm2d)]
    seen: dict[nn.Module, list[torch.Tensor]] = {norm: [] for norm in norms}

    def note(norm: nn.Module, given: tuple[torch.Tensor, ...]) -> None:
        numbers = given[0].transpose(0, 1).flatten(1)
        seen[norm].append(torch.stack([numbers.mean(1), (numbers**2).mean(1)]))

    hooks = [norm.register_forward_pre_hook(note) for norm in norms]
    net.eval()
    with torch.no_grad():
        for _ in range(batches):
            loss_of_batch()
        for norm in norms:
            mean, square = torch.stack(seen[norm]).mean(0)
            spread = (square - mean**2).clamp(min=1e-6)
            assert norm.running_mean is not None and norm.running_var is not None
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(spread)
            norm.bias.copy_(mean)
            norm.weight.copy_((spread + norm.eps).sqrt())
    for hook in hooks:
        hook.remove()
    net.train()


def half_way(net: nn.Module, before: Weights) -> None:
    """Give a network the mean of the weights it had before and those it has now.

    Both know their tables a little by heart, and not the same ones: the mean is better on other people's
    (Wortsman et al., "Model soups", 2022). Only for what was trained from these very weights.
    """
    now = net.state_dict()
    mean = {k: (v + before[k]) / 2 if v.is_floating_point() else v for k, v in now.items()}
    net.load_state_dict(mean)


def block(a: int, b: int, stride: int = 1, spread: int = 1) -> list[nn.Module]:
    """A convolution of 3 x 3 from `a` to `b` channels, normalised over the batch, negatives cut off."""
    return [nn.Conv2d(a, b, 3, stride, spread, spread), nn.BatchNorm2d(b), nn.ReLU()]


def in_any_light(rng: np.random.Generator, pictures: Array) -> Array:
    """Pictures (N, H, W, 3) BGR uint8, each in a light of its own, as grainy as it may be."""
    each = len(pictures), 1, 1, 1
    gain = np.exp(rng.normal(0, 0.15, each)) * rng.normal(1, 0.06, (len(pictures), 1, 1, 3))
    return np.clip(pictures * gain + rng.normal(0, 6, each), 0, 255).astype(np.uint8)


def learn(
    net: nn.Module,
    loss_of_batch: Callable[[], torch.Tensor],
    judged: Callable[[], str],
    steps: int,
    peak: float,
    decay: float,
) -> None:
    """So many batches; how the left-out sessions are judged is printed every 250.

    What is judged, and kept in the end, is the mean of the weights over some hundred steps: single steps
    differ more on other people's tables than on those that are learned from.
    """
    rate = torch.optim.AdamW(net.parameters(), lr=peak / 2, weight_decay=decay)
    plan = torch.optim.lr_scheduler.OneCycleLR(rate, peak, total_steps=steps, pct_start=0.1)
    mean = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.99), use_buffers=True)
    smooth = 0.0
    for step in range(steps):
        loss = loss_of_batch()
        rate.zero_grad()
        loss.backward()
        rate.step()
        plan.step()
        mean.update_parameters(net)
        smooth = 0.98 * smooth + 0.02 * loss.item() if step else loss.item()
        if step % 250 == 249 or step == steps - 1:
            now = {name: value.clone() for name, value in net.state_dict().items()}
            net.load_state_dict(mean.module.state_dict())
            net.eval()
            print(f"{step + 1} loss {smooth:.4f}  left out: {judged()}", flush=True)
            if step < steps - 1:
                net.load_state_dict(now)
                net.train()


def keep(net: nn.Module, channels: int, size: int, out: Path) -> None:
    """Write an ONNX file for OpenCV, height and width free, and torch's own beside it."""
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    export(net, channels, size, out)


def export(net: nn.Module, channels: int, size: int, out: Path) -> None:
    """Write an ONNX file for OpenCV, height and width free."""
    net.eval()
    example = torch.zeros(1, channels, size, size)
    torch.onnx.export(
        net,
        (example,),
        str(out),
        dynamo=False,
        input_names=["picture"],
        output_names=["answer"],
        dynamic_axes={"picture": {0: "n", 2: "h", 3: "w"}, "answer": {0: "n", 2: "h", 3: "w"}},
    )


class Light:
    """Another lamp and another camera's colours, the same for everything in a session."""

    def __init__(self, rng: np.random.Generator, foreign: bool = False, grey: float = 0.2) -> None:
        self.gain = rng.uniform(0.7, 1.3) * rng.normal(1, 0.08, 3)
        self.curve = rng.uniform(0.8, 1.25)
        self.mix = np.eye(3) + rng.normal(0, 0.04, (3, 3)) * (rng.uniform() < 0.5)
        if foreign and rng.uniform() < 0.5:
            # Metals and boards of other colours than were rendered: form must do.
            self.mix = self.mix[:, rng.permutation(3)]
        if foreign and rng.uniform() < grey:
            self.mix = self.mix * 0.3 + 0.7 * np.ones((3, 3)) / 3

    def on(self, picture: Array) -> Array:
        """BGR 0..255 of any shape (..., 3)."""
        lit: Array = (
            255 * np.clip(picture.astype(np.float32) @ self.mix * self.gain / 255, 0, 1.2) ** self.curve
        )
        return lit


def through_cameras(parse: argparse.ArgumentParser) -> None:
    """The option for that."""
    parse.add_argument(
        "--cameras", type=int, default=0, help="each session is also seen as so many other cameras would"
    )


def some_camera(rng: np.random.Generator) -> Camera:
    """How any other camera may give the photos of a session."""
    return Camera(
        exposure=rng.uniform(0.6, 1.35),
        tint=tuple(np.exp(rng.normal(0, 0.1, 3)).tolist()),
        gamma=float(np.exp(rng.normal(0, 0.2))),
        contrast=rng.uniform(-0.04, 0.14),
        colourful=float(np.exp(rng.normal(0, 0.3))),
        hue_deg=rng.normal(0, 7),
        sharpness=max(0.0, rng.uniform(-0.5, 1.2)),
        reach=rng.uniform(0.8, 2.2),
        grain=max(0.0, rng.uniform(-2, 5)),
    )


def zooms(rng: np.random.Generator) -> float:
    """How much larger a piece is seen than its profile says: few people measure, and no two alike."""
    return float(rng.uniform(0.86, 1.16) if rng.uniform() < 0.3 else rng.normal(1, 0.03))


def disturb(
    flat: Array, empty: Array, rng: np.random.Generator, light: Light | None = None, fine: float = 1
) -> tuple[Array, Array]:
    """Other light for both pictures, then the frame a little by itself; shaken, blurred, grainy.

    `fine`: how many of these pixels a pixel of a frame at half size is wide.
    """
    light = light or Light(rng)
    flat, empty = light.on(flat) * rng.normal(1, 0.02, 3), light.on(empty)
    if rng.uniform() < 0.3:
        slope = np.linspace(rng.uniform(0.9, 1.1), rng.uniform(0.9, 1.1), flat.shape[0])[:, None, None]
        flat = flat * (slope if rng.integers(2) else slope.transpose(1, 0, 2))
    if rng.uniform() < 0.5:
        shift = np.array([[1, 0, rng.normal(0, 0.35 * fine)], [0, 1, rng.normal(0, 0.35 * fine)]])
        empty = cv2.warpAffine(empty, shift, empty.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    if rng.uniform() < 0.4:
        soft = rng.uniform(0.3, 1.3) * fine
        flat, empty = (cv2.GaussianBlur(p, (0, 0), soft) for p in (flat, empty))
    grain = rng.uniform(0, 5)
    flat = flat + rng.normal(0, 1, flat.shape) * grain
    empty = empty + rng.normal(0, 1, empty.shape) * grain * rng.uniform(0.3, 1)
    flat, empty = (np.clip(p, 0, 255).astype(np.uint8) for p in (flat, empty))
    return flat, empty
