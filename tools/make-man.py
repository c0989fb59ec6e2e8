#!/usr/bin/env python3
"""Writes the command's man pages from its own help, so that they cannot disagree. usage: make-man.py OUT-DIR [EMULATOR] OFFGRID"""
import os
import subprocess
import sys


def escape(text):
    lines = [line.replace("\\", "\\e").replace("-", "\\-") for line in text.splitlines()]
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in lines)


def page(name, summary, body, others):
    """One page in man(7): the usage and what follows it stand as in the help text, unfilled."""
    body, _, examples = body.partition("\nExamples:\n")
    usage, _, description = body.partition("\n\n")
    see = ",\n".join(f".BR {escape(other)} (1)" for other in others)
    title = name.upper()
    return (f'.TH {title} 1 "" offgrid "offgrid manual"\n.SH NAME\n{escape(name)} \\- {escape(summary)}\n'
            f".SH SYNOPSIS\n.nf\n{escape(usage)}\n.fi\n"
            + (f".SH DESCRIPTION\n.nf\n{escape(description)}\n.fi\n" if description else "") +
            (f".SH EXAMPLES\n.nf\n{escape(examples.rstrip(chr(10)))}\n.fi\n" if examples else "") +
            f".SH EXIT STATUS\n0: fine. 1: an error in the input. 2: wrong usage.\n.SH SEE ALSO\n{see}\n")


def verbs(overview):
    """(name, summary) of each verb that `offgrid help` lists: the lines indented by two."""
    for line in overview.splitlines():
        if line.startswith("  ") and line[2:3].strip():
            name, _, summary = line.strip().partition(" ")
            yield name, summary.strip()


def main(out, *offgrid):
    """offgrid: the command, after the emulator that it may need."""
    help_of = lambda *words: subprocess.run([*offgrid, "help", *words], check=True, capture_output=True,
                                            text=True).stdout
    os.makedirs(out, exist_ok=True)
    overview = help_of()
    head, _, rest = overview.partition("\n\n")  # the summary stands in front of the usage here
    pages = {"offgrid": page("offgrid", head.partition(": ")[2], rest, ["offgrid-" + name for name, _ in verbs(rest)])}
    for name, summary in verbs(overview):
        pages["offgrid-" + name] = page("offgrid-" + name, summary, help_of(name), ["offgrid"])
    for name, text in pages.items():
        with open(os.path.join(out, name + ".1"), "w", encoding="utf-8") as file:
            file.write(text)


main(*sys.argv[1:])
