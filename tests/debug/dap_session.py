#!/usr/bin/env python3
"""Drives `offgrid debug --dap` as an editor would: from a kernel with a wrong sum to its line, back and forth, and what an
adapter has to answer. usage: dap_session.py --offgrid BUILD/offgrid KERNEL.s"""
import argparse
import base64
import json
import os
import struct
import subprocess
import tempfile


class Client:
    """Requests, one at a time; events are kept until they are asked for."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.sequence = 0
        self.events = []

    def send(self, name, arguments=None):
        self.sequence += 1
        body = json.dumps({"seq": self.sequence, "type": "request", "command": name, "arguments": arguments or {}}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()
        return self.sequence

    def read(self):
        size = 0
        while True:
            line = self.process.stdout.readline().strip()
            if not line:
                break
            size = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(size))

    def answer(self, sequence):
        while True:
            message = self.read()
            if message["type"] == "response" and message["request_seq"] == sequence:
                return message
            assert message["type"] == "event", message
            self.events.append(message)

    def ask(self, name, arguments=None):
        message = self.answer(self.send(name, arguments))
        assert message["success"], message
        return message["body"]

    def refused(self, name, arguments=None):
        message = self.answer(self.send(name, arguments))
        assert not message["success"] and message["message"], message
        return message["message"]

    def event(self, name):
        while True:
            for event in self.events:
                if event["event"] == name:
                    self.events.remove(event)
                    return event["body"]
            self.events.append(self.read())

    def stopped(self, reason):
        body = self.event("stopped")
        assert body["reason"] == reason, body
        return body


def frame(client, thread):
    return client.ask("stackTrace", {"threadId": thread})["stackFrames"][0]


def variables(client, frame_id, scope):
    for one in client.ask("scopes", {"frameId": frame_id})["scopes"]:
        if one["name"] == scope:
            listed = client.ask("variables", {"variablesReference": one["variablesReference"]})["variables"]
            return {each["name"]: each for each in listed}
    raise AssertionError(scope)


def evaluate(client, text, context="watch"):
    return client.ask("evaluate", {"expression": text, "context": context})["result"]


def launch(client, kernel, folder, **more):
    client.ask("initialize", {"adapterID": "offgrid"})
    path = os.path.join(folder, "in")
    with open(path, "wb") as file:
        file.write(struct.pack("<256f", *[1.0] * 256))
    client.ask("launch", {"program": kernel, "kernel": "sum", "grid": [256], "group": 128,
                          "args": [f"out:{folder}/out:8", f"in:{path}"], **more})
    client.event("initialized")


def find_the_line(client, kernel, folder):
    """The sum is 64, not 128: which line takes a wrong turn?"""
    launch(client, kernel, folder, stopOnEntry=True)
    source = {"path": kernel}
    lines = open(kernel, encoding="utf-8").read().split("\n")
    add = next(i for i, line in enumerate(lines, 1) if "v_add_f32" in line)
    branch = next(i for i, line in enumerate(lines, 1) if "s_cbranch_scc1" in line)
    made = client.ask("setBreakpoints", {"source": source, "breakpoints": [{"line": add}, {"line": branch, "condition": "$scc == 0"}]})
    assert [one["line"] for one in made["breakpoints"]] == [add, branch], made
    client.ask("configurationDone")
    stop = client.stopped("entry")
    thread = stop["threadId"]
    names = [one["name"] for one in client.ask("threads")["threads"]]
    assert names == ["wave 0.0 (0,0,0)", "wave 0.1 (0,0,0)"], names
    assert frame(client, thread)["line"] == next(i for i, line in enumerate(lines, 1) if "s_load_dwordx4" in line)

    client.ask("continue", {"threadId": thread})
    stop = client.stopped("breakpoint")
    assert stop["hitBreakpointIds"] == [made["breakpoints"][0]["id"]], stop
    here = frame(client, thread)
    assert here["line"] == add and here["source"]["path"] == kernel, here
    assert variables(client, here["id"], "Scalar registers")["$s8"]["value"] == "0x00000040"
    registers = variables(client, here["id"], "Vector registers")
    lanes = client.ask("variables", {"variablesReference": registers["$v6"]["variablesReference"]})["variables"]
    assert lanes[5]["value"].startswith("0x3f800000") and len(lanes) == 64, lanes[5]
    assert evaluate(client, "f32($v5) + f32($v6)") == "2 in all 64 lanes that are on"
    assert "wave" in evaluate(client, "info waves", "repl")

    client.ask("next", {"threadId": thread})
    client.stopped("step")
    assert frame(client, thread)["line"] == add + 1
    client.ask("stepBack", {"threadId": thread})
    client.stopped("breakpoint")
    assert frame(client, thread)["line"] == add

    client.ask("setBreakpoints", {"source": source, "breakpoints": [{"line": branch, "condition": "$scc == 0"}]})
    client.ask("continue", {"threadId": thread})
    stop = client.stopped("breakpoint")
    thread = stop["threadId"]
    assert frame(client, thread)["line"] == branch
    # The loop is left, and LDS still holds two parts of the sum.
    assert evaluate(client, "$s8") == "1"
    assert evaluate(client, "lds.f32[0]") == "64" and evaluate(client, "lds.f32[4]") == "64"
    data = base64.b64decode(client.ask("readMemory", {"memoryReference": "lds:0x0", "count": 8})["data"])
    assert struct.unpack("<2f", data) == (64.0, 64.0)
    return thread


def move_and_look(client, thread):
    here = frame(client, thread)
    code = client.ask("disassemble", {"memoryReference": here["instructionPointerReference"], "instructionOffset": -2,
                                      "instructionCount": 4})["instructions"]
    assert len(code) == 4 and code[2]["address"] == here["instructionPointerReference"], code
    assert code[1]["instruction"].startswith("s_cmp_gt_u32") and code[2]["instruction"].startswith("s_cbranch_scc1"), code
    made = client.ask("setInstructionBreakpoints", {"breakpoints": [{"instructionReference": code[3]["address"]}]})
    assert made["breakpoints"][0]["verified"], made
    client.ask("setBreakpoints", {"source": {"path": here["source"]["path"]}, "breakpoints": []})
    client.ask("continue", {"threadId": thread})
    client.stopped("breakpoint")
    assert frame(client, thread)["instructionPointerReference"] == code[3]["address"]
    client.ask("stepBack", {"threadId": thread, "granularity": "instruction"})
    client.stopped("step")
    assert frame(client, thread)["instructionPointerReference"] == code[2]["address"]

    client.ask("setInstructionBreakpoints", {"breakpoints": []})
    info = client.ask("dataBreakpointInfo", {"name": "lds.f32[0]"})
    client.ask("setDataBreakpoints", {"breakpoints": [{"dataId": info["dataId"]}]})
    client.ask("reverseContinue", {"threadId": thread})
    stop = client.stopped("data breakpoint")
    code = client.ask("disassemble", {"memoryReference": frame(client, stop["threadId"])["instructionPointerReference"],
                                      "instructionCount": 1})["instructions"]
    assert code[0]["instruction"].startswith("ds_write_b32"), code
    client.ask("setDataBreakpoints", {"breakpoints": []})

    client.ask("setVariable", {"variablesReference": 1, "name": "$s8", "value": "7"})
    assert evaluate(client, "$s8") == "7"
    assert "no register" in client.refused("evaluate", {"expression": "$nothing"})
    client.refused("stackTrace", {"threadId": 12345})
    client.refused("noSuchRequest")


def to_the_end(client, folder):
    client.ask("restart")
    client.event("stopped")
    client.ask("continue", {"threadId": 1})
    assert client.event("exited")["exitCode"] == 0
    client.event("terminated")
    client.ask("disconnect")
    client.process.stdin.close()
    assert client.process.wait(60) == 0
    with open(os.path.join(folder, "out"), "rb") as file:
        assert struct.unpack("<2f", file.read()) == (64.0, 64.0)


ENDLESS = """.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl endless
.p2align 8
.type endless,@function
endless:
  s_add_u32 s0, s0, 1
  s_branch endless
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel endless
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
"""


def interrupt(offgrid, folder):
    """A kernel without an end: paused, given a breakpoint while it runs, left alone."""
    path = os.path.join(folder, "endless.s")
    with open(path, "w", encoding="utf-8") as file:
        file.write(ENDLESS)
    client = Client([offgrid, "debug", "--dap"])
    client.ask("initialize")
    client.refused("launch", {"program": path, "grid": 64})
    client.ask("launch", {"program": path, "grid": 64, "group": 64})
    client.event("initialized")
    client.ask("configurationDone")
    client.ask("pause", {"threadId": 1})
    stop = client.stopped("pause")
    assert frame(client, stop["threadId"])["line"] in (7, 8)
    client.ask("continue", {"threadId": 1})
    client.ask("setBreakpoints", {"source": {"path": path}, "breakpoints": [{"line": 8}]})
    client.stopped("breakpoint")
    client.ask("disconnect")
    assert client.process.wait(60) == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("kernel")
    options = parser.parse_args()
    kernel = os.path.abspath(options.kernel)
    with tempfile.TemporaryDirectory() as folder:
        client = Client([options.offgrid, "debug", "--dap"])
        thread = find_the_line(client, kernel, folder)
        move_and_look(client, thread)
        to_the_end(client, folder)
        interrupt(options.offgrid, folder)
        broken = subprocess.run([options.offgrid, "debug", "--dap"], input=b"Content-Length: 5\r\n\r\nhello", check=False, capture_output=True)
        assert broken.returncode == 1, broken
    print("a session, an interrupt and a broken message: as the protocol has them")


main()
