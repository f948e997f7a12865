"""Makes the environment and the built overlay; tools/with_python.sh starts it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from avr_setup.main import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parent.parent))
