"""What an answer must look like, and the views that are shown: parts that several stages share."""

from typing import Final

from avr_ros.reasoning.stage import StageImage
from avr_ros.schema.model import Record
from avr_ros.schema.question import Question
from avr_ros.schema.vocabulary import AnswerMode

_FORMATS: Final[dict[AnswerMode, str]] = {
    AnswerMode.CHOICE: "the index, from 0, of one of the choices",
    AnswerMode.FRAME: "a frame number",
    AnswerMode.SPAN: "the first and the last frame",
    AnswerMode.FRAME_VIEW: (
        "a frame number and an azimuth in degrees, 0 straight ahead of the robot, positive left"
    ),
    AnswerMode.NUMBER: "a number",
}


class AnswerContract(Record):
    """The form of the answer: its mode, in words, with the choices or the unit."""

    mode: AnswerMode
    form: str
    choices: tuple[str, ...] = ()


class ShownView(Record):
    """A view whose picture is attached under ``name``.

    ``caption`` says where it was taken; ``note`` is what a model noted of it when it was kept,
    ``outcome`` what the action led to, ``demand`` the number, from 1, of the demand it serves.
    """

    name: str
    caption: str
    note: str = ""
    outcome: str = ""
    demand: int | None = None


class OfferedAction(Record):
    """Something that may be done now, with its parameters in words."""

    name: str
    description: str


def contract_of(question: Question) -> AnswerContract:
    """The form of a question's answer."""
    form = _FORMATS[question.answer_mode]
    if question.unit:
        form += f" in {'seconds' if question.unit == 's' else 'metres'}"
    return AnswerContract(mode=question.answer_mode, form=form, choices=question.choices)


def images_of(
    views: tuple[ShownView, ...], images: tuple[StageImage, ...]
) -> tuple[StageImage, ...]:
    """The images of the views, in their order, each once; the rest are left out."""
    by_name = {image.name: image for image in images}
    return tuple(by_name[name] for name in dict.fromkeys(view.name for view in views))
