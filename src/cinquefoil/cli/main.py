"""`cinq`: finds the command's module, runs it, and turns what goes wrong into one message and an exit status.

0 all is well, 1 the program under test has an error, 2 wrong usage or input, 3 a fault of the engine, 130
interrupted, 141 nobody reads the output any more (as a shell tells of SIGPIPE).  A traceback is shown only with
CINQ_DEBUG=1.  Modules of commands are imported on demand, so that `cinq --help` and `cinq cc` do not wait for what
only others need.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import traceback
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Final

import click

from cinquefoil import __version__
from cinquefoil.cli.say import say
from cinquefoil.errors import CinquefoilError, UserError
from cinquefoil.plugins import fault_of_plugin

USAGE, FAULT, INTERRUPTED, UNREAD = 2, 3, 130, 141
_NO_MEMORY: Final = "there is not enough memory (limited by ulimit -v, a container or the machine)"
_WITHOUT_MEMORY: Final = ("can't start new thread", "failed to map segment")  # as threads and libraries say it
COMMANDS: Final = {  # the module below cinquefoil.cli, and what the command does
    "run": ("run_command", "Explore a program's paths: tests, errors, coverage."),
    "replay": ("replay_command", "Run tests on native builds: divergence, gcov coverage, sanitizers."),
    "report": ("report_command", "Make the page of an output folder anew."),
    "export": ("export_command", "Write results in other tools' formats."),
    "compare": ("compare_command", "Compare strategies on programs: tables, tests of significance, charts."),
    "mutants": ("mutants_command", "Run tests on mutants of the program: how many do they kill?"),
    "testcomp": ("testcomp_command", "Test-Comp: a property and a program in, a test suite out."),
    "cover": ("cover_command", "Show the path covers that the strategy empc follows."),
    "meld": ("meld_command", "Show which branches melding (run --meld) removes, and which it cannot."),
    "trace": ("trace_command", "Run one input and show its symbolic branches and path condition."),
    "show": ("show_command", "Print .ktest files readably."),
    "build": ("build_command", "Compile C sources to one whole-program bitcode file."),
    "cc": ("tools", "Drop-in C compiler: executables with their bitcode beside them."),
    "ar": ("tools", "Drop-in archiver for cc's objects."),
    "ranlib": ("tools", "Drop-in archive indexer for cc's archives."),
    "subjects": ("subjects_command", "Real programs: fetch, build, explore, measure."),
    "doctor": ("doctor_command", "Tell what this machine offers, and what to do about what is missing."),
    "cache": ("cache_command", "Show or wipe what is kept between runs."),
}


class LazyGroup(click.Group):
    """Knows its commands by name and purpose; a module is imported when its command is invoked."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = getattr(import_module(f"cinquefoil.cli.{COMMANDS[cmd_name][0]}"), cmd_name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, purpose) for name, (_, purpose) in COMMANDS.items()])


def _tell_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Git may be asked for the commit, hence only if somebody wants to know."""
    if wanted and not ctx.resilient_parsing:
        from cinquefoil.version import described

        say(f"cinq {described(__version__)}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_tell_version, help="Show the version."
)
def cinq() -> None:
    """Cinquefoil: symbolic execution and test generation for C.

    cinq COMMAND --help explains a command.
    """


def run(arguments: Sequence[str]) -> int:
    """Run one command line; its exit status.  Nothing is raised."""
    try:
        with _terminable():
            return int(cinq.main(list(arguments), prog_name="cinq", standalone_mode=False) or 0)
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted", INTERRUPTED)
    except click.UsageError as error:
        return _fail(_usage(error), USAGE)
    except click.ClickException as error:
        return _fail(error.format_message(), USAGE)
    except UserError as error:
        return _fail(str(error), USAGE)
    except CinquefoilError as error:
        return _fail(str(error), FAULT)
    except (BrokenPipeError, SystemExit):  # click leaves by the latter when nobody reads its output
        return UNREAD
    except OSError as error:
        return _fail(_NO_MEMORY, FAULT) if error.errno == errno.ENOMEM else _fail(_system(error), USAGE)
    except MemoryError:
        return _fail(_NO_MEMORY, FAULT)
    except Exception as error:  # the last resort: a defect must not look like the program's
        if fault := fault_of_plugin(error):
            return _fail(fault, USAGE)
        if any(words in str(error) for words in _WITHOUT_MEMORY):
            return _fail(_NO_MEMORY, FAULT)
        return _fail(f"internal fault: {type(error).__name__}: {error} (CINQ_DEBUG=1 shows where)", FAULT)


@contextmanager
def _terminable() -> Generator[None]:
    """SIGTERM and SIGHUP are taken like Ctrl-C, also while nothing is explored yet: what was begun is cleaned up."""
    ours = threading.current_thread() is threading.main_thread()
    taken = [each for each in (signal.SIGTERM, signal.SIGHUP) if ours and signal.getsignal(each) is signal.SIG_DFL]
    for each in taken:
        signal.signal(each, signal.default_int_handler)
    try:
        yield
    finally:
        for each in taken:
            signal.signal(each, signal.SIG_DFL)


def _usage(error: click.UsageError) -> str:
    command = error.ctx.command_path if error.ctx else "cinq"
    return f"{error.format_message().rstrip('.')}; see {command} --help"


def _system(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)


def _fail(message: str, status: int) -> int:
    if os.environ.get("CINQ_DEBUG") == "1":
        traceback.print_exc()
    with suppress(OSError):  # the status still tells
        say(f"cinq: error: {message}", err=True)
    return status


def main() -> None:
    """Entry point of the `cinq` script."""
    # numpy's linear algebra, which nothing here uses, takes threads and addresses when it is loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    open_standard_streams()
    sys.exit(_flushed(run(sys.argv[1:])))


def open_standard_streams() -> None:
    """Standard streams that were closed lead nowhere from here on.  Else the next file that is opened would get their
    number, and what this process or its children say would be written to it."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_RDONLY if number == 0 else os.O_WRONLY)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            setattr(sys, name, open(number, "r" if number == 0 else "w", closefd=False))  # noqa: SIM115 for good


def _flushed(status: int) -> int:
    """The status, once all that was said is written.  What cannot be is dropped, or the interpreter would try again."""
    try:
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        failed = UNREAD
    except OSError as error:
        failed = _fail(f"cannot write to standard output: {error.strerror}", USAGE)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return failed
