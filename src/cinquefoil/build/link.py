"""Merge bitcode modules and archives into one module, by a linker's rules.

Objects are always in; an archive member is in when it defines a symbol that is still undefined by a strong
reference, the first archive on the command line first (as lld does, the order of archives and objects does
not matter).  Two strong definitions are an error; weak and common ones give way.  LLVM does the merging;
this module only decides what takes part, and says clearly what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    objects, members = _read_inputs(inputs, context)
    parts = select(objects, members)
    check_duplicates(parts)
    if need_main and not any("main" in part.symbols.defined for part in parts):
        raise LinkError("the program has no main function")
    return _merge(parts, context)


def _read_inputs(inputs: Iterable[Path], context: Context) -> tuple[list[Part], list[Part]]:
    objects: list[Part] = []
    members: list[Part] = []
    for path in inputs:
        if not path.is_file():
            raise LinkError(f"{path}: no such file")
        data = path.read_bytes()
        if archive.is_archive(data):
            found = archive.read_archive(path)
            # A native member cannot take part; what only it defines stays undefined and is reported so.
            members += [_part(m.data, str(m), context) for m in found if bitcode.is_bitcode(m.data)]
        else:
            objects.append(_part(data, str(path), context))
    return objects, members


def _part(data: bytes, name: str, context: Context) -> Part:
    if data[:4] == b"\x7fELF":
        raise BitcodeError(f"{name} holds native code, not bitcode; compile it with cinq cc")
    module = bitcode.parse(data, name, context)
    triple: str = module.triple
    if triple and not (triple.startswith(("x86_64-", "amd64-")) and "linux" in triple):
        raise LinkError(f"{name} is for the target {triple}; only x86_64 Linux is supported")
    return Part(name, module, symbols_of_text(str(module)))


def select(objects: Sequence[Part], members: Sequence[Part]) -> list[Part]:
    """Objects, and the archive members they need, in the order they are pulled in."""
    definer: dict[str, Part] = {}
    for member in members:
        for name in member.symbols.defined:
            definer.setdefault(name, member)
    taken = list(objects)
    defined = {name for part in taken for name in part.symbols.defined}
    position = 0
    while position < len(taken):
        for name in sorted(taken[position].symbols.undefined - defined):
            member = definer.get(name)
            if member is not None and name not in defined:
                taken.append(member)
                defined |= member.symbols.defined
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
