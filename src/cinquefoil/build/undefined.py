"""Functions that a program calls and nobody defines.

Such a program can be explored all the same: each gets a definition that tells its name to the run-time, or to the
replay library, and does not return.  So reaching one is an error of its own kind, and a program that never reaches
them is none the worse.  Variables cannot be made up like this: their size and content would be guessed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cinquefoil.build import cache, toolchain

_FLAGS = ("-c", f"--target={toolchain.TARGET}", "-O1", "-ffreestanding", "-fno-pic", "-fno-stack-protector", "-w")
_ENDING = "__attribute__((noreturn)) void cinq_undefined(const char *name);\n"


def stand_ins(names: Iterable[str]) -> list[Path]:
    """An object file that defines these functions, weakly, and lists them as targets of calls through pointers; none if
    there are no names.  Who links it defines `cinq_undefined`."""
    wanted = sorted(names)
    if not wanted:
        return []
    text = _ENDING + "".join(_definition(number, name) for number, name in enumerate(wanted))
    key: list[cache.KeyPart] = [toolchain.version(), *_FLAGS, text]
    return [cache.get_or_make("undefined", key, ".o", lambda output: _compile(text, output))]


def _definition(number: int, name: str) -> str:
    """Names of other languages are no C identifiers: the assembler gets them as they are."""
    symbol = name.replace("\\", "\\\\").replace('"', '\\"')
    return (
        f'__attribute__((weak)) void f{number}(void) __asm__("{symbol}");\n'
        f'void f{number}(void) {{ cinq_undefined("{symbol}"); }}\n'
        f'__attribute__((used, section("cinq_functions"))) static void *const p{number} = (void *)f{number};\n'
    )


def _compile(text: str, output: Path) -> None:
    source = output.with_name(output.name + ".c")
    try:
        source.write_text(text)
        toolchain.clang([*_FLAGS, str(source), "-o", str(output)], "the undefined functions' stand-ins")
    finally:
        source.unlink(missing_ok=True)
