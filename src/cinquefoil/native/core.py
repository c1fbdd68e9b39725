"""The native core as a module: `from cinquefoil.native import core`, then `core.cinq_row(...)`.

Its functions are those of the public headers (`AREA/AREA.h`), which say what they do; `core.pyi` has their types.  They
take integers, None for no address, and for arrays anything with the buffer protocol; they give integers, floats, None,
or tuples of integers.  Three more are written for Python:

- `address(array)`: where a contiguous array's memory is, which must be kept as long as that is used.
- `text_at(address, size)`: bytes from there.
- `bound(function, *arguments)`: a function with its first arguments fixed.

The core is loaded, and compiled if need be, when a function is first asked for."""

from __future__ import annotations

import sys
import sysconfig
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from types import ModuleType
from typing import Any

from cinquefoil.errors import EngineError
from cinquefoil.native.building import core_path


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    found = vars(_load())
    globals().update({each: found[each] for each in found if not each.startswith("__")})
    try:
        return globals()[name]
    except KeyError:
        raise AttributeError(f"the native core has no {name}") from None


def _load() -> ModuleType:
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise EngineError("the native core needs CPython with its global lock: no other keeps the same interface")
    path = str(core_path())
    spec = spec_from_loader("core", ExtensionFileLoader("core", path), origin=path)
    assert spec is not None
    spec.loader_state = None
    module = module_from_spec(spec)
    assert spec.loader is not None
    spec.loader.exec_module(module)
    return module
