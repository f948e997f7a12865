"""The model-driven policy: a model calls the tools, the graph and its solver decide what is legal.

Perception writes whoever a view shows into the world model; relations are deduced from places and
headings as in the deterministic search. A proposed answer is taken only where the solver leaves the
person in its evidence as the only target; otherwise the model is told what is missing.
"""

import math
from collections.abc import Sequence
from typing import Final

from avr_ros.agents.avr.case import CannotAnswerError
from avr_ros.agents.avr.chain import Reached, follow_chain
from avr_ros.agents.avr.check import SolverCheck
from avr_ros.agents.avr.people import Person
from avr_ros.agents.avr.placed import placed
from avr_ros.agents.avr.planning import Described
from avr_ros.agents.avr.scout import Scout
from avr_ros.agents.baselines.pictures import Pictures
from avr_ros.agents.refused_view import NO_SUCH_VIEW
from avr_ros.agents.toolbox import Toolbox
from avr_ros.agents.tools import ObservationRefusedError
from avr_ros.geometry import boxes
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.stages.act import OBSERVE, READ, ActInputs, ActReply, act_request
from avr_ros.reasoning.stages.answer_reply import AnswerReply
from avr_ros.reasoning.stages.contract import contract_of
from avr_ros.schema.fact import FactPattern
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question
from avr_ros.world.plan import Plan

REFUSED_ANSWERS: Final = 3
"""Answers that the graph does not support before the agent abstains."""

FACTS_TOLD: Final = 40
"""Most facts of one person that a model is told."""

SAME_BOX_IOU: Final = 0.5
"""Overlap from which a box in an answer is a person that was seen there."""


class ModelPolicy:
    """One question, searched by a model's tool calls."""

    def __init__(
        self,
        question: Question,
        plan: Plan,
        described: Described,
        scout: Scout,
        toolbox: Toolbox,
        model: ModelBackend,
    ) -> None:
        self._question = question
        self._plan = plan
        self._described = described
        self._scout = scout
        self._toolbox = toolbox
        self._model = model
        self._pictures = Pictures(toolbox)
        self._check = SolverCheck(toolbox, scout, plan, described)
        self._history: list[str] = []

    def run(self) -> Prediction:
        """Call tools until an answer is legal. Raises CannotAnswerError where none becomes so."""
        refused = 0
        missing: tuple[str, ...] = ()
        conflicts: tuple[str, ...] = ()
        while refused < REFUSED_ANSWERS and self._toolbox.calls_left > 1:
            reply = self._ask(missing, conflicts)
            if reply.action == OBSERVE:
                self._observe(reply)
            elif reply.action == READ:
                self._read(reply)
            else:
                if reply.answer is None or reply.answer.answer is None:
                    reason = "" if reply.answer is None else reply.answer.reason
                    raise CannotAnswerError(reason or "the model gave no answer")
                solution = self._check.solve(self._ways())
                missing, conflicts = solution.missing, solution.conflicts
                person = self._shown(reply.answer)
                if not self._scout.settings.solver_check or (
                    person is not None and solution.targets == (person.name,)
                ):
                    return self._pictures.prediction(reply.answer)
                refused += 1
                self._history.append(
                    f"{reply.thought} answer refused: the graph leaves "
                    f"{', '.join(solution.targets) or 'nobody'}"
                )
        raise CannotAnswerError("the graph supports no answer that the model proposed")

    def _ask(self, missing: tuple[str, ...], conflicts: tuple[str, ...]) -> ActReply:
        frames = self._toolbox.times.frame_ids
        latest = self._pictures.names[-1:]
        inputs = ActInputs(
            question=self._question.text,
            contract=contract_of(self._question),
            plan=self._plan.model_dump_json(exclude_defaults=True),
            missing=missing,
            conflicts=conflicts,
            people=tuple(person.name for person in self._scout.people),
            history=tuple(self._history),
            views=self._pictures.shown(*latest) if latest else (),
            first_frame=int(frames[0]),
            last_frame=int(frames[-1]),
            remaining=self._scout.looks_left,
            calls=self._toolbox.calls_left,
        )
        images = self._pictures.images(*latest) if latest else ()
        return self._toolbox.ask(
            self._model, act_request(inputs, images, self._question.question_id)
        )

    def _observe(self, reply: ActReply) -> None:
        frame = self._described.frame_id if reply.frame_id is None else reply.frame_id
        azimuth = math.remainder(math.radians(reply.azimuth_deg or 0.0), math.tau)
        asked = f"{reply.thought} observe frame {frame}, {math.degrees(azimuth):.1f} deg"
        try:
            view = self._toolbox.observe(frame, azimuth)
        except ObservationRefusedError as error:
            if error.status not in NO_SUCH_VIEW:
                raise
            self._history.append(f"{asked}: refused, {error.status.name.lower()}")
            return
        name = self._pictures.add(view)
        bound = self._scout.take(view)
        seen = ", ".join(person.name for person, _ in bound) or "nobody"
        self._history.append(f"{asked}: {name} shows {seen}")

    def _read(self, reply: ActReply) -> None:
        facts = self._toolbox.read(FactPattern(subject=reply.person or ""))[-FACTS_TOLD:]
        told = "; ".join(
            f"frame {fact.provenance.frame_id}: {fact.predicate} {fact.value}".rstrip()
            for fact in facts
        )
        self._history.append(f"{reply.thought} read {reply.person}: {told or 'nothing'}")

    def _ways(self) -> Sequence[Reached]:
        frame = self._described.frame_id
        people = [
            placed(person, frame, self._described.anchor.actions)
            for person in self._scout.people
            if person.at(frame)
        ]
        return follow_chain(people, self._described.closest, self._described.relations)

    def _shown(self, answer: AnswerReply) -> Person | None:
        """The person whom an answer's evidence shows."""
        name = answer.evidence_view
        if name is None:
            return None
        box = self._pictures.box(name, answer.evidence_box)
        if box is None:
            return None
        shown = self._pictures.evidence(name, box)
        width = self._pictures.window(name).panorama_width
        for person in self._scout.people:
            for sighting in person.sightings:
                if sighting.observation.observation_id == shown.observation_id and (
                    float(boxes.iou(sighting.detection.box, box, width)) >= SAME_BOX_IOU
                ):
                    return person
        return None
