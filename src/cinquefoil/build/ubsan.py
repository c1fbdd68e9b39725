"""Checks for undefined behaviour that clang wrote (`-fsanitize=undefined` and its parts), made calls of one function.

clang checks by a branch around a call of a handler.  Such a branch is no branch of the program, so on the textual IR
each one becomes a straight call, and the blocks around it become one block again:

    br i1 %ok, label %cont, label %handler        call void @cinq_must_hold(i1 %ok, i32 check, ptr data, i64 ...)
    handler: call void @__ubsan_handle_...  =>    (what is in %cont)

A condition that is a conjunction gives a call per part, so that each is a question of its own to the solver.  Small
diamonds inside of a check (the bits that a shift loses, whether a pointer may be null at all) become selects.  What an
optimiser has changed beyond recognition stays a branch, and its handler's call is made a call with `false`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cinquefoil.layout import Undefined

FUNCTION = "cinq_must_hold"
_DECLARATIONS = (
    f"declare void @{FUNCTION}(i1 zeroext, i32, ptr, i64, i64)\n"
    "declare i64 @cinq_object_size(ptr)\n"
    "declare zeroext i1 @cinq_function_is(ptr, i32)\n"
)
_LOCAL = r'%(?:"[^"]*"|[-\w$.]+)'
_NUMBERED = re.compile(r'"[^"]*"|%(\d+)\b|@(\d+)\b')
_LABEL = re.compile(r'("[^"]*"|[-\w$.]+):(?:\s|$)')
_NUMBERED_LABEL = re.compile(r"^(\d+):")
_BRANCH = re.compile(rf"\s+br i1 (\S+), label ({_LOCAL}), label ({_LOCAL})(.*)")
_JUMP = re.compile(rf"\s+br label ({_LOCAL})")
_HANDLER = re.compile(r"\s+(?:tail |notail )?call [^@]*@__ubsan_handle_(\w+)\((.*)\)([^)]*)$")
_TRAP = re.compile(r"\s+(?:tail |notail )?call void @llvm\.ubsantrap\(i8 (\d+)\)(.*)$")
_CONJUNCTION = re.compile(rf"\s+({_LOCAL}) = and i1 (\S+), ([^\s,]+)")
_SHIFT = re.compile(rf"(\s+{_LOCAL} = lshr i(\d+) )([^,]+), ({_LOCAL})(.*)")
_PHI = re.compile(rf"(\s+{_LOCAL} = phi )(.*?)( \[.*)")
_ARM = re.compile(rf"\[ (.+?), ({_LOCAL}) \]")
_PURE = re.compile(
    rf"\s+{_LOCAL} = (?:add|sub|mul|and|or|xor|shl|lshr|ashr|icmp|fcmp|zext|sext|trunc|bitcast|ptrtoint|inttoptr|fpext"
    rf"|select|getelementptr|extractvalue|freeze|call i64 @cinq_object_size|call zeroext i1 @cinq_function_is"
    rf"|call \{{ i\d+, i1 \}} @llvm\.[su](?:add|sub|mul)\.with\.overflow)\b"
)
_LOCAL_LOAD = re.compile(rf"\s+{_LOCAL} = load \S+, ptr ({_LOCAL})\b")
_LOCAL_STORE = re.compile(rf"\s+store .*, ptr ({_LOCAL})(?:,|$)")
_ALLOCATED = re.compile(rf"\s+({_LOCAL}) = alloca ")
_DEBUG = re.compile(r"!dbg !\d+")
_OBJECT_SIZE = re.compile(rf"(\s+{_LOCAL} = )(?:tail )?call i64 @llvm\.objectsize\.i64\.p0\(ptr ([^,]+), [^)]*\)(.*)")
_PREFIX = re.compile(
    rf"\s+({_LOCAL}) = getelementptr (?:inbounds )?"
    r"(?:<\{ i32, i32 \}>, ptr (.+?), i32 -1, i32 ([01])\b|i8, ptr (.+?), i64 -([48])\b)"
)
_WORD = re.compile(
    rf"\s+({_LOCAL}) = load i32, ptr "
    rf"(?:({_LOCAL})|getelementptr \(<\{{ i32, i32 \}}>, ptr (@[^,]+), i32 -1, i32 ([01])\)"
    r"|getelementptr \(i8, ptr (@[^,]+), i64 -([48])\)),"
)
_SAME = re.compile(rf"(\s+{_LOCAL} = )icmp eq i32 ({_LOCAL}), (-?\d+)(.*)")
_TYPED = re.compile(r"^define .*?(@(?:\"[^\"]*\"|[-\w$.]+))\(.*!func_sanitize !(\d+)", re.MULTILINE)
_TYPE_HASH = re.compile(r"^!(\d+) = !\{i32 -?\d+, i32 (-?\d+)\}", re.MULTILINE)
_SUFFIX = re.compile(r"(_v1|_minimal|_abort|_preserve)+\Z")


def plain_checks(text: str) -> str:
    """The module with every check of clang's as a call of `cinq_must_hold`."""
    if "@__ubsan_handle_" not in text and "@llvm.ubsantrap" not in text:
        return text
    text = _named_globals(text)
    return "\n".join(_functions(text.split("\n"))) + "\n" + _DECLARATIONS + _function_types(text)


