"""What the network is taught: one number for a batch, and its parts."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from training.crops import SIZE
from training.network import Dense, PerPerson, PersonNetwork, usable

PREDICTED: Final = 16
"""Rough boxes of the dense stage that the second stage is trained on, for each view."""

JITTERED: Final = 8
"""True boxes moved a little that it is trained on besides."""

SCALE: Final = 16.0
"""Inverse temperature of the softmax over identities."""

MARGIN: Final = 0.1
"""Cosine by which the right identity has to win (CosFace, Wang et al. 2018, arXiv:1801.09414)."""

TEMPERATURE: Final = 0.1
"""Of the contrast within a batch (Khosla et al. 2020, arXiv:2004.11362)."""

RARE: Final = 2.5
"""Weight of a gesture that is made against one that is not: each is made by few."""

FOUND_FROM: Final = 0.5
"""IoU from which a box is somebody's."""

WORTH_FROM: Final = 0.35
"""IoU from which the first look is to move a rough box to somebody's."""

WEIGHTS: Final = {
    "heat": 1.0,
    "rough": 1.0,
    "score": 1.0,
    "first": 1.0,
    "box": 2.0,
    "posture": 2.0,
    "gestures": 6.0,
    "visibility": 0.5,
    "foot": 0.5,
    "heading": 2.0,
    "identity": 0.15,
    "contrast": 0.4,
}


class Identities(nn.Module):
    """One unit vector for each person of the training set."""

    def __init__(self, count: int, size: int) -> None:
        super().__init__()
        self.vectors = nn.Parameter(torch.randn(count, size))

    def forward(self, looks: Tensor, identity: Tensor) -> Tensor:
        """Cross entropy (N,) of unit vectors ``looks`` (N, 64) against their identities."""
        cosine = looks @ functional.normalize(self.vectors, dim=1).T
        margin = torch.zeros_like(cosine).scatter_(1, identity[:, None], MARGIN)
        return functional.cross_entropy(SCALE * (cosine - margin), identity, reduction="none")


