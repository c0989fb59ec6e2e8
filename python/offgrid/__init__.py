"""GPU kernels without the GPU, from Python: assemble, link, disassemble, inspect, check and run.

    import array, offgrid
    y = array.array("f", [1.0] * 256)
    module = offgrid.Module(offgrid.link(offgrid.assemble(source)))
    statistics = module.launch("saxpy", grid=256, group=64, arguments=[y, x, 2.0])

Buffers are whatever has writable contiguous memory (numpy arrays, array.array, bytearray, ctypes arrays): kernels work in that
memory itself, and not a byte beyond it. Errors are offgrid.Error with the library's messages.
"""
import contextlib
import ctypes
import html
import json
import struct
from dataclasses import dataclass
from typing import List, Tuple

from . import library as _c

_library = _c.library

__version__ = _library.og_version().decode()
__all__ = ["Argument", "Error", "GO_ON", "Instruction", "Kernel", "Module", "Profile", "SKIP", "STOP", "Statistics", "Token", "View",
           "assemble", "compile", "disassemble", "link", "run_asm"]


class Error(Exception):
    """What went wrong; `messages` has each diagnostic's text."""

    def __init__(self, messages):
        super().__init__("\n".join(messages) or "offgrid gives no reason")
        self.messages = messages


class _Diagnostics:
    """The library's list for one call: raises when the call failed."""

    def __enter__(self):
        self.pointer = _library.og_diagnostics_new()
        return self

    def __exit__(self, *_):
        _library.og_diagnostics_free(self.pointer)

    def texts(self):
        return [_library.og_diagnostics_text(self.pointer, i).decode(errors="replace").rstrip("\n")
                for i in range(_library.og_diagnostics_count(self.pointer))]

    def need(self, result):
        if not result:
            raise Error(self.texts())
        return result


def _encode(text):
    return None if text is None else text.encode()


def _take(owned):
    """The bytes that the library handed out, which are freed."""
    data = ctypes.string_at(owned.data, owned.size)
    _library.og_bytes_free(ctypes.byref(owned))
    return data


# ---- assembling, linking, disassembling ------------------------------------------------------------------------------


def assemble(source, processor=None, *, features=None, triple=None, version=0, name=None, debug=False) -> bytes:
    """Source text to a relocatable object. Without a processor the source's .amdgcn_target says it."""
    text = source.encode() if isinstance(source, str) else bytes(source)
    options = _c.AssembleOptions(_encode(triple), _encode(processor), _encode(features), version, _encode(name), None, debug)
    out = _c.Bytes()
    with _Diagnostics() as diagnostics:
        diagnostics.need(_library.og_assemble_source(text, len(text), options, out, diagnostics.pointer))
    return _take(out)


def link(*objects) -> bytes:
    """Relocatable objects to a loadable code object."""
    kept = [(ctypes.c_uint8 * len(data)).from_buffer_copy(data) for data in objects]
    inputs = (_c.Bytes * len(kept))(*(_c.Bytes(ctypes.cast(data, ctypes.POINTER(ctypes.c_uint8)), len(data)) for data in kept))
    out = _c.Bytes()
    with _Diagnostics() as diagnostics:
        diagnostics.need(_library.og_link_objects(inputs, len(kept), out, diagnostics.pointer))
    return _take(out)


def compile(ir, processor=None, *, features=None) -> bytes:
    """LLVM IR, as text or bitcode, to a loadable code object."""
    data = ir.encode() if isinstance(ir, str) else bytes(ir)
    out = _c.Bytes()
    with _Diagnostics() as diagnostics:
        diagnostics.need(_library.og_compile_ir(data, len(data), _encode(processor), _encode(features), out, diagnostics.pointer))
    return _take(out)


@dataclass(frozen=True)
class Token:
    """A part of an instruction's text. `registers` is (file, first, count), as in ("v", 4, 2)."""
    kind: str
    text: str
    registers: Tuple[str, int, int]
    read: bool
    written: bool
    value: int


_KINDS = ("mnemonic", "register", "special", "constant", "immediate", "target", "modifier", "data", "implicit")


@dataclass(frozen=True)
class Instruction:
    address: int
    size: int
    text: str
    tokens: List[Token]

    def _repr_html_(self):
        return f"<code>{self.address:#x}: {html.escape(self.text)}</code>"


