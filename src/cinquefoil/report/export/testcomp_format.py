"""A Test-Comp test suite: metadata.xml and testcase-NNNNNN.xml, in a folder or a zip file."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cinquefoil import __version__
from cinquefoil.report.export.export_suite import Exported, Suite, fresh_folder, write
from cinquefoil.report.export.format import Format
from cinquefoil.report.reading import Record
from cinquefoil.testcase.testcomp import BRANCHES, Metadata, metadata_xml, testcase_xml

_MISSING: Final = "0" * 64
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # the first moment a zip file can name: equal suites are equal files


class TestCompFormat(Format):
    """A Test-Comp test suite: a folder, or a .zip file."""

    __test__ = False  # not a test class, whatever its name begins with
    output = "test-suite"

    def __init__(self, specification: str = BRANCHES, architecture: str = "64bit") -> None:
        self._specification = specification
        self._architecture = architecture

    def write(self, suite: Suite, output: Path) -> Exported:
        program = _program(suite)
        notes = list(suite.broken)
        if program is None:
            notes.append(f"the program {suite.program} is not here: metadata.xml has no hash of it")
        files = list(_files(suite, program, self._specification, self._architecture))
        if output.suffix == ".zip":
            _zip(output, files)
            return Exported((output,), tuple(notes))
        folder = fresh_folder(output)
        return Exported(tuple(write(folder / name, content) for name, content in files), tuple(notes))


def is_goal(error: Record | None) -> bool:
    """Does this error mean that Test-Comp's error function was called?"""
    return error is not None and (error.text("kind") == "reach-error" or error.text("function") == "reach_error")


def _files(suite: Suite, program: Path | None, specification: str, architecture: str) -> Iterator[tuple[str, str]]:
    made = datetime.fromtimestamp((suite.results.folder / "summary.json").stat().st_mtime, UTC)
    data = Metadata(
        producer=f"Cinquefoil {__version__}",
        specification=specification,
        program=Path(suite.program).name,
        program_hash=hashlib.sha256(program.read_bytes()).hexdigest() if program else _MISSING,
        created=made.strftime("%Y-%m-%dT%H:%M:%SZ"),
        architecture=architecture,
    )
    yield "metadata.xml", metadata_xml(data)
    for info, test in suite.tests:
        covers = is_goal(suite.errors.get(info.number))
        yield f"testcase-{info.number:06d}.xml", testcase_xml(test, covers)


def _program(suite: Suite) -> Path | None:
    """The program's file, looked for from here and from where it was explored."""
    folder = suite.results.details.record("command").text("folder")
    for path in (Path(suite.program), Path(folder) / suite.program):
        if suite.program and path.is_file():
            return path
    return None


def _zip(output: Path, files: list[tuple[str, str]]) -> None:
    output.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
