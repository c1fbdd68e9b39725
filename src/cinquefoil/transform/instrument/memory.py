"""Loads, stores and stack objects.

An access tests the tag of its granule (and that it lies within one granule), its address's shadow and, for stores,
the value's shadow, all with one branch.  Anything but "addressable, concrete" goes to the run-time, which checks the
access exactly and moves the shadows.  Stack objects live in the arena, between red zones; the function's frame is
laid out after its body has been traced.
"""

from __future__ import annotations

from cinquefoil.build.cleanup import UNWRITTEN_SUFFIX
from cinquefoil.ir.model import Alloca, Call, ConstInt, Load, Local, Store, Value
from cinquefoil.ir.sites import SiteKind
from cinquefoil.ir.types import Leaf, is_scalar, leaves, scalar_bits, size_of, store_size
from cinquefoil.layout import GRANULE, TAG_BASE, TAG_CONCRETE, TAG_PARTIAL, Op, Reason
from cinquefoil.transform.instrument.addresses import OBJECT_ALIGNMENT, KnownAddress, known_address
from cinquefoil.transform.instrument.emitter import CONCRETE, Shadows
from cinquefoil.transform.instrument.lanes import is_modelled
from cinquefoil.transform.instrument.tracer import Frame, StackObject, Tracer

RED_ZONE = 32
_MANY_TAGS = 64  # from here on, tags are set by the run-time
_CLEAR = "llvm.memset.inline.p0.i64"


# ---- tag tests -------------------------------------------------------------------------------------------------


def tag_guards(t: Tracer, address: str, size: int, known: KnownAddress, *, write: bool) -> tuple[list[str], list[str]]:
    """i1 values that are all false, and i64 values that are all 0, only if the bytes at `i64 address` are addressable
    and concrete.

    Accesses of up to 8 bytes must lie within one granule, larger ones start at one; others are for the slow
    path.  Alignment is tested rather than trusted: real programs do read unaligned words.  Tags are found with the
    low half of the address, so the high half must be 0: a wild pointer could hit the machine's own memory."""
    short = t.let(f"trunc i64 {address} to i32")
    index = t.let(f"zext i32 {t.let(f'lshr i32 {short}, 3')} to i64")
    tag = t.let(f"inttoptr i64 {t.let(f'add i64 {index}, {TAG_BASE}')} to ptr")
    count = (size + GRANULE - 1) // GRANULE
    wanted = int.from_bytes(bytes([TAG_CONCRETE]) * count, "little")
    tags = t.let(f"load i{8 * count}, ptr {tag}, align 1")
    if not write:  # any odd tag can be read
        tags = t.let(f"and i{8 * count} {tags}, {wanted}")
    return [t.let(f"icmp ne i{8 * count} {tags}, {wanted}")], _unaligned_or_high(t, address, size, known)


def _unaligned_or_high(t: Tracer, address: str, size: int, known: KnownAddress) -> list[str]:
    """Is the address too high, or not aligned, as far as that is not known?"""
    unit = size if size in (1, 2, 4) else GRANULE
    low = 0 if known.align % unit == 0 else unit - 1
    mask = low - (0 if known.is_low else 1 << 32)
    if mask == 0:
        return []
    if mask == -1 << 32:
        return [t.let(f"lshr i64 {address}, 32")]
    return [t.let(f"and i64 {address}, {mask}")]


def _address(t: Tracer, pointer: Value) -> str:
    return t.let(f"ptrtoint {t.typed(pointer)} to i64")


# ---- loads -----------------------------------------------------------------------------------------------------


def load(t: Tracer, i: Load) -> None:
    assert i.result is not None
    (pointer,) = i.operands
    parts = leaves(i.type)
    base = _address(t, pointer)
    shadows: Shadows = []
    for number, leaf in enumerate(parts):
        address = base if leaf.offset == 0 else t.let(f"add i64 {base}, {leaf.offset}")
        shadows += _load_leaf(t, i, address, leaf, last=number == len(parts) - 1)
    t.emit(f"{t.name(i.result)} = load {i.type}, ptr {t.value(pointer)}, align 1")
    t.set_shadow(i.result, shadows)
    t.verify_value(Local(i.result, i.type), i.dbg)