def _named_globals(text: str) -> str:
    """What clang leaves unnamed gets a name: handlers' data are unnamed variables."""

    def named(match: re.Match[str]) -> str:
        return f"@cinq.unnamed.{match[2]}" if match[2] else match[0]

    return _NUMBERED.sub(named, text)


def _function_types(text: str) -> str:
    """A table of the functions whose type clang knows, for `cinq_function_is`."""
    hashes = dict(_TYPE_HASH.findall(text))
    rows = [f"{{ ptr, i32 }} {{ ptr {name}, i32 {hashes[at]} }}" for name, at in _TYPED.findall(text) if at in hashes]
    if not rows or ("@cinq_function_is" not in text and "getelementptr <{ i32, i32 }>" not in text):
        return ""
    rows.append("{ ptr, i32 } zeroinitializer")
    return f"@cinq_function_types = constant [{len(rows)} x {{ ptr, i32 }}] [{', '.join(rows)}]\n"


def _functions(lines: Sequence[str]) -> Iterator[str]:
    start: int | None = None
    for number, line in enumerate(lines):
        if line.startswith("define "):
            start = number
        if start is None:
            yield line
        elif line == "}":
            yield from _function(lines[start : number + 1])
            start = None


def _function(lines: Sequence[str]) -> Sequence[str]:
    if not any("@__ubsan_handle_" in line or "@llvm.ubsantrap" in line for line in lines):
        return lines
    named = [_NUMBERED_LABEL.sub(r"n\1:", _NUMBERED.sub(_named_local, line)) for line in lines]
    return _Body(named).converted()


def _named_local(match: re.Match[str]) -> str:
    return f"%n{match[1]}" if match[1] else match[0]


@dataclass(slots=True)
class _Block:
    label: str  # as an operand: %name
    lines: list[str] = field(default_factory=list[str])  # the terminator last

    def branch(self) -> re.Match[str] | None:
        return _BRANCH.match(self.lines[-1]) if "!nosanitize" in self.lines[-1] else None

    def jump(self) -> str:
        found = _JUMP.match(self.lines[-1])
        return found[1] if found else ""


@dataclass(frozen=True, slots=True)
class _Handler:
    """A handler's block: what it prepares, and its call as (check, data, two values)."""

    prepared: list[str]
    check: Undefined
    arguments: tuple[str, str, str]
    debug: str  # the debug location, as it ends an instruction

    def call(self, holds: str) -> str:
        data, *values = self.arguments
        words = ", ".join(f"i64 {value}" for value in values)
        return f"  call void @{FUNCTION}(i1 zeroext {holds}, i32 {self.check.value}, ptr {data}, {words}){self.debug}"


