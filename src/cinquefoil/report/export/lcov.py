"""Coverage in lcov's format, as `genhtml` and editors read it: the exploration has written it already."""

from __future__ import annotations

from pathlib import Path

from cinquefoil.errors import UserError
from cinquefoil.report.export.export_suite import Exported, Suite, write
from cinquefoil.report.export.format import Format
from cinquefoil.testcase.files import read_regular


class Lcov(Format):
    """Coverage for genhtml and editors."""

    output = "coverage.info"

    def write(self, suite: Suite, output: Path) -> Exported:
        source = suite.results.folder / "coverage.info"
        if not source.is_file():
            raise UserError(f"{suite.results.folder} holds no coverage.info")
        return Exported((write(output, read_regular(source)),))