def _load_leaf(t: Tracer, i: Load, address: str, leaf: Leaf, last: bool) -> Shadows:
    size = store_size(leaf.type)
    if size > 16:
        return _unmodelled_access(t, i.dbg, i.operands[0], address, size)
    site = t.site(SiteKind.CHECK, i.dbg)
    pointer = i.operands[0]

    def slow() -> Shadows:
        shadow = t.shadow1(pointer)
        at = _moved_shadow(t, pointer, shadow, leaf.offset)
        found = t.call("cinq_load", f"i64 {address}", f"i32 {at}", f"i32 {size}", site)
        return [_narrowed(t, found, leaf, size)]

    shadow = [] if t.is_pending(pointer) else t.shadow(pointer)
    known = known_address(t, pointer).moved(leaf.offset, [])
    guards, zeros = tag_guards(t, address, size, known, write=False)
    return t.settle(shadow, slow, [pointer] if last and len(leaves(i.type)) == 1 else [], guards=guards, zeros=zeros)


def _moved_shadow(t: Tracer, pointer: Value, shadow: str, offset: int) -> str:
    if offset == 0 or shadow == CONCRETE:
        return shadow
    return t.call("cinq_gep", t.word(pointer), f"i32 {shadow}", "i64 0", "i32 0", "i32 64", "i64 0", f"i64 {offset}")


def _narrowed(t: Tracer, shadow: str, leaf: Leaf, size: int) -> str:
    """Memory holds whole bytes; i1 and other odd widths are cut out of them."""
    bits = scalar_bits(leaf.type)
    if bits == size * 8:
        return shadow
    return t.call("cinq_cast", f"i32 {Op.EXTRACT.value}", f"i32 {size * 8}", f"i32 {bits}", f"i32 {shadow}")


def _unmodelled_access(t: Tracer, dbg: int | None, pointer: Value, address: str, size: int) -> Shadows:
    """Integers over 128 bits: checked, their symbolic bytes fixed, no shadow."""
    site = t.site(SiteKind.CHECK, dbg)
    for offset in range(0, size, 8):
        part = min(8, size - offset)
        at = t.let(f"add i64 {address}, {offset}")
        shadow = t.call("cinq_load", f"i64 {at}", f"i32 {t.shadow1(pointer)}", f"i32 {part}", site)
        word = t.let(f"load i{part * 8}, ptr {t.let(f'inttoptr i64 {at} to ptr')}, align 1")
        wide = word if part == 8 else t.let(f"zext i{part * 8} {word} to i64")
        t.run("cinq_concretize", site, f"i32 {shadow}", f"i64 {wide}", f"i32 {Reason.WIDTH.value}")
    return [CONCRETE]


# ---- stores ----------------------------------------------------------------------------------------------------


def store(t: Tracer, i: Store) -> None:
    value, pointer = i.operands
    store_value(t, value, pointer, i.dbg)


def store_value(t: Tracer, value: Value, pointer: Value, dbg: int | None) -> None:
    """Also used for packing variadic arguments."""
    base = _address(t, pointer)
    parts = leaves(value.type)
    for number, leaf in enumerate(parts):
        address = base if leaf.offset == 0 else t.let(f"add i64 {base}, {leaf.offset}")
        _store_leaf(t, value, pointer, dbg, address, number, leaf, single=len(parts) == 1)
    t.emit(f"store {t.typed(value)}, ptr {t.value(pointer)}, align 1")


def _store_leaf(
    t: Tracer, value: Value, pointer: Value, dbg: int | None, address: str, number: int, leaf: Leaf, single: bool
) -> None:
    size = store_size(leaf.type)
    site = t.site(SiteKind.CHECK, dbg)
    if size > 16:
        _store_unmodelled(t, pointer, address, size, site)
        return

    def slow() -> Shadows:
        at = _moved_shadow(t, pointer, t.shadow1(pointer), leaf.offset)
        shadow = _widened(t, value, number, leaf, size)
        word = t.leaf_word(value, number) if size <= 8 else "i64 0"
        t.run("cinq_store", f"i64 {address}", f"i32 {at}", f"i32 {size}", site, f"i32 {shadow}", word)
        return []

    known = known_address(t, pointer).moved(leaf.offset, [])
    guards, zeros = tag_guards(t, address, size, known, write=True)
    extra: Shadows = []
    for operand in (value, pointer):
        if not t.is_pending(operand):
            extra += [t.shadow(operand)[number if operand is value else 0]]
    t.settle(extra, slow, [value, pointer] if single else [], guards=guards, zeros=zeros)


