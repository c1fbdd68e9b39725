"""`cinq cc`, `cinq ar`, `cinq ranlib`: drop-in tools with which `./configure && make` builds real projects.

Every object file is bitcode.  Linking gives a static executable that runs, made by lld, and `NAME.bc` beside
it, the whole program as bitcode, made by our own linker; lld goes first, so that a missing function fails as
quickly as configure expects.  Executables named `conftest*` get no bitcode: configure makes hundreds and
only wants to know whether they link and run.

`-O` flags are ignored, since build systems give them by habit and an optimiser deletes the very bugs the
engine looks for; `CINQ_CC_OPT` (such as `-O2`) sets a level on purpose.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from cinquefoil.build import cc_arguments, toolchain
from cinquefoil.build.cc_arguments import Arguments
from cinquefoil.build.compile import code_flags, include_flags, without_effect
from cinquefoil.build.implicit import compile_declared
from cinquefoil.build.sanitizers import sanitizing
from cinquefoil.build.scratch import scratch_folder
from cinquefoil.errors import CinquefoilError, CompileError, LinkError, UserError
from cinquefoil.testcase.readable import visible

_LEVEL = re.compile(r"-O(|[0-9sgz]|fast)\Z")
# Flags of the linker that give symbols another meaning.
_UNFOLLOWED = {
    *("--wrap", "-wrap", "--defsym", "-defsym", "--entry", "-e", "--init", "-init", "--fini", "-fini"),
    *("--script", "-T", "--default-script", "-dT"),
}


def cc_main(argv: Sequence[str]) -> int:
    """The compiler; its exit status, diagnostics on standard error."""
    try:
        return _dispatch(cc_arguments.parse(argv))
    except CinquefoilError as error:
        print(visible(f"cinq cc: error: {error}"), file=sys.stderr)
        return 1


def ar_main(argv: Sequence[str]) -> int:
    """The archiver: LLVM's, which indexes bitcode members as well."""
    return _pass_on("ar", argv)


def ranlib_main(argv: Sequence[str]) -> int:
    """Renew an archive's index."""
    return _pass_on("ranlib", argv)


def _pass_on(tool: str, argv: Sequence[str]) -> int:
    return subprocess.call([str(toolchain.zig()), tool, *argv], env=toolchain.environment())


def _dispatch(arguments: Arguments) -> int:
    if arguments.mode == "ask":
        return _ask(arguments)
    if not arguments.inputs:
        raise UserError("no input files")
    if arguments.mode == "link":
        return _link(arguments)
    return _compile_each(arguments)


def _ask(arguments: Arguments) -> int:
    """Preprocess, or let clang speak about itself."""
    output = ["-o", str(arguments.output)] if arguments.output else []
    files = [name for name in arguments.inputs if name == "-" or not name.startswith("-")]
    flags = [*_compiler_flags(arguments), *include_flags()]
    return _pass_on("clang", [*flags, *files, *output])


def _compile_each(arguments: Arguments) -> int:
    sources = [name for name in arguments.inputs if not name.startswith("-l")]
    if arguments.output and len(sources) > 1:
        raise UserError("-o with several input files needs linking")
    suffix = ".o" if arguments.mode == "-c" else ".s"
    for source in sources:
        output = arguments.output or Path(Path(source).stem + suffix)
        status = _compile(arguments, source, output)
        if status != 0:
            return status
    return 0


def _compile(arguments: Arguments, source: str, output: Path) -> int:
    """One file to bitcode; assembly to a native object."""
    kind = ["-S"] if arguments.mode == "-S" else ["-c"]
    is_c = cc_arguments.is_source(source, arguments.language)
    if kind == ["-c"] and is_c:
        kind.append("-emit-llvm")
    for note in (*sanitizing(arguments.compiler).notes, *without_effect(arguments.compiler)):
        print(visible(f"cinq cc: note: {note}"), file=sys.stderr)
    command = [*kind, *_compiler_flags(arguments), *include_flags(), source, "-o", str(output)]
    if not is_c or source == "-":  # standard input can be read only once
        return _pass_on("clang", command)
    done = compile_declared(command)
    for note in done.ignored:
        print(visible(f"cinq cc: note: {note}"), file=sys.stderr)
    sys.stdout.write(done.process.stdout)
    sys.stderr.write(done.process.stderr)
    return done.process.returncode


