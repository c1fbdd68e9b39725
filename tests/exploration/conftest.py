"""The toy machine is shared with the strategies' tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "search"))