class _Body:
    """One function's blocks, rewritten until no check is left that can be made a call."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.head, self.tail = lines[0], lines[-1]
        self.blocks: dict[str, _Block] = {}
        self.fresh = 0
        self._read(_with_object_sizes(_with_function_types(list(lines[1:-1]))))
        self.allocated = {
            found[1] for b in self.blocks.values() for line in b.lines if (found := _ALLOCATED.match(line))
        }
        self.conjunctions = {
            found[1]: (found[2], found[3])
            for b in self.blocks.values()
            for line in b.lines
            if "!nosanitize" in line and (found := _CONJUNCTION.match(line))
        }

    def _read(self, lines: list[str]) -> None:
        block = _Block("%cinq.entry")
        for line in lines:
            label = _LABEL.match(line)
            if label and not block.lines and not self.blocks:
                block = _Block("%" + label[1])
            elif label:
                self.blocks[block.label] = block
                block = _Block("%" + label[1])
            elif line.strip():
                block.lines.append(line)
        self.blocks[block.label] = block

    def converted(self) -> list[str]:
        while sum(self._convert(label) for label in list(self.blocks)):
            pass
        result = [self.head]
        for block in self.blocks.values():
            result += [block.label[1:] + ":", *(self._alone(line) for line in block.lines)]
        return [*result, self.tail]

    def _alone(self, line: str) -> str:
        """A handler's call that no check is left around is always an error."""
        handler = _handler_of([line])
        return line if handler is None else handler.call("false")

    def _convert(self, label: str) -> bool:
        block = self.blocks.get(label)
        branch = block.branch() if block else None
        if block is None or branch is None:
            return False
        return self._convert_check(block, branch) or self._convert_diamond(block, branch)

    # ---- checks --------------------------------------------------------------------------------------------------

    def _convert_check(self, block: _Block, branch: re.Match[str]) -> bool:
        for failing, going in ((branch[3], branch[2]), (branch[2], branch[3])):
            handler = self._handler_block(failing, going)
            if handler is not None:
                break
        else:
            return False
        holds, prepared = (branch[1], []) if failing == branch[3] else self._negated(branch[1])
        calls = [handler.call(part) for part in self._parts(holds) if part != "true"]
        block.lines[-1:] = [
            *prepared,
            *self._copied(handler.prepared, failing),
            *calls,
            f"  br label {going}{handler.debug}",
        ]
        self._drop_edge(block.label, failing, going)
        self._merge(block)
        return True

    def _handler_block(self, label: str, going: str) -> _Handler | None:
        block = self.blocks[label]
        handler = _handler_of(block.lines[:-1])
        if handler is None or not self._is_plain(handler.prepared):
            return None
        ends = block.lines[-1].strip().startswith("unreachable") or block.jump() == going
        return handler if ends else None

    def _is_plain(self, lines: Sequence[str]) -> bool:
        """Whether these lines may run although the check holds."""
        for line in lines:
            local = _LOCAL_LOAD.match(line) or _LOCAL_STORE.match(line)
            if not (_PURE.match(line) or line.lstrip().startswith("#dbg_") or (local and local[1] in self.allocated)):
                return False
        return True

    def _copied(self, lines: Sequence[str], label: str) -> Sequence[str]:
        """A handler's preparations; when several checks share the block, each has its own copy of them."""
        if len(self._predecessors(label)) < 2:
            return lines
        text = "\n".join(lines)
        for name in re.findall(rf"^\s+({_LOCAL}) = ", text, re.MULTILINE):
            text = re.sub(re.escape(name) + r"(?![-\w$.])", self._name(), text)
        return text.split("\n") if text else []

    def _name(self) -> str:
        self.fresh += 1
        return f"%cinq.check.{self.fresh}"

    def _negated(self, condition: str) -> tuple[str, list[str]]:
        name = self._name()
        return name, [f"  {name} = xor i1 {condition}, true"]

    def _parts(self, condition: str) -> list[str]:
        found = self.conjunctions.get(condition)
        return [condition] if found is None else [*self._parts(found[0]), *self._parts(found[1])]

    # ---- diamonds ------------------------------------------------------------------------------------------------

    def _convert_diamond(self, block: _Block, branch: re.Match[str]) -> bool:
        """`if (condition) { compute }` inside of a check: computed in any case, and chosen from."""
        for inner, join in ((branch[2], branch[3]), (branch[3], branch[2])):
            if self._is_diamond(block, inner, join):
                break
        else:
            return False
        condition, prepared = (branch[1], []) if inner == branch[2] else self._negated(branch[1])
        lines = [*prepared]
        for line in self.blocks[inner].lines[:-1]:
            lines += self._guarded(line, condition)
        block.lines[-1:] = [*lines, f"  br label {join}"]
        self.blocks[join].lines = [
            self._chosen(line, condition, inner, block.label) for line in self.blocks[join].lines
        ]
        del self.blocks[inner]
        self._merge(block)
        return True

    def _is_diamond(self, block: _Block, inner: str, join: str) -> bool:
        body = self.blocks[inner]
        if inner == join or body.jump() != join or self._predecessors(inner) != [block.label]:
            return False
        if any(_PHI.match(line) for line in body.lines) or set(self._predecessors(join)) != {block.label, inner}:
            return False
        return self._is_plain([line for line in body.lines[:-1] if f"@{FUNCTION}(" not in line])

    def _guarded(self, line: str, condition: str) -> list[str]:
        """A line of what was behind a branch: its check matters, and its shift is by a proper amount, only if the
        condition holds."""
        call = re.match(rf"(\s+call void @{FUNCTION}\(i1 zeroext )([^,]+)(.*)", line)
        shift = _SHIFT.match(line)
        name = self._name()
        if shift:
            return [f"  {name} = urem i{shift[2]} {shift[4]}, {shift[2]}", f"{shift[1]}{shift[3]}, {name}{shift[5]}"]
        if not call:
            return [line]
        return [f"  {name} = select i1 {condition}, i1 {call[2]}, i1 true", call[1] + name + call[3]]

    def _chosen(self, line: str, condition: str, inner: str, outer: str) -> str:
        phi = _PHI.match(line)
        if not phi:
            return line
        arms = {label: value for value, label in _ARM.findall(line)}
        name, kind = phi[1].split(" = ")[0], phi[2]
        return f"{name} = select i1 {condition}, {kind} {arms[inner]}, {kind} {arms[outer]}"

    # ---- edges ---------------------------------------------------------------------------------------------------

    def _successors(self, block: _Block) -> list[str]:
        return re.findall(rf"label ({_LOCAL})", "\n".join(_terminator(block.lines)))

    def _predecessors(self, label: str) -> list[str]:
        return [b.label for b in self.blocks.values() if label in self._successors(b)]

    def _drop_edge(self, origin: str, failing: str, going: str) -> None:
        """The check no longer branches to its handler; without any other way to it, the handler goes too."""
        if not self._predecessors(failing):
            if self.blocks[failing].jump() == going:
                self._without_arm(self.blocks[going], failing)
            del self.blocks[failing]
        else:
            self._without_arm(self.blocks[failing], origin)

    def _without_arm(self, block: _Block, origin: str) -> None:
        for number, line in enumerate(block.lines):
            phi = _PHI.match(line)
            if phi:
                arms = [f"[ {value}, {label} ]" for value, label in _ARM.findall(line) if label != origin]
                block.lines[number] = phi[1] + phi[2] + " " + ", ".join(arms)

    def _merge(self, block: _Block) -> None:
        """The block and what only it leads to are one block, as they were before clang put the check between them."""
        following = block.jump()
        if not following or following == block.label or self._predecessors(following) != [block.label]:
            return
        lines = self.blocks.pop(following).lines
        block.lines[-1:] = [_without_phi(line) for line in lines]
        successors = dict.fromkeys(self._successors(block))
        for label in successors:
            target = self.blocks.get(label)
            if target:
                target.lines = [_moved_arm(line, following, block.label) for line in target.lines]