def _instruction(raw):
    text = ctypes.string_at(raw.text).decode()
    tokens = [Token(_KINDS[t.kind], ctypes.string_at(raw.text + t.offset, t.length).decode(), (t.file.decode().strip("\0"), t.first, t.count), t.read,
                    t.written, t.value) for t in raw.tokens[:raw.token_count]]
    return Instruction(raw.address, raw.size, text, tokens)


def disassemble(code, target, *, features=None, address=0) -> List[Instruction]:
    """Machine code of a processor or a target id, instruction by instruction; what is none comes word by word."""
    code = bytes(code)
    found = []
    with _Diagnostics() as diagnostics:
        reader = diagnostics.need(_library.og_disassembler_new(_encode(target), _encode(features), diagnostics.pointer))
        at, raw = ctypes.c_size_t(0), _c.Instruction()
        while _library.og_disassemble_next(reader, code, len(code), address, at, raw):
            found.append(_instruction(raw))
        _library.og_disassembler_free(reader)
    return found


# ---- code objects ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Argument:
    """An explicit argument. `form` is "value", "buffer", "lds" or "other"."""
    name: str
    type_name: str
    form: str
    offset: int
    size: int


_FORMS = ("value", "buffer", "lds", "other")


@dataclass(frozen=True)
class Kernel:
    name: str
    vgprs: int
    agprs: int
    sgprs: int
    lds_size: int
    scratch_size: int
    kernarg_size: int
    kernarg_align: int
    wave_size: int
    arguments: List[Argument]


@dataclass(frozen=True)
class Statistics:
    """What a dispatch did; instructions are counted per wave."""
    seconds: float
    waves: int
    wave_instructions: int
    salu: int
    valu: int
    smem: int
    vmem: int
    lds: int
    flat: int
    branch: int
    other: int


GO_ON, SKIP, STOP = range(3)  # what a watching function answers; None is GO_ON
_SPACES = ("global", "lds", "scratch")


class View:
    """A wave before its next instruction, for a function that watches a launch; not to be kept."""

    def __init__(self, pointer):
        self._pointer = pointer
        group, wave = (ctypes.c_uint32 * 3)(), ctypes.c_uint32()
        _library.og_view_place(pointer, group, wave)
        self.group, self.wave = tuple(group), wave.value
        self.pc, self.lanes, self.exec = (getattr(_library, "og_view_" + name)(pointer) for name in ("pc", "lanes", "exec"))

    @property
    def text(self):
        """The instruction."""
        text = ctypes.create_string_buffer(256)
        _library.og_view_text(self._pointer, text, len(text))
        return text.value.decode()

    def register(self, name, lane=0) -> int:
        """By its name in assembly: "s4", "v0", "vcc", "exec", "m0"."""
        value = ctypes.c_uint64()
        if not _library.og_view_register(self._pointer, name.encode(), lane, value):
            raise KeyError(f"no register {name!r} in lane {lane}")
        return value.value

    def set_register(self, name, value, lane=0):
        if not _library.og_view_set_register(self._pointer, name.encode(), lane, value):
            raise KeyError(f"no register {name!r} in lane {lane}")

    def read(self, space, address, size, lane=0) -> bytes:
        """Memory as a lane sees it; `space` is "global", "lds" or "scratch"."""
        data = ctypes.create_string_buffer(size)
        if not _library.og_view_read(self._pointer, _SPACES.index(space), lane, address, data, size):
            raise IndexError(f"{size} bytes of {space} memory at {address:#x} are out of reach")
        return data.raw

    def write(self, space, address, data, lane=0):
        if not _library.og_view_write(self._pointer, _SPACES.index(space), lane, address, bytes(data), len(data)):
            raise IndexError(f"{len(data)} bytes of {space} memory at {address:#x} are out of reach")


class _Watching:
    """A Python function as the library's watcher; what it raises ends the launch and is raised there."""

    def __init__(self, function):
        self.raised = None

        def see(_, view):
            try:
                return function(View(view)) or GO_ON
            except BaseException as error:
                self.raised = self.raised or error
                return STOP
        self.watcher = _c.Watcher()
        self.watcher.instruction = _c.Seen(see)


@dataclass(frozen=True)
class Profile:
    """What a kernel's instructions did, as a page that needs no other file; a notebook shows it."""
    page: str

    def _repr_html_(self):
        return f'<iframe srcdoc="{html.escape(self.page)}" width="100%" height="800" style="border:0"></iframe>'


