"""Work on code from elsewhere, done in a fork of this process.

LLVM ends its process by an assertion or a fault when bitcode is damaged in ways that it does not expect, or nested too
deeply for its recursion.  In a child that costs an error message.  What the work returns or raises comes back through a
pipe; the main thread only waits, so that a signal whose handler raises ends the child at once."""

from __future__ import annotations

import ctypes
import faulthandler
import os
import pickle
import signal
from collections.abc import Callable
from typing import Any, TypeVar

from cinquefoil.errors import BitcodeError, CinquefoilError, EngineError

Result = TypeVar("Result")
_MOST = 4096  # bytes of what the child said that are looked at
_FAILED = 70  # the status of a child that could not even reply
_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_LIBC = ctypes.CDLL(None)  # loaded before any fork
_NO_MEMORY = ("std::bad_alloc", "out of memory")  # what LLVM says then
_NOT_ITS_OWN = (-signal.SIGKILL, -signal.SIGTERM)  # nobody but the system or the user ends it so


def die_with_parent() -> None:
    """Called in a child: when its parent ends, however that happens, it is killed."""
    _LIBC.prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


def in_child(work: Callable[[], Result], what: str) -> Result:
    """What `work` returns, or raises.  `BitcodeError` if the process died of it: `what` names the code."""
    said = os.memfd_create("said", os.MFD_CLOEXEC)
    try:
        reply, status = _wait_for(*_forked(work, what, said))
        words = _last_words(said)
    finally:
        os.close(said)
    if status not in (0, _FAILED):
        raise _death(status, what, words)
    return _result(reply)


class Beside:
    """Does `work` in a child while it is entered; a child that is not done by then is killed, and nobody is told."""

    def __init__(self, work: Callable[[], object], what: str) -> None:
        self._work, self._what = work, what
        self._pid = self._reading = self._said = -1

    def __enter__(self) -> Beside:
        self._said = os.memfd_create("said", os.MFD_CLOEXEC)
        self._pid, self._reading = _forked(self._work, self._what, self._said)
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._reading)
        os.close(self._said)


def _forked(work: Callable[[], object], what: str, said: int) -> tuple[int, int]:
    """The child's number, and where its reply can be read."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        _be_child(work, what, writing, said)
    os.close(writing)
    return pid, reading


def _wait_for(pid: int, reading: int) -> tuple[bytes, int]:
    """The child's reply and its exit status; if waiting is cut short, the child is too."""
    try:
        with os.fdopen(reading, "rb") as pipe:
            reply = pipe.read()
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        raise
    finally:
        status = os.waitpid(pid, 0)[1]
    return reply, os.waitstatus_to_exitcode(status)


def _be_child(work: Callable[[], object], what: str, writing: int, said: int) -> None:
    """Never returns.  Signals of the terminal are for the main process, which ends this one if need be."""
    status = _FAILED
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.disable()
        os.dup2(said, 1)
        os.dup2(said, 2)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(_reply(work, what))
        status = 0
    finally:
        os._exit(status)


def _reply(work: Callable[[], object], what: str) -> bytes:
    try:
        return pickle.dumps((True, work()))
    except (CinquefoilError, OSError, MemoryError) as error:
        return pickle.dumps((False, error))
    except RecursionError:
        return pickle.dumps((False, BitcodeError(f"{what} is nested too deeply")))
    except UnicodeDecodeError:
        return pickle.dumps((False, BitcodeError(f"{what} holds names that are no text")))
    except Exception as error:  # a defect of ours is one in the main process too
        return pickle.dumps((False, EngineError(f"{type(error).__name__}: {error}")))


def _result(reply: bytes) -> Any:
    """What the child sent; it is a part of this program and as trusted."""
    if not reply:
        raise EngineError("a process that compiles ended before it was done")
    succeeded, value = pickle.loads(reply)
    if succeeded:
        return value
    raise value


def _death(status: int, what: str, words: str) -> CinquefoilError | MemoryError:
    """LLVM gives up by a signal, or by leaving with a status of its own."""
    if any(each in words for each in _NO_MEMORY):
        return MemoryError(f"for LLVM to work on {what}")
    name = signal.Signals(-status).name if status < 0 else f"status {status}"
    if status in _NOT_ITS_OWN:
        return EngineError(f"a process that compiles ended before it was done ({name}: is there enough memory?)")
    return BitcodeError(f"LLVM cannot work on {what}: {words or 'it failed'} ({name})")


def _last_words(said: int) -> str:
    """The first line that LLVM wrote before it gave up."""
    text = os.pread(said, _MOST, 0).decode(errors="replace")
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return "".join(letter if letter.isprintable() else "?" for letter in line)
