"""Mutants of a program, all of them in one: small changes of its IR, of which a number chooses one at run time.

Every changed instruction computes its original and its changed value, and a `select` takes the changed one if the
global `cinq.mutant` holds the mutant's number (mutant schemata).  So one executable serves all mutants, and a mutant
costs four bytes of it.  Operators: *relational* (the next predicate, the opposite one), *arithmetic* (another
operation), *constant* (one more, zero), *branch* (always, never), *deletion* (of a store: the old value is stored
again; of a call: a function that does nothing is called instead).

A test on which a mutant's value is never another than the original's cannot tell the two apart.  With `first`, the
original therefore reports, as if it were a block, every mutant whose value differs (the test "infects" it; weak
mutation, Howden 1982).  Deleted calls make a difference wherever they are reached and report nothing.

The text of LLVM itself is edited line by line, as block_coverage.py does: new values have names, so no numbered name
moves, and no block is added.  Only functions with a source file count.  Risks: some mutants are equivalent to the
original and cannot be killed; a deleted call's result is zero, which may itself be a likely value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from random import Random
from typing import Final

from cinquefoil.transform.block_coverage import HOOK

VARIABLE: Final = "cinq.mutant"
NOTHING: Final = "cinq.nothing"
NONE: Final = 0x5EED0FF0C1  # what the variable holds at first: easily found in an executable, and no mutant's number
_TOKEN = r'(?:%(?:"[^"]*"|[-\w$.]+)|-?\d+|true|false|null|@(?:"[^"]*"|[-\w$.]+))'
_RESULT = r'  (%(?:"[^"]*"|[-\w$.]+)) = '
_REST = r"((?:, .*)?)\Z"
_DEFINE: Final = re.compile(r'define (?!available_externally)[^@]*@("[^"]*"|[-\w$.]+)\(.*?(?:!dbg (!\d+))? \{\Z')
_COMPARE: Final = re.compile(_RESULT + rf"icmp (?:samesign )?(\w+) (i\d+|ptr) ({_TOKEN}), ({_TOKEN})" + _REST)
_BINARY: Final = re.compile(_RESULT + rf"(\w+)(?: (?:nuw|nsw|exact|disjoint))* (i\d+) ({_TOKEN}), ({_TOKEN})" + _REST)
_BRANCH: Final = re.compile(r'  br i1 (%(?:"[^"]*"|[-\w$.]+)), (label .*)\Z')
_STORE: Final = re.compile(rf"  store (i\d+|ptr) ({_TOKEN}), ptr ({_TOKEN}), align (\d+)" + _REST)
_CALL: Final = re.compile(
    r'(  (?:(%[^ ]+) = )?(?:tail )?call [^@"]*?)@((?!llvm\.|klee_|__VERIFIER_|cinq_)[-\w$.]+)\((.*)\Z'
)
_CALLED_TYPE: Final = re.compile(r"call (?:[a-z]+ )*?(void|i\d+|ptr)(?: \(.*\))? \Z")
_DIFFERS: Final = re.compile(r"  %cinq\.d(\d+) = ")
_DEBUG: Final = re.compile(r"!dbg (!\d+)")
_LINE: Final = re.compile(r"(!\d+) = !DILocation\(line: (\d+)")
_SUBPROGRAM: Final = re.compile(r"(!\d+) = distinct !DISubprogram\(.*?file: (!\d+)")
_FILE: Final = re.compile(r'(!\d+) = !DIFile\(filename: "([^"]*)", directory: "([^"]*)"')

_OPPOSITE = {"eq": "ne", "ne": "eq"} | {
    f"{sign}{name}": f"{sign}{other}"
    for sign in "su"
    for name, other in (("lt", "ge"), ("ge", "lt"), ("gt", "le"), ("le", "gt"))
}
_NEXT = {
    f"{sign}{a}": f"{sign}{b}" for sign in "su" for a, b in (("lt", "le"), ("le", "lt"), ("gt", "ge"), ("ge", "gt"))
}
# Divisions become multiplications, never the other way: a mutant must not divide where the program did not.
_OTHER = {"add": "sub", "sub": "add", "mul": "add", "sdiv": "mul", "udiv": "mul", "srem": "mul", "urem": "mul"} | {
    "and": "or",
    "or": "and",
    "xor": "and",
    "shl": "lshr",
    "lshr": "shl",
    "ashr": "shl",
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """`number` counts all candidates of the program in the order of its text, so it means the same in every sample."""

    number: int
    operator: str
    change: str
    function: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Mutated:
    """The text that holds the chosen mutants."""

    text: str
    mutants: tuple[Mutant, ...]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """`edit` gives the lines that replace the instruction's, with a mutant's number."""

    operator: str
    change: str
    edit: Callable[[int], list[str]]


def mutate(
    text: str, sources: Sequence[str] = (), limit: int | None = None, seed: int = 0, first: int | None = None
) -> Mutated:
    """A module, as LLVM prints it, with mutants in it: of functions in files that match `sources` (all, if there are
    none), at most `limit`, chosen by the seed.  An instruction has at most one mutant of a sample.  With `first`, the
    module reports its blocks (transform/block_coverage.py) and, from that number on, the mutants that make a
    difference."""
    lines = text.split("\n")
    choices = list(_candidates(lines, _Debug(text), sources))
    chosen = _sample(choices, limit, Random(seed))
    edited = {at: candidate.edit(mutant.number) for at, candidate, mutant in chosen}
    if first is not None:
        edited = {at: _reporting(new, first + index) for index, (at, new) in enumerate(edited.items())}
    body = [new for at, line in enumerate(lines) for new in edited.get(at, [line])]
    return Mutated("\n".join([*body, *_support()]), tuple(mutant for _, _, mutant in chosen))


_Choice = tuple[int, _Candidate, Mutant]  # line of the text


def _sample(choices: Sequence[_Choice], limit: int | None, random: Random) -> list[_Choice]:
    """One per line at most, in the order of the text."""
    shuffled = random.sample(choices, len(choices))
    single = {choice[0]: choice for choice in shuffled}
    kept = [choice for choice in shuffled if single[choice[0]] is choice]
    return sorted(kept[:limit], key=lambda choice: choice[2].number)


def _reporting(lines: Sequence[str], number: int) -> list[str]:
    """A mutant's lines, with a report behind the one that says whether it makes a difference."""
    found: list[str] = []
    for line in lines:
        found.append(line)
        if differs := _DIFFERS.match(line):
            told = f"%cinq.r{differs[1]}"
            found.append(f"  {told} = select i1 %cinq.d{differs[1]}, i32 {number}, i32 -1")
            found.append(f"  call void @{HOOK}(i32 {told})")
    return found


