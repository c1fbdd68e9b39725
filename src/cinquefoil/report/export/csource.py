"""Standalone C tests: one file per test, a header that runs them, KLEE's header, and a makefile.

    make -C tests-c check PROGRAM=../prog.c

compiles the program with its main under another name, links it with each test and runs them.  The tests need a C
compiler and nothing of this package.  The test of an error fails while the error is there: the makefile asks the
compiler for sanitizers, without which many errors of memory go unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from cinquefoil.build import toolchain
from cinquefoil.machine.environment import Environment
from cinquefoil.replay.inputs import Inputs, inputs_of
from cinquefoil.report.export.export_suite import Exported, Suite, fresh_folder, write
from cinquefoil.report.export.format import Format
from cinquefoil.report.markup import visible
from cinquefoil.report.results import TestInfo
from cinquefoil.testcase.ktest import KTest

HEADER: Final = Path(__file__).parent / "cinq_test.h"
_PER_ROW: Final = 16
# Errors that end the process in every build; a wrong access may go unnoticed, or an optimiser may remove it.
_PLAIN: Final = frozenset({"abort", "assertion", "reach-error", "user"})
# What gcc and clang call the checks (docs/checks.md) behind kinds of errors.
_SANITIZERS: Final = {
    "overflow": "signed-integer-overflow",
    "shift": "shift",
    "pointer-overflow": "pointer-overflow",
    "misaligned": "alignment",
    "object-size": "object-size",
    "invalid-value": "bool",
    "float-cast": "float-cast-overflow",
    "float-division-by-zero": "float-divide-by-zero",
    "nonnull": "nonnull-attribute,returns-nonnull-attribute",
    "vla-bound": "vla-bound",
    "invalid-builtin": "builtin",
}
_MAKEFILE: Final = """\
# make check PROGRAM=path/to/prog.c     or OBJECTS="a.o b.o" compiled with -Dmain=cinq_program_main
CFLAGS ?= -g -O0
# Without these a build may not notice an error, and the error's test cannot tell whether it is gone.
WANTED := -fsanitize=address,bounds,shift-exponent,integer-divide-by-zero,unreachable@CHECKS@
SANITIZE ?= $(shell echo 'int main(void) { return 0; }' > .probe.c; \
	$(CC) $(WANTED) .probe.c -o .probe 2> /dev/null && ./.probe && echo $(WANTED); rm -f .probe.c .probe)
SANITIZE := $(SANITIZE)
OBJECTS ?= program.o
TESTS := $(patsubst %.c,%,$(wildcard test_*.c))

all: $(TESTS)

program.o: $(PROGRAM)
\t$(if $(PROGRAM),,$(error Which program? make check PROGRAM=path/to/prog.c))
\t$(CC) $(CFLAGS) $(SANITIZE) -w -Iinclude -Dmain=cinq_program_main -c $(PROGRAM) -o $@

test_%: test_%.c cinq_test.h $(OBJECTS)
\t$(CC) $(CFLAGS) $(SANITIZE) $< $(OBJECTS) $(LDLIBS) -lm -o $@

check: all
\t@failed=0; for t in $(TESTS); do printf '%s: ' $$t; ./$$t --check || failed=1; done; exit $$failed

clean:
\trm -f program.o $(TESTS)

.PHONY: all check clean
"""


class CTests(Format):
    """Standalone C tests with a makefile."""

    output = "tests-c"

    def write(self, suite: Suite, output: Path) -> Exported:
        folder = fresh_folder(output)
        notes = list(suite.broken)
        files = [
            write(folder / "cinq_test.h", HEADER.read_bytes()),
            write(folder / "include/klee/klee.h", (toolchain.own_headers() / "klee/klee.h").read_bytes()),
            write(folder / "Makefile", _MAKEFILE.replace("@CHECKS@", _checks(suite))),
        ]
        for info, test in suite.tests:
            environment = suite.environment(test)
            inputs = inputs_of(test, environment)
            if not inputs.possible:
                notes.append(f"test {info.number} is left out: its number of arguments is excluded by an assumption")
            elif trouble := _unlike_a_process(inputs) or _failing_allocation(test):
                notes.append(f"test {info.number} is left out: {trouble}")
            else:
                text = source(info, test, inputs, environment, suite)
                files.append(write(folder / f"test_{info.number:06d}.c", text))
        return Exported(tuple(files), tuple(notes))


def _checks(suite: Suite) -> str:
    """The sanitizers that notice the errors of these tests, beside those that are always asked for."""
    kinds = {error.text("kind") for error in suite.errors.values()}
    return "".join(f",{name}" for kind, name in _SANITIZERS.items() if kind in kinds)


def _unlike_a_process(inputs: Inputs) -> str:
    """What a plain file cannot be."""
    odd = [name for name, content in inputs.files.items() if content.mode or content.changed or "/" in name]
    return f"it chooses the type, rights or folder of {odd[0]}" if odd else ""


def _failing_allocation(test: KTest) -> str:
    """The compiler's sanitizers have a heap of their own, in which nothing can be made to fail."""
    failing = [name for name, content in test.objects if name.startswith("malloc-fail") and content[:1] == b"\1"]
    return f"an allocation fails ({failing[0]})" if failing else ""


