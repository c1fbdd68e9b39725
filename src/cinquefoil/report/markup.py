"""HTML and SVG in pieces that are safe by construction.

A `str` is text and is escaped wherever it goes; only what `element` and `join` make, and constants of this package
wrapped in `Html` on purpose, is markup.  Names of files, output of programs and bytes of tests come from anywhere:
control characters, and those that turn the direction of text, are shown and not obeyed.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

Attribute = str | int | float | bool | None
_VOID: Final = frozenset({"br", "hr", "img", "meta", "line", "path", "circle", "rect"})
_STEERING: Final = [*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C, 0x2028, 0x2029]
_SHOWN: Final = (
    {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"}
    | {0x7F: "\u2421"}
    | {code: f"\\x{code:02x}" for code in range(0x80, 0xA0)}
    | {code: f"\\u{code:04x}" for code in _STEERING}
    | {0xDC00 + byte: f"\\x{byte:02x}" for byte in range(0x80, 0x100)}
)


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def visible(content: str) -> str:
    """Every character shown, none obeyed; other lone surrogates have no encoding and become question marks."""
    return content.translate(_SHOWN).encode("utf-8", "replace").decode("utf-8")


def text(content: str) -> Html:
    return content if isinstance(content, Html) else Html(escape(visible(content)))


def element(tag: str, /, *children: str | Iterable[str], **attributes: Attribute) -> Html:
    """`class_` is the attribute class, `stroke_width` is stroke-width; None and False leave an attribute out."""
    words = "".join(_attribute(key, value) for key, value in attributes.items())
    if tag in _VOID and not children:
        return Html(f"<{tag}{words}/>")
    return Html(f"<{tag}{words}>{join(children)}</{tag}>")


def join(children: Iterable[str | Iterable[str]], between: str = "") -> Html:
    return Html(between.join(_child(child) for child in children))


def _child(child: str | Iterable[str]) -> str:
    return text(child) if isinstance(child, str) else join(child)


def _attribute(key: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    return f' {name}="{text(_number(value) if isinstance(value, float) else str(value))}"'


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
