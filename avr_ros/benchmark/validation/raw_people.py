"""Second route: who is meant, from label rows and from formulas written out again.

Angles are in degrees here. See `avr_ros.geometry.relations` for the definitions that both routes
follow.
"""

from __future__ import annotations

import math

from avr_ros.benchmark.action_sight import (
    ALONG_THE_WAY,
    ALSO_CALLED,
    AT_THE_HEAD,
    DETAIL_HEIGHT_PX,
    END_ON_DEG,
    FACING_LIMIT_DEG,
    IN_FRONT_OF_BODY,
    PROFILE_DEG,
    is_detail,
)
from avr_ros.benchmark.recipe import Reference
from avr_ros.benchmark.relations import Relation
from avr_ros.benchmark.validation.raw_rows import RawRow, RawRows
from avr_ros.schema.vocabulary import Occlusion

_SECTORS = {
    Relation.FRONT: (-45.0, 45.0),
    Relation.OWN_LEFT: (45.0, 135.0),
    Relation.OWN_RIGHT: (-135.0, -45.0),
    Relation.BEHIND: (135.0, 225.0),
}
_SIDES = {Relation.LEFT: 1.0, Relation.RIGHT: -1.0}
_STABLE_FRAMES = 2
_MARGIN_DEGREES = 5.0
_BORDER_DEGREES = 1.0
_MARGIN_METRES = 0.3
_ROUNDING = 1e-6


def is_recognisable(row: RawRow | None, height: int) -> bool:
    """Whether a person can be recognised: at least 60 px tall, 8 px wide and mostly visible."""
    if row is None or row.box is None:
        return False
    shown = min(row.box.y + row.box.h, height) - max(row.box.y, 0.0)
    visible = row.occlusion in (Occlusion.FULLY_VISIBLE, Occlusion.MOSTLY_VISIBLE)
    return visible and shown >= 60.0 and row.box.w >= 8.0


def is_shown(row: RawRow | None, action: str, height: int) -> bool:
    """Whether a picture lets somebody tell that a person does an action, if they do it."""
    if row is None or row.box is None:
        return False
    if is_detail(action):
        tall = min(row.box.y + row.box.h, height) - row.box.y >= DETAIL_HEIGHT_PX
        if row.occlusion is not Occlusion.FULLY_VISIBLE or row.box.y <= 0.0 or not tall:
            return False
    return is_recognisable(row, height) and _shows_its_side(row, action)


def _shows_its_side(row: RawRow, action: str) -> bool:
    if action not in IN_FRONT_OF_BODY | AT_THE_HEAD | ALONG_THE_WAY:
        return True
    if row.heading is None:
        return False
    away = abs(_turn(row.azimuth + math.pi, row.heading))
    if action in IN_FRONT_OF_BODY:
        return away <= FACING_LIMIT_DEG + _ROUNDING
    if action in ALONG_THE_WAY:
        return END_ON_DEG - _ROUNDING <= away <= 180.0 - END_ON_DEG + _ROUNDING
    return not PROFILE_DEG[0] + _ROUNDING < away < PROFILE_DEG[1] - _ROUNDING


def may_be_called(actions: frozenset[str], action: str) -> bool:
    """Whether one may say that somebody who does ``actions`` does another one."""
    return action in actions or not actions.isdisjoint(ALSO_CALLED.get(action, ()))


def people_meant(rows: RawRows, reference: Reference) -> list[int] | None:
    """Track ids from the anchor to the person meant; none where not exactly one way exists."""
    nearby = rows.around(reference.frame, _STABLE_FRAMES)
    find = _closest_doer if reference.closest else _only_doer
    anchors = {find(rows, frame, reference.actions) for frame in nearby}
    if len(anchors) != 1:
        return None
    anchor = anchors.pop()
    if anchor is None:
        return None
    way = [anchor]
    for relation in reference.relations:
        following = _step(rows, reference.frame, way[-1], relation)
        if following is None or following in way:
            return None
        way.append(following)
    return way


