"""Which inline assembly may run as it is: templates that only compute on the operands they are given.

The program is not trusted, and its assembly would run beside the run-time.  So everything here is a list of what is
known to be harmless; a template with anything else in it is refused.  No instruction on the list jumps, calls, touches
the stack, reads or writes memory on its own, or asks the kernel or the processor for anything.  A register that a
template names, or an instruction changes without naming it, must be among the operands or clobbers.  Operands in memory
are private copies (`assembly.py`), far apart enough for the widest access.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

_SUFFIX: Final = "[bwlq]?"
_CONDITION: Final = "(?:n?(?:[abglceosz]|ae|be|ge|le|p)|pe|po)"
_COMPUTING: Final = re.compile(
    rf"(?:(?:mov|add|adc|sub|sbb|inc|dec|neg|not|and|or|xor|cmp|test|imul|mul|div|idiv|shl|sal|shr|sar|rol|ror|rcl|rcr"
    rf"|shld|shrd|bsf|bsr|xchg|xadd|cmpxchg|bswap|popcnt|lzcnt|tzcnt|lea|movabs|andn|bextr|blsi|blsr|blsmsk|bzhi|pdep"
    rf"|pext|rorx|sarx|shlx|shrx|crc32){_SUFFIX}|mov[sz](?:bw|bl|bq|wl|wq|lq)|set{_CONDITION}|cmov{_CONDITION}{_SUFFIX})"
)
_VECTOR: Final = re.compile(
    r"(?:(?:add|sub|mul|div|min|max|sqrt|rcp|rsqrt|and|andn|or|xor|unpckl|unpckh|shuf|comi|ucomi|mov|movu|mova|hadd|hsub)"
    r"(?:ps|pd|ss|sd)|cvtt?(?:ss|sd|ps|pd|si|dq|tss|tsd)2(?:ss|sd|ps|pd|si|dq)[lq]?|movdq[au]|mov[dq]|movmskp[sd]"
    r"|p(?:add|sub|cmpeq|cmpgt|sll|srl|sra|min[us]|max[us]|abs|sign|unpckl|unpckh|extr|insr)(?:b|w|d|q|bw|wd|dq|qdq)"
    r"|p(?:and|andn|or|xor|test|madd(?:wd|ubsw)|mul(?:lw|hw|huw|udq|ld|dq)|sadbw|avg[bw]|movmskb|alignr|sll?dq|srldq)"
    r"|p(?:add|sub)u?s[bw]|pshuf(?:b|d|lw|hw)|pack(?:ss|us)(?:wb|dw))"
)
_WITHOUT_OPERANDS: Final = frozenset(
    ["nop", "pause", "mfence", "lfence", "sfence", "cltq", "cltd", "cqto", "cwtl", "cdq", "cqo", "cdqe", "clc", "stc"]
)
_ON_THE_FLOAT_STACK: Final = frozenset(["fsqrt", "fsin", "fcos", "fabs", "fchs", "frndint", "f2xm1"])
_CHANGED_UNNAMED: Final = {
    **dict.fromkeys(("cltd", "cqto", "cdq", "cqo"), ("d",)),
    **dict.fromkeys(("cltq", "cwtl", "cdqe"), ("a",)),
}
_BOTH: Final = re.compile(rf"(?:mul|div|idiv|imul){_SUFFIX}")  # with one operand they change rax and rdx
_REGISTER: Final = re.compile(r"%(\w+)")
_OPERAND: Final = re.compile(r"\$(?:\d+|\{\d+:[bhwkq]\})|%\w+|\$\$-?(?:0x[0-9a-fA-F]+|\d+)")
_OPERANDS: Final = rf"(?:{_OPERAND.pattern})"
_ADDRESS: Final = re.compile(rf"-?(?:0x[0-9a-fA-F]+|\d+)?\({_OPERANDS}?(?:,{_OPERANDS}(?:,[1248])?)?\)")
_PREFIX: Final = re.compile(r"\b(lock|rep)\s*[;\n]\s*")
_OTHER: Final = "another"  # the family of registers that no template may touch
_ALIGNMENT: Final = re.compile(r"\.(?:p2|b)?align\s+\d+")
_CODES: Final = re.compile(r"=?&?(?:\{\w+\}|[rqQlRxinIJKLMNOeZmogX]+|\d+)")
_CLOBBER: Final = re.compile(r"~\{[\w()]+\}")


def is_harmless(template: str, constraints: Sequence[str]) -> bool:
    """Whether a template in AT&T's syntax, as LLVM writes it, may run with these operands."""
    known = {_family(name) for constraint in constraints for name in re.findall(r"\{(\w+)\}", constraint)} - {_OTHER}
    plain = all(_CODES.fullmatch(c.replace("*", "").replace("%", "")) or _CLOBBER.fullmatch(c) for c in constraints)
    on_stack = any("{st}" in constraint for constraint in constraints)
    return plain and all(_is_harmless(line, known, on_stack) for line in statements(template))


def statements(template: str) -> Iterator[str]:
    """The instructions, without the comments that fill a whole one."""
    for text in re.split(r"[;\n]", _PREFIX.sub(r"\1 ", template)):
        if text.strip() and not text.strip().startswith("#"):
            yield text.strip()


def _is_harmless(statement: str, known: set[str], on_stack: bool) -> bool:
    if _ALIGNMENT.fullmatch(statement):
        return True
    mnemonic, operands = _parts(statement)
    if not operands:
        changed = _CHANGED_UNNAMED.get(mnemonic, ())
        return known.issuperset(changed) and (
            mnemonic in _WITHOUT_OPERANDS or (on_stack and mnemonic in _ON_THE_FLOAT_STACK)
        )
    if not (_COMPUTING.fullmatch(mnemonic) or _VECTOR.fullmatch(mnemonic)):
        return False
    if not all(_is_operand(text, mnemonic) for text in operands):
        return False
    named = [_family(name) for text in operands for name in _REGISTER.findall(text)]
    changed = ["a", "d"] if len(operands) == 1 and _BOTH.fullmatch(mnemonic) else []
    changed += ["a"] if mnemonic.startswith("cmpxchg") else []
    return known.issuperset((*named, *changed))


def _parts(statement: str) -> tuple[str, list[str]]:
    words = statement.split(None, 1)
    if words[0] == "lock" and len(words) > 1:
        words = words[1].split(None, 1)
    if words[0] == "rep" and words[1:] == ["nop"]:
        return "pause", []
    if len(words) == 1:
        return words[0], []
    return words[0], [part.strip() for part in re.split(r",(?![^(]*\))", words[1])]


def _is_operand(text: str, mnemonic: str) -> bool:
    address = mnemonic.startswith("lea") and _ADDRESS.fullmatch(text.replace(" ", ""))
    return bool(address or _OPERAND.fullmatch(text))


def _family(register: str) -> str:
    """One name for all parts of a register."""
    if found := re.fullmatch(r"[re]?([abcd])x|([abcd])[lh]", register):
        return found[1] or found[2]
    if found := re.fullmatch(r"[re]?(si|di)l?|(r(?:[89]|1[0-5]))[bwd]?|(xmm(?:\d|1[0-5]))", register):
        return found[1] or found[2] or found[3]
    return _OTHER
