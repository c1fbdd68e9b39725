"""Where melding is expected to pay (the paper's open question, section 6).

What melding saves are paths, and these explode where a branch is met again and again: in loops, and in functions that
loops call.  Elsewhere a branch costs one path more, and gives each of its directions a test.

What it costs are larger queries.  Where nothing is carried from one round of the loop to the next, a query holds the
choices of one round; where the branch chooses or stores what it, or its arms, read in a later round, every round's
choice holds all those before it.  The estimate of a query's growth is therefore the number of choices, times ROUNDS for
each loop around it if something is carried; a branch above LIMIT is left alone.

It may also make other branches symbolic that were concrete on every path: what a sort of indices by selects leaves
behind are symbolic indices, and a loop that follows them forks in each round.  If such branches, weighted by ROUNDS for
each loop around them, are no fewer than those saved, nothing is won.

Risks: rounds are guessed, not counted; what the choices are used for behind the loop is not looked at.
"""

from __future__ import annotations

from collections import deque

from cinquefoil.analysis.pointers import Node, local
from cinquefoil.analysis.symbolic_flow import SymbolicFlow, Sync
from cinquefoil.ir.model import Call, Function, GlobalRef, Instruction, Load, Local, Module, Phi, Store
from cinquefoil.ir.traversal import dominates, immediate_dominators, predecessors, reverse_post_order, successors
from cinquefoil.transform.meld.diamonds import Shape, is_conditional
from cinquefoil.transform.meld.legal import chosen_phis
from cinquefoil.transform.meld.rules import MERGE_CALLS

Branch = tuple[str, str]  # function, and the block that the branch ends
ROUNDS = 8
LIMIT = 4096
_OPEN, _CLOSE = MERGE_CALLS


def objections(module: Module, flow: SymbolicFlow, mode: str) -> dict[Branch, str]:
    """Why branches should not be melded, by function and block, if the mode looks at that."""
    found: dict[Branch, str] = {}
    if mode == "all":
        return found
    often = called_in_loops(module) if mode == "auto" else set[str]()
    marked = marked_branches(module)
    for function in module.functions.values():
        if function.blocks:
            judge = _CostEstimator(function, flow, function.name in often) if mode == "auto" else None
            for label in reverse_post_order(function):
                reason = judge.objection(label) if judge is not None else "it is not marked by klee_open_merge"
                if reason is not None and (function.name, label) not in marked:
                    found[function.name, label] = reason
    return found


class Spoiled:
    """Branches that stay, and that melding would make symbolic."""

    def __init__(self, module: Module, flow: SymbolicFlow) -> None:
        often = called_in_loops(module)
        self._flow = flow
        self._marked = marked_branches(module)
        self._weights: dict[Branch, int] = {}
        self._conditions: dict[Branch, Node] = {}
        for function in module.functions.values():
            depths = loop_depths(function) if function.blocks else {}
            for block in function.blocks:
                value = next(iter(block.terminator.operands), None)
                if len(set(block.successors())) > 1 and isinstance(value, Local) and block.label in depths:
                    key = function.name, block.label
                    self._weights[key] = ROUNDS ** (depths[block.label] + (function.name in often))
                    self._conditions[key] = local(function.name, value.name)

    def objections(self, melded: dict[Branch, Sync]) -> dict[Branch, str]:
        """Why some of these branches should not be melded."""
        left = [(key, node) for key, node in self._conditions.items() if key not in melded]
        added = self._flow.additions(melded.values())
        found: dict[Branch, str] = {}
        for key, sync in melded.items():
            if key in self._marked or not self._flow.depends_anyway(sync.function, sync.condition):
                continue
            nodes = added(sync)
            spoiled = [each for each, node in left if node in nodes]
            if sum(self._weights[each] for each in spoiled) >= self._weights[key]:
                found[key] = f"it would make {len(spoiled)} other branches depend on input, as often met as itself"
        return found


class _CostEstimator:
    """Estimates the cost of melding the branches of a function."""

    def __init__(self, function: Function, flow: SymbolicFlow, often: bool) -> None:
        self._shape = Shape(function)
        self._depths = loop_depths(function)
        self._carried = Carried(function, flow)
        self._often = often

    def objection(self, label: str) -> str | None:
        block = self._shape.blocks[label]
        if not is_conditional(block):
            return None
        depth = self._depths[label] + self._often
        if depth == 0:
            return "it is met once, so that one path more is cheap, and its directions get tests of their own"
        diamond = self._shape.diamond(label)
        condition = block.terminator.operands[0]
        if isinstance(diamond, str) or not isinstance(condition, Local):
            return None
        chosen = chosen_phis(self._shape, diamond)
        arms = [i for each in diamond.blocks for i in self._shape.blocks[each].instructions]
        choices = len(chosen) + sum(isinstance(i, Store) for i in arms)
        if choices * ROUNDS**depth > LIMIT and self._carried.by(condition.name, chosen, arms):
            return f"queries would grow too much: {choices} choices in {depth} loops depend on earlier rounds"
        return None


