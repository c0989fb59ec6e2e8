"""The compilers and tools that the program tests use, and how they are called."""
import os
import shutil
import subprocess

BITCODE = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"
LIBRARIES = ["opencl", "ocml", "ockl", "oclc_abi_version_500", "oclc_daz_opt_off", "oclc_unsafe_math_off",
             "oclc_finite_only_off", "oclc_correctly_rounded_sqrt_on"]
WAVE32_MAJOR = 10  # from gfx10 the default wave is 32 wide


def isa_version(processor):
    """The device library for a processor, the nearest where the package has none of its own."""
    number = processor.removeprefix("gfx")
    return f"oclc_isa_version_{number if os.path.exists(f'{BITCODE}/oclc_isa_version_{number}.bc') else '1030'}"


def is_wave32(processor):
    return int(processor.removeprefix("gfx")[:-2], 10) >= WAVE32_MAJOR


def compile_opencl(source, output, level, processor="gfx900", options=()):
    """A code object of version 5 by clang-22, or its IR where `options` ask for that; False and its messages when it
    refuses."""
    wave32 = is_wave32(processor) and "-mwavefrontsize64" not in options
    libraries = LIBRARIES + [isa_version(processor), "oclc_wavefrontsize64_" + ("off" if wave32 else "on")]
    command = ["clang-22", "--target=amdgcn-amd-amdhsa", f"-mcpu={processor}", "-x", "cl", "-cl-std=CL1.2",
               f"-O{level}",
               "-nogpulib", "-mcode-object-version=5", "-cl-fp32-correctly-rounded-divide-sqrt", *options]
    for library in libraries:
        command += ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", f"{BITCODE}/{library}.bc"]
    done = subprocess.run(command + [source, "-o", output], capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr


def build_host(folder):
    """The OpenCL host program, compiled into `folder`."""
    output = os.path.join(folder, "opencl_host")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "opencl_host.c")
    subprocess.run(["cc", "-O1", source, "-o", output, "-lOpenCL"], check=True)
    return output


def missing(*programs):
    """The programs that are not installed."""
    return [program for program in programs if not shutil.which(program)] + ([] if os.path.isdir(BITCODE)
                                                                             else ["rocm-device-libs"])
