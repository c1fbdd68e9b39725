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
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cinquefoil.machine.environment import CLOCK_START, FOLDER

_USER, _GROUP, _HOST = 1000, 1000, b"localhost"
_NEW_USER, _NEW_MOUNTS, _NEW_HOST = 0x10000000, 0x00020000, 0x04000000
_BIND, _RECURSIVE, _PRIVATE = 0x1000, 0x4000, 0x40000
_DEVICES = ("null", "zero", "random", "urandom", "tty")
_STREAMS = ("stdin", "stdout", "stderr")
_LIBRARIES = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib64")
OWN = "dev/.replay"  # folder in the root for what replaying itself needs

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A root folder; `bound` are folders and files of the host and where in it they appear."""

    root: Path
    bound: tuple[tuple[Path, str], ...] = ()
    fill: Callable[[Path], object] = lambda place: None  # puts the program's files into its working directory

    @property
    def home(self) -> Path:
        """The program's working directory, from outside."""
        return self.root / FOLDER.lstrip("/")

    @property
    def own(self) -> Path:
        return self.root / OWN

    def prepare(self) -> None:
        """Makes the folders and the places where things of the host will appear."""
        for folder in (self.home, self.own, self.root / "tmp", self.root / "dev" / "fd"):
            folder.mkdir(parents=True, exist_ok=True)
        (self.root / "tmp").chmod(0o1777)
        for number, name in enumerate(_STREAMS):
            (self.root / "dev" / name).symlink_to(f"fd/{number}")
        for source, place in self._mounts():
            _make_place(source, self.root / place)

    def enter(self) -> None:
        """Called in the new process; an `OSError` keeps it from starting."""
        user, group = os.geteuid(), os.getegid()
        _checked(_libc.unshare(_NEW_USER | _NEW_MOUNTS | _NEW_HOST))
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{_USER} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{_GROUP} {group} 1")
        _mount("none", "/", _RECURSIVE | _PRIVATE)
        for source, place in (*self._mounts(), (Path("/proc/self/fd"), "dev/fd")):
            _mount(source, self.root / place, _BIND | _RECURSIVE)
        _mount("tmpfs", self.home, 0, "tmpfs")  # which lists the latest file first, whatever the host's disk does
        self.fill(self.home)
        for folder in (self.home, self.home.parent, self.root / "tmp", self.root / "dev", self.root):
            os.utime(folder, (CLOCK_START, CLOCK_START))
        _checked(_libc.sethostname(_HOST, len(_HOST)))
        os.chroot(self.root)
        os.chdir(FOLDER)

    def _mounts(self) -> Iterable[tuple[Path, str]]:
        devices = ((Path("/dev") / name, f"dev/{name}") for name in _DEVICES)
        return [each for each in (*devices, *self.bound) if each[0].exists()]


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


def _mount(source: Path | str, target: Path | str, flags: int, kind: str = "none") -> None:
    names = (os.fsencode(name) for name in (source, target, kind))
    _checked(_libc.mount(*names, ctypes.c_ulong(flags), None))


def _checked(status: int) -> None:
    if status != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
