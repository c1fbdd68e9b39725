"""What a report format is: a class that writes the results of an exploration as another tool wants them.

About 15 lines are enough:

    @register_format("lines")
    class Lines(Format):
        \"\"\"One line per error.\"\"\"

        output = "errors.txt"

        def write(self, suite: Suite, output: Path) -> Exported:
            lines = [f"{error.text('kind')} in line {error.whole('line')}" for error in suite.errors.values()]
            return Exported((write(output, "\\n".join(lines)),), suite.broken)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from cinquefoil.report.export.export_suite import Exported, Suite


class Format(ABC):
    """Made as `Class(*parameters)`."""

    output: ClassVar[str]  # the file or folder that is written unless another one is asked for

    @abstractmethod
    def write(self, suite: Suite, output: Path) -> Exported:
        """Writes to `output`: a file, which may exist, or a folder, which must be empty if it does.

        What could not be written is told by the notes of the result; `UserError` if nothing can be written at all."""
