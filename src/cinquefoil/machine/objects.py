"""Traced native objects: one per module, cached by the content of its bitcode.

libc's files are compiled one by one, so each is traced and compiled once per user, not once per program.  What making
an object needs (LLVM, the parser, the tracer) is imported only then: most starts find everything in the cache.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache as memoise
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from cinquefoil.build import cache
from cinquefoil.build.jobs import in_processes
from cinquefoil.errors import BitcodeError
from cinquefoil.ir.sites import sites_to_rows
from cinquefoil.transform.instrument.options import InstrumentOptions

if TYPE_CHECKING:
    import llvmlite.binding as llvm

    from cinquefoil.transform.instrument.module import TracedModule

Progress = Callable[[str, int, int], None]
_PACKAGE = Path(__file__).resolve().parent.parent
_VERSIONED = (
    *("ir", "transform/instrument", "layout.py"),
    *("machine/objects.py", "machine/runtime/abi.h", "machine/runtime/layout.h"),
)


@dataclass(frozen=True, slots=True)
class TracedObject:
    """An object file and what is known of its sites; `base_symbol` is to be defined when linking."""

    path: Path
    base_symbol: str
    description: dict[str, object]


@dataclass(frozen=True, slots=True)
class ObjectRequest:
    bitcode: Path
    options: InstrumentOptions
    level: int = 1  # of code generation

    def key(self) -> list[cache.KeyPart]:
        return [tracing_version(), repr(self.options), str(self.level), self.bitcode]


@memoise
def tracing_version() -> str:
    """Changes whenever the rewrite could give something else."""
    digest = sha256(version("llvmlite").encode())
    for name in _VERSIONED:
        place = _PACKAGE / name
        files = [place] if place.is_file() else sorted(place.rglob("*.py"))
        for file in files:
            digest.update(file.read_bytes())
    return digest.hexdigest()


def traced_objects(requests: list[ObjectRequest], progress: Progress | None = None) -> list[TracedObject]:
    """Objects for all requests; those that are missing are made in processes of their own, several at a time."""
    missing = [r for r in requests if not _is_cached(r)]

    def done(number: int) -> None:
        if progress is not None:
            progress("tracing", number, len(missing))

    if missing:
        in_processes(_make_cached, missing, done)
    return [traced_object(r) for r in requests]


def traced_object(request: ObjectRequest) -> TracedObject:
    key = request.key()
    symbol = f"cinq_base_{cache.key_of(key)[:16]}"
    made: list[tuple[bytes, str]] = []

    def work() -> tuple[bytes, str]:
        if not made:
            made.append(_make(request, symbol))
        return made[0]

    path = cache.get_or_make("object", key, ".o", lambda output: _write(output, work()[0]))
    sites = cache.get_or_make("sites", key, ".json", lambda output: _write(output, work()[1].encode()))
    return TracedObject(path, symbol, json.loads(sites.read_bytes()))


def _write(output: Path, data: bytes) -> None:
    output.write_bytes(data)


def _is_cached(request: ObjectRequest) -> bool:
    key = request.key()
    return _exists("object", key, ".o") and _exists("sites", key, ".json")


def _exists(kind: str, key: list[cache.KeyPart], suffix: str) -> bool:
    return cache.entry_path(kind, cache.key_of(key), suffix).exists()


def _make_cached(request: ObjectRequest) -> None:
    traced_object(request)


def _make(request: ObjectRequest, symbol: str) -> tuple[bytes, str]:
    from cinquefoil.build import bitcode
    from cinquefoil.ir.parser import parse_module
    from cinquefoil.transform.instrument.module import instrument

    traced = instrument(parse_module(str(bitcode.read(request.bitcode))), symbol, request.options)
    return compile_ir(traced.text, request.level), json.dumps(_describe(traced), separators=(",", ":"))


def _describe(traced: TracedModule) -> dict[str, object]:
    return {
        "sites": sites_to_rows(traced.sites),
        "needed": sorted(traced.needed),
        "entries": traced.entries,
        "successors": list(traced.successors.items()),
        "calls": list(traced.calls.items()),
        "instructions": list(traced.instructions.items()),
        "dead_ends": sorted(traced.dead_ends),
        "places": [[site, *place] for site, place in traced.places.items()],
        "checksums": traced.checksums,
    }


@memoise
def _machine(level: int) -> llvm.TargetMachine:
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()
    target = llvm.Target.from_triple("x86_64-unknown-linux-musl")
    return target.create_target_machine(opt=level, reloc="static", codemodel="small")


def compile_ir(text: str, level: int) -> bytes:
    """Instrumented IR to an object file; the middle end is skipped, it gains nothing here."""
    import llvmlite.binding as llvm

    try:
        module = llvm.parse_assembly(text)
        module.verify()
    except RuntimeError as error:
        raise BitcodeError(f"the traced module is not valid IR: {error}") from error
    return _machine(level).emit_object(module)
