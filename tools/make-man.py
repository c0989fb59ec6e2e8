#!/usr/bin/env python3
"""Writes the command's man pages from its own help, so that they cannot disagree. usage: make-man.py OFFGRID OUT-DIR"""
import os
import subprocess
import sys


def escape(text):
    lines = [line.replace("\\", "\\e").replace("-", "\\-") for line in text.splitlines()]
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in lines)


def page(name, summary, body):
    """One page in man(7): the help text stands as it is, unfilled."""
    title = name.upper()
    return (f'.TH {title} 1 "" offgrid "offgrid manual"\n.SH NAME\n{escape(name)} \\- {escape(summary)}\n'
            f".SH SYNOPSIS\n.nf\n{escape(body)}\n.fi\n"
            ".SH EXIT STATUS\n0: fine. 1: an error in the input. 2: wrong usage.\n.SH SEE ALSO\n.BR offgrid (1)\n")


def verbs(overview):
    """(name, summary) of each verb that `offgrid help` lists: the lines indented by two."""
    for line in overview.splitlines():
        if line.startswith("  ") and line[2:3].strip():
            name, _, summary = line.strip().partition(" ")
            yield name, summary.strip()


def main(offgrid, out):
    help_of = lambda *words: subprocess.run([offgrid, "help", *words], check=True, capture_output=True,
                                            text=True).stdout
    os.makedirs(out, exist_ok=True)
    overview = help_of()
    pages = {"offgrid": page("offgrid", "GPU kernels without the GPU", overview)}
    for name, summary in verbs(overview):
        pages["offgrid-" + name] = page("offgrid-" + name, summary, help_of(name))
    for name, text in pages.items():
        with open(os.path.join(out, name + ".1"), "w", encoding="utf-8") as file:
            file.write(text)


main(*sys.argv[1:])
