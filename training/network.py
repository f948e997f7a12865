"""The network: people as points of a map, each looked at again in its own box.

One dense stage (CenterNet, Zhou et al. 2019, arXiv:1904.07850; sides by FCOS's exponential, Tian et
al. 2019, arXiv:1904.01355) finds centres and rough boxes at stride 8. A second stage samples the
features of each rough box on a grid and gives the box again, what the person does, how much of
them is seen, where they stand, and a vector of their looks. A look at the legs and a close look at
the whole body, in the network's first and finest features, correct what it says of actions.

Everything from the bytes of a view to the numbers per person is one graph, so that the exported
file needs no code but onnxruntime and a threshold.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from avr_ros.schema.errors import BadInputError

STRIDE: Final = 8
"""Pixels of the view for each cell of the dense stage."""

GRID_ROWS: Final = 12
GRID_COLUMNS: Final = 6
"""Samples taken of a rough box's features."""

CLOSER: Final = 2
"""Factor by which the finest features are sampled more densely besides: a hand is a few pixels."""

LEGS_ROWS: Final = 16
LEGS_COLUMNS: Final = 12
LEGS_FROM: Final = 0.55
"""Samples of the first features, taken below this share of a box's height: whether somebody far
off walks or stands is a matter of where the feet are."""

CLOSE_ROWS: Final = 32
CLOSE_COLUMNS: Final = 16
"""Samples of the first features over the whole box: what somebody does is a matter of where hands
are and of what is in them."""

LEFT_OUT: Final = 0.2
"""Share of the close look's features that are left out at random in training."""

PIXEL_SCALE: Final = 64.0
"""What pixels are divided by. A power of two: an exported file's first weights hold it exactly."""

SMALLEST_SIDE: Final = 4.0
"""Pixels of a box that is looked at."""

CANDIDATES: Final = 12
"""People for whom the exported network gives numbers, by falling score."""

EMBEDDING: Final = 64


ADDED_LATER: Final = ("closer_", "calibrated_", "legs_", "close.")
"""Beginnings of the names of weights that an earlier training's file may lack: at first they have
no effect."""


class Dense(NamedTuple):
    """What the dense stage gives.

    ``heat`` (B, 1, H, W) logits of a person's centre, ``sides`` (B, 4, H, W) distances in px from
    the cell's middle to left, top, right, bottom; ``finest``, ``fine`` and ``coarse`` are features
    at strides 2, 4 and 8.
    """

    heat: Tensor
    sides: Tensor
    finest: Tensor
    fine: Tensor
    coarse: Tensor


class PerPerson(NamedTuple):
    """What the second stage gives for N boxes.

    ``score`` (N,) logit, ``box`` (N, 4) left, top, right, bottom in px, ``posture`` (N, P) logits
    of which one holds, ``gestures`` (N, G) logits of which any may hold, ``visibility`` (N,) logit,
    ``foot`` (N, 2) column and row of the place on the floor in px, ``foot_spread`` (N,) logarithm
    of the row's mean absolute error in px, ``heading`` (N, 2) cosine and sine of where the body
    faces, against the direction of sight (0: away from the camera), ``appearance`` (N, 64) of unit
    length.
    """

    score: Tensor
    box: Tensor
    posture: Tensor
    gestures: Tensor
    visibility: Tensor
    foot: Tensor
    foot_spread: Tensor
    heading: Tensor
    appearance: Tensor