def _terminator(lines: Sequence[str]) -> Sequence[str]:
    for number in range(len(lines) - 1, -1, -1):
        if not lines[number].startswith("   ") and not lines[number].startswith("  ]"):
            return lines[number:]
    return lines


def _without_phi(line: str) -> str:
    """A phi with one arm is that arm."""
    phi = _PHI.match(line)
    if not phi:
        return line
    ((value, _),) = dict.fromkeys(_ARM.findall(line))
    return f"{phi[1].split(' = ')[0]} = select i1 true, {phi[2]} {value}, {phi[2]} {value}"


def _moved_arm(line: str, old: str, new: str) -> str:
    if not _PHI.match(line):
        return line
    return _ARM.sub(lambda arm: f"[ {arm[1]}, {new if arm[2] == old else arm[2]} ]", line)


# ---- handlers ----------------------------------------------------------------------------------------------------


def _handler_of(lines: Sequence[str]) -> _Handler | None:
    """These lines as a handler's: preparations, then its call."""
    for number, line in enumerate(lines):
        called = _called(line)
        if called is None:
            continue
        if any(_called(other) or "call void" in other for other in lines[number + 1 :]):
            return None
        check, arguments, prepared = called
        debug = _DEBUG.search(line)
        return _Handler([*lines[:number], *prepared], check, arguments, f", {debug[0]}" if debug else "")
    return None


