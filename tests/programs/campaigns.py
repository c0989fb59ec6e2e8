#!/usr/bin/env python3
"""Runs the commands of docs/campaigns.md (document.py) with a Slurm of one host about them, made for it and ended after it.
77: what they need is not installed, or Slurm does not start.

usage: campaigns.py --offgrid BUILD/offgrid DOCUMENT.md
"""
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

CONFIGURATION = """ClusterName=offgrid
SlurmctldHost=localhost
SlurmctldPort={controller}
SlurmdPort={host}
AuthType=auth/none
CredType=cred/none
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
NodeName=localhost CPUs={processors}
PartitionName=all Nodes=ALL Default=YES
"""


def free_port():
    with socket.socket() as found:
        found.bind(("localhost", 0))
        return found.getsockname()[1]


def start(folder):
    """The daemons, in the foreground of processes of ours; and the environment that finds them."""
    for name in ("state", "spool"):
        os.mkdir(os.path.join(folder, name))
    path = os.path.join(folder, "slurm.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(CONFIGURATION.format(folder=folder, controller=free_port(), host=free_port(),
                                        user=os.environ.get("USER", "root"), processors=len(os.sched_getaffinity(0))))
    environment = dict(os.environ, SLURM_CONF=path)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
    return [subprocess.Popen(["slurmctld", "-D"], **quiet), subprocess.Popen(["slurmd", "-D", "-N", "localhost"], **quiet)], environment


def is_ready(environment):
    asked = subprocess.run(["sinfo", "-h", "-o", "%t"], env=environment, capture_output=True, text=True, check=False)
    return asked.stdout.strip() == "idle"


def print_logs(folder):
    for name in sorted(os.listdir(folder)):
        if name.endswith(".log"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                print(file.read())


def main():
    if os.getuid() != 0 or not all(shutil.which(program) for program in ("slurmctld", "slurmd", "sbatch", "sinfo")):
        print("Slurm is not installed, or this is not root, whose jobs alone it can start")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        daemons, environment = start(folder)
        try:
            while not is_ready(environment):
                if any(daemon.poll() is not None for daemon in daemons):
                    print("Slurm does not start here:")
                    print_logs(folder)
                    return 77
                time.sleep(0.2)
            document = os.path.join(os.path.dirname(os.path.abspath(__file__)), "document.py")
            return subprocess.run([sys.executable, document, *sys.argv[1:]], env=environment, check=False).returncode
        finally:
            for daemon in daemons:
                daemon.terminate()
                daemon.wait()


if __name__ == "__main__":
    sys.exit(main())
