"""Turn clang's unoptimised code into SSA form without losing a bug.

Only scalar replacement (SROA) runs, and it is kept on a leash, because it would delete undefined behaviour:
it drops accesses beyond the end of a local variable, and instructions whose result is unused.  So, on the
textual IR:

* loads become volatile unless they read a whole local scalar: a dead load through a bad pointer stays;
* quotients and shifted values are kept alive: a dead division by zero, or shift by too much, stays;
* a local variable that is used in any way but whole loads and stores is pinned: it stays in memory; so do all of a
  function that calls setjmp.

A variable that becomes a value holds, until it is written, what a call to a function `cinq_unwritten.TYPE` gives: left
to itself, the pass would take such a variable for whatever suits it.  Only calls whose result is used stay.  It is zero
everywhere (`without_unwritten`), and known as never written where the run-time watches for that.

"Keeping alive" is a call to a marker function, inserted before the pass and deleted after it.  Control flow
is not simplified: merging `a && b` would change which branches there are to cover.

Bitcode may have seen an optimiser before, which moves instructions to where their result is not used.  Such
code has no local variable left that is only loaded and stored as a whole, but phi nodes or selects; functions of the
other kind get an attribute.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import llvmlite.binding as llvm

from cinquefoil.build import bitcode
from cinquefoil.build.bitcode import Module
from cinquefoil.build.unevaluated import drop_unevaluated

_MARK = "cinq.keep"
UNWRITTEN, UNWRITTEN_SUFFIX = (
    "cinq_unwritten.",
    ".unwritten",
)  # of functions that give a variable's first value; of these
AS_WRITTEN = '"cinq-as-written"'  # the attribute of functions that no optimiser has been at
_LOCAL = r'%(?:"[^"]*"|[-\w$.]+)'
_ALLOCA = re.compile(rf"\s+({_LOCAL}) = alloca (.+?)(?:, align|$)")
_ALLOCA_CALL = re.compile(rf"= (?:\w*tail )?call [^@\n]*ptr [^@\n]*@alloca\((i\d+) (?:\w+ )*({_LOCAL}|\d+)\)(?: #\d+)?")
_INLINE = re.compile(r"^define available_externally (?:dso_local )?(.*?\) (?:\w+ )*#(\d+) .*)", re.MULTILINE)
_GROUP = re.compile(r"^attributes #(\d+) = (\{.*)", re.MULTILINE)
_VALUE = re.compile(_LOCAL)
_LOAD = re.compile(rf"(\s+{_LOCAL} = load (?:atomic )?)(?!volatile|atomic)(.+?), ptr ({_LOCAL}|\S+?)(?:[, ]|$)")
_STORE = re.compile(rf"\s+store (.+), ptr ({_LOCAL})(?:,|$)")
_QUOTIENT = re.compile(rf"\s+({_LOCAL}) = (?:[us]div|[us]rem|shl|[al]shr) (?:exact )?(i\d+) ")
_HARMLESS = re.compile(r"\s+(?:call void @llvm\.(?:lifetime|dbg)\.|#dbg_)")
_RETURNS_TWICE = re.compile(r"call [^@]*@(?:(?:_|__|sig|__sig)?setjmp|llvm\.eh\.sjlj\.setjmp)\(")
_SCALAR = re.compile(r"(?:i\d+|float|double|x86_fp80|ptr)\Z")
# optnone would stop the pass; the others would let it delete an unused call.
_ATTRIBUTES = re.compile(r"\b(?:optnone|willreturn|speculatable|memory\([^)]*\)) ?")
_EMPTY_GROUP = re.compile(r"\{\s*\}")
_THREAD_LOCAL = re.compile(r"^(@.* = .*?)thread_local(?:\(\w+\))? ", re.MULTILINE)
_THREAD_ADDRESS = re.compile(r"(?:\w*tail )?call [^@\n]*@llvm\.threadlocal\.address\.p0\(ptr [^@\n]*(@[^)]*)\)")
_MARK_LINE = re.compile(rf"^.*@{re.escape(_MARK)}\..*\n", re.MULTILINE)
_HEADER = re.compile(r'define [^@]*@(?:"[^"]*"|[-\w$.]+)\(')
_BEHIND = re.compile(r"^((?: (?:local_)?unnamed_addr)?)")
_CHOICE = re.compile(rf"\s+{_LOCAL} = (?:phi|select) ")
_SUBPROGRAM = re.compile(r" !dbg !(\d+) ")
_UNOPTIMISED = re.compile(r"^!(\d+) = distinct !DISubprogram\((?!.*DISPFlagOptimized)", re.MULTILINE)
# Left behind when LLVM upgrades the intrinsic of older bitcode.
_STALE = re.compile(r"^declare void @llvm\.lifetime\.(?:start|end)\.i64\(i64\).*\n", re.MULTILINE)
# Where no instruction catches an exception, nobody unwinds the stack, and nobody goes on doing so (rustc leaves
# such blocks behind, which nothing reaches).
_RESUME = re.compile(r"^  resume .*$", re.MULTILINE)
_PERSONALITY = re.compile(r"^(define .*?) personality ptr @[-\w$.]+", re.MULTILINE)
_UNWRITTEN_CALL = re.compile(rf"^ +({_LOCAL}) = call (\S+) @{re.escape(UNWRITTEN)}\w+\(\).*\n", re.MULTILINE)
_DEBUG_LINE = re.compile(r"^ +(?:#dbg_|call void @llvm\.dbg\.).*\n", re.MULTILINE)
_UNWRITTEN_KINDS = re.compile(rf"call (\S+) @({re.escape(UNWRITTEN)}\w+)\(\)")
_UNWRITTEN_DECLARATION = re.compile(rf"^declare \S+ @({re.escape(UNWRITTEN)}\w+)\(\).*\n", re.MULTILINE)
_MARK_NAMES = re.compile(rf"@({re.escape(_MARK)}\.[\w.]+)\((\w+) ")


def cleanup(text: str, name: str) -> Module:
    """The module in SSA form, with every access and division that the source has."""
    plain = drop_unevaluated(_with_allocas(_with_inlines(_without_personality(_single_threaded(text)))))
    module = bitcode.parse_text(_with_marks(plain), name)
    _run_passes(module)
    return bitcode.parse_text(_without_unused(_STALE.sub("", _MARK_LINE.sub("", str(module)))), name)


def without_unwritten(text: str) -> str:
    """The module with zero for what local variables hold before they are written."""
    return _UNWRITTEN_CALL.sub(r"  \1 = freeze \2 zeroinitializer\n", text)


def _without_unused(text: str) -> str:
    """The module without first values of variables that nobody reads."""
    bodies = text.split("\n}\n")
    text = "\n}\n".join(_without_unused_calls(body) if f"@{UNWRITTEN}" in body else body for body in bodies)
    used = {name for _, name in _UNWRITTEN_KINDS.findall(text)}
    return _UNWRITTEN_DECLARATION.sub(lambda found: found[0] if found[1] in used else "", text)


def _without_unused_calls(body: str) -> str:
    code, notes = _DEBUG_LINE.sub("", body), _DEBUG_LINE.findall(body)
    count = Counter(_VALUE.findall(code))
    unused = {found[1] for found in _UNWRITTEN_CALL.finditer(code) if count[found[1]] == 1}
    gone = {note for note in notes if unused.intersection(_VALUE.findall(note))}
    body = _DEBUG_LINE.sub(lambda found: "" if found[0] in gone else found[0], body)
    return _UNWRITTEN_CALL.sub(lambda found: "" if found[1] in unused else found[0], body)


def _with_inlines(text: str) -> str:
    """Functions that are always expanded where they are called need no definition anywhere else: theirs stays."""
    if "define available_externally " not in text:
        return text
    always = {number for number, words in _GROUP.findall(text) if " alwaysinline " in words}
    return _INLINE.sub(lambda found: f"define internal {found[1]}" if found[2] in always else found[0], text)


def _with_allocas(text: str) -> str:
    """`alloca` as a program may declare it itself is no function of a library, but part of the compiler."""
    if "@alloca(" not in text or re.search(r"^define [^\n]*@alloca\(", text, re.MULTILINE):
        return text
    return _ALLOCA_CALL.sub(r"= alloca i8, \1 \2, align 16", text)


def _single_threaded(text: str) -> str:
    """There is one thread: thread-local variables are ordinary ones."""
    text = _THREAD_LOCAL.sub(r"\1", text)
    return _THREAD_ADDRESS.sub(r"getelementptr i8, ptr \1, i64 0", text)


def _without_personality(text: str) -> str:
    if " landingpad " in text:
        return text
    return _RESUME.sub("  unreachable", _PERSONALITY.sub(r"\1", text))


def _with_marks(text: str) -> str:
    lines = list(_mark_lines(text.split("\n"), set(_UNOPTIMISED.findall(text))))
    body = "\n".join(lines)
    declarations = {f"declare void @{name}({kind})" for name, kind in _MARK_NAMES.findall(body)}
    declarations |= {f"declare {kind} @{name}()" for kind, name in _UNWRITTEN_KINDS.findall(body)}
    return body + "\n" + "\n".join(sorted(declarations)) + "\n"


def _mark_lines(lines: list[str], unoptimised: set[str]) -> Iterator[str]:
    """All lines, those of functions with their marks."""
    start: int | None = None
    for number, line in enumerate(lines):
        if line.startswith("define "):
            start = number
        elif line == "}" and start is not None:
            yield from _mark_function(lines[start : number + 1], unoptimised)
            start = None
            continue
        if start is None:
            yield _attribute_group(line) if line.startswith("attributes ") else line


def _attribute_group(line: str) -> str:
    """A group without the attributes that the pass must not see; LLVM refuses an empty one."""
    return _EMPTY_GROUP.sub('{ "none" }', _ATTRIBUTES.sub("", line))


def _mark_function(body: list[str], unoptimised: set[str]) -> Iterator[str]:
    scalars = _whole_scalars(body)
    if _is_as_written(body, scalars, unoptimised):
        body[0] = _with_attribute(body[0])
    if any(_RETURNS_TWICE.search(line) for line in body):
        scalars = set[str]()  # a jump back must find the values that variables have by then
    for line in body:
        load = _LOAD.match(line)
        if load and load[3] not in scalars:
            line = f"{load[1]}volatile {line[load.end(1) :]}"
        yield line
        if "alloca" in line and (found := _ALLOCA.match(line)):
            yield from _unwritten(found[1], found[2]) if found[1] in scalars else [_mark("ptr", found[1])]
        elif " = " in line and (found := _QUOTIENT.match(line)):
            yield _mark(found[2], found[1])


def _is_as_written(body: list[str], scalars: set[str], unoptimised: set[str]) -> bool:
    """Whether no optimiser has been at a function: it has variables that one would have made values of; or nothing that
    looks like one's work; or its debug information says so, and it keeps its parameters in variables, if it has any."""
    if scalars or not any(_CHOICE.match(line) for line in body):
        return True
    subprogram = _SUBPROGRAM.search(body[0])
    if subprogram is None or subprogram[1] not in unoptimised:
        return False
    parameters = _VALUE.findall(body[0])
    return not parameters or any((store := _STORE.match(line)) and store[1].split()[-1] in parameters for line in body)


