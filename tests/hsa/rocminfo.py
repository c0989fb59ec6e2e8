#!/usr/bin/env python3
"""Debian's rocminfo prints the agents that OFFGRID_GPU names, to its end.

usage: rocminfo.py LIBRARY HOST
"""
import os
import re
import subprocess
import sys

GPUS = {"gfx906": ("64(0x40)", "amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-"),
        "gfx1030": ("32(0x20)", "amdgcn-amd-amdhsa--gfx1030")}


def main():
    library, host = sys.argv[1:]
    environment = dict(os.environ, OFFGRID_GPU=",".join(GPUS), LD_LIBRARY_PATH=os.path.dirname(library), LD_PRELOAD=host)
    run = subprocess.run(["rocminfo"], env=environment, capture_output=True, text=True, timeout=60, check=False)
    wrong = [f"exit status {run.returncode}\n{run.stdout}{run.stderr}"] if run.returncode else []
    agents = re.split(r"^\*{7}\s*\nAgent \d+", run.stdout, flags=re.M)[1:]
    if len(agents) != 1 + len(GPUS):
        wrong.append(f"{len(agents)} agents instead of {1 + len(GPUS)}")
    for (gpu, (wave, isa)), agent in zip(GPUS.items(), agents[1:]):
        for expected in (rf"Name: +{gpu}\b", r"Vendor Name: +AMD", rf"Wavefront Size: +{re.escape(wave)}",
                         rf"Name: +{re.escape(isa)}\s", r"Device Type: +GPU", r"Segment: +GROUP",
                         r"Compute Unit: +64"):
            if not re.search(expected, agent):
                wrong.append(f"{gpu}: no '{expected}' in\n{agent}")
    sys.exit("\n".join(wrong) or 0)


main()
