"""Read the results of an evaluation out of its bag, with rosbags alone."""

import sys
from pathlib import Path

from rosbags.highlevel import AnyReader


def main(bag):
    """Print one line for each scored question, and the report's overall scores."""
    with AnyReader([Path(bag)]) as reader:
        for connection, _, data in reader.messages():
            message = reader.deserialize(data, connection.msgtype)
            if connection.topic.endswith("/sample_results"):
                right = "right" if message.score.combined else "wrong"
                print(f"{message.question_id}: {right}, {message.cost.observations} observations")
            elif connection.topic.endswith("/report"):
                print(f"combined {message.overall.combined:.1f} % of {message.overall.n}")


if __name__ == "__main__":
    main(sys.argv[1])