def source(info: TestInfo, test: KTest, inputs: Inputs, environment: Environment, suite: Suite) -> str:
    objects = [(name, content) for name, content in test.objects if name not in inputs.taken]
    files = [(name, content.data) for name, content in inputs.files.items()]
    parts = [
        f"/* Test {info.number} of {_comment(Path(suite.program).name)}: {_comment(_expectation(info, suite))}. */",
        *(["#define CINQ_RANDOM"] if environment.symbolic_random else []),
        '#include "cinq_test.h"\n',
        _table("object", objects),
        _table("file", files),
        _array("cinq_stdin", inputs.stdin.data, "const"),
        f"const size_t cinq_stdin_size = {len(inputs.stdin.data)};\n",
        _strings("cinq_arguments", [_encoded(environment.program), *inputs.arguments]),
        _strings("cinq_taken", [_encoded(name) for name in inputs.taken]),
        _strings("cinq_variables", [_encoded(word) for word in environment.variables]),
        f"const int cinq_expected = {_expected(info, suite)};\n",
        "int main(int argc, char **argv) { return cinq_test(argc, argv); }",
    ]
    return "\n".join(parts) + "\n"


def _expected(info: TestInfo, suite: Suite) -> str:
    """The exit status, or the header's word for another end."""
    error = suite.errors.get(info.number)
    if error is not None or info.end == "error":
        return "CINQ_PLAIN_ERROR" if error is not None and error.text("kind") in _PLAIN else "CINQ_ERROR"
    status = _status(info)
    return str(status) if status >= 0 else "CINQ_ANY"


def _status(info: TestInfo) -> int:
    """-1 where nothing certain is known: an error, or a run that was stopped."""
    return info.status & 0xFF if info.end in ("exit", "silent") and info.status is not None else -1


def _expectation(info: TestInfo, suite: Suite) -> str:
    error = suite.errors.get(info.number)
    if error is not None:
        summary = error.text("summary") or error.text("kind")
        return f"{summary} at {error.text('file')}:{error.whole('line')}"
    status = _status(info)
    return f"exit status {status}" if status >= 0 else f"ends by {info.end or 'unknown means'}"


def _comment(content: str) -> str:
    """Text that cannot end a comment or spread over lines."""
    return visible(content).replace("\n", " ").replace("*/", "* /").replace("??/", "?? /").replace("\\", "\\ ")


def _table(kind: str, entries: Sequence[tuple[str, bytes]]) -> str:
    arrays = [_array(f"{kind}_{n}", content, "static const") for n, (_, content) in enumerate(entries)]
    rows = [f"    {{{_quoted(_encoded(name))}, {kind}_{n}, {len(c)}}}," for n, (name, c) in enumerate(entries)]
    head = f"const struct cinq_{kind} cinq_{kind}s[] = {{"
    return "\n".join([*arrays, head, *rows, "    {0, 0, 0},", "};\n"])


def _array(name: str, content: bytes, how: str) -> str:
    """Writes at least one byte: C has no empty arrays."""
    data = content or b"\0"
    rows = [", ".join(f"{byte:#04x}" for byte in data[at : at + _PER_ROW]) for at in range(0, len(data), _PER_ROW)]
    return f"{how} unsigned char {name}[] = {{\n    " + ",\n    ".join(rows) + "};"


def _strings(name: str, words: Iterable[bytes]) -> str:
    """Arrays of their own, since a program may write to its arguments."""
    items = [f"(char[]){{{_quoted(word)}}}" for word in words]
    return f"char *{name}[] = {{{', '.join([*items, '0'])}}};\n"


def _encoded(word: str) -> bytes:
    return word.encode("utf-8", "surrogateescape")


def _quoted(word: bytes) -> str:
    """Octal escapes of three digits: the next character can never belong to them."""
    plain = frozenset(b" !#$%&'()*+,-./0123456789:;<=>@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~")
    return '"' + "".join(chr(byte) if byte in plain else f"\\{byte:03o}" for byte in word) + '"'
