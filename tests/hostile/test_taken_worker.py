"""A worker that the program has taken over: whatever code it runs, the filter of system calls ends it.

The worker waits for a command in `read`.  A tracer makes it another call, as code of the attacker's would."""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Iterator

import pytest

from cinquefoil.build.program import load_program
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.worker import Worker

_GET_REGISTERS, _SET_REGISTERS, _CONTINUE, _ATTACH = 12, 13, 7, 16
_NAMES = (  # of struct user_regs_struct
    "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss "
    "fs_base gs_base ds es fs gs"
)
_LIBC = ctypes.CDLL(None, use_errno=True)
_X32 = 0x40000000
_PAGE = 0x1000

REFUSED = {
    "open a file": (2, 0, 0, 0),
    "open a file from a folder": (257, -100, 0, 0),
    "read another descriptor": (0, 0, 0, 1),
    "write to another descriptor": (1, 2, 0, 1),
    "write to the engine's memory file": (18, 3, 0, 1),
    "shrink the memory file": (77, 3, 0),
    "map memory": (9, 0, _PAGE, 7),
    "make memory executable": (10, 0, _PAGE, 7),
    "offline a page of the host's": (28, 0, _PAGE, 101),
    "poison a page of the host's": (28, 0, _PAGE, 100),
    "share pages with others": (28, 0, _PAGE, 12),
    "fork": (57,),
    "clone": (56, 17, 0),
    "clone by the new call": (435, 0, 0),
    "execute": (59, 0, 0, 0),
    "kill the engine": (62, 1, 0),
    "signal the engine's thread": (234, 1, 1, 0),
    "trace": (101, 0, 0, 0),
    "read the engine's memory": (310, 1, 0, 0),
    "make a socket": (41, 2, 1, 0),
    "outlive the engine": (157, 1, 0, 0),
    "raise limits": (302, 0, 4, 0),
    "make a memory file": (319, 0, 0),
    "enter namespaces": (272, 0x10000000),
    "call the kernel's programs": (321, 0, 0, 0),
    "queue calls": (425, 4, 0),
    "be woken by signals": (13, 10, 0, 0),
    "read by the x32 interface": (_X32, 0, 0, 1),
    "an unknown call": (100_000,),
}
ALLOWED = {
    "give memory back": (28, 0, 0, 4),
    "fault memory in": (28, 0, 0, 23),
    "ask for the time": (228, 1, 0),
    "end": (231, 0),
}


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    source = tmp_path_factory.mktemp("taken") / "p.c"
    source.write_text("int main(void) { return 0; }\n")
    return build_image(load_program(source), blocks=True)


@pytest.fixture
def worker(image: Image) -> Iterator[Worker]:
    with Worker(image) as found:
        yield found


def ptrace(request: int, pid: int, data: object = 0) -> None:
    _LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    if _LIBC.ptrace(request, pid, None, data) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def ended_by(worker: Worker, call: tuple[int, ...]) -> int:
    """Has a worker make a system call in place of the one it waits in; its wait status."""
    pid, names = worker.pid, _NAMES.split()
    registers = (ctypes.c_uint64 * len(names))()
    try:
        ptrace(_ATTACH, pid)
    except OSError:  # a filter around the tests, or Yama
        pytest.skip("processes cannot be traced here")
    os.waitpid(pid, 0)
    ptrace(_GET_REGISTERS, pid, ctypes.addressof(registers))
    arguments = dict(zip(("rdi", "rsi", "rdx"), (*call[1:], 0, 0, 0), strict=False))
    values = {"rax": call[0], "orig_rax": -1, "rip": registers[names.index("rip")] - 2, **arguments}
    for name, value in values.items():
        registers[names.index(name)] = value
    ptrace(_SET_REGISTERS, pid, ctypes.addressof(registers))
    ptrace(_CONTINUE, pid)
    return os.waitpid(pid, 0)[1]


@pytest.mark.parametrize("what", REFUSED)
def test_other_system_calls_end_it(worker: Worker, what: str) -> None:
    status = ended_by(worker, REFUSED[what])
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGSYS
    assert worker.run(b"").end == "died" and worker.run(b"").end == "exit"


@pytest.mark.parametrize("what", ALLOWED)
def test_what_it_needs_is_allowed(worker: Worker, what: str) -> None:
    assert os.WIFEXITED(ended_by(worker, ALLOWED[what]))
