"""Settings of the server backend."""

from pydantic import Field

from avr_ros.schema.model import Record


class OpenAISettings(Record):
    """How a server is asked. The key is none of them: it comes from the environment."""

    seed: int = Field(default=0, ge=0, description="seed of sampling and of waiting times")
    temperature: float = Field(default=0.0, ge=0, le=2, description="randomness of replies")
    top_p: float = Field(default=1.0, gt=0, le=1, description="share of likely words considered")
    max_tokens: int = Field(default=2048, ge=1, description="most tokens in a reply")
    deadline_seconds: float = Field(
        default=120.0, gt=0, le=3600, description="time for one call with all its attempts, s"
    )
    attempt_seconds: float = Field(
        default=60.0, gt=0, le=3600, description="time for one request within a call, s"
    )
    attempts: int = Field(default=5, ge=1, le=20, description="requests until the server answers")
    repairs: int = Field(default=2, ge=0, le=10, description="times a bad reply is sent back")
    concurrency: int = Field(default=32, ge=1, le=1024, description="requests at the same time")
    wait_seconds: float = Field(
        default=0.5, ge=0, le=60, description="first wait before a request is repeated, s"
    )
    longest_wait_seconds: float = Field(
        default=20.0, ge=0, le=600, description="longest such wait, s"
    )
    max_image_bytes: int = Field(
        default=400_000, ge=10_000, description="size above which a picture is made smaller"
    )
    max_reply_bytes: int = Field(
        default=4_000_000, ge=1_000, description="size above which a response is cut off"
    )
    cache_sampled: bool = Field(
        default=False, description="keep replies in the cache also where temperature is above 0"
    )
    cache: str = Field(default="", description="folder in which replies are kept; empty: none")
