"""Traced native objects: one per module, cached by the content of its bitcode.

libc's files are compiled one by one, so each is traced and compiled once per user, not once per program.  What making
an object needs (LLVM, the parser, the tracer) is imported only then: most starts find everything in the cache.
"""

from __future__ import annotations

import pickle
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
from cinquefoil.transform.instrument.instrument_options import InstrumentOptions
from cinquefoil.transform.instrument.traced_module import ModuleFacts

if TYPE_CHECKING:
    import llvmlite.binding as llvm

Progress = Callable[[str, int, int], None]
_PACKAGE = Path(__file__).resolve().parent.parent
_VERSIONED = (
    *("ir", "transform/instrument", "layout.py"),
    *("machine/objects.py", "machine/runtime/abi.h", "machine/runtime/layout.h"),
)


@dataclass(frozen=True, slots=True)
class TracedObject:
    """An object file and what is known of its module; `base_symbol` is to be defined when linking."""

    path: Path
    base_symbol: str
    facts: ModuleFacts


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
        path = _PACKAGE / name
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def traced_objects(requests: list[ObjectRequest], progress: Progress | None = None) -> list[TracedObject]:
    """Objects for all requests; those that are missing are made in processes of their own, several at a time."""
    missing = [r for r in requests if not is_cached(r)]

    def done(number: int) -> None:
        if progress is not None:
            progress("tracing", number, len(missing))

    if missing:
        in_processes(_make_cached, missing, done)
    return [traced_object(r) for r in requests]


def traced_object(request: ObjectRequest) -> TracedObject:
    key = request.key()
    symbol = f"cinq_base_{cache.key_of(key)[:16]}"
    made: list[tuple[bytes, bytes]] = []

    def work() -> tuple[bytes, bytes]:
        if not made:
            made.append(_make(request, symbol))
        return made[0]

    path = cache.get_or_make("object", key, ".o", lambda output: _write(output, work()[0]))
    facts = cache.get_or_make("module-facts", key, ".pickle", lambda output: _write(output, work()[1]))
    return TracedObject(path, symbol, pickle.loads(facts.read_bytes()))


def _write(output: Path, data: bytes) -> None:
    output.write_bytes(data)


def is_cached(request: ObjectRequest) -> bool:
    """Whether nothing is left to be made."""
    key = request.key()
    return _exists("object", key, ".o") and _exists("module-facts", key, ".pickle")


def _exists(kind: str, key: list[cache.KeyPart], suffix: str) -> bool:
    return cache.entry_path(kind, cache.key_of(key), suffix).exists()


def _make_cached(request: ObjectRequest) -> None:
    traced_object(request)


def _make(request: ObjectRequest, symbol: str) -> tuple[bytes, bytes]:
    """The object file, and the pickled facts: the cache is as trusted as the code that it holds."""
    from cinquefoil.build import bitcode
    from cinquefoil.ir.parser import parse_module
    from cinquefoil.transform.instrument.module_tracer import instrument

    traced = instrument(parse_module(str(bitcode.read(request.bitcode))), symbol, request.options)
    return compile_ir(traced.text, request.level), pickle.dumps(traced.facts, protocol=5)


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