def _widened(t: Tracer, value: Value, number: int, leaf: Leaf, size: int) -> str:
    """The shadow as whole bytes, and never 0 for what does not fit a machine word."""
    shadow, bits = t.shadow(value)[number], scalar_bits(leaf.type)
    if not is_modelled(leaf.type):
        return CONCRETE
    if size > 8 and is_scalar(value.type):
        shadow = t.wide(value, shadow)
    if bits == size * 8 or shadow == CONCRETE:
        return shadow
    return t.call("cinq_cast", f"i32 {Op.ZEXT.value}", f"i32 {bits}", f"i32 {size * 8}", f"i32 {shadow}")


def _store_unmodelled(t: Tracer, pointer: Value, address: str, size: int, site: str) -> None:
    for offset in range(0, size, 8):
        at = t.let(f"add i64 {address}, {offset}")
        part = min(8, size - offset)
        shadow = t.shadow1(pointer)
        t.run("cinq_store", f"i64 {at}", f"i32 {shadow}", f"i32 {part}", site, "i32 0", "i64 0")


# ---- stack objects -----------------------------------------------------------------------------------------------


def alloca(t: Tracer, i: Alloca) -> None:
    """Fixed-size allocas of the entry block have a slot in the frame; others are made at run time."""
    assert i.result is not None
    (count,) = i.operands
    item = size_of(i.allocated)
    fixed = t.in_entry_block and isinstance(count, ConstInt) and i.align <= 16
    if fixed and isinstance(count, ConstInt):
        site_number = _declared(t, i.result)
        at_entry = i.result not in t.scoped
        object_ = StackObject(item * count.value, max(i.align, 1), site_number, at_entry)
        t.frame.objects.append(object_)
        t.locations[i.result] = object_
        t.emit(f"{t.name(i.result)} = inttoptr i64 {slot(t, object_)} to ptr")
        return
    t.frame.dynamic = True
    site = t.site(SiteKind.OBJECT, i.dbg, i.result)
    width = scalar_bits(count.type)
    wide = t.value(count) if width == 64 else t.let(f"zext {t.typed(count)} to i64")
    size = t.let(f"mul i64 {wide}, {item}")
    shadow = _size_shadow(t, count, item)
    address = t.let(f"call preserve_mostcc i64 @cinq_alloca(i64 {size}, i32 {shadow}, i32 {max(i.align, 1)}, {site})")
    t.emit(f"{t.name(i.result)} = inttoptr i64 {address} to ptr")


def _declared(t: Tracer, name: str) -> int:
    """A site for a variable of the function: clang names its memory after it, parameters with a suffix."""
    function, sites = t.function, t.context.sites
    at = sites.debug.local_location(function, name.removesuffix(".addr"))
    return sites.new_object(name, function.name.strip('"'), at)


def _size_shadow(t: Tracer, count: Value, item: int) -> str:
    """The shadow of `count` elements' size in bytes."""
    shadow, width = t.shadow1(count), scalar_bits(count.type)
    if shadow == CONCRETE:
        return shadow

    def product() -> Shadows:
        wide = shadow
        if width != 64:
            wide = t.call("cinq_cast", f"i32 {Op.ZEXT.value}", f"i32 {width}", "i32 64", f"i32 {shadow}")
        operands = (f"i32 {wide}", "i32 0", "i64 0", f"i64 {item}")
        return [t.call("cinq_binary", f"i32 {Op.MUL | 64 << 8}", *operands)]

    (size,) = t.settle([shadow], product)
    return size


