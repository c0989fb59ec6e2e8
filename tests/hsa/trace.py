#!/usr/bin/env python3
"""What OFFGRID_TRACE writes is JSON and has what runs and what the host calls: trace.py PROGRAM"""
import collections
import json
import os
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "trace.json")
    subprocess.run([sys.argv[1]], check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, OFFGRID_TRACE=path))
    with open(path, encoding="utf-8") as file:
        events = json.load(file)[:-1]  # the last is empty
kinds = collections.Counter(event["cat"] for event in events)
print(dict(kinds))
queues = [event for event in events if event["name"] == "hsa_queue_create"]
dispatches = [event for event in events if event["cat"] == "dispatch"]
assert queues and dispatches, "no queue was made, or nothing ran"
assert all(event["ph"] == "X" and event["dur"] >= 0 and event["ts"] >= 0 for event in events)
assert {event["tid"] for event in queues}.isdisjoint(event["tid"] for event in dispatches), "threads and queues are mixed"
