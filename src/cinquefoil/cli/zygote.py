"""A process that has imported all that `cinq run` needs, and forks a command whenever it is asked to.

`cinq compare` runs hundreds of short commands, and importing takes most of a second each on a busy machine.  Requests
come as messages over the socket that is standard input: the command's words as JSON, and three files: its output, its
errors, and a socket for its process number and, in the end, its status (`experiment/warm.py` is the other side).  A
command's process is as fresh as one of its own: nothing has run here before the fork.  When the asker dies, so do this
process and its commands."""

from __future__ import annotations

import gc
import json
import os
import selectors
import signal
import socket
import sys
from importlib import import_module

from cinquefoil.build.child import die_with_parent

_LONGEST = 1 << 20  # bytes of a request
_NEEDED = (
    "cinquefoil.cli.run_command",
    "cinquefoil.exploration.session.session",
    "cinquefoil.search.edges",
    "cinquefoil.search.empc",
    "cinquefoil.search.nurs",
    "cinquefoil.search.randompath",
    "cinquefoil.search.sgs",
    "cinquefoil.solver.bitwuzla_session",
)


def serve(asker: socket.socket) -> None:
    """Until the asker is gone."""
    running: dict[int, socket.socket] = {}
    waker, woken = socket.socketpair()
    waker.setblocking(False)
    signal.set_wakeup_fd(waker.fileno())
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    with selectors.DefaultSelector() as selector:
        selector.register(asker, selectors.EVENT_READ)
        selector.register(woken, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is woken:
                    woken.recv(4096)
                    _report(running)
                elif not _start(asker, running):
                    return


def _start(asker: socket.socket, running: dict[int, socket.socket]) -> bool:
    request, files, _, _ = socket.recv_fds(asker, _LONGEST, 3)
    if not request:
        return False
    output, errors, reply = files
    pid = os.fork()
    if pid == 0:
        _become(json.loads(request), output, errors)
    os.close(output)
    os.close(errors)
    running[pid] = answer = socket.socket(fileno=reply)
    _tell(answer, pid)
    return True


def _report(running: dict[int, socket.socket]) -> None:
    """Tells of all that ended."""
    for pid in list(running):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            with running.pop(pid) as answer:
                _tell(answer, os.waitstatus_to_exitcode(status))


def _tell(answer: socket.socket, number: int) -> None:
    try:
        answer.send(str(number).encode())
    except OSError:
        return  # nobody wants to know any more


def _become(words: list[str], output: int, errors: int) -> None:
    """The command itself; does not return."""
    status = 3
    try:
        os.setsid()
        die_with_parent()
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for file, descriptor in ((nothing, 0), (output, 1), (errors, 2)):
            os.dup2(file, descriptor)
        os.closerange(3, 64)
        status = _run(words)
    finally:
        os._exit(status)


def _run(words: list[str]) -> int:
    from cinquefoil.cli.main import run

    try:
        return run(words)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def main() -> None:
    """`python -m cinquefoil.cli.zygote`, with a socket as standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's: the asker decides what ends
    asker = socket.socket(fileno=os.dup(0))
    for name in _NEEDED:
        import_module(name)
    gc.freeze()
    serve(asker)


if __name__ == "__main__":
    main()