def _with_attribute(header: str) -> str:
    """The first line of a function, with the attribute where it belongs, behind the parameters."""
    start = _HEADER.match(header)
    if start is None:
        return header
    depth, at = 1, start.end()
    while depth and at < len(header):
        depth += {"(": 1, ")": -1}.get(header[at], 0)
        at += 1
    return header[:at] + _BEHIND.sub(rf"\1 {AS_WRITTEN}", header[at:], count=1)


def _mark(kind: str, value: str) -> str:
    return f"  call void @{_MARK}.{kind}({kind} {value})"


def _unwritten(name: str, kind: str) -> Iterator[str]:
    """The variable's value before anything is written to it."""
    value = f'%"{name[1:].strip(chr(34))}{UNWRITTEN_SUFFIX}"'
    yield f"  {value} = call {kind} @{UNWRITTEN}{kind}()"
    yield f"  store {kind} {value}, ptr {name}"


def _whole_scalars(body: list[str]) -> set[str]:
    """Local variables that are only ever loaded and stored as a whole: safe to turn into values."""
    kinds = {found[1]: found[2] for line in body if "alloca" in line and (found := _ALLOCA.match(line))}
    scalars = {name for name, kind in kinds.items() if _SCALAR.match(kind)}
    for line in body:
        for name in scalars.intersection(_VALUE.findall(line)):
            if not _is_whole_use(line, name, kinds[name]):
                scalars.discard(name)
    return scalars


def _is_whole_use(line: str, name: str, kind: str) -> bool:
    if _HARMLESS.match(line) or line.lstrip().startswith(name + " = alloca "):
        return True
    if load := _LOAD.match(line):
        return load[3] == name and load[2] == kind
    store = _STORE.match(line)
    return bool(store and store[2] == name and store[1].startswith(kind + " ") and name not in store[1].split())


def _run_passes(module: Module) -> None:
    llvm.initialize_native_target()
    machine = llvm.Target.from_triple("x86_64-unknown-linux-musl").create_target_machine()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=0))
    passes = llvm.create_new_module_pass_manager()
    passes.add_lower_atomic_pass()
    passes.add_sroa_pass()
    passes.add_strip_dead_prototype_pass()
    passes.run(module, builder)