def _doers(rows: RawRows, frame: int, actions: tuple[str, ...]) -> list[RawRow]:
    """Everybody who may be said to do all actions; nobody where somebody may do them unknown."""
    doers: list[RawRow] = []
    for row in rows.at(frame):
        if row.actions is None:
            if is_recognisable(row, rows.height):
                return []
        elif all(may_be_called(row.actions, action) for action in actions):
            doers.append(row)
    return doers


def _only_doer(rows: RawRows, frame: int, actions: tuple[str, ...]) -> int | None:
    doers = _doers(rows, frame, actions)
    return doers[0].track if len(doers) == 1 and _does(doers[0], actions) else None


def _does(row: RawRow, actions: tuple[str, ...]) -> bool:
    return row.actions is not None and row.actions.issuperset(actions)


def _closest_doer(rows: RawRows, frame: int, actions: tuple[str, ...]) -> int | None:
    distances: list[tuple[float, int]] = []
    really: set[int] = set()
    for row in _doers(rows, frame, actions):
        if _does(row, actions):
            really.add(row.track)
        if row.place is not None:
            distances.append((math.dist(row.place, (0.0, 0.0)), row.track))
        elif row.occlusion is not Occlusion.FULLY_OCCLUDED:
            return None
    distances.sort()
    if len(distances) < 2 or distances[1][0] - distances[0][0] < _MARGIN_METRES - _ROUNDING:
        return None
    return distances[0][1] if distances[0][1] in really else None


def _step(rows: RawRows, frame: int, track: int, relation: Relation) -> int | None:
    people = rows.at(frame)
    own = next((row for row in people if row.track == track), None)
    if own is None:
        return None
    others = [row for row in people if row.track != track]
    if relation is Relation.GROUP:
        members = [row.track for row in others if row.group is not None and row.group == own.group]
        return members[0] if len(members) == 1 else None
    if relation in _SIDES:
        return _beside(own, others, _SIDES[relation])
    return _towards(own, others, *_SECTORS[relation])


def _beside(own: RawRow, others: list[RawRow], sign: float) -> int | None:
    angles = [(sign * _turn(own.azimuth, row.azimuth), row.track) for row in others]
    beside = [(angle, track) for angle, track in angles if 5.0 < angle <= 90.0]
    if not beside:
        return None
    nearest, track = min(beside)
    if nearest > 90.0 - _BORDER_DEGREES + _ROUNDING:
        return None
    if any(abs(angle - 5.0) < _BORDER_DEGREES - _ROUNDING for angle, _ in angles):
        return None
    for angle, other in angles:
        apart = abs((angle - nearest + 180.0) % 360.0 - 180.0)
        if other != track and apart < _MARGIN_DEGREES - _ROUNDING:
            return None
    return track


def _towards(own: RawRow, others: list[RawRow], low: float, high: float) -> int | None:
    if own.place is None or own.heading is None:
        return None
    found: list[tuple[float, float, int]] = []
    for row in others:
        if row.place is None:
            if row.occlusion is not Occlusion.FULLY_OCCLUDED:
                return None
            continue
        away = math.dist(own.place, row.place)
        direction = math.atan2(row.place[1] - own.place[1], row.place[0] - own.place[0])
        middle = (low + high) / 2
        off = abs((_turn(own.heading, direction) - middle + 180.0) % 360.0 - 180.0)
        found.append((away, (high - low) / 2 - off, row.track))
    inside = [item for item in found if item[1] >= 0.0]
    if not inside:
        return None
    away, depth, track = min(inside)
    for other_away, other_depth, other in found:
        rival = other != track and other_depth >= -_MARGIN_DEGREES
        if rival and other_away - away < _MARGIN_METRES - _ROUNDING:
            return None
    return track if depth >= _MARGIN_DEGREES - _ROUNDING else None


def _turn(first: float, second: float) -> float:
    """Degrees, positive to the left, from one direction in radians to another."""
    return (math.degrees(second - first) + 180.0) % 360.0 - 180.0