def _support() -> list[str]:
    return [
        f"@{VARIABLE} = global i64 {NONE}, align 8",
        f"define i64 @{NOTHING}() {{",
        "  ret i64 0",
        "}",
        "",
    ]


def _candidates(lines: Sequence[str], debug: _Debug, sources: Sequence[str]) -> Iterator[_Choice]:
    function, file, number = "", "", 0
    for at, line in enumerate(lines):
        if line.startswith("define "):
            found = _DEFINE.match(line)
            function = found[1].strip('"') if found else ""
            file = debug.file_of(found[2]) if found else ""
        elif line.startswith("  ") and file and _wanted(file, sources):
            after = lines[at + 1] if at + 1 < len(lines) else ""
            for candidate in _of_line(line, after):
                number += 1
                mutant = Mutant(number, candidate.operator, candidate.change, function, file, debug.line_of(line))
                yield at, candidate, mutant


def _wanted(file: str, sources: Sequence[str]) -> bool:
    return not sources or any(fnmatch(file, pattern) or fnmatch(file, f"*/{pattern}") for pattern in sources)


class _Debug:
    """Files of functions and lines of instructions."""

    def __init__(self, text: str) -> None:
        self._lines = {name: int(line) for name, line in _LINE.findall(text)}
        self._files = dict(_SUBPROGRAM.findall(text))
        self._names = {number: name for number, name, _ in _FILE.findall(text)}

    def file_of(self, subprogram: str | None) -> str:
        return self._names.get(self._files.get(subprogram or "", ""), "")

    def line_of(self, instruction: str) -> int:
        found = _DEBUG.search(instruction)
        return self._lines.get(found[1], 0) if found else 0


# ---- operators ----------------------------------------------------------------------------------------------------


def _of_line(line: str, after: str) -> Iterator[_Candidate]:
    """What can be changed in an instruction; `after` is the next line."""
    if found := _COMPARE.match(line):
        yield from _compare(found)
    elif (found := _BINARY.match(line)) and found[2] in _OTHER:
        yield from _binary(found)
    elif found := _BRANCH.match(line):
        yield from _branch(found)
    elif found := _STORE.match(line):
        yield from _store(found)
    elif (found := _CALL.match(line)) and not after.startswith("  unreachable"):
        yield from _call(found)


def _compare(found: re.Match[str]) -> Iterator[_Candidate]:
    result, predicate, kind, first, second, rest = found.groups()

    def with_predicate(other: str) -> Callable[[int], list[str]]:
        return _chosen(
            result, "i1", f"icmp {predicate} {kind} {first}, {second}", f"icmp {other} {kind} {first}, {second}", rest
        )

    for other in (_NEXT.get(predicate), _OPPOSITE[predicate]):
        if other:
            yield _Candidate("relational", f"{predicate} to {other}", with_predicate(other))
    yield from _constants(result, "i1", f"icmp {predicate} {kind} {first}, ", kind, second, rest)