def _called(line: str) -> tuple[Undefined, tuple[str, str, str], list[str]] | None:
    if trap := _TRAP.match(line):
        number = int(trap[1])
        known = number in Undefined.__members__.values()
        return (Undefined(number) if known else Undefined.OTHER), ("null", "0", "0"), []
    called = _HANDLER.match(line)
    if not called:
        return None
    data, values, prepared = "null", ["0", "0"], list[str]()
    for index, argument in enumerate(_split(called[2])):
        kind, _, value = argument.partition(" ") if argument.endswith(")") else argument.rpartition(" ")
        if index == 0:
            data = value
        elif index < 3:
            values[index - 1] = f"ptrtoint (ptr {value} to i64)" if kind == "ptr" and value.startswith("@") else value
            if kind == "ptr" and not value.startswith("@"):
                prepared.append(f"  {value}.address = ptrtoint ptr {value} to i64")
                values[index - 1] = value + ".address"
    return _check_named(called[1]), (data, values[0], values[1]), prepared


def _check_named(name: str) -> Undefined:
    return Undefined.__members__.get(_SUFFIX.sub("", name).upper(), Undefined.OTHER)


def _split(arguments: str) -> list[str]:
    """Splits at the commas outside of parentheses."""
    parts, depth, start = list[str](), 0, 0
    for at, character in enumerate(arguments):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(arguments[start:at].strip())
            start = at + 1
    return [*parts, arguments[start:].strip()] if arguments.strip() else []


# ---- what only the engine knows ----------------------------------------------------------------------------------


def _with_object_sizes(lines: list[str]) -> list[str]:
    """A check's question for the size of an object: the run-time knows it."""
    return [
        _OBJECT_SIZE.sub(r"\1call i64 @cinq_object_size(ptr \2)\3", line) if "!nosanitize" in line else line
        for line in lines
    ]


def _with_function_types(lines: list[str]) -> list[str]:
    """clang keeps a function's type in front of its code, where the engine has none: the run-time looks it up."""
    prefix: dict[str, tuple[str, bool]] = {}  # an address in front of a function: of its type, or of the mark before
    words: dict[str, tuple[str, bool]] = {}
    result: list[str] = []
    for line in lines:
        if (found := _PREFIX.match(line)) and "!nosanitize" in line:
            prefix[found[1]] = _in_front(found.groups()[1:])
        elif (found := _WORD.match(line)) and "!nosanitize" in line and (not found[2] or found[2] in prefix):
            words[found[1]] = prefix[found[2]] if found[2] else _in_front(found.groups()[2:])
        elif (found := _SAME.match(line)) and found[2] in words:
            result.append(found[1] + _function_is(*words[found[2]], found[3]) + found[4])
        else:
            result.append(line)
    return result


def _in_front(found: Sequence[str]) -> tuple[str, bool]:
    """The function, and whether it is the second of its two words."""
    function, field_number, same, distance = found
    return function or same, field_number == "1" or distance == "4"


def _function_is(function: str, is_type: bool, wanted: str) -> str:
    if not is_type:
        return "select i1 true, i1 true, i1 true"
    return f"call zeroext i1 @cinq_function_is(ptr {function}, i32 {wanted})"