def _conv(inputs: int, outputs: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class _Bottleneck(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        half = channels // 2
        self.body = nn.Sequential(_conv(channels, half, 1), _conv(half, half, 3))
        self.last = nn.Conv2d(half, channels, 1, bias=False)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, features: Tensor) -> Tensor:
        inner: Tensor = self.norm(self.last(self.body(features)))
        return functional.relu(features + inner)


def _grid(boxes: Tensor, rows: int, columns: int, extent: float) -> Tensor:
    """Points (B, K, rows, columns, 2) evenly over boxes (B, K, 4), in -1..1 of the view."""
    width = boxes[..., 2] - boxes[..., 0]
    height = boxes[..., 3] - boxes[..., 1]
    # A margin of a tenth lets the second stage see that a rough box is too small.
    across = (torch.arange(columns, device=boxes.device) + 0.5) / columns * 1.2 - 0.1
    down = (torch.arange(rows, device=boxes.device) + 0.5) / rows * 1.2 - 0.1
    x = boxes[..., 0, None] + width[..., None] * across
    y = boxes[..., 1, None] + height[..., None] * down
    shape = (boxes.shape[0], boxes.shape[1], rows, columns)
    points = torch.stack([x[:, :, None, :].expand(shape), y[:, :, :, None].expand(shape)], dim=-1)
    return points / extent * 2.0 - 1.0


def _sampled(features: Tensor, grid: Tensor) -> Tensor:
    """Features (B K, C, rows, columns) at the points of a grid."""
    batch, count, rows, columns, _ = grid.shape
    channels = features.shape[1]
    flat = grid.reshape(batch, count * rows, columns, 2)
    sampled = functional.grid_sample(features.float(), flat, align_corners=False)
    sampled = sampled.reshape(batch, channels, count, rows, columns)
    return sampled.permute(0, 2, 1, 3, 4).reshape(-1, channels, rows, columns)


def usable(boxes: Tensor, size: float) -> Tensor:
    """Boxes (..., 4) inside a view of ``size`` px, at least `SMALLEST_SIDE` wide and high."""
    inside = torch.clamp(boxes, 0.0, size)
    low = inside[..., :2]
    return torch.cat([low, torch.maximum(inside[..., 2:], low + SMALLEST_SIDE)], dim=-1)


def close_samples(finest: Tensor, finer: Tensor, boxes: Tensor) -> tuple[Tensor, Tensor]:
    """What a close look at boxes (B, K, 4) sees of ``finest`` (B, 16, H / 2, W / 2) and ``finer``
    (B, 24, H / 4, W / 4): (B K, 16, 32, 16) and (B K, 24, 16, 8)."""
    extent = float(finest.shape[-1] * 2)
    dense = _grid(boxes, CLOSE_ROWS, CLOSE_COLUMNS, extent)
    plain = _grid(boxes, CLOSE_ROWS // 2, CLOSE_COLUMNS // 2, extent)
    return _sampled(finest, dense), _sampled(finer, plain)


class CloseLook(nn.Module):
    """What a body's parts say about the actions: summands of their logits, none at first."""

    def __init__(self, actions: int) -> None:
        super().__init__()
        # Parted from their sum, each normalisation joins its convolution in the exported file.
        self.finest = nn.Sequential(nn.Conv2d(16, 32, 3, 2, 1, bias=False), nn.BatchNorm2d(32))
        self.finer = nn.Sequential(nn.Conv2d(24, 32, 1, bias=False), nn.BatchNorm2d(32))
        self.body = nn.Sequential(
            _conv(32, 48), _conv(48, 64, 3, 2), _conv(64, 64), nn.Flatten(), nn.Dropout(LEFT_OUT)
        )
        self.features = 64 * (CLOSE_ROWS // 4) * (CLOSE_COLUMNS // 4)
        self.hidden = nn.Linear(self.features + 192, 128)
        self.out = nn.Linear(128, actions)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def see(self, finest: Tensor, finer: Tensor) -> Tensor:
        """Features (N, F) of `close_samples` of N boxes."""
        seen = functional.relu(self.finest(finest) + self.finer(finer))
        features: Tensor = self.body(seen)
        return features

    def say(self, features: Tensor, hidden: Tensor) -> Tensor:
        """Summands (N, P + G) from features and from what else is known, ``hidden`` (N, 192)."""
        inner = functional.relu(self.hidden(torch.cat([features, hidden], dim=1)))
        summands: Tensor = self.out(inner)
        return summands

    def forward(self, finest: Tensor, finer: Tensor, hidden: Tensor) -> Tensor:
        """Both."""
        return self.say(self.see(finest, finer), hidden)


class PersonNetwork(nn.Module):
    """Finds the people in a view. ``postures`` and ``gestures`` are numbers of classes.

    ``calibrated_posture`` (1,), a factor of the logits, and ``calibrated_gestures`` (2, G), factors
    and summands of theirs, are `training.calibrate`'s and matter to the exported graph alone.
    """

    calibrated_posture: Tensor
    calibrated_gestures: Tensor

    def __init__(self, postures: int, gestures: int) -> None:
        super().__init__()
        self.postures, self.gestures = postures, gestures
        self.stem = nn.Sequential(_conv(3, 16, 3, 2), _conv(16, 32, 3, 2), _Bottleneck(32))
        self.stage8 = nn.Sequential(_conv(32, 64, 3, 2), _Bottleneck(64), _Bottleneck(64))
        self.stage16 = nn.Sequential(_conv(64, 96, 3, 2), *(_Bottleneck(96) for _ in range(3)))
        self.stage32 = nn.Sequential(_conv(96, 128, 3, 2), *(_Bottleneck(128) for _ in range(3)))
        self.from32 = _conv(128, 96, 1)
        self.from16 = _conv(96, 64, 1)
        self.merge16 = _Bottleneck(96)
        self.merge8 = nn.Sequential(_Bottleneck(64), _Bottleneck(64))
        self.before_dense = _conv(64, 64, 1)
        self.heat = nn.Conv2d(64, 1, 1)
        self.sides = nn.Conv2d(64, 4, 1)
        nn.init.normal_(self.heat.weight, std=0.01)
        nn.init.constant_(self.heat.bias, -4.6)
        self.roi_first = _conv(96, 48, 1)
        self.closer_first = _conv(32, 24, 1)
        self.closer_body = nn.Sequential(_conv(24, 48, 3, 2), nn.Conv2d(48, 48, 1))
        self.legs_body = nn.Sequential(
            _conv(16, 24, 3, 2), _conv(24, 32, 3), _conv(32, 48, 3, 2), nn.Flatten()
        )
        self.legs_hidden = nn.Linear(48 * (LEGS_ROWS // 4) * (LEGS_COLUMNS // 4) + 192, 64)
        self.legs_out = nn.Linear(64, postures)
        self.close = CloseLook(postures + gestures)
        self.roi_body = nn.Sequential(_conv(48, 48, 3), _conv(48, 96, 3, 2))
        flat = 96 * (GRID_ROWS // 2) * (GRID_COLUMNS // 2)
        self.roi_hidden = nn.Linear(flat + 6, 192)
        self.roi_looks = nn.Linear(flat, EMBEDDING, bias=False)
        self.roi_looks_more = nn.Linear(192, EMBEDDING)
        self.roi_out = nn.Linear(192, 1 + 4 + 1 + 3 + 2 + postures + gestures)
        self.register_buffer("calibrated_posture", torch.ones(1))
        self.register_buffer(
            "calibrated_gestures", torch.tensor([[1.0], [0.0]]).repeat(1, gestures)
        )
        nn.init.zeros_(self.closer_body[1].weight)
        nn.init.zeros_(self.closer_body[1].bias)
        nn.init.zeros_(self.legs_out.weight)
        nn.init.zeros_(self.legs_out.bias)

    def dense(self, image: Tensor) -> Dense:
        """The dense stage for ``image`` (B, 480, 480, 3), blue-green-red in 0..255."""
        pixels = (image.permute(0, 3, 1, 2).float() - 127.5) / PIXEL_SCALE
        finest = self.stem[0](pixels)
        fine = self.stem[2](self.stem[1](finest))
        eighth = self.stage8(fine)
        sixteenth = self.stage16(eighth)
        last = self.stage32(sixteenth)
        merged = sixteenth + functional.interpolate(self.from32(last), scale_factor=2.0)
        merged = self.from16(self.merge16(merged))
        coarse = self.merge8(eighth + functional.interpolate(merged, scale_factor=2.0))
        shared = self.before_dense(coarse)
        sides = torch.exp(torch.clamp(self.sides(shared).float(), -4.0, 4.0)) * 16.0
        return Dense(self.heat(shared).float(), sides, finest, fine, coarse)

    def look_again(self, dense: Dense, boxes: Tensor, closely: bool) -> PerPerson:
        """The second stage for ``boxes`` (B, K, 4), rows of images one after another.

        ``closely`` adds the dense samples of the finest features: for the second of two looks,
        at the boxes that the first look gave.
        """
        extent = float(dense.coarse.shape[-1] * STRIDE)
        width = boxes[..., 2] - boxes[..., 0]
        height = boxes[..., 3] - boxes[..., 1]
        plain = _grid(boxes, GRID_ROWS, GRID_COLUMNS, extent)
        sampled = torch.cat([_sampled(one, plain) for one in (dense.fine, dense.coarse)], 1)
        first = self.roi_first(sampled)
        if closely:
            finer = self.closer_first(dense.fine)
            closer = _grid(boxes, GRID_ROWS * CLOSER, GRID_COLUMNS * CLOSER, extent)
            first = first + self.closer_body(_sampled(finer, closer))
        flat = self.roi_body(first).flatten(1)
        corners = boxes.reshape(-1, 4)
        sizes = torch.log(torch.stack([width, height], dim=-1).reshape(-1, 2) / 64.0)
        place = torch.cat([corners / 240.0 - 1.0, sizes], dim=1)
        # Half a pixel matters here, which bfloat16 does not hold.
        with torch.autocast("cpu", enabled=False):
            flat = flat.float()
            hidden = functional.relu(self.roi_hidden(torch.cat([flat, place], dim=1)))
            out = self.roi_out(hidden)
            actions = out[:, 11:]
            if closely:
                actions = actions + self.close(*close_samples(dense.finest, finer, boxes), hidden)
                legs = self._from_legs(dense.finest, boxes, hidden, extent)
                actions = actions + functional.pad(legs, (0, self.gestures))
            looks = self.roi_looks(flat) + self.roi_looks_more(hidden)
        sides = torch.stack([width, height, width, height], dim=-1).reshape(-1, 4)
        refined = corners + out[:, 1:5] * sides * 0.25
        half = 0.5 * (refined[:, 0] + refined[:, 2])
        foot = torch.stack(
            [
                half + out[:, 6] * sides[:, 0] * 0.25,
                refined[:, 3] + out[:, 7] * sides[:, 1] * 0.25,
            ],
            dim=-1,
        )
        return PerPerson(
            score=out[:, 0],
            box=refined,
            posture=actions[:, : self.postures],
            gestures=actions[:, self.postures :],
            visibility=out[:, 5],
            foot=foot,
            foot_spread=out[:, 8],
            heading=out[:, 9:11],
            appearance=functional.normalize(looks, dim=1),
        )

    def _from_legs(self, finest: Tensor, boxes: Tensor, hidden: Tensor, extent: float) -> Tensor:
        """What the legs say about postures: summands (N, P) of the logits."""
        low = boxes[..., 1] + LEGS_FROM * (boxes[..., 3] - boxes[..., 1])
        legs = torch.stack([boxes[..., 0], low, boxes[..., 2], boxes[..., 3]], dim=-1)
        seen = self.legs_body(_sampled(finest, _grid(legs, LEGS_ROWS, LEGS_COLUMNS, extent)))
        inner = functional.relu(self.legs_hidden(torch.cat([seen, hidden], dim=1)))
        summands: Tensor = self.legs_out(inner)
        return summands

    def look_twice(self, dense: Dense, boxes: Tensor, size: float) -> PerPerson:
        """Both looks at boxes (B, K, 4) in views of ``size`` px: the first one moves the boxes."""
        first = self.look_again(dense, boxes, closely=False)
        return self.look_again(dense, usable(first.box.reshape(boxes.shape), size), closely=True)

    def candidates(self, dense: Dense, count: int) -> tuple[Tensor, Tensor]:
        """Scores (B, K) and rough boxes (B, K, 4) of the strongest peaks of the map."""
        heat = torch.sigmoid(dense.heat)
        peak = functional.max_pool2d(heat, 3, 1, 1)
        kept = heat * (heat >= peak).float()
        batch, _, rows, columns = dense.heat.shape
        score, cell = torch.topk(kept.reshape(batch, rows * columns), count, dim=1)
        sides = dense.sides.reshape(batch, 4, rows * columns)
        sides = torch.gather(sides, 2, cell[:, None, :].expand(batch, 4, count)).transpose(1, 2)
        x = (cell % columns).float() * STRIDE + STRIDE / 2
        y = torch.div(cell, columns, rounding_mode="floor").float() * STRIDE + STRIDE / 2
        boxes = torch.stack(
            [
                torch.clamp(x - sides[..., 0], min=0.0),
                torch.clamp(y - sides[..., 1], min=0.0),
                torch.clamp(x + sides[..., 2], max=float(columns * STRIDE)),
                torch.clamp(y + sides[..., 3], max=float(rows * STRIDE)),
            ],
            dim=-1,
        )
        return score, boxes

    def forward(
        self, image: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """The exported graph, for ``image`` (B, 480, 480, 3) uint8.

        Returns boxes (B, K, 4) as left, top, right, bottom; scores (B, K); actions (B, K, P + G)
        probabilities; visibility (B, K); foot (B, K, 3) as column, row and the row's mean absolute
        error; heading (B, K, 2) as cosine and sine against the direction of sight; appearance
        (B, K, 64).
        """
        dense = self.dense(image)
        rough, boxes = self.candidates(dense, CANDIDATES)
        batch = image.shape[0]
        size = float(image.shape[1])
        people = self.look_twice(dense, boxes, size)
        score = torch.sqrt(rough.reshape(-1) * torch.sigmoid(people.score))
        scale, shift = self.calibrated_gestures[0], self.calibrated_gestures[1]
        actions = torch.cat(
            [
                torch.softmax(people.posture * self.calibrated_posture, dim=1),
                torch.sigmoid(people.gestures * scale + shift),
            ],
            dim=1,
        )
        foot = torch.cat([people.foot, torch.exp(people.foot_spread)[:, None]], dim=1)
        return (
            torch.clamp(people.box, 0.0, size).reshape(batch, CANDIDATES, 4),
            score.reshape(batch, CANDIDATES),
            actions.reshape(batch, CANDIDATES, -1),
            torch.sigmoid(people.visibility).reshape(batch, CANDIDATES),
            foot.reshape(batch, CANDIDATES, 3),
            people.heading.reshape(batch, CANDIDATES, 2),
            people.appearance.reshape(batch, CANDIDATES, EMBEDDING),
        )


def take_weights(network: PersonNetwork, path: Path) -> None:
    """Load a file of weights. Raises BadInputError for another network's."""
    state = torch.load(path, weights_only=True)
    missing, unknown = network.load_state_dict(state, strict=False)
    wrong = [name for name in missing if not name.startswith(ADDED_LATER)] + list(unknown)
    if wrong:
        raise BadInputError(f"weights {path} are of another network: {wrong[0]} does not fit")