class Module:
    """A code object to look at and to run. Relocatable objects are linked first."""

    def __init__(self, data, name="<memory>"):
        data = bytes(data)
        if data[:4] == b"\x7fELF" and data[16:18] == b"\x01\x00":
            data = link(data)
        self._module = self._device = None
        with _Diagnostics() as diagnostics:
            self._module = diagnostics.need(_library.og_module_open(data, len(data), _encode(name), diagnostics.pointer))
        self.target = _library.og_module_target(self._module).decode()
        self.kernels = {kernel.name: kernel for kernel in self._read_kernels()}

    def __del__(self):
        if getattr(self, "_device", None):
            _library.og_device_free(self._device)
        if getattr(self, "_module", None):
            _library.og_module_free(self._module)

    def _read_arguments(self, kernel, count):
        for index in range(count):
            info = _c.ArgumentInfo()
            _library.og_module_argument(self._module, kernel, index, info)
            yield Argument(info.name.decode(), info.type_name.decode(), _FORMS[info.form], info.offset, info.size)

    def _read_kernels(self):
        for index in range(_library.og_module_kernel_count(self._module)):
            info = _c.KernelInfo()
            _library.og_module_kernel(self._module, index, info)
            values = [getattr(info, name) for name, _ in info._fields_[2:-1]]
            yield Kernel(info.name.decode(), *values, list(self._read_arguments(index, info.argument_count)))

    def disassemble(self) -> List[Instruction]:
        """All sections with code."""
        found, section = [], _c.CodeSection()
        index = 0
        while _library.og_module_code(self._module, index, section):
            found += disassemble(ctypes.string_at(section.code, section.size), self.target, address=section.address)
            index += 1
        return found

    def lint(self) -> List[str]:
        """What would fail on hardware; empty where nothing would."""
        with _Diagnostics() as diagnostics:
            _library.og_module_lint(self._module, diagnostics.pointer)
            return diagnostics.texts()

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{html.escape(k.name)}</td><td>{k.vgprs}</td><td>{k.sgprs}</td><td>{k.lds_size}</td>"
                       f"<td>{k.scratch_size}</td><td>{len(k.arguments)}</td></tr>" for k in self.kernels.values())
        code = html.escape("\n".join(f"{i.address:6x}  {i.text}" for i in self.disassemble()))
        return (f"<p>{html.escape(self.target)}</p><table><tr><th>kernel</th><th>VGPRs</th><th>SGPRs</th><th>LDS</th>"
                f"<th>scratch</th><th>arguments</th></tr>{rows}</table><pre>{code}</pre>")

    # ---- running ----

    def launch(self, kernel=None, *, grid, group, arguments=(), offset=(), dynamic_lds=0, threads=1, timeout=0.0,
               watch=None) -> Statistics:
        """Runs a kernel and waits for it. `kernel` may be left out where there is one; sizes are in work-items, a number or up
        to three. An argument is a number, bytes for a struct, or a buffer. A fault is an Error that says where. `watch` is a
        function that is called with a View before each instruction, and may answer SKIP or STOP."""
        counts, watching = _c.Statistics(), watch and _Watching(watch)
        with self._launch(kernel, grid, group, arguments, offset, dynamic_lds, threads, timeout) as launch, \
                _Diagnostics() as diagnostics:
            if watching:
                launch.watcher = ctypes.addressof(watching.watcher)
            done = _library.og_device_run(self._device, launch, counts, diagnostics.pointer)
            if watching and watching.raised:
                raise watching.raised
            diagnostics.need(done)
        return Statistics(*(getattr(counts, name) for name, _ in counts._fields_[1:]))

    def check(self, kernel=None, *, grid, group, arguments=(), only=None, offset=(), dynamic_lds=0, threads=1,
              timeout=0.0) -> List[dict]:
        """Runs a kernel with checkers watching and yields what they find, as docs/check.schema.json tells. `only` names
        checkers: "waits,races". A fault that none of them is responsible for is an Error."""
        found = _c.Bytes()
        with self._launch(kernel, grid, group, arguments, offset, dynamic_lds, threads, timeout) as launch, \
                _Diagnostics() as diagnostics:
            count = _library.og_device_check(self._device, launch, _encode(only), found, diagnostics.pointer)
            if count == 0 and diagnostics.texts():
                raise Error(diagnostics.texts())
        return json.loads(_take(found))["findings"]

    def profile(self, kernel=None, *, grid, group, arguments=(), offset=(), dynamic_lds=0, threads=1, timeout=0.0) -> "Profile":
        """Runs a kernel and tells what each of its instructions did."""
        page = _c.Bytes()
        with self._launch(kernel, grid, group, arguments, offset, dynamic_lds, threads, timeout) as launch, \
                _Diagnostics() as diagnostics:
            diagnostics.need(_library.og_device_profile(self._device, launch, True, page, diagnostics.pointer))
        return Profile(_take(page).decode(errors="replace"))

    @contextlib.contextmanager
    def _launch(self, kernel, grid, group, arguments, offset, dynamic_lds, threads, timeout):
        """The C struct of a launch, with the buffers among its arguments mapped."""
        kernel = self._kernel(kernel)
        if not self._device:
            with _Diagnostics() as diagnostics:
                self._device = diagnostics.need(_library.og_device_new(self._module, diagnostics.pointer))
        mapped = []
        try:
            packed = _pack(kernel, arguments, lambda buffer: self._map(buffer, mapped))
            yield _c.Launch(kernel.name.encode(), _three(ctypes.c_uint32, grid, 1), _three(ctypes.c_uint16, group, 1),
                            _three(ctypes.c_uint64, offset, 0), dynamic_lds, ctypes.cast(packed, ctypes.c_void_p), len(packed),
                            threads, timeout)
        finally:
            for address, _ in mapped:
                _library.og_device_unmap(self._device, address)

    def _kernel(self, name):
        if name is None and len(self.kernels) == 1:
            return next(iter(self.kernels.values()))
        if name not in self.kernels:
            raise Error([f"no kernel {name!r}; there are {', '.join(self.kernels) or 'none'}"])
        return self.kernels[name]

    def _map(self, buffer, mapped):
        """The buffer's address, which kernels reach until the launch is over."""
        view = memoryview(buffer)
        if view.readonly or not view.c_contiguous or view.nbytes == 0:
            raise TypeError(f"a buffer is writable, contiguous and not empty; this {type(buffer).__name__} is not")
        raw = (ctypes.c_char * view.nbytes).from_buffer(view)
        address = ctypes.addressof(raw)
        if any(address == other for other, _ in mapped):
            return address
        if not _library.og_device_map(self._device, address, view.nbytes):
            raise ValueError("two buffers of a launch overlap")
        mapped.append((address, raw))
        return address