def _binary(found: re.Match[str]) -> Iterator[_Candidate]:
    result, operation, kind, first, second, rest = found.groups()
    other = _OTHER[operation]
    original, changed = f"{operation} {kind} {first}, {second}", f"{other} {kind} {first}, {second}"
    yield _Candidate("arithmetic", f"{operation} to {other}", _chosen(result, kind, original, changed, rest))
    if operation in ("add", "sub", "mul"):  # shifts and divisions have constants that must not be zero or too large
        yield from _constants(result, kind, f"{operation} {kind} {first}, ", kind, second, rest)


def _constants(result: str, type_: str, head: str, kind: str, second: str, rest: str) -> Iterator[_Candidate]:
    """The second operand, if it is a whole number, one more and zero."""
    if not re.fullmatch(r"-?\d+", second) or kind == "i1":
        return
    for value in dict.fromkeys((int(second) + 1, 0)):
        if value != int(second):
            changed = head + str(value)
            yield _Candidate("constant", f"{second} to {value}", _chosen(result, type_, head + second, changed, rest))


def _branch(found: re.Match[str]) -> Iterator[_Candidate]:
    condition, targets = found.groups()

    def fixed(value: str) -> Callable[[int], list[str]]:
        def edit(number: int) -> list[str]:
            taken = f"  %cinq.b{number} = select i1 %cinq.c{number}, i1 {value}, i1 {condition}"
            return [
                *_asked(number),
                _compared(number, "i1", value, condition),
                taken,
                f"  br i1 %cinq.b{number}, {targets}",
            ]

        return edit

    yield _Candidate("branch", "always", fixed("true"))
    yield _Candidate("branch", "never", fixed("false"))


def _store(found: re.Match[str]) -> Iterator[_Candidate]:
    kind, value, pointer, align, rest = found.groups()

    def deleted(number: int) -> list[str]:
        old = f"  %cinq.l{number} = load {kind}, ptr {pointer}, align {align}"
        return [*_asked(number), old, _frozen(number, kind, f"%cinq.l{number}"), *_storing(number, f"%cinq.z{number}")]

    def _storing(number: int, other: str) -> list[str]:
        taken = f"  %cinq.s{number} = select i1 %cinq.c{number}, {kind} {other}, {kind} {value}"
        stored = f"  store {kind} %cinq.s{number}, ptr {pointer}, align {align}{rest}"
        return [_compared(number, kind, other, value), taken, stored]

    yield _Candidate("deletion", "store", deleted)
    if re.fullmatch(r"-?\d+", value) and kind != "i1":
        more = str(int(value) + 1)
        yield _Candidate("constant", f"{value} to {more}", lambda number: [*_asked(number), *_storing(number, more)])


def _call(found: re.Match[str]) -> Iterator[_Candidate]:
    """Calls whose result fits a register, or that have none, and that are told by a plain name."""
    head, _, name, arguments = found.groups()
    if not _CALLED_TYPE.search(head) or "musttail" in head or "sret" in arguments or "byval" in arguments:
        return

    def edit(number: int) -> list[str]:
        taken = f"  %cinq.f{number} = select i1 %cinq.c{number}, ptr @{NOTHING}, ptr @{name}"
        return [*_asked(number), taken, f"{head}%cinq.f{number}({arguments}"]

    yield _Candidate("deletion", f"call of {name}", edit)


def _asked(number: int) -> list[str]:
    """Is it this mutant's turn?  Volatile: the variable is set in the file, where no compiler sees it."""
    return [
        f"  %cinq.n{number} = load volatile i64, ptr @{VARIABLE}, align 8",
        f"  %cinq.c{number} = icmp eq i64 %cinq.n{number}, {number}",
    ]


def _frozen(number: int, kind: str, value: str) -> str:
    """An undefined value is to be the same one where it is compared and where it is used."""
    return f"  %cinq.z{number} = freeze {kind} {value}"


def _compared(number: int, kind: str, changed: str, original: str) -> str:
    """Does the mutant make a difference here?"""
    return f"  %cinq.d{number} = icmp ne {kind} {changed}, {original}"


def _chosen(result: str, kind: str, original: str, changed: str, rest: str) -> Callable[[int], list[str]]:
    """The instruction's value, or the changed one's."""

    def edit(number: int) -> list[str]:
        return [
            *_asked(number),
            f"  %cinq.o{number} = {original}{rest}",
            f"  %cinq.m{number} = {changed}{rest}",
            _frozen(number, kind, f"%cinq.m{number}"),
            _compared(number, kind, f"%cinq.z{number}", f"%cinq.o{number}"),
            f"  {result} = select i1 %cinq.c{number}, {kind} %cinq.z{number}, {kind} %cinq.o{number}{rest}",
        ]

    return edit
