"""The engine's world around a native process: its own root folder, user 1000, host "localhost".

A program asks for more than its input: which folders are there, who it is, where it stands.  In the engine's model
there are only `/home/user`, `/tmp` and `/dev`; on the host, `/usr/include` and much else.  So the process gets a user,
a mount and a host-name namespace of its own (user_namespaces(7)), in which user 1000 is the one who replays, and a root
folder with the same few things.  No rights are needed where the system lets users make namespaces; where it does not,
`available` is false and programs run in a plain folder.  This is for likeness, not for safety.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cinquefoil.machine.environment import CLOCK_START, FOLDER
from cinquefoil.replay.refusal import refuse
from cinquefoil.replay.steps import Steps

_USER, _GROUP, _HOST = 1000, 1000, b"localhost"
_NEW_USER, _NEW_MOUNTS, _NEW_HOST = 0x10000000, 0x00020000, 0x04000000
_BIND, _RECURSIVE, _PRIVATE = 0x1000, 0x4000, 0x40000
_READ_ONLY, _REMOUNT, _NO_SUID = 0x1, 0x20, 0x2
_DEVICES = ("null", "zero", "random", "urandom", "tty")
_STREAMS = ("stdin", "stdout", "stderr")
_LIBRARIES = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib64")
OWN = "dev/.replay"  # folder in the root for what replaying itself needs; readdir does not tell of it
# The engine's inodes in their order (machine/runtime/tree.c and descriptors.c); streams and files follow.
_LATER = tuple(f"/dev/{name}" for name in (*_DEVICES[1:], *_STREAMS))
_INODES = ("/", "/tmp", FOLDER, "/home", "/dev/null", "/dev", *_LATER)

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A root folder; `bound` are folders and files of the host and where in it they appear."""

    root: Path
    bound: tuple[tuple[Path, str], ...] = ()
    # Puts the program's files into its working directory.
    fill: Callable[[Path, Steps], object] = lambda place, steps: None

    @property
    def top(self) -> Path:
        """What the process has as its root: a file system of its own, that lists the latest entry first."""
        return self.root / "top"

    @property
    def home(self) -> Path:
        """A folder to start in, from outside."""
        return self.root / "home"

    @property
    def own(self) -> Path:
        return self.root / "own"

    def prepare(self, files: Iterable[str], modes: Sequence[int] = (0, 0, 0)) -> None:
        """Makes the folders, and the list of the engine's inodes, that of its files at the end; `modes` are those of
        the standard streams if a test chooses them."""
        for folder in (self.top, self.home, self.own, self.own / "fd"):
            folder.mkdir(parents=True)
        for source, place in self._mounts():
            if place.startswith(f"{OWN}/"):
                _make_place(source, self.own / place.removeprefix(f"{OWN}/"))
        streams = (f"&{number} {mode:o}" if mode else f"&{number}" for number, mode in enumerate(modes))
        names = (*_INODES, *streams, *(f"{FOLDER}/{name}" for name in files))
        (self.own / "world").write_bytes(b"".join(os.fsencode(name) + b"\0" for name in names))

    def enter(self) -> Steps:
        """What the new process does; a step that fails keeps it from starting."""
        steps = Steps()
        steps.unshare(_NEW_USER | _NEW_MOUNTS | _NEW_HOST)
        steps.file(Path("/proc/self/setgroups"), b"deny")
        steps.file(Path("/proc/self/uid_map"), f"{_USER} {os.geteuid()} 1".encode())
        steps.file(Path("/proc/self/gid_map"), f"{_GROUP} {os.getegid()} 1".encode())
        steps.mount("none", Path("/"), _RECURSIVE | _PRIVATE)
        steps.add("k", 0o022)
        steps.mount("tmpfs", self.top, 0, "tmpfs", "mode=755")
        self._fill(steps)
        steps.add("h", _HOST)
        steps.root(self.top, FOLDER)
        refuse(steps)
        return steps

    def _fill(self, steps: Steps) -> None:
        """Folders and files, the engine's last one first."""
        for source, place in self.bound:
            if not place.startswith(f"{OWN}/"):
                self._bind(steps, source, place)
        self._make_devices(steps)
        home = self.top / FOLDER.lstrip("/")
        steps.folder(home)
        self.fill(home, steps)
        steps.folder(self.top / "tmp")
        steps.mode(self.top / "tmp", 0o1777)
        for folder in (home, home.parent, self.top / "tmp", self.top / "dev", self.top):
            steps.changed(folder, CLOCK_START)

    def _make_devices(self, steps: Steps) -> None:
        own = self.top / OWN
        steps.folder(own)
        steps.mount(self.own, own, _BIND)
        for source, place in self._mounts():
            if place.startswith(f"{OWN}/"):
                steps.mount(source, self.top / place, _BIND | _RECURSIVE)
        steps.mount("/proc/self/fd", own / "fd", _BIND)
        for number, name in reversed(list(enumerate(_STREAMS))):
            steps.link(own.parent / name, f"/{OWN}/fd/{number}")
        for name in reversed(_DEVICES):
            if (Path("/dev") / name).exists():
                self._bind(steps, Path("/dev") / name, f"dev/{name}")

    def _bind(self, steps: Steps, source: Path, place: str) -> None:
        """Something of the host's, that the program cannot change: it has its user's rights there."""
        target = self.top / place
        if source.is_dir():
            steps.folder(target)
        else:
            steps.folder(target.parent)
            steps.file(target, b"")
        steps.mount(source, target, _BIND | _RECURSIVE)
        # A mount of the host's may insist on flags of its own.
        steps.mount("none", target, _BIND | _REMOUNT | _READ_ONLY | _NO_SUID, must=False)

    def _mounts(self) -> Iterable[tuple[Path, str]]:
        return [each for each in self.bound if each[0].exists()]


def libraries() -> tuple[tuple[Path, str], ...]:
    """Where the host keeps shared libraries: for programs that are not linked statically."""
    return tuple((Path(name), name.lstrip("/")) for name in _LIBRARIES if Path(name).is_dir())


@cache
def available() -> bool:
    """May this process make namespaces?  Found out by doing it, in a process of its own."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            _checked(_libc.unshare(_NEW_USER | _NEW_MOUNTS | _NEW_HOST))
            _mount("none", "/", _RECURSIVE | _PRIVATE)
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


def _make_place(source: Path, place: Path) -> None:
    if source.is_dir():
        place.mkdir(parents=True, exist_ok=True)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()


def _mount(source: Path | str, target: Path | str, flags: int, kind: str = "none", data: str = "") -> None:
    names = (os.fsencode(name) for name in (source, target, kind))
    _checked(_libc.mount(*names, ctypes.c_ulong(flags), data.encode() or None))


def _checked(status: int) -> None:
    if status != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
