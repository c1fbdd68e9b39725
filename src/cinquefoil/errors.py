"""All exceptions of Cinquefoil.

`UserError` and its kinds are the user's to mend: the command line prints their one-line message and exits
with status 2.  `EngineError` is ours: status 3.
"""

from __future__ import annotations


class CinquefoilError(Exception):
    """Base of everything this package raises on purpose."""


class UserError(CinquefoilError):
    """Wrong usage or unusable input; the message says what is wrong and what to do."""


class OutputError(UserError):
    """A result cannot be written: the disk is full, or the folder is not writable."""


class CompileError(UserError):
    """The C compiler rejected a source file; the message carries its diagnostics."""


class LinkError(UserError):
    """Undefined or doubly defined symbols, or a module for another target."""


class BitcodeError(UserError):
    """A bitcode or IR file is broken, or holds a construct that is not supported."""


class TestFileError(UserError):
    """A test file (.ktest and the like) is truncated or malformed."""

    __test__ = False  # not a test class, whatever its name begins with


class EngineError(CinquefoilError):
    """A fault of the engine itself: the worker cannot be started, a contract is broken."""


class WorkerDied(EngineError):
    """The worker process ended in the middle of a run; it can be restarted."""


class UntrustedWorker(WorkerDied):
    """The worker's shared memory holds what the run-time never writes; the worker has to be replaced."""
