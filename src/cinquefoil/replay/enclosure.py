"""The engine's world around a native process: its own root folder, user 1000, host "localhost", and nothing else.

A program asks for more than its input: which folders are there, who it is, where it stands.  In the engine's model
there are only `/home/user`, `/tmp` and `/dev`; on the host, `/usr/include` and much else.  And it is not to be trusted:
a test may say `rm -rf /`.  So the process gets namespaces (namespaces(7)) of users, processes, mounts, network, IPC and
the host's name, in which user 1000 is the one who replays, a small file system in memory as its root, what it needs of
the host read-only, and a filter of system calls.  No rights are needed where the system lets users make namespaces.

Where it does not, the process stays in a plain folder, and Landlock (landlock(7)) keeps it there: it can read the
libraries it needs, write that folder, and has no capabilities; the filter is stricter.  It sees the host's user, its
paths and its processes' numbers, and the sum of what it writes is not limited.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from cinquefoil.build.cache import cache_root
from cinquefoil.machine.environment import CLOCK_START, FOLDER, Environment
from cinquefoil.replay import filter as system_calls
from cinquefoil.replay.inputs import Inputs, inodes_of, write_files
from cinquefoil.replay.namespaces import shared_namespaces
from cinquefoil.replay.steps import Steps

_NEW_MOUNTS, _NEW_PROCESSES = 0x00020000, 0x20000000
_RECURSIVE, _PRIVATE = 0x4000, 0x40000
_READ_ONLY, _NO_SUID, _NO_DEVICES, _NO_PROGRAMS = 0x1, 0x2, 0x4, 0x8
_FROZEN = _READ_ONLY | _NO_SUID | _NO_DEVICES
_DEVICE = _READ_ONLY | _NO_SUID | _NO_PROGRAMS
_SIZE = "mode=755,size=256m,nr_inodes=65536"  # of all that the program can write
_DEVICES = ("null", "zero", "random", "urandom", "tty")
_STREAMS = ("stdin", "stdout", "stderr")
_LIBRARIES = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/lib", "/lib32", "/lib64")
OWN = "dev/.replay"  # folder in the root for what replaying itself needs; readdir does not tell of it
COUNTERS = "counters"  # folder in it that the engine collects
REPORT = 250  # descriptor of the report, out of the program's way
# The engine's inodes in their order (machine/runtime/tree.c and descriptors.c); streams and files follow.
_LATER = tuple(f"/dev/{name}" for name in (*_DEVICES[1:], *_STREAMS))
_INODES = ("/", "/tmp", FOLDER, "/home", "/dev/null", "/dev", *_LATER)


@dataclass(frozen=True, slots=True)
class EnclosureContents:
    """What a process finds: the executable, its input, files for the replay library, and with `hosted` the host's
    shared libraries.  `tools` are other files of the host, by the name they are found under.  `counters` are there
    from the runs before; they are collected if they are not None."""

    executable: Path
    inputs: Inputs
    own: Mapping[str, bytes]
    hosted: bool = False
    tools: Mapping[str, Path] = field(default_factory=dict[str, Path])
    counters: Mapping[str, bytes] | None = None


@dataclass(frozen=True, slots=True)
class Descriptors:
    """Files that the engine holds and the steps speak of."""

    report: int
    archive: int | None = None

    def all(self) -> list[int]:
        return [self.report, *([] if self.archive is None else [self.archive])]


def world_of(environment: Environment, inputs: Inputs) -> bytes:
    """The list of the engine's inodes, those of its streams and files at the end (build/native/replay/status.c)."""
    modes = (inputs.stdin.mode, inputs.stdout, 0)
    streams = (f"&{number} {mode:o}" if mode else f"&{number}" for number, mode in enumerate(modes))
    names = (*_INODES, *streams, *(f"{FOLDER}/{name}" for name in inodes_of(environment)))
    return b"".join(os.fsencode(name) + b"\0" for name in names)


# ---- Namespaces ------------------------------------------------------------------------------------------------------


