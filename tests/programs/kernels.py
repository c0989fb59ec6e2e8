"""Runs a kernel of one group of lanes whose arguments are buffers: those that it reads, and last the one that it writes."""
import os
import subprocess


def run(offgrid, code, kernel, lanes, inputs, size, folder):
    """(what the kernel wrote, None), or (None, what was said)."""
    command = [offgrid, "run", code, "--kernel", kernel, "--grid", str(lanes), "--group", str(lanes)]
    for n, data in enumerate(inputs):
        path = os.path.join(folder, f"in{n}")
        with open(path, "wb") as file:
            file.write(data)
        command += ["--arg", f"in:{path}"]
    output = os.path.join(folder, "out")
    done = subprocess.run(command + ["--arg", f"out:{output}:{size}"], capture_output=True, text=True, check=False)
    if done.returncode:
        return None, done.stderr.strip()
    with open(output, "rb") as file:
        return file.read(), None
