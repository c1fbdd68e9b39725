"""Merge bitcode modules and archives into one module, by a linker's rules.

Objects are always in; an archive member is in when it defines a symbol that is still undefined by a strong
reference, the first archive on the command line first (as lld does, the order of archives and objects does
not matter).  Two strong definitions are an error; weak and common ones give way.  LLVM does the merging;
this module only decides what takes part, and says clearly what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cinquefoil.build import archive, bitcode
from cinquefoil.build.bitcode import Context, Module
from cinquefoil.build.symbols import Symbols, symbols_of_text
from cinquefoil.errors import BitcodeError, LinkError

TRIPLE = "x86_64-unknown-linux-musl"


@dataclass(slots=True)
class Part:
    """A module that may take part in the link."""

    name: str
    module: Module
    symbols: Symbols


@dataclass(frozen=True, slots=True)
class Linked:
    """The merged module and its symbol table, with the parts that need each undefined symbol."""

    module: Module
    symbols: Symbols
    needed_by: dict[str, str]


def link(inputs: Sequence[Path], context: Context | None = None, need_main: bool = True) -> Linked:
    """Link object files and archives of bitcode, in command-line order."""
    context = context or bitcode.new_context()
    objects, definers = _read_inputs(inputs, context)
    parts = select(objects, definers)
    check_duplicates(parts)
    if need_main and not any("main" in part.symbols.defined for part in parts):
        raise LinkError("the program has no main function")
    linked = _merge(parts, context)
    if need_main and not _is_function(linked.module, "main"):
        raise LinkError("the program's main is not a function")
    return linked


def _is_function(module: Module, name: str) -> bool:
    """Aliases count: what they stand for cannot be asked for here."""
    return name not in {variable.name for variable in module.global_variables}


@dataclass(slots=True)
class Lazy:
    """An archive member, read only when it is needed."""

    member: archive.Member
    context: Context
    part: Part | None = None

    def load(self) -> Part:
        if self.part is None:
            self.part = _part(self.member.data, str(self.member), self.context)
        return self.part


def _read_inputs(inputs: Iterable[Path], context: Context) -> tuple[list[Part], dict[str, Lazy]]:
    """The objects, and which archive member first defines each symbol."""
    objects: list[Part] = []
    definers: dict[str, Lazy] = {}
    for path in inputs:
        if not path.is_file():
            raise LinkError(f"{path}: no such file")
        with path.open("rb") as handle:
            start = handle.read(8)
        if archive.is_archive(start):
            for name, lazy in _archive_symbols(path, context):
                definers.setdefault(name, lazy)
        else:
            objects.append(_part(path.read_bytes(), str(path), context))
    return objects, definers


def _archive_symbols(path: Path, context: Context) -> Iterator[tuple[str, Lazy]]:
    """Symbols of an archive by its index, or by reading the members it does not list."""
    # A native member cannot take part; what only it defines stays undefined and is reported so.
    members = [m for m in archive.read_archive(path) if bitcode.is_bitcode(m.data)]
    by_offset = {member.offset: Lazy(member, context) for member in members}
    index = archive.read_index(path) or {}
    yield from ((name, by_offset[offset]) for name, offset in index.items() if offset in by_offset)
    # An archiver leaves out of the index what it cannot read, such as bitcode of a newer LLVM.
    for offset in sorted(by_offset.keys() - set(index.values())):
        lazy = by_offset[offset]
        yield from ((name, lazy) for name in lazy.load().symbols.defined)


def _part(data: bytes, name: str, context: Context) -> Part:
    if data[:4] == b"\x7fELF":
        raise BitcodeError(f"{name} holds native code, not bitcode; compile it with cinq cc")
    module = bitcode.parse(data, name, context)
    triple: str = module.triple
    if triple and not (triple.startswith(("x86_64-", "amd64-")) and "linux" in triple):
        raise LinkError(f"{name} is for the target {triple}; only x86_64 Linux is supported")
    return Part(name, module, symbols_of_text(str(module)))


def select(objects: Sequence[Part], definers: Mapping[str, Lazy]) -> list[Part]:
    """Objects, and the archive members they need, in the order they are pulled in."""
    taken = list(objects)
    defined = {name for part in taken for name in part.symbols.defined}
    position = 0
    while position < len(taken):
        for name in sorted(taken[position].symbols.undefined - defined):
            if name in definers and name not in defined:
                taken.append(definers[name].load())
                defined |= taken[-1].symbols.defined
        position += 1
    return taken


def check_duplicates(parts: Iterable[Part]) -> None:
    """`LinkError` when two parts define the same symbol strongly."""
    owner: dict[str, str] = {}
    for part in parts:
        for name in sorted(part.symbols.strong):
            if name in owner:
                raise LinkError(f"{name} is defined both in {owner[name]} and in {part.name}")
            owner[name] = part.name


def _merge(parts: Sequence[Part], context: Context) -> Linked:
    needed_by: dict[str, str] = {}
    merged = bitcode.parse_text(f'target triple = "{TRIPLE}"\n', "program", context)
    for number, part in enumerate(parts):
        for name in part.symbols.undefined:
            needed_by.setdefault(name, part.name)
        part.module.triple = TRIPLE
        if number == 0:
            merged.data_layout = part.module.data_layout
        try:
            merged.link_in(part.module)
        except RuntimeError as error:
            raise LinkError(f"{part.name} cannot be linked: {error}") from error
    symbols = symbols_of_text(str(merged))
    return Linked(merged, symbols, {name: needed_by.get(name, "the program") for name in symbols.undefined})