def slot(t: Tracer, object_: StackObject) -> str:
    """The object's address as an i64 text; its definition is written with the prologue."""
    known = t.slots.get(id(object_))
    if known is None:
        known = t.slots[id(object_)] = t.fresh("slot")
    return known


def lay_out(frame: Frame) -> int:
    """Give every object its offset, with red zones around; the frame's size is a multiple of 16."""
    at = RED_ZONE
    for object_ in frame.objects:
        align = max(object_.align, OBJECT_ALIGNMENT)
        at = (at + align - 1) // align * align
        object_.offset = at
        at += max(object_.size, 1) + RED_ZONE
    return (at + 15) // 16 * 16 if frame.objects else 0


def alive(t: Tracer, address: str, size: int) -> None:
    """Make `size` bytes at `i64 address` (16-aligned) addressable and concrete."""
    whole, rest = divmod(size, GRANULE)
    if whole + 1 > _MANY_TAGS:
        t.run("cinq_alive", f"i64 {address}", f"i64 {size}")
        return
    tags = bytes([TAG_CONCRETE] * whole + ([TAG_PARTIAL + 2 * rest] if rest else []))
    write_tags(t, address, tags)


def born(t: Tracer, address: str, size: int) -> None:
    """A new object: alive, and zero.

    What earlier calls left there may depend on the input; without its expression it must not be read again."""
    alive(t, address, size)
    if size // GRANULE + 1 > _MANY_TAGS:
        t.run("cinq_clear", f"i64 {address}", f"i64 {size}")
    elif size:
        t.context.need(f"declare void @{_CLEAR}(ptr, i8, i64 immarg, i1 immarg)", _CLEAR)
        pointer = t.let(f"inttoptr i64 {address} to ptr")
        t.emit(f"call void @{_CLEAR}(ptr align 16 {pointer}, i8 0, i64 {size}, i1 false)")


def new_object(t: Tracer, address: str, object_: StackObject) -> None:
    """A stack object begins to live in the middle of its function; nothing of it is written yet."""
    born(t, address, object_.size)
    if watches(t) and object_.size and object_.site:
        arguments = f"i64 {address}, i64 {object_.size}, {t.site_text(object_.site)}"
        when_watching(t, f"call preserve_mostcc void @cinq_unwritten({arguments})")


def watches(t: Tracer) -> bool:
    """Are local variables of this module told to the run-time where it asks for what is never written?  Not libc's."""
    return not t.options.library


def when_watching(t: Tracer, call: str) -> None:
    t.when(t.let(f"icmp ne i32 {t.let('load i32, ptr @cinq_watching')}, 0"), call)


def unwritten(t: Tracer, i: Call) -> None:
    """The value of a variable that was not written (build/cleanup.py): zero; its shadow says what it is, where that is
    watched."""
    assert i.result is not None
    t.emit(f"{t.name(i.result)} = freeze {i.type} zeroinitializer")
    site = t.site_text(_declared(t, i.result.removesuffix(UNWRITTEN_SUFFIX)))
    watching = t.let(f"icmp ne i32 {t.let('load i32, ptr @cinq_watching')}, 0")
    bits = f"i32 {scalar_bits(i.type)}"
    t.set_shadow(i.result, t.settle([], lambda: [t.call("cinq_unwritten_value", bits, site)], guards=[watching]))


def dead(t: Tracer, address: str, size: int) -> None:
    """Make the granules of `size` bytes at `i64 address` unaddressable."""
    count = (size + GRANULE - 1) // GRANULE
    if count > _MANY_TAGS:
        t.run("cinq_dead", f"i64 {address}", f"i64 {size}")
        return
    write_tags(t, address, bytes(count))


def write_tags(t: Tracer, address: str, tags: bytes) -> None:
    """The tags of the granules from `i64 address` on."""
    index = t.let(f"lshr i64 {address}, 3")
    at = 0
    while at < len(tags):
        step = next(n for n in (8, 4, 2, 1) if at + n <= len(tags))
        pointer = t.let(f"inttoptr i64 {t.let(f'add i64 {index}, {TAG_BASE + at}')} to ptr")
        t.emit(f"store i{8 * step} {int.from_bytes(tags[at : at + step], 'little')}, ptr {pointer}, align 1")
        at += step
