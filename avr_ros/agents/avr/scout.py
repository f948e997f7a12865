"""Looking: a view is asked for, people in it are found and bound, and what it shows is written."""

from collections.abc import Iterable

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.people import People, Person
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.avr.sighting import Sighting, sightings
from avr_ros.agents.toolbox import Toolbox
from avr_ros.schema.fact import Fact, FactKind


class Scout:
    """Looks on behalf of one question and keeps the people that it met.

    For each person in a view these facts are written: that they are there; each action that they
    do (``action``); each action of interest that they do not (``not action``); where they stand
    (``ground``, metres forward and left of the robot). Nothing is written of the actions of
    somebody whose actions perception cannot tell.
    """

    def __init__(self, toolbox: Toolbox, settings: AvrSettings, actions: Iterable[str]) -> None:
        """Look with ``toolbox``; ``actions`` are those whose absence matters to the question."""
        self._toolbox = toolbox
        self._settings = settings
        self._actions = tuple(dict.fromkeys(actions))
        self.people = People(settings)

    @property
    def looks_left(self) -> int:
        """Views that can still be asked for."""
        return self._toolbox.looks_left

    def look(self, frame_id: int, azimuth: float) -> list[tuple[Person, Sighting]]:
        """Look once; return who was seen. Raises what the tools raise."""
        view = self._toolbox.observe(frame_id, wrap(azimuth))
        seen = sightings(view, self._toolbox.detect(view))
        bound = list(zip(self.people.bind(seen), seen, strict=True))
        facts = [fact for person, sighting in bound for fact in self._facts(person, sighting)]
        if facts:
            self._toolbox.write(facts)
        return bound

    def told(self, person: Person, frame_id: int) -> int:
        """In how many looks at a frame perception could tell the person's actions."""
        return sum(bool(sighting.detection.actions) for sighting in person.at(frame_id))

    def does(self, sighting: Sighting, action: str) -> bool | None:
        """Whether a person does an action; none where perception cannot tell."""
        if not sighting.detection.actions:
            return None
        return action in self.doing(sighting)

    def doing(self, sighting: Sighting) -> frozenset[str]:
        """Everything that a person does, as far as perception can tell."""
        threshold = self._settings.action_threshold
        actions = sighting.detection.actions
        return frozenset(action for action, value in actions.items() if value >= threshold)

    def _facts(self, person: Person, sighting: Sighting) -> list[Fact]:
        detection = sighting.detection
        facts = [
            Fact(
                kind=FactKind.ENTITY,
                subject=person.name,
                predicate="person",
                provenance=sighting.provenance(detection.confidence),
            )
        ]
        if detection.ground is not None:
            facts.append(
                Fact(
                    kind=FactKind.ATTRIBUTE,
                    subject=person.name,
                    predicate="ground",
                    value=f"{detection.ground.x:.2f} {detection.ground.y:.2f}",
                    provenance=sighting.provenance(detection.confidence),
                )
            )
        if not detection.actions:
            return facts
        threshold = self._settings.action_threshold
        done = [action for action, value in detection.actions.items() if value >= threshold]
        for predicate, actions in (("action", done), ("not action", self._actions)):
            for action in actions:
                probability = detection.actions.get(action, 0.0)
                if predicate == "not action" and action in done:
                    continue
                confidence = probability if predicate == "action" else 1.0 - probability
                facts.append(
                    Fact(
                        kind=FactKind.ATTRIBUTE,
                        subject=person.name,
                        predicate=predicate,
                        value=action,
                        provenance=sighting.provenance(confidence),
                    )
                )
        return facts
