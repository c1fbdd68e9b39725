"""Commands as forks of a process that has imported everything (`cli/zygote.py`): cells begin at once.

Where that process cannot be had, or has died, commands are started as ordinary ones."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from cinquefoil.experiment.watched_process import Child, be_watched, spawn

_LOST = -signal.SIGKILL  # the status of a command whose parent died: it died with it


class Zygote:
    """`command` is what all commands begin with: `python -m cinquefoil.cli`.  To be made and closed by one thread,
    which must live as long: the process dies with it."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._lock = threading.Lock()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        words = [*command[:-1], f"{command[-1]}.zygote"]
        with theirs:
            self._process = subprocess.Popen(
                words,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=be_watched,
            )
        self._socket = ours

    def start(self, command: Sequence[str], output: IO[bytes], errors: IO[bytes]) -> Child:
        """Like `process.spawn`."""
        length = len(self._command)
        if list(command[:length]) == self._command:
            with suppress(OSError, ValueError):
                return self._fork(command[length:], output, errors)
        return spawn(command, output, errors)

    def close(self) -> None:
        self._socket.close()
        self._process.wait()

    def _fork(self, words: Sequence[str], output: IO[bytes], errors: IO[bytes]) -> Child:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, self._lock:
            request = json.dumps(list(words)).encode()
            socket.send_fds(self._socket, [request], [output.fileno(), errors.fileno(), theirs.fileno()])
        return Forked(int(ours.recv(64)), ours)


class Forked:
    """What `subprocess.Popen` is for a child of one's own."""

    def __init__(self, pid: int, answer: socket.socket) -> None:
        self.pid = pid
        self.returncode = 0
        self._answer: socket.socket | None = answer

    def wait(self, timeout: float | None = None) -> int:
        if self._answer is not None:
            self._answer.settimeout(timeout)
            try:
                told = self._answer.recv(64)
            except (TimeoutError, BlockingIOError) as error:
                raise subprocess.TimeoutExpired("", timeout or 0) from error
            self.returncode = int(told) if told else _LOST
            self._answer.close()
            self._answer = None
        return self.returncode

    def poll(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def terminate(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)