def enter_namespaces(contents: EnclosureContents, files: Descriptors, memory: int) -> tuple[Steps, list[int]]:
    """What the new process does, a step that fails keeps it from starting; and the descriptors it needs for that."""
    steps = Steps()
    shared = shared_namespaces()
    for namespace, kind in shared:
        steps.join(namespace, kind)
    steps.unshare(_NEW_MOUNTS | _NEW_PROCESSES)
    steps.supervise()  # its first process is the init of the new namespace
    steps.supervise(memory)
    steps.mount("none", "/", _RECURSIVE | _PRIVATE)
    steps.add("k", 0o022)
    steps.mount("tmpfs", _mount_point(), _NO_SUID | _NO_DEVICES | _NO_PROGRAMS, "tmpfs", _SIZE)
    steps.add("g", _mount_point())
    _fill(steps, contents)
    steps.root(".", FOLDER)
    _take_descriptors(steps, contents, files, f"/{OWN}/{COUNTERS}")
    steps.add("q", "")
    system_calls.restrict(steps, contents.hosted, shared_files=False)
    return steps, [namespace for namespace, _ in shared]


@cache
def _mount_point() -> Path:
    """An empty folder, which the file system in memory covers for those inside."""
    folder = cache_root().absolute() / "enclosure"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _fill(steps: Steps, contents: EnclosureContents) -> None:
    """Folders and files, the engine's last one first: that is how they are listed."""
    if contents.hosted:
        for library in _libraries():
            steps.folder(Path(library.lstrip("/")))
            steps.bind(library, library.lstrip("/"), _FROZEN)
        steps.folder(Path("proc/self"))  # sanitizers and glibc look at their own maps
        steps.bind("/proc/self", "proc/self", _FROZEN)
    _fill_own(steps, contents)
    _make_devices(steps)
    home = Path(FOLDER.lstrip("/"))
    steps.folder(home)
    write_files(contents.inputs, home, reverse=True, by=steps)
    steps.folder(Path("tmp"))
    steps.mode(Path("tmp"), 0o1777)
    for folder in (home, home.parent, Path("tmp"), Path("dev"), Path()):
        steps.changed(folder, CLOCK_START)


def _fill_own(steps: Steps, contents: EnclosureContents) -> None:
    own = Path(OWN)
    steps.folder(own / "fd")
    steps.bind("/proc/self/fd", own / "fd", _FROZEN)
    for name, content in contents.own.items():
        steps.file(own / name, content)
    for name, source in {"program": contents.executable, **contents.tools}.items():
        steps.file(own / name, b"")
        steps.bind(source.resolve(), own / name, _FROZEN)
    for name, content in (contents.counters or {}).items():
        steps.folder((own / COUNTERS / name).parent)
        steps.file(own / COUNTERS / name, content)


def _make_devices(steps: Steps) -> None:
    for number, name in reversed(list(enumerate(_STREAMS))):
        steps.link(Path("dev") / name, f"/{OWN}/fd/{number}")
    for name in _devices():
        steps.file(Path("dev") / name, b"")
        steps.bind(f"/dev/{name}", f"dev/{name}", _DEVICE)


@cache
def _devices() -> tuple[str, ...]:
    return tuple(name for name in reversed(_DEVICES) if (Path("/dev") / name).exists())


@cache
def _libraries() -> tuple[str, ...]:
    """Where the host keeps shared libraries: for programs that are not linked statically."""
    return tuple(name for name in _LIBRARIES if Path(name).is_dir())


def _take_descriptors(steps: Steps, contents: EnclosureContents, files: Descriptors, counters: str) -> None:
    steps.add("n", files.report, REPORT)
    if contents.counters is not None and files.archive is not None:
        steps.collect(counters, files.archive)


# ---- A plain folder --------------------------------------------------------------------------------------------------


def enter_folder(contents: EnclosureContents, files: Descriptors, memory: int, own: Path, confined: bool) -> Steps:
    """The process stays on the host, where its working directory and the folder `own` are made; only if it is
    `confined`, Landlock and the filter hold it there."""
    steps = Steps()
    steps.supervise(memory)
    steps.add("k", 0o022)
    _take_descriptors(steps, contents, files, str(own / COUNTERS))
    if confined:
        _allow(steps, contents, own)
        steps.add("q", "")
        steps.add("z", "")
        system_calls.restrict(steps, contents.hosted, shared_files=True)
    return steps


def _allow(steps: Steps, contents: EnclosureContents, own: Path) -> None:
    steps.add("b", "")
    tools = contents.tools.values()
    for readable in (own, contents.executable.resolve(), *tools, *(_libraries() if contents.hosted else ())):
        steps.allow(readable, "r")
    if contents.hosted:
        steps.allow("/proc/self", "r")
    for writable in (own.parent / "run", own / COUNTERS, *(f"/dev/{name}" for name in _DEVICES)):
        steps.allow(writable, "w")
