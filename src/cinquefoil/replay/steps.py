"""What a new process does before it becomes the program: steps that a small program of our own takes.

Between fork and exec only a copy of this whole process could take them, and copying it costs more than most programs
that are replayed.  `starter` (build/native/starter) is made by vfork, takes the steps, and becomes the program.
"""

from __future__ import annotations

import os
from functools import cache as once
from pathlib import Path

from cinquefoil.build import cache, static_libc, toolchain
from cinquefoil.build.compile import include_flags
from cinquefoil.build.scratch import scratch_folder
from cinquefoil.errors import EngineError

_SOURCES = static_libc.NATIVE_SOURCES / "starter"
_BIND, _RECURSIVE = 0x1000, 0x4000
_FLAGS = ("-c", f"--target={toolchain.TARGET}", "-O2", "-fno-pic", "-fno-stack-protector")


class Steps:
    """A list of steps, as bytes; the methods do nothing now but add one each."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def encoded(self) -> bytes:
        return b"".join(self._parts)

    def add(self, step: str, *words: bytes | str | int | Path) -> None:
        self._parts.append(step.encode())
        for word in words:
            content = word if isinstance(word, bytes) else os.fsencode(str(word))
            self._parts += (len(content).to_bytes(4, "little"), content, b"\0")

    def extend(self, other: Steps) -> None:
        self._parts += other._parts

    def unshare(self, namespaces: int) -> None:
        self.add("u", namespaces)

    def join(self, namespace: int, kind: int) -> None:
        """Enter a namespace that a descriptor stands for."""
        self.add("j", namespace, kind)

    def supervise(self, memory: int = 0) -> None:
        """What follows is done by a new process, which this one waits for; one that uses more memory is ended."""
        self.add("i", memory)

    def collect(self, folder: str | Path, archive: int) -> None:
        """Asks for what is in the folder at the end to be written into this file (`written_files.unpack`)."""
        self.add("e", folder, archive)

    def mount(self, source: Path | str, target: Path | str, flags: int, kind: str = "none", data: str = "") -> None:
        self.add("m", source, target, kind, flags, data)

    def bind(self, source: Path | str, target: Path | str, restrictions: int) -> None:
        """Something of the host's with all that is mounted below it."""
        self.mount(source, target, _BIND | _RECURSIVE)
        self.add("o", target, restrictions)

    def folder(self, path: Path) -> None:
        """Makes a folder with those above it; one that is there stays."""
        for each in (*reversed(path.parents), path):
            if each.name:
                self.add("d", each)

    def file(self, path: Path, content: bytes) -> None:
        self.add("w", path, content)

    def link(self, path: Path, target: str) -> None:
        self.add("l", target, path)

    def mode(self, path: Path, mode: int) -> None:
        self.add("c", path, mode)

    def changed(self, path: Path, seconds: int) -> None:
        self.add("t", path, seconds)

    def root(self, path: Path | str, folder: str) -> None:
        """From here on, paths are seen from there, and nothing else can be seen."""
        self.add("r", path)
        self.add("g", folder)

    def allow(self, path: Path | str, rights: str) -> None:
        """A rule of Landlock's; "r" is reading and executing, "w" also all else that is done with files."""
        self.add("y", path, rights)


class Directly:
    """The same for files, now and by this process."""

    def folder(self, path: Path) -> None:
        path.mkdir(parents=True, exist_ok=True)

    def file(self, path: Path, content: bytes) -> None:
        path.write_bytes(content)

    def mode(self, path: Path, mode: int) -> None:
        path.chmod(mode)

    def changed(self, path: Path, seconds: int) -> None:
        os.utime(path, (seconds, seconds))


@once
def starter() -> Path:
    """The program that takes the steps."""
    sources = sorted(_SOURCES.glob("*.[ch]"))
    return cache.get_or_make("replay-starter", [toolchain.version(), *_FLAGS, *sources], "", _build)


def _build(output: Path) -> None:
    with scratch_folder("starter") as folder:
        objects = [_compile(source, folder) for source in sorted(_SOURCES.glob("*.c"))]
        status, said = static_libc.link_executable(output, objects)
    if status != 0:
        raise EngineError(f"the replay's starter cannot be linked: {said.strip()}")
    output.chmod(0o755)


def _compile(source: Path, folder: Path) -> str:
    compiled = str(folder / f"{source.stem}.o")
    toolchain.clang([*_FLAGS, *include_flags(), str(source), "-o", compiled], source.name)
    return compiled
