"""The pydantic base class of everything that is written to a file or sent between rooms."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen pydantic model that refuses unknown keys, NaN and infinities."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
