"""The pictures that a baseline shows to its model, and the prediction that leads back to them."""

import math

from avr_ros.agents.answer_prediction import CANNOT_TELL
from avr_ros.agents.stage_image import stage_image
from avr_ros.agents.toolbox import Toolbox
from avr_ros.agents.tools import Panorama, View
from avr_ros.geometry.crop import CropWindow
from avr_ros.reasoning.picture_boxes import to_panorama
from avr_ros.reasoning.stage import StageImage
from avr_ros.reasoning.stages.answer_reply import AnswerReply, PictureBox
from avr_ros.reasoning.stages.contract import ShownView
from avr_ros.reasoning.view_caption import view_caption
from avr_ros.schema.box import Box
from avr_ros.schema.prediction import Evidence, Prediction
from avr_ros.schema.question import Question


class Pictures:
    """Pictures by name, in the order in which they came."""

    def __init__(self, toolbox: Toolbox) -> None:
        """Start without any."""
        self._toolbox = toolbox
        self._pictures: dict[str, View | Panorama] = {}
        self._shown: dict[str, ShownView] = {}
        self._images: dict[str, StageImage] = {}

    def add_given(self, question: Question) -> None:
        """Take every panorama that the episode gives."""
        for frame in question.given_frames:
            self.add(self._toolbox.given_frame(frame))

    def add(self, picture: View | Panorama) -> str:
        """Take one more picture; returns its name."""
        name = f"picture {len(self._pictures) + 1}"
        self._pictures[name] = picture
        seen = picture.observation if isinstance(picture, View) else picture.frame
        azimuth = picture.observation.azimuth if isinstance(picture, View) else None
        first = float(self._toolbox.times.stamps_us[0])
        caption = view_caption(seen.frame_id, seen.stamp_ns, azimuth, first)
        self._shown[name] = ShownView(name=name, caption=caption)
        self._images[name] = stage_image(picture, self._toolbox, name)
        return name

    @property
    def names(self) -> tuple[str, ...]:
        """All names."""
        return tuple(self._pictures)

    def shown(self, *names: str) -> tuple[ShownView, ...]:
        """Some pictures as stages are told of them; all of them without names."""
        return tuple(self._shown[name] for name in names or self.names)

    def images(self, *names: str) -> tuple[StageImage, ...]:
        """The same pictures as they are shown."""
        return tuple(self._images[name] for name in names or self.names)

    def frame_id(self, name: str) -> int:
        """The frame of a picture."""
        picture = self._pictures[name]
        return picture.observation.frame_id if isinstance(picture, View) else picture.frame.frame_id

    def box(self, name: str, box: PictureBox | None) -> Box | None:
        """A box in thousandths of a picture, on the panorama; none where it lies outside."""
        return None if box is None else to_panorama(Box(*box), self.window(name))

    def window(self, name: str) -> CropWindow:
        """The part of the panorama that a picture shows."""
        picture = self._pictures[name]
        if isinstance(picture, View):
            return picture.observation.crop
        height, width = picture.image.shape[:2]
        return CropWindow(0, 0, width, height, width)

    def evidence(self, name: str, box: Box | None) -> Evidence:
        """A picture with a box on the panorama, as evidence."""
        picture = self._pictures[name]
        if isinstance(picture, View):
            seen = picture.observation
            return Evidence(
                observation_id=seen.observation_id,
                frame_id=seen.frame_id,
                azimuth_deg=math.degrees(seen.azimuth),
                box=box,
            )
        return Evidence(
            observation_id=picture.frame.observation_id, frame_id=picture.frame.frame_id, box=box
        )

    def prediction(self, reply: AnswerReply, evidence: Evidence | None = None) -> Prediction:
        """The prediction that a reply makes; ``evidence`` takes the place of the reply's own."""
        if reply.answer is None:
            return Prediction(abstained=True, reason=reply.reason or CANNOT_TELL)
        name = reply.evidence_view
        if evidence is None and name is not None and name in self._pictures:
            evidence = self.evidence(name, self.box(name, reply.evidence_box))
        return Prediction(answer=reply.answer, evidence=evidence, reason=reply.reason)
