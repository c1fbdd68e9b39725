"""The system calls that a native process may make: those that the engine models, and what a C library needs to start.

A filter of the kernel's (seccomp(2)) is laid on the process before it becomes the program, so that it holds for every
libc and for calls made without one.  All other calls fail with ENOSYS, as in the engine: a test talks to no network,
starts no processes, and reaches little of the kernel.  Calls of the 32-bit and x32 interfaces are refused altogether.
What may be called may still be restricted by its arguments: signals, limits and priorities concern this process only,
and descriptors send no signals to others.

Sanitizers and the host's C library (`hosted`) ask for a little more.  Without a mount namespace (`shared_files`) the
files' owners, modes, times and attributes, which Landlock leaves open, cannot be changed.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Sequence
from functools import cache
from itertools import groupby

from cinquefoil.replay.steps import Steps

_READING = (0, 1, *range(2, 9), 17, 18, 19, 20, 21, 22, 23, 32, 33, 40, 73, 74, 75, 217, 221, 285, 292, 293, 295, 296)
_MEMORY = (9, 10, 11, 12, 25, 26, 28)
_SIGNALS = (13, 14, 15, 34, 36, 37, 38, 61, 127, 130, 131, 219)
_NAMES = (
    76,
    77,
    *range(79, 96),
    133,
    137,
    138,
    161,
    *range(188, 197),
    *range(257, 261),
    *range(262, 270),
    280,
    316,
    452,
)
_TIME = (24, 35, 96, 100, 201, *range(228, 231), 270, 271, 7)
_WHO = (39, 63, 97, 98, 99, 102, *range(104, 109), *range(110, 116), *range(117, 122), 124, 140, 160, 186, 204)
_PROCESS = (59, 60, 202, 218, 231, 273, 306, 318, 322, 326, 332, 436, 439)
_STARTING = (158, 334)  # arch_prctl, rseq: made by libraries
_HOSTED = (135, 309, 324)  # personality, getcpu, membarrier
_ADMINISTRATOR = (116, 164, 165, 166, 169, 170, 171, 227)  # setgroups, settimeofday, mount, umount2, reboot, …
_OWNERS = (*range(90, 95), 188, 189, 190, 260, 268, 280, 452)  # chmod, chown, setxattr, utimensat
_SYNC = 162

_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_X86_64 = 0xC000003E  # linux/audit.h
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_LOAD, _IF_EQUAL, _IF_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # linux/filter.h
_SELF = 0x5E1F0000  # the starter puts the process's number there (build/native/starter/confine.c)
_CALLS = 512  # numbers from here on are unknown, those of x32 among them

Code = bytes


def _instruction(code: int, value: int, then: int = 0, otherwise: int = 0) -> Code:
    return struct.pack("=HBBI", code, then, otherwise, value)


def _answer(value: int) -> Code:
    return _instruction(_RETURN, value)


def _error(number: int) -> Code:
    """Zero means success, without doing anything."""
    return _answer(_ERROR | number)


def _argument(index: int) -> Code:
    """Its lower half: all that are looked at here are ints."""
    return _instruction(_LOAD, _ARGUMENTS + 8 * index)


def _only(index: int, values: Sequence[int], otherwise: Code) -> Code:
    """Allowed if the argument is one of these."""
    tests = [_instruction(_IF_EQUAL, value, len(values) - position) for position, value in enumerate(values)]
    return b"".join((_argument(index), *tests, otherwise, _answer(_ALLOW)))


def _never(index: int, values: Sequence[int], answer: Code) -> Code:
    """Answered so if the argument is one of these."""
    tests = [_instruction(_IF_EQUAL, value, len(values) - position) for position, value in enumerate(values)]
    return b"".join((_argument(index), *tests, _answer(_ALLOW), answer))


def _commands() -> Code:
    """fcntl: F_SETOWN does nothing, as in the engine; signals, leases and larger pipes are not to be had."""
    owner = _instruction(_IF_EQUAL, 8, 0, 1)
    others = (10, 15, 1024, 1026, 1031)  # F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY, F_SETPIPE_SZ
    return b"".join((_argument(1), owner, _error(0), _never(1, others, _error(errno.EINVAL))))


def _priorities() -> Code:
    """setpriority: of this process; that of others stays, and they are not told."""
    process = _instruction(_IF_EQUAL, 0, 1, 0)
    return b"".join((_argument(0), process, _error(0), _only(1, (0, _SELF), _error(0))))


def _restricted() -> dict[int, Code]:
    refused = _error(errno.EPERM)
    own = _only(0, (0, _SELF), refused)
    # FIONREAD, FIONBIO, FIOCLEX, FIONCLEX, and TCGETS and TIOCGWINSZ, which ask for a terminal.
    controls = _only(1, (0x541B, 0x5421, 0x5450, 0x5451, 0x5401, 0x5413), _error(errno.ENOTTY))
    return {
        **dict.fromkeys(_ADMINISTRATOR, refused),
        **dict.fromkeys((62, 200, 234), _only(0, (_SELF,), refused)),  # kill, tkill, tgkill
        **dict.fromkeys((109, 203, 302), own),  # setpgid, sched_setaffinity, prlimit64
        16: controls,
        72: _commands(),
        141: _priorities(),
        157: _never(0, (1,), _error(errno.EINVAL)),  # prctl: what happens when the supervisor ends
        _SYNC: _error(0),
    }


def _answers(hosted: bool, shared_files: bool) -> dict[int, Code]:
    plain = (*_READING, *_MEMORY, *_SIGNALS, *_NAMES, *_TIME, *_WHO, *_PROCESS, *_STARTING)
    answers = {**dict.fromkeys(plain, _answer(_ALLOW)), **_restricted()}
    if hosted:
        answers |= dict.fromkeys(_HOSTED, _answer(_ALLOW))
    if shared_files:
        answers |= dict.fromkeys(_OWNERS, _error(errno.EPERM))
    return answers


def allowed(hosted: bool = False, shared_files: bool = False) -> frozenset[int]:
    """The numbers of the calls that are not answered with ENOSYS."""
    return frozenset(_answers(hosted, shared_files))


@cache
def code(hosted: bool, shared_files: bool) -> Code:
    """A search among ranges of numbers: the kernel goes through it once for every number there is."""
    answers = _answers(hosted, shared_files)
    unknown = _error(errno.ENOSYS)
    all_answers = [answers.get(number, unknown) for number in range(_CALLS)] + [unknown]
    runs = [(next(group)[0], answer) for answer, group in groupby(enumerate(all_answers), lambda pair: pair[1])]
    other_machine = (_instruction(_LOAD, _ARCHITECTURE), _instruction(_IF_EQUAL, _X86_64, 1), unknown)
    return b"".join((*other_machine, _instruction(_LOAD, _NUMBER), _search(runs)))


def _search(runs: list[tuple[int, Code]]) -> Code:
    """Each of the answers holds from its number to the next one's."""
    if len(runs) == 1:
        return runs[0][1]
    middle = len(runs) // 2
    below, above = _search(runs[:middle]), _search(runs[middle:])
    return _instruction(_IF_LEAST, runs[middle][0], len(below) // 8) + below + above


def restrict(steps: Steps, hosted: bool, shared_files: bool) -> None:
    """Has the new process enter the filter, last: it holds for what the process becomes."""
    steps.add("f", code(hosted, shared_files))