def loop_depths(function: Function) -> dict[str, int]:
    """How many natural loops each block is in."""
    above = immediate_dominators(function)
    sources, targets = predecessors(function), successors(function)
    depths = dict.fromkeys(above, 0)
    bodies: dict[str, set[str]] = {}
    for label in above:
        for target in targets[label]:
            if dominates(above, target, label):
                bodies.setdefault(target, {target}).update(_reaching(label, target, sources))
    for body in bodies.values():
        for label in body & depths.keys():
            depths[label] += 1
    return depths


def _reaching(tail: str, header: str, sources: dict[str, list[str]]) -> set[str]:
    found, work = {header, tail}, [tail] if tail != header else []
    while work:
        for source in sources[work.pop()]:
            if source not in found:
                found.add(source)
                work.append(source)
    return found


def called_in_loops(module: Module) -> set[str]:
    """Functions that run again and again: called in a loop, or by such a function, or recursive."""
    calls: dict[str, set[str]] = {}
    found: set[str] = set()
    for function in module.functions.values():
        if not function.blocks:
            continue
        depths = loop_depths(function)
        for block in function.blocks:
            names = {
                i.callee.name for i in block.instructions if isinstance(i, Call) and isinstance(i.callee, GlobalRef)
            }
            calls.setdefault(function.name, set()).update(names)
            found |= names if depths.get(block.label) else set()
    work = deque(found)
    while work:
        for name in calls.get(work.popleft(), set()) - found:
            found.add(name)
            work.append(name)
    return found


def marked_branches(module: Module) -> set[Branch]:
    """Branches between klee_open_merge and klee_close_merge, in functions called there too."""
    found: set[Branch] = set()
    called: list[str] = []
    for function in module.functions.values():
        if function.blocks:
            labels, names = _marked(function)
            found |= {(function.name, label) for label in labels}
            called += names
    seen: set[str] = set()
    while called:
        callee = module.functions.get(called.pop())
        if callee is not None and callee.blocks and callee.name not in seen:
            seen.add(callee.name)
            found |= {(callee.name, block.label) for block in callee.blocks}
            called += [i.callee.name for i in callee.walk() if isinstance(i, Call) and isinstance(i.callee, GlobalRef)]
    return found


def _marked(function: Function) -> tuple[set[str], list[str]]:
    """The blocks whose branch is marked, and the names of functions called in between."""
    blocks = {block.label: block for block in function.blocks}
    targets = successors(function)
    work = [(label, False) for label in blocks]
    seen: set[tuple[str, bool]] = set()
    inside: set[str] = set()
    called: list[str] = []
    while work:
        label, open_ = work.pop()
        if (label, open_) in seen:
            continue
        seen.add((label, open_))
        for i in blocks[label].instructions:
            if isinstance(i, Call) and isinstance(i.callee, GlobalRef):
                name = i.callee.name
                open_ = name == _OPEN or (open_ and name != _CLOSE)
                called += [name] if open_ and name != _OPEN else []
        if open_:
            inside.add(label)
            work += [(target, True) for target in targets[label]]
    return inside, called


class Carried:
    """Whether a branch chooses or stores what it reads again in a later round."""

    def __init__(self, function: Function, flow: SymbolicFlow) -> None:
        self._function, self._flow = function, flow
        self._makers = {i.result: i for i in function.walk() if i.result is not None}

    def by(self, condition: str, chosen: list[Phi], arms: list[Instruction]) -> bool:
        read = self._read([condition, *(o.name for i in arms for o in i.operands if isinstance(o, Local))])
        if any(phi.result in read for phi in chosen):
            return True
        loaded = {o for name in read for o in self._loaded(name)}
        stored = {
            o for i in arms if isinstance(i, Store) for o in self._flow.objects(self._function.name, i.operands[1])
        }
        return bool(loaded & stored)

    def _read(self, names: list[str]) -> set[str]:
        """All that these are made of."""
        found, work = set(names), list(names)
        while work:
            maker = self._makers.get(work.pop())
            for operand in maker.operands if maker is not None else ():
                if isinstance(operand, Local) and operand.name not in found:
                    found.add(operand.name)
                    work.append(operand.name)
        return found

    def _loaded(self, name: str) -> set[tuple[str, str]]:
        maker = self._makers.get(name)
        return self._flow.objects(self._function.name, maker.operands[0]) if isinstance(maker, Load) else set()