def _compiler_flags(arguments: Arguments) -> list[str]:
    chosen = os.environ.get("CINQ_CC_OPT")
    flags = [flag for flag in arguments.compiler if not _LEVEL.match(flag)]
    # Ours include settings for stages that a given call does not reach.
    return ["-Wno-unused-command-line-argument", *code_flags([*flags, chosen] if chosen else flags)]


def _link(arguments: Arguments) -> int:
    from cinquefoil.build import static_libc  # a plain -c, by far the most frequent call, does without

    output = arguments.output or Path("a.out")
    with scratch_folder("cc") as folder:
        inputs = _compiled_inputs(arguments, folder)
        if inputs is None:
            return 1
        if arguments.shared:
            # There is no dynamic linking: a shared library is an archive under another name.
            static_libc.make_archive(output, [Path(name) for name in inputs if Path(name).is_file()])
            return 0
        resolved = [_find_library(name, arguments.libraries) for name in inputs]
        status, said = static_libc.link_executable(output, resolved, arguments.bare)
        names = dict(zip(resolved, arguments.inputs, strict=True))
        sys.stderr.write(_with_names(said, names))
        if status == 0 and not output.name.startswith("conftest"):
            _note_unfollowed(arguments.inputs)
            _write_bitcode(output, {Path(made): name for made, name in names.items() if Path(made).is_file()})
    return status


def _note_unfollowed(inputs: Sequence[str]) -> None:
    """Tells which flags change the executable, but not the bitcode that is explored."""
    for name in dict.fromkeys(inputs):
        if name in _UNFOLLOWED or name.split("=")[0] in _UNFOLLOWED:
            print(visible(f"cinq cc: note: {name} has no effect on what is explored"), file=sys.stderr)


def _compiled_inputs(arguments: Arguments, folder: Path) -> list[str] | None:
    """Inputs with each source replaced by its object; None when one does not compile."""
    inputs: list[str] = []
    for number, name in enumerate(arguments.inputs):
        if cc_arguments.is_source(name, arguments.language) or cc_arguments.is_assembly(name):
            compiled = folder / f"{number}-{Path(name).stem}.o"
            if _compile(arguments, name, compiled) != 0:
                return None
            inputs.append(str(compiled))
        else:
            inputs.append(name)
    return inputs


def _find_library(name: str, folders: Sequence[Path]) -> str:
    """`-lfoo` as the archive it stands for."""
    if not name.startswith("-l"):
        return name
    for folder in folders:
        for pattern in ("lib{}.a", "lib{}.so"):
            path = folder / pattern.format(name[2:])
            if path.is_file():
                return str(path)
    raise UserError(f"library {name} not found")


def _write_bitcode(output: Path, files: Mapping[Path, str]) -> None:
    """The whole program beside its executable; without it the executable still stands.

    `files` are what to link, each with the name that the user gave.
    """
    from cinquefoil.build.program import BITCODE_SUFFIX, link_to_file

    beside = output.with_name(output.name + BITCODE_SUFFIX)
    beside.unlink(missing_ok=True)
    try:
        link_to_file(list(files), beside, need_main=False)
    except CinquefoilError as error:
        problem = _with_names(str(error), {str(made): name for made, name in files.items()})
        print(visible(f"cinq cc: warning: {beside} is not made: {problem}"), file=sys.stderr)


def build_main(sources: Sequence[Path], output: Path, flags: Sequence[str]) -> None:
    """`cinq build`: several sources to one bitcode file, without an executable."""
    from cinquefoil.build.compile import compile_c
    from cinquefoil.build.program import check_input, link_to_file

    if not sources:
        raise CompileError("no input files")
    with scratch_folder("build") as folder:
        inputs: list[Path] = []
        for number, source in enumerate(sources):
            check_input(source)
            inputs.append(folder / f"{number}.bc" if source.suffix in (".c", ".i") else source)
            if inputs[-1] != source:
                sys.stderr.write(compile_c(source.absolute(), inputs[-1], flags))
        problem = ""
        try:
            link_to_file(inputs, output)
        except LinkError as error:
            names = {str(made): str(source) for made, source in zip(inputs, sources, strict=True)}
            problem = _with_names(str(error), names)
        if problem:  # not chained: the first traceback holds modules of LLVM, which must go before their context
            raise LinkError(problem)


def _with_names(text: str, names: Mapping[str, str]) -> str:
    """A message about files that were made on the way, with the names that the user knows."""
    for made, name in names.items():
        text = text.replace(made, name) if "/" in made else text
    return text
