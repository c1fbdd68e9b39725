"""Plug-ins by name: what search strategies, pruners and whatever else users may add have in common.

A name is looked up among those registered by the decorator, the built-in ones (loaded when first asked for) and the
entry points of the registry's group.  What follows the longest known name after colons are parameters: `sgs:4` is `sgs`
with "4", while `nurs:covnew` is a name of its own."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar, cast

from cinquefoil.errors import UserError

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])


class Registry(Generic[T]):
    """Makes things of one sort (`what`, for messages); `built_in` maps names to "module:attribute"."""

    def __init__(self, what: str, group: str, built_in: Mapping[str, str]) -> None:
        self.what = what
        self.group = group
        self.built_in = dict(built_in)
        self._registered: dict[str, Callable[..., T]] = {}

    def register(self, name: str) -> Callable[[F], F]:
        """Class decorator: makes a plug-in known under a name."""

        def enter(factory: F) -> F:
            self._registered[name] = cast("Callable[..., T]", factory)  # its own type is kept for who decorates it
            return factory

        return enter

    def names(self) -> list[str]:
        """All names that can be asked for, sorted."""
        return sorted({*self.built_in, *self._registered, *self._installed})

    def make(self, name: str, *arguments: object) -> T:
        """The plug-in called `name`, made with the arguments and the name's parameters."""
        factory, parameters = self.resolve(name)
        try:
            return factory(*arguments, *parameters)
        except (TypeError, ValueError) as error:
            raise UserError(f"{self.what} '{name}': unusable parameters ({error})") from error

    def resolve(self, name: str) -> tuple[Callable[..., T], list[str]]:
        """The class that makes it, and the parameters in the name; `UserError` for a name that is not known."""
        parts = name.split(":")
        for length in range(len(parts), 0, -1):
            factory = self._find(":".join(parts[:length]))
            if factory is not None:
                return factory, parts[length:]
        close = difflib.get_close_matches(name, self.names(), 1)
        hint = f"did you mean '{close[0]}'?" if close else "known are " + ", ".join(self.names())
        raise UserError(f"there is no {self.what} '{name}': {hint}")

    def _find(self, name: str) -> Callable[..., T] | None:
        if name in self._registered:
            return self._registered[name]
        if name in self.built_in:
            module, _, attribute = self.built_in[name].partition(":")
            return getattr(import_module(module), attribute)
        point = self._installed.get(name)
        return self._load(point) if point is not None else None

    def _load(self, point: EntryPoint) -> Callable[..., T]:
        """What another package offers; whatever is wrong with it is the package's fault."""
        try:
            return point.load()
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
            raise UserError(f"{self.what} '{point.name}': {point.value} cannot be loaded ({fault})") from error

    @cached_property
    def _installed(self) -> dict[str, EntryPoint]:
        """Entry points of other packages; looking for them takes milliseconds."""
        return {point.name: point for point in entry_points(group=self.group)}
