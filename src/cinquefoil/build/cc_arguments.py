"""The command line of a C compiler, taken apart: what to do, to which files, with which flags.

Compiler flags are passed on to clang unchanged; only those that a driver must understand are looked at.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cinquefoil.errors import UserError

# Flags whose value is the next argument, when it is not glued on.
_COMPILER_VALUES = {
    "-I", "-D", "-U", "-include", "-imacros", "-isystem", "-idirafter", "-iquote", "-iprefix", "-isysroot",
    "-MF", "-MT", "-MQ", "-x", "-Xclang", "-Xpreprocessor", "-Xassembler", "-mllvm", "--param", "-std",
}  # fmt: skip
_LINKER_VALUES = {"-Xlinker", "-T", "-u", "-e", "-z", "-rpath", "-soname"}
_TARGETS = {"-target", "--target"}
_DROPPED_VALUES = {*_TARGETS, "-arch", "-B", "-b", "-V", "-framework"}
# libc holds them all, or they make no sense for a static, non-PIC, single-threaded target.
_DROPPED = {
    "-fPIC", "-fpic", "-fPIE", "-fpie", "-pie", "-no-pie", "-static-pie", "-rdynamic", "-pthread",
    "-pthreads", "-pipe", "-flto", "-fno-lto", "-static", "-static-libgcc", "-m64", "-save-temps",
    "-ffat-lto-objects", "-fno-fat-lto-objects", "-Bstatic", "-Bdynamic", "-export-dynamic",
}  # fmt: skip
_DROPPED_PREFIXES = (
    "-flto=",
    "-fuse-ld=",
    "-B",
)
LIBC_LIBRARIES = {
    "c",
    "m",
    "pthread",
    "rt",
    "dl",
    "util",
    "crypt",
    "resolv",
    "xnet",
    "gcc",
    "gcc_s",
    "atomic",
}
# Questions to the compiler itself, and preprocessing: clang answers.
_ASKING = {
    "-E",
    "-M",
    "-MM",
    "-fsyntax-only",
    "--version",
    "-v",
    "-V",
    "-###",
    "-qversion",
    "-version",
    "--help",
}
_ASKING_PREFIXES = ("-print-", "--print-", "-dump")
_SOURCES = {".c", ".i"}
_ASSEMBLY = {".s", ".S"}
# What clang would compile and nothing here could link or trace.
_FOREIGN = {".cc", ".cpp", ".cxx", ".c++", ".cp", ".C", ".CPP", ".ii", ".m", ".mm", ".f", ".f90"}


@dataclass(slots=True)
class Arguments:
    """A parsed command line."""

    mode: str = "link"  # link, -c, -S or ask
    output: Path | None = None
    compiler: list[str] = field(default_factory=list[str])
    inputs: list[str] = field(default_factory=list[str])  # files and linker flags, in order
    libraries: list[Path] = field(default_factory=list[Path])  # -L
    shared: bool = False
    bare: bool = False  # -nostdlib and the like
    language: str | None = None


def expand_responses(argv: Iterable[str]) -> Iterator[str]:
    """Arguments with each `@file` replaced by what the file holds."""
    for argument in argv:
        path = Path(argument[1:])
        if argument.startswith("@") and path.is_file():
            yield from expand_responses(shlex.split(path.read_text()))
        else:
            yield argument


def parse(argv: Sequence[str]) -> Arguments:
    """Take a command line apart; `UserError` for what this target cannot do."""
    result = Arguments()
    rest = iter(list(expand_responses(argv)))
    for argument in rest:
        if argument in _COMPILER_VALUES or argument in _LINKER_VALUES or argument in _DROPPED_VALUES:
            _add_with_value(result, argument, _value(argument, rest))
        elif argument in ("-o", "-L", "-l"):
            _add_file_flag(result, argument, _value(argument, rest))
        elif argument.startswith(("-o", "-L", "-l")) and not argument.startswith("-lto"):
            _add_file_flag(result, argument[:2], argument[2:])
        else:
            _add_single(result, argument)
    _refuse_other_languages(result)
    return result


def _refuse_other_languages(arguments: Arguments) -> None:
    if arguments.mode == "ask":
        return
    if (arguments.language or "").startswith(("c++", "objective", "f")):
        raise UserError(f"-x {arguments.language}: only C is supported")
    foreign = [name for name in arguments.inputs if Path(name).suffix in _FOREIGN]
    if foreign and arguments.language is None:
        raise UserError(f"{foreign[0]}: only C is supported")


def _value(flag: str, rest: Iterator[str]) -> str:
    try:
        return next(rest)
    except StopIteration:
        raise UserError(f"argument to {flag} is missing") from None


def _add_with_value(result: Arguments, flag: str, value: str) -> None:
    if flag == "-Xlinker":
        result.inputs.append(value)
    elif flag in _LINKER_VALUES:
        result.inputs += [flag, value]
    elif flag in _TARGETS:
        result.compiler.append(f"--target={value}")  # one word, as which it is named and has no effect
    elif flag in _COMPILER_VALUES:
        result.compiler += [flag, value]
        if flag == "-x":
            result.language = None if value == "none" else value


def _add_file_flag(result: Arguments, flag: str, value: str) -> None:
    if flag == "-o":
        result.output = Path(value)
    elif flag == "-L":
        result.libraries.append(Path(value))
    elif value not in LIBC_LIBRARIES:
        result.inputs.append("-l" + value)


def _add_single(result: Arguments, argument: str) -> None:
    if argument in ("-c", "-S"):
        result.mode = argument if result.mode == "link" else result.mode
    elif argument in _ASKING or argument.startswith(_ASKING_PREFIXES):
        result.mode = "ask"
        result.compiler.append(argument)
    elif argument == "-shared":
        result.shared = True
    elif argument in ("-nostdlib", "-nostartfiles", "-nodefaultlibs"):
        result.bare = True
    elif argument == "-m32":
        raise UserError("-m32: only x86_64 is supported")
    elif argument.startswith("-Wl,"):
        result.inputs += argument.split(",")[1:]
    elif argument in ("-s", "-r") or argument == "-" or not argument.startswith("-"):
        result.inputs.append(argument)
    elif argument not in _DROPPED and not argument.startswith(_DROPPED_PREFIXES):
        result.compiler.append(argument)


def is_source(name: str, language: str | None) -> bool:
    """Whether clang has to turn this input into bitcode."""
    if language is not None and not name.startswith("-l"):
        return language in ("c", "cpp-output")
    return Path(name).suffix in _SOURCES


def is_assembly(name: str) -> bool:
    """Whether this input can only become native code."""
    return Path(name).suffix in _ASSEMBLY
