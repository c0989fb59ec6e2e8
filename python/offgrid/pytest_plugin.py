"""A fixture for pytest: `offgrid_module(path_or_source)` opens a code object, an object file or assembly."""
import os

import pytest

import offgrid


def _open(what, processor=None):
    if isinstance(what, bytes):
        return offgrid.Module(what)
    path = os.fspath(what)
    if "\n" in path:
        return offgrid.Module(offgrid.assemble(path, processor))
    with open(path, "rb") as file:
        data = file.read()
    return offgrid.Module(data if data[:4] == b"\x7fELF" else offgrid.assemble(data, processor, name=path), path)


@pytest.fixture
def offgrid_module():
    return _open
