"""The C library by ctypes: its structs and functions as include/offgrid.h declares them."""
import ctypes
import ctypes.util
import os
from ctypes import (POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_uint8,
                    c_uint16, c_uint32, c_uint64, c_void_p)


class Bytes(Structure):
    _fields_ = [("data", POINTER(c_uint8)), ("size", c_size_t)]


class AssembleOptions(Structure):
    _fields_ = [("triple", c_char_p), ("processor", c_char_p), ("features", c_char_p), ("code_object_version", c_int),
                ("name", c_char_p), ("include_dirs", POINTER(c_char_p)), ("debug", c_bool)]


class Token(Structure):
    _fields_ = [("kind", c_int), ("offset", c_uint32), ("length", c_uint32), ("file", c_char), ("read", c_bool),
                ("written", c_bool), ("first", c_uint32), ("count", c_uint32), ("value", c_int64)]


class Sized(Structure):
    """A struct that the library fills in: it begins with its size."""

    def __init__(self):
        super().__init__(ctypes.sizeof(self))


class Instruction(Sized):
    _fields_ = [("info_size", c_size_t), ("address", c_uint64), ("size", c_size_t), ("text", c_void_p), ("tokens", POINTER(Token)),
                ("token_count", c_size_t)]


class KernelInfo(Sized):
    _fields_ = [("info_size", c_size_t), ("name", c_char_p)] + [(name, c_uint32) for name in (
        "vgprs", "agprs", "sgprs", "lds_size", "scratch_size", "kernarg_size", "kernarg_align", "wave_size",
        "argument_count")]


class ArgumentInfo(Sized):
    _fields_ = [("info_size", c_size_t), ("name", c_char_p), ("type_name", c_char_p), ("form", c_int), ("offset", c_uint32), ("size", c_uint32)]


class CodeSection(Sized):
    _fields_ = [("info_size", c_size_t), ("name", c_char_p), ("code", c_void_p), ("size", c_size_t), ("address", c_uint64)]


class Launch(Structure):
    _fields_ = [("kernel", c_char_p), ("grid", c_uint32 * 3), ("group", c_uint16 * 3), ("offset", c_uint64 * 3),
                ("dynamic_lds", c_uint32), ("arguments", c_void_p), ("arguments_size", c_size_t), ("threads", c_uint),
                ("timeout", c_double), ("watcher", c_void_p)]


Seen = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)  # of an instruction: context, view


class Watcher(Sized):
    _fields_ = [("watcher_size", c_size_t), ("context", c_void_p), ("wave_begin", c_void_p), ("instruction", Seen),
                ("access", c_void_p), ("barrier", c_void_p), ("wave_end", c_void_p)]


class Statistics(Sized):
    _fields_ = [("info_size", c_size_t), ("seconds", c_double)] + [(name, c_uint64) for name in (
        "waves", "wave_instructions", "salu", "valu", "smem", "vmem", "lds", "flat", "branch", "other")]


_FUNCTIONS = {
    "og_version": (c_char_p, []),
    "og_diagnostics_new": (c_void_p, []),
    "og_diagnostics_free": (None, [c_void_p]),
    "og_diagnostics_count": (c_size_t, [c_void_p]),
    "og_diagnostics_errors": (c_size_t, [c_void_p]),
    "og_diagnostics_text": (c_char_p, [c_void_p, c_size_t]),
    "og_bytes_free": (None, [POINTER(Bytes)]),
    "og_assemble_source": (c_bool, [c_char_p, c_size_t, POINTER(AssembleOptions), POINTER(Bytes), c_void_p]),
    "og_link_objects": (c_bool, [POINTER(Bytes), c_size_t, POINTER(Bytes), c_void_p]),
    "og_disassembler_new": (c_void_p, [c_char_p, c_char_p, c_void_p]),
    "og_disassembler_free": (None, [c_void_p]),
    "og_disassemble_next": (c_bool, [c_void_p, c_void_p, c_size_t, c_uint64, POINTER(c_size_t), POINTER(Instruction)]),
    "og_module_open": (c_void_p, [c_char_p, c_size_t, c_char_p, c_void_p]),
    "og_module_free": (None, [c_void_p]),
    "og_module_target": (c_char_p, [c_void_p]),
    "og_module_code": (c_bool, [c_void_p, c_size_t, POINTER(CodeSection)]),
    "og_module_kernel_count": (c_size_t, [c_void_p]),
    "og_module_kernel": (c_bool, [c_void_p, c_size_t, POINTER(KernelInfo)]),
    "og_module_argument": (c_bool, [c_void_p, c_size_t, c_size_t, POINTER(ArgumentInfo)]),
    "og_module_lint": (c_size_t, [c_void_p, c_void_p]),
    "og_device_new": (c_void_p, [c_void_p, c_void_p]),
    "og_device_free": (None, [c_void_p]),
    "og_device_allocate": (c_void_p, [c_void_p, c_size_t]),
    "og_device_release": (None, [c_void_p, c_void_p]),
    "og_device_map": (c_bool, [c_void_p, c_void_p, c_size_t]),
    "og_device_unmap": (c_bool, [c_void_p, c_void_p]),
    "og_device_run": (c_bool, [c_void_p, POINTER(Launch), POINTER(Statistics), c_void_p]),
    "og_device_check": (c_size_t, [c_void_p, POINTER(Launch), c_char_p, POINTER(Bytes), c_void_p]),
    "og_device_profile": (c_bool, [c_void_p, POINTER(Launch), c_bool, POINTER(Bytes), c_void_p]),
    "og_view_place": (None, [c_void_p, c_uint32 * 3, POINTER(c_uint32)]),
    "og_view_lanes": (c_uint, [c_void_p]),
    "og_view_exec": (c_uint64, [c_void_p]),
    "og_view_pc": (c_uint64, [c_void_p]),
    "og_view_text": (c_size_t, [c_void_p, c_char_p, c_size_t]),
    "og_view_register": (c_bool, [c_void_p, c_char_p, c_uint, POINTER(c_uint64)]),
    "og_view_set_register": (c_bool, [c_void_p, c_char_p, c_uint, c_uint64]),
    "og_view_read": (c_bool, [c_void_p, c_int, c_uint, c_uint64, c_void_p, c_size_t]),
    "og_view_write": (c_bool, [c_void_p, c_int, c_uint, c_uint64, c_char_p, c_size_t]),
    "og_compile_ir": (c_bool, [c_char_p, c_size_t, c_char_p, c_char_p, POINTER(Bytes), c_void_p]),
    "og_device_stop": (None, [c_void_p]),
}


def _load():
    """OFFGRID_LIBRARY's, the one built beside this package, or the installed one."""
    beside = os.path.join(os.path.dirname(__file__), "..", "..", "build", "liboffgrid.so")
    named = os.environ.get("OFFGRID_LIBRARY")
    path = named or (beside if os.path.exists(beside) else ctypes.util.find_library("offgrid"))
    if not path:
        raise ImportError("liboffgrid.so is not installed; OFFGRID_LIBRARY can name it")
    library = ctypes.CDLL(path)
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


library = _load()
