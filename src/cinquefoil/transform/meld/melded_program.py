"""A program, melded: kept in the cache by its bitcode, the options and the code that melds.

The melded program is bitcode of its own, checked by LLVM, and replaces the original in what follows; nothing that
was made for the original is touched.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache as memoise
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from cinquefoil.analysis.symbolic_flow import SymbolicFlow
from cinquefoil.build import cache
from cinquefoil.build.program import LinkedProgram
from cinquefoil.ir.model import Module
from cinquefoil.transform.meld.meld_options import MeldOptions
from cinquefoil.transform.meld.meld_report import MeldReport

_PACKAGE = Path(__file__).resolve().parent.parent.parent
_VERSIONED = ("transform/meld", "ir", "analysis")


@dataclass(frozen=True, slots=True)
class MeldedProgram:
    program: LinkedProgram
    report: MeldReport


def meld_program(program: LinkedProgram, options: MeldOptions) -> MeldedProgram:
    """The melded program and what was melded in it."""
    excluded = ("\n".join(pair) for pair in sorted(options.excluded))
    key: list[cache.KeyPart] = [_version(), options.mode, *excluded, program.module_bitcode]
    made: list[tuple[bytes, str]] = []

    def work() -> tuple[bytes, str]:
        if not made:
            made.append(_meld(program.module_bitcode, options))
        return made[0]

    bitcode = cache.get_or_make("melded", key, ".bc", lambda output: _write(output, work()[0]))
    report = cache.get_or_make("melded-report", key, ".json", lambda output: _write(output, work()[1].encode()))
    return MeldedProgram(replace(program, module_bitcode=bitcode), MeldReport.from_json(report.read_text()))


def melded_text(bitcode: Path, options: MeldOptions) -> tuple[str, MeldReport]:
    """The melded module as textual IR, and the report."""
    from cinquefoil.build import bitcode as llvm
    from cinquefoil.ir.parser import parse_module
    from cinquefoil.ir.printer import print_module
    from cinquefoil.transform.meld.module import meld

    text = str(llvm.read(bitcode))
    module = parse_module(text)
    report = meld(module, options, _flow(_Source(sha256(text.encode()).hexdigest(), module)))
    return print_module(module), report


@dataclass(frozen=True, slots=True)
class _Source:
    """A module not yet changed, known by its text."""

    digest: str
    module: Module = field(compare=False)


@lru_cache(maxsize=1)
def _flow(source: _Source) -> SymbolicFlow:
    """The slow part of the analysis, which is the same whenever the program is melded anew."""
    return SymbolicFlow(source.module)


def _meld(path: Path, options: MeldOptions) -> tuple[bytes, str]:
    from cinquefoil.build import bitcode

    text, report = melded_text(path, options)
    return bitcode.parse_text(text, "melded").as_bitcode(), report.to_json()


def _write(output: Path, data: bytes) -> None:
    output.write_bytes(data)


@memoise
def _version() -> str:
    """Changes with the code that melds."""
    digest = sha256()
    for name in _VERSIONED:
        path = _PACKAGE / name
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()