def giou(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """IoU and generalised IoU (Rezatofighi et al. 2019, arXiv:1902.09630) of boxes (N, 4)."""
    area_a = (a[..., 2] - a[..., 0]).clamp(min=0) * (a[..., 3] - a[..., 1]).clamp(min=0)
    area_b = (b[..., 2] - b[..., 0]) * (b[..., 3] - b[..., 1])
    low, high = torch.maximum(a[..., :2], b[..., :2]), torch.minimum(a[..., 2:], b[..., 2:])
    common = (high - low).clamp(min=0).prod(dim=-1)
    union = area_a + area_b - common
    outer = (torch.maximum(a[..., 2:], b[..., 2:]) - torch.minimum(a[..., :2], b[..., :2])).clamp(
        min=1e-3
    )
    hull = outer.prod(dim=-1)
    iou = common / union.clamp(min=1e-3)
    return iou, iou - (hull - union) / hull.clamp(min=1e-3)


def pairwise_iou(a: Tensor, b: Tensor) -> Tensor:
    """IoU (B, N, M) of boxes (B, N, 4) with boxes (B, M, 4)."""
    low = torch.maximum(a[:, :, None, :2], b[:, None, :, :2])
    high = torch.minimum(a[:, :, None, 2:], b[:, None, :, 2:])
    common = (high - low).clamp(min=0).prod(dim=-1)
    area_a = (a[..., 2] - a[..., 0]) * (a[..., 3] - a[..., 1])
    area_b = (b[..., 2] - b[..., 0]) * (b[..., 3] - b[..., 1])
    return common / (area_a[:, :, None] + area_b[:, None, :] - common).clamp(min=1e-3)


def losses(
    network: PersonNetwork,
    identities: Identities,
    batch: dict[str, Tensor],
    random: torch.Generator,
    halved: bool,
) -> dict[str, Tensor]:
    """The parts of the loss for a batch of `training.crops`; ``halved`` reckons in bfloat16."""
    with torch.autocast("cpu", torch.bfloat16, enabled=halved):
        dense = network.dense(batch["image"])
    with torch.no_grad():
        rough = usable(network.candidates(dense, PREDICTED)[1].float(), SIZE)
    # The first look learns from the features as they are: the second one shapes them, for less.
    features = Dense(*(value.detach() for value in dense))
    with torch.autocast("cpu", torch.bfloat16, enabled=halved):
        first = network.look_again(features, rough, closely=False).box.float()
    with torch.no_grad():
        refined = usable(first.reshape(rough.shape), SIZE)
        boxes = torch.cat([refined, moved(batch, random)], dim=1)
        owner, score_target, score_weight = owners(boxes, batch, FOUND_FROM)
        first_owner, _, _ = owners(rough, batch, WORTH_FROM)
    with torch.autocast("cpu", torch.bfloat16, enabled=halved):
        people = network.look_again(dense, boxes, closely=True)
    people = PerPerson(*(value.float() for value in people))
    result = _dense_losses(dense, batch)
    result["first"] = _first_loss(first, rough, first_owner, batch)
    score = functional.binary_cross_entropy_with_logits(
        people.score, score_target, reduction="none"
    )
    result["score"] = (score * score_weight).sum() / score_weight.sum().clamp(min=1.0)
    result.update(_person_losses(people, identities, boxes, owner, batch))
    return result


def _dense_losses(dense: Dense, batch: dict[str, Tensor]) -> dict[str, Tensor]:
    logits = dense.heat[:, 0]
    heat, weight = batch["heat"], batch["heat_weight"]
    probability = torch.sigmoid(logits)
    centre = (heat >= 1.0).float()
    positive = functional.logsigmoid(logits) * (1 - probability) ** 2 * centre
    negative = functional.logsigmoid(-logits) * probability**2 * (1 - heat) ** 4 * (1 - centre)
    count = centre.sum().clamp(min=1.0)
    result = {"heat": -((positive + negative) * weight).sum() / count}
    place = batch["sides_weight"] > 0
    sides = dense.sides.permute(0, 2, 3, 1)[place]
    wanted = batch["sides"].permute(0, 2, 3, 1)[place]
    share = batch["sides_weight"][place]
    sign = torch.tensor([-1.0, -1.0, 1.0, 1.0])
    _, generalised = giou(sides * sign, wanted * sign)
    result["rough"] = ((1.0 - generalised) * share).sum() / share.sum().clamp(min=1.0)
    return result


def moved(batch: dict[str, Tensor], random: torch.Generator) -> Tensor:
    """True boxes (B, `JITTERED`, 4) moved a little."""
    chance = (batch["weight"] > 0).float() + 1e-6
    drawn = torch.multinomial(chance, JITTERED, replacement=True, generator=random)
    moved = torch.gather(batch["box"], 1, drawn[..., None].expand(-1, -1, 4))
    extent = (moved[..., 2:] - moved[..., :2]).repeat(1, 1, 2).clamp(min=8.0)
    noise = torch.randn(moved.shape, generator=random)
    return usable(moved + noise * extent * 0.06, SIZE)


def owners(boxes: Tensor, batch: dict[str, Tensor], least: float) -> tuple[Tensor, Tensor, Tensor]:
    """For boxes (B, K, 4), B K values each: the row in the batch's people, or -1 below an IoU of
    ``least``; the wanted score; its weight."""
    true, weight = batch["box"], batch["weight"]
    views, most = weight.shape
    overlap = pairwise_iou(boxes, true) * (weight > 0).float()[:, None, :]
    best, owner = overlap.max(dim=2)
    doubtful = pairwise_iou(boxes, batch["ignored"]).max(dim=2).values
    found = best >= least
    own_weight = torch.gather(weight, 1, owner)
    score_weight = torch.where(found, own_weight, ((best < 0.4) & (doubtful < 0.4)).float())
    row = owner + most * torch.arange(views)[:, None]
    return (
        torch.where(found, row, -1).reshape(-1),
        found.float().reshape(-1),
        score_weight.reshape(-1),
    )


def _first_loss(refined: Tensor, rough: Tensor, owner: Tensor, batch: dict[str, Tensor]) -> Tensor:
    """How far the boxes of the first look are off."""
    place = torch.nonzero(owner >= 0)[:, 0]
    true = batch["box"].flatten(0, 1)[owner[place]]
    weight = batch["weight"].flatten(0, 1)[owner[place]]
    each = _box_loss(refined[place], true, rough.reshape(-1, 4)[place])
    return (each * weight).sum() / weight.sum().clamp(min=1.0)


def _box_loss(boxes: Tensor, true: Tensor, rough: Tensor) -> Tensor:
    """Loss (N,) of boxes (N, 4), with the sides' errors in parts of the rough boxes' sides."""
    extent = (rough[:, 2:] - rough[:, :2]).repeat(1, 2)
    _, generalised = giou(boxes, true)
    offset = functional.smooth_l1_loss(
        boxes / extent * 10.0, true / extent * 10.0, reduction="none", beta=0.5
    )
    return 1.0 - generalised + 0.25 * offset.mean(dim=1)


def _person_losses(
    people: PerPerson,
    identities: Identities,
    boxes: Tensor,
    owner: Tensor,
    batch: dict[str, Tensor],
) -> dict[str, Tensor]:
    place = torch.nonzero(owner >= 0)[:, 0]
    row = owner[place]
    people = PerPerson(*(value[place] for value in people))
    rough = boxes.reshape(-1, 4)[place]
    flat = {
        name: batch[name].flatten(0, 1)[row]
        for name in (
            "box",
            "weight",
            "visible",
            "posture",
            "gestures",
            "foot",
            "facing",
            "identity",
        )
    }
    weight = flat["weight"]
    total = weight.sum().clamp(min=1.0)

    def mean(values: Tensor) -> Tensor:
        return (values * weight).sum() / total

    spread = people.foot_spread.clamp(-1.0, 5.0)
    row_error = (people.foot[:, 1] - flat["foot"][:, 1]).abs()
    column_error = (people.foot[:, 0] - flat["foot"][:, 0]).abs() / (rough[:, 2] - rough[:, 0])
    return {
        "box": mean(_box_loss(people.box, flat["box"], rough)),
        "posture": mean(
            functional.cross_entropy(people.posture, flat["posture"], reduction="none")
        ),
        "gestures": mean(
            functional.binary_cross_entropy_with_logits(
                people.gestures,
                flat["gestures"],
                reduction="none",
                pos_weight=torch.tensor(RARE),
            ).mean(dim=1)
        ),
        "visibility": mean(
            functional.binary_cross_entropy_with_logits(
                people.visibility, flat["visible"], reduction="none"
            )
        ),
        "foot": mean(row_error.clamp(max=200.0) * torch.exp(-spread) + spread + 4.0 * column_error),
        # A squared error shortens the vector where the direction cannot be told.
        "heading": mean((people.heading - flat["facing"]).square().sum(dim=1)),
        "identity": mean(identities(people.appearance, flat["identity"])),
        "contrast": _contrast(people.appearance, flat["identity"], row, weight),
    }


def _contrast(looks: Tensor, identity: Tensor, row: Tensor, weight: Tensor) -> Tensor:
    """Other sights of the same person against everybody else in the batch.

    Two boxes around one sight of a person are neither.
    """
    alike = looks @ looks.T / TEMPERATURE
    same = identity[:, None] == identity[None, :]
    sight = row[:, None] == row[None, :]
    clear = weight > 0.5
    other = same & ~sight & clear[None, :]
    against = ~same
    scores = torch.where(against, alike, torch.full_like(alike, -1e4))
    base = torch.logsumexp(scores, dim=1)
    loss = torch.nn.functional.softplus(base[:, None] - alike)
    pairs = other.float() * clear[:, None].float()
    each = (loss * pairs).sum(dim=1) / pairs.sum(dim=1).clamp(min=1.0)
    counted = (pairs.sum(dim=1) > 0).float()
    return (each * counted).sum() / counted.sum().clamp(min=1.0)
