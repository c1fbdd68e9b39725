"""`__builtin_constant_p` does not evaluate its operand.

clang computes the operand all the same and leaves it to the optimiser to drop it.  Nothing here optimises, so the load
of `__builtin_constant_p(p->x)` would run, through a null pointer if need be.  The answer is no wherever clang does not
know the value itself; loads and divisions that only lead to the question are replaced by zero.
"""

from __future__ import annotations

import re
from collections import defaultdict

_FUNCTION = re.compile(r"^define .*?^\}", re.MULTILINE | re.DOTALL)
_QUESTION = "@llvm.is.constant."
_NAME = r'%(?:"[^"]*"|[-\w$.]+)'
_VALUE = re.compile(_NAME)
_ASSIGNED = re.compile(rf"(\s+)({_NAME}) = (\w+) ")
_LOADED = re.compile(rf"\s+{_NAME} = load (.+?), ptr ")
_DIVIDED = re.compile(rf"\s+{_NAME} = [us](?:div|rem) (?:exact )?(i\d+) ")
# Instructions that do nothing but give a value.
_PURE = re.compile(
    r"load|getelementptr|select|phi|freeze|f?neg|[if]cmp|[us](div|rem)|f?(add|sub|mul|div|rem)|and|or|xor|shl|[al]shr"
    r"|trunc|[zs]ext|fptrunc|fpext|fpto[us]i|[us]itofp|ptrtoint|inttoptr|bitcast|(extract|insert)(value|element)"
)


def drop_unevaluated(text: str) -> str:
    """The module, with operands of the question not computed."""
    if _QUESTION not in text:
        return text
    return _FUNCTION.sub(lambda found: _answered(found[0]) if _QUESTION in found[0] else found[0], text)


def _answered(function: str) -> str:
    lines = function.split("\n")
    made = {found[2]: number for number, line in enumerate(lines) if (found := _ASSIGNED.match(line))}
    users: defaultdict[str, set[int]] = defaultdict(set)
    for number, line in enumerate(lines):
        for name in _operands(line):
            users[name].add(number)
    for number in _idle(lines, made, users):
        lines[number] = _replacement(lines[number])
    return "\n".join(lines)


def _operands(line: str) -> list[str]:
    if line.lstrip().startswith("#dbg"):
        return []
    return _VALUE.findall(line.split(" = ", 1)[1] if _ASSIGNED.match(line) else line)


def _idle(lines: list[str], made: dict[str, int], users: dict[str, set[int]]) -> set[int]:
    """The questions, and the instructions whose results lead nowhere else."""
    idle = {number for number, line in enumerate(lines) if _QUESTION in line and _ASSIGNED.match(line)}
    waiting = list(idle)
    while waiting:
        for name in _operands(lines[waiting.pop()]):
            number = made.get(name)
            if number is None or number in idle or not users[name] <= idle | {number}:
                continue
            found = _ASSIGNED.match(lines[number])
            if found and _PURE.fullmatch(found[3]) and " volatile " not in lines[number]:
                idle.add(number)
                waiting.append(number)
    return idle


def _replacement(line: str) -> str:
    found = _ASSIGNED.match(line)
    assert found
    if _QUESTION in line:
        return f"{found[1]}{found[2]} = and i1 false, false"
    typed = _LOADED.match(line) or _DIVIDED.match(line)
    return f"{found[1]}{found[2]} = freeze {typed[1]} zeroinitializer" if typed else line
