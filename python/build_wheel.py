"""Makes the wheel for pip, which so needs nothing that is not there: a wheel is an archive of the files with three lists."""
import base64
import hashlib
import os
import zipfile

NAME, VERSION = "offgrid", "0.1.0"
INFO = f"{NAME}-{VERSION}.dist-info"
METADATA = f"""Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: GPU kernels without the GPU: assemble, disassemble, inspect, check and run
License: Apache-2.0
Requires-Python: >=3.9
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: offgrid\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
ENTRY_POINTS = "[pytest11]\noffgrid = offgrid.pytest_plugin\n"


def _record(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    here = os.path.dirname(os.path.abspath(__file__))
    files = {f"{INFO}/METADATA": METADATA.encode(), f"{INFO}/WHEEL": WHEEL.encode(),
             f"{INFO}/entry_points.txt": ENTRY_POINTS.encode()}
    for name in sorted(os.listdir(os.path.join(here, NAME))):
        if name.endswith(".py"):
            with open(os.path.join(here, NAME, name), "rb") as file:
                files[f"{NAME}/{name}"] = file.read()
    record = "".join(_record(name, data) for name, data in files.items()) + f"{INFO}/RECORD,,\n"
    wheel = f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
        archive.writestr(f"{INFO}/RECORD", record)
    return wheel
