"""System calls that the engine does not model fail natively as they do there: with ENOSYS.

A filter of the kernel's (seccomp(2)) is laid on the process before it becomes the program, so that it holds for every
libc and for calls made without one.  A test thus talks to no network and starts no processes, as in the engine; curl,
given a symbolic address, would otherwise wait for a name server.  Not refused are calls that only libraries make when
they start (arch_prctl, rseq), and what has no part in a program's behaviour.  Where the kernel knows no filters, or the
processor is another, nothing is refused.
"""

from __future__ import annotations

import errno
import struct
from functools import cache

from cinquefoil.replay.steps import Steps

_SOCKETS = (*range(41, 56), 288, 299, 307)  # socket … getsockopt, accept4, recvmmsg, sendmmsg
_PROCESSES = (56, 57, 58, 435, 101, 310, 311, 434)  # clone, fork, vfork, clone3, ptrace, process_vm_*, pidfd_open
_SHARED = (*range(29, 32), *range(64, 72), *range(240, 246))  # shared memory, semaphores, message queues
_WATCHING = (253, 254, 255, 294, 300, 301, 213, 232, 233, 281, 291)  # inotify, fanotify, epoll
_DESCRIPTORS = (282, 283, 284, 289, 290, 319, 425)  # signalfd, timerfd, eventfd, memfd, io_uring
_TIMERS = tuple(range(222, 227))
_MOVING = (275, 276, 278)  # splice, tee, vmsplice
REFUSED = (27, *_SOCKETS, *_PROCESSES, *_SHARED, *_WATCHING, *_DESCRIPTORS, *_TIMERS, *_MOVING)  # 27: mincore

_X86_64 = 0xC000003E  # linux/audit.h
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in struct seccomp_data
_LOAD, _IF_EQUAL, _RETURN = 0x20, 0x15, 0x06  # linux/filter.h
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000


def _instruction(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("=HBBI", code, then, otherwise, value)


@cache
def _code() -> bytes:
    """Jumps count instructions from the next one; the last two allow and refuse."""
    count = len(REFUSED)
    known = [_instruction(_IF_EQUAL, number, count - place) for place, number in enumerate(REFUSED)]
    return b"".join(
        (
            _instruction(_LOAD, _ARCHITECTURE),
            _instruction(_IF_EQUAL, _X86_64, 0, count + 1),
            _instruction(_LOAD, _NUMBER),
            *known,
            _instruction(_RETURN, _ALLOW),
            _instruction(_RETURN, _ERROR | errno.ENOSYS),
        )
    )


def refuse(steps: Steps) -> None:
    """In the new process, last: it holds for what the process becomes."""
    steps.add("f", _code())
