"""The linker's view of a bitcode module: what it defines and what it needs.

llvmlite cannot list aliases, so the table is read from the textual IR, whose top-level lines name every
global.  Code generation may add calls that no instruction names (128-bit division, `frem`, libm intrinsics);
those needs are found by pattern and counted as ordinary references.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

_NAME = r'@("(?:[^"])*"|[-\w$.]+)'
_LINKAGE = (
    r"(private|internal|available_externally|linkonce_odr|linkonce|weak_odr|weak|common|appending|extern_weak"
    r"|external)?"
)
_ATTACHED = r"(?:![-\w$.]+ !\d+ )*"  # a declaration's debug information stands before its linkage
_FUNCTION = re.compile(rf"^(define|declare) {_ATTACHED}{_LINKAGE}[^@\n]*{_NAME}\(", re.MULTILINE)
_VARIABLE = re.compile(rf"^{_NAME} = {_LINKAGE}", re.MULTILINE)

_KINDS = ("strong", "weak", "common", "undefined", "weak_undefined")
_LOCAL = {"private", "internal", "appending"}
_WEAK = {"linkonce", "linkonce_odr", "weak", "weak_odr"}
_MISSING = {"external", "available_externally"}

# instruction pattern -> function that x86-64 code generation calls for it
_HELPERS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r" udiv i128 ", "__udivti3"),
        (r" urem i128 ", "__umodti3"),
        (r" sdiv i128 ", "__divti3"),
        (r" srem i128 ", "__modti3"),
        (r"@llvm\.smul\.with\.overflow\.i128\(", "__muloti4"),
        (r" frem float ", "fmodf"),
        (r" frem double ", "fmod"),
        (r" frem x86_fp80 ", "fmodl"),
        (r" sitofp i128 .* to float", "__floattisf"),
        (r" sitofp i128 .* to double", "__floattidf"),
        (r" sitofp i128 .* to x86_fp80", "__floattixf"),
        (r" uitofp i128 .* to float", "__floatuntisf"),
        (r" uitofp i128 .* to double", "__floatuntidf"),
        (r" uitofp i128 .* to x86_fp80", "__floatuntixf"),
        (r" fptosi float .* to i128", "__fixsfti"),
        (r" fptosi double .* to i128", "__fixdfti"),
        (r" fptosi x86_fp80 .* to i128", "__fixxfti"),
        (r" fptoui float .* to i128", "__fixunssfti"),
        (r" fptoui double .* to i128", "__fixunsdfti"),
        (r" fptoui x86_fp80 .* to i128", "__fixunsxfti"),
        (r"(?<![%@\w.\"])(?:half|bfloat)(?![\w.\"])", "__extendhfsf2"),
    )
)
_LIKELY = (" i128 ", "i128(", " frem ", "to i128", "half", "bfloat")
_MATH = re.compile(
    r"@llvm\.(sin|cos|tan|pow|exp|exp2|log|log2|log10|floor|ceil|trunc|rint|nearbyint|round|roundeven|lround"
    r"|llround|lrint|llrint|fma)\.(?:i\d+\.)?(f32|f64|f80)\("
)
_MATH_SUFFIX = {"f32": "f", "f64": "", "f80": "l"}


@dataclass(frozen=True, slots=True)
class Symbols:
    """Global names of one module; `undefined` are those that must be found elsewhere."""

    strong: frozenset[str] = frozenset()
    weak: frozenset[str] = frozenset()
    common: frozenset[str] = frozenset()
    undefined: frozenset[str] = frozenset()
    weak_undefined: frozenset[str] = frozenset()

    @property
    def defined(self) -> frozenset[str]:
        """Everything this module can satisfy."""
        return self.strong | self.weak | self.common

    def to_json(self) -> str:
        return json.dumps({name: sorted(value) for name, value in asdict(self).items()})

    @staticmethod
    def from_json(text: str) -> Symbols:
        return Symbols(**{name: frozenset(value) for name, value in json.loads(text).items()})


def symbols_of_text(text: str) -> Symbols:
    """The symbol table of a module given as textual IR."""
    kinds: dict[str, set[str]] = {name: set() for name in _KINDS}
    for match in _FUNCTION.finditer(text):
        kind = _kind(match[2], declaration=match[1] == "declare")
        if kind:
            kinds[kind].add(_plain(match[3]))
    for match in _VARIABLE.finditer(text):
        kind = _kind(match[2], declaration=False)
        if kind:
            kinds[kind].add(_plain(match[1]))
    for names in kinds.values():
        names -= {name for name in names if name.startswith("llvm.")}
    kinds["undefined"] |= implicit_references(text) - kinds["strong"] - kinds["weak"]
    return Symbols(**{name: frozenset(value) for name, value in kinds.items()})


def undefined_variables(text: str) -> set[str]:
    """Variables of a module given as textual IR that must be found elsewhere."""
    found = _VARIABLE.finditer(text)
    return {_plain(match[1]) for match in found if _kind(match[2], declaration=False) == "undefined"}


def implicit_references(text: str) -> set[str]:
    """Functions that code generation will call although no instruction names them."""
    # Most modules have none of these, and a few plain searches are much faster than twenty patterns.
    likely = any(word in text for word in _LIKELY)
    found = {name for pattern, name in _HELPERS if pattern.search(text)} if likely else set[str]()
    return found | {name + _MATH_SUFFIX[kind] for name, kind in _MATH.findall(text)}


def _kind(linkage: str | None, declaration: bool) -> str | None:
    if linkage == "extern_weak":
        return "weak_undefined"
    if declaration or linkage in _MISSING:
        return "undefined"
    if linkage in _LOCAL:
        return None
    return "weak" if linkage in _WEAK else "common" if linkage == "common" else "strong"


def _plain(name: str) -> str:
    """The assembler's name: without quotes, and without the mark that says 'do not mangle'."""
    return name[1:-1].removeprefix("\\01") if name.startswith('"') else name


def read_symbols(path: Path) -> Symbols:
    """The symbol table of a bitcode file."""
    from cinquefoil.build import bitcode  # llvmlite is slow to import; warm paths never get here

    return symbols_of_text(str(bitcode.read(path)))


def read_undefined_variables(path: Path) -> set[str]:
    """Variables of a bitcode file that must be found elsewhere."""
    from cinquefoil.build import bitcode

    return undefined_variables(str(bitcode.read(path)))
