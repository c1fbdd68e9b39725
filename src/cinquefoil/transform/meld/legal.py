"""Whether the branch of a diamond can be melded at all."""

from __future__ import annotations

from cinquefoil.ir.model import Block, Branch, Function, Instruction, Local, Phi, Value
from cinquefoil.ir.traversal import definitions
from cinquefoil.transform.meld.diamonds import Diamond, Shape
from cinquefoil.transform.meld.rules import IsSymbolic, why_not_chosen, why_not_left, why_not_speculated

_COMPUTED = ("add", "sub", "mul", "icmp", "sext", "zext", "trunc", "and", "or", "xor", "select", "phi", "shl")


def why_not(shape: Shape, diamond: Diamond, is_symbolic: IsSymbolic) -> str | None:
    """The first rule that the diamond breaks, as a reason that starts with "it" or "its"."""
    for label in diamond.blocks:
        block = shape.blocks[label]
        for i in block.instructions[:-1]:
            reason = None if isinstance(i, Phi) else why_not_speculated(i, is_symbolic)
            if reason is not None:
                return reason
        reason = why_not_left(block)
        if reason is not None:
            return reason
    return _why_not_joined(shape, diamond)


def _why_not_joined(shape: Shape, diamond: Diamond) -> str | None:
    for phi in chosen_phis(shape, diamond):
        reason = why_not_chosen(phi.type)
        if reason is not None:
            return reason
    return None


def chosen_phis(shape: Shape, diamond: Diamond) -> list[Phi]:
    """The phis of the join that will be selects."""
    ends = {diamond.head, *diamond.blocks}
    found: list[Phi] = []
    for i in shape.blocks[diamond.join].instructions:
        if isinstance(i, Phi):
            values = {value for at, value in zip(i.labels, i.operands, strict=True) if at in ends}
            if len(values) > 1:
                found.append(i)
    return found


def why_not_in_line(shape: Shape, diamond: Diamond, is_symbolic: IsSymbolic) -> str | None:
    """Why the arms cannot run one after the other, whichever is chosen."""
    for label in diamond.blocks:
        last = shape.blocks[label].terminator
        if last.operands and is_symbolic(last.operands[0]):
            return "a branch in it stays symbolic"
    cyclic = [arm for arm in (diamond.then, diamond.other) if shape.has_cycle(arm)]
    if not all(_is_bounded(shape, arm) for arm in cyclic):
        return "it holds a loop whose number of rounds is not fixed"
    return None


def _is_bounded(shape: Shape, arm: tuple[str, ...]) -> bool:
    """Whether every branch that may leave or close a loop is computed from constants alone: the loop then takes
    as many rounds when it is executed in vain as when it is not."""
    makers = {i.result: i for label in arm for i in shape.blocks[label].instructions if i.result is not None}
    return all(
        _is_fixed(block.terminator.operands[0], makers)
        for label in arm
        if isinstance((block := shape.blocks[label]).terminator, Branch)
        and block.terminator.operands
        and _decides_loop(shape, arm, block)
    )


def _decides_loop(shape: Shape, arm: tuple[str, ...], block: Block) -> bool:
    """Whether one successor of the block leads back to it inside the arm, and another does not."""
    returning = [block.label in _reachable(shape, arm, target) for target in block.successors()]
    return any(returning) and not all(returning)


def _reachable(shape: Shape, arm: tuple[str, ...], start: str) -> set[str]:
    inside = set(arm)
    found, work = {start} & inside, [start] if start in inside else []
    while work:
        for target in shape.targets[work.pop()]:
            if target in inside and target not in found:
                found.add(target)
                work.append(target)
    return found


def _is_fixed(value: Value, makers: dict[str, Instruction]) -> bool:
    seen: set[str] = set()
    work = [value]
    while work:
        item = work.pop()
        if not isinstance(item, Local) or item.name in seen:
            continue
        maker = makers.get(item.name)
        if maker is None or maker.opcode not in _COMPUTED:
            return False
        seen.add(item.name)
        work.extend(maker.operands)
    return True


def feeds_own_addresses(function: Function, shape: Shape, diamond: Diamond) -> bool:
    """Whether what the branch chooses goes, round a loop, into an address used in its own arms: melding would make
    that address symbolic (rule 3)."""
    reached = {str(phi.result) for phi in chosen_phis(shape, diamond)}
    work = list(reached)
    users: dict[str, list[str]] = {}
    for name, maker in definitions(function).items():
        if maker.opcode != "load":
            for operand in maker.operands:
                if isinstance(operand, Local):
                    users.setdefault(operand.name, []).append(name)
    while work:
        for user in users.get(work.pop(), ()):
            if user not in reached:
                reached.add(user)
                work.append(user)
    return any(pointer in reached for pointer in addresses(shape, diamond))


def addresses(shape: Shape, diamond: Diamond) -> list[str]:
    """The locals used as addresses in the arms."""
    return [
        i.operands[-1].name
        for label in diamond.blocks
        for i in shape.blocks[label].instructions
        if i.opcode in ("load", "store") and isinstance(i.operands[-1], Local)
    ]