def _three(kind, sizes, rest):
    sizes = (sizes,) if isinstance(sizes, int) else tuple(sizes)
    return (kind * 3)(*sizes, *[rest] * (3 - len(sizes)))


_FLOATS = {"half": "e", "_Float16": "e", "float": "f", "double": "d"}


def _pack_number(argument, value):
    """A number by the type that the metadata names; else a float by its size, an int as bits."""
    letter = _FLOATS.get(argument.type_name)
    if letter is None and isinstance(value, float):
        letter = {2: "e", 4: "f", 8: "d"}.get(argument.size)
    if letter and struct.calcsize(letter) == argument.size:
        return struct.pack("<" + letter, value)
    return int(value).to_bytes(argument.size, "little", signed=value < 0)


def _pack_one(argument, value, address_of):
    if isinstance(value, bytes):
        data = value
    elif isinstance(value, (int, float)):
        data = _pack_number(argument, value)
    elif hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0:  # numpy's scalars
        data = value.tobytes()
    else:
        data = struct.pack("<Q", address_of(value))
    if len(data) != argument.size:
        raise TypeError(f"argument {argument.name or argument.offset} has {argument.size} bytes, not {len(data)}")
    return data


def _pack(kernel, values, address_of):
    """The explicit arguments as the kernarg segment lays them out."""
    values = list(values)
    described = kernel.arguments
    if not described:  # no metadata: eight bytes each
        described = [Argument("", "", "value", 8 * i, 8) for i in range(len(values))]
    if len(values) != len(described):
        names = ", ".join(f"{a.name or '?'}: {a.type_name or a.form}" for a in described)
        raise TypeError(f"kernel {kernel.name} takes {len(described)} arguments ({names}), {len(values)} given")
    packed = bytearray(max([kernel.kernarg_size] + [a.offset + a.size for a in described]) if described else 0)
    end = 0
    for argument, value in zip(described, values):
        packed[argument.offset:argument.offset + argument.size] = _pack_one(argument, value, address_of)
        end = max(end, argument.offset + argument.size)
    return (ctypes.c_char * end).from_buffer_copy(bytes(packed[:end])) if end else (ctypes.c_char * 0)()


def run_asm(source, *, grid, group, arguments=(), processor=None, kernel=None, **options) -> Statistics:
    """Assembles, links and runs one kernel."""
    return Module(assemble(source, processor)).launch(kernel, grid=grid, group=group, arguments=arguments, **options)
