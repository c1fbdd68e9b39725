"""A raw corpus, as AFL++ and libFuzzer take it: one file of bytes per test.

A fuzzer feeds one stream of bytes; a test may have several: standard input, files, arguments, objects made by
`klee_make_symbolic`.  Each of these is a *channel*.  If the tests have one channel, their bytes are the corpus; if they
have several, each gets a folder of its own, named `stdin`, `args`, `objects` or as the file.  Arguments are
written one after another, each with a zero byte behind it, objects one after another in the order they are made.
Contents that occur twice are written once; empty ones not at all, since fuzzers refuse them.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from cinquefoil.machine.environment import SymbolicArguments, SymbolicFile
from cinquefoil.replay.inputs import inputs_of
from cinquefoil.report.export.export_suite import Exported, Suite, fresh_folder, write
from cinquefoil.report.export.format import Format
from cinquefoil.testcase.ktest import KTest


class CorpusFormat(Format):
    """Raw files for AFL++ and libFuzzer."""

    output = "corpus"

    def write(self, suite: Suite, output: Path) -> Exported:
        channels: defaultdict[str, dict[int, bytes]] = defaultdict(dict)
        for info, test in suite.tests:
            for channel, content in _channels(suite, test):
                channels[channel][info.number] = content
        folder = fresh_folder(output)
        single = len(channels) <= 1
        files: list[Path] = []
        for channel, contents in sorted(channels.items()):
            files += _write(folder if single else folder / channel, contents)
        return Exported(tuple(files), suite.broken)


def _write(folder: Path, contents: dict[int, bytes]) -> Iterator[Path]:
    seen: set[bytes] = set()
    for number, content in sorted(contents.items()):
        digest = hashlib.sha256(content).digest()
        if content and digest not in seen:
            seen.add(digest)
            yield write(folder / f"{number:06d}", content)


def _channels(suite: Suite, test: KTest) -> Iterator[tuple[str, bytes]]:
    """What of the test reaches the program by which way."""
    environment = suite.environment(test)
    inputs = inputs_of(test, environment)
    if isinstance(environment.stdin, int):
        yield "stdin", inputs.stdin.data
    for file in environment.files:
        if isinstance(file, SymbolicFile):
            yield file.name, inputs.files[file.name].data
    if any(isinstance(argument, SymbolicArguments) for argument in environment.arguments):
        yield "args", b"".join(argument + b"\0" for argument in inputs.arguments)
    others = [content for name, content in test.objects if name not in inputs.taken]
    if others:
        yield "objects", b"".join(others)
