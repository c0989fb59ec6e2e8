#!/usr/bin/env python3
"""Opens the page of `run --report` in Chromium and measures it there: nothing is cut off or wider than the window, texts stand
in their boxes, links lead somewhere, nothing is loaded from elsewhere. 77: Chromium is not installed.

usage: report_page.py --offgrid BUILD/offgrid KERNEL.s [--keep PICTURE.png]
"""
import argparse
import html
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

MEASURE = """<script>
const all = s => [...document.querySelectorAll(s)];
document.title = JSON.stringify({
  wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  blocks: all('rect.b').length, spans: all('rect.g0, rect.g1').length, rows: all('tr').length,
  outside: all('svg text, svg rect, svg path.e').filter(e => {
    const box = e.getBoundingClientRect(), all = e.closest('svg').getBoundingClientRect();
    return box.left < all.left - 1 || box.right > all.right + 1 || box.top < all.top - 1 || box.bottom > all.bottom + 1;
  }).map(e => e.outerHTML.slice(0, 80)),
  cramped: all('svg a').filter(a => a.querySelector('text').getBBox().width > a.querySelector('rect').getBBox().width - 12).length,
  lost: all('a').map(a => a.getAttribute('href') ?? a.href.baseVal).filter(h => !document.getElementById(h.slice(1))),
  loaded: performance.getEntriesByType('resource').length,
});
</script>
"""
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--window-size=1250,1500"]


def browse(browser, folder, *arguments):
    ran = subprocess.run([browser, *FLAGS, "--user-data-dir=" + os.path.join(folder, "profile"), *arguments], cwd=folder,
                         capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"{browser}: {ran.stderr}")
    return ran.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--keep")
    parser.add_argument("kernel")
    options = parser.parse_args()
    browser = shutil.which("chromium")
    if not browser:
        print("not installed: chromium")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "ones"), "wb") as file:
            file.write(struct.pack("<512f", *[1.0] * 512))
        page = os.path.join(folder, "page.html")
        subprocess.run([options.offgrid, "run", options.kernel, "--grid", "512", "--group", "128", "--arg", "buf:16", "--arg",
                        "in:" + os.path.join(folder, "ones"), "--threads=2", "--report=" + page], check=True)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        with open(os.path.join(folder, "measured.html"), "w", encoding="utf-8") as file:
            file.write(text + MEASURE)
        document = browse(browser, folder, "--dump-dom", "file://" + os.path.join(folder, "measured.html"))
        found = json.loads(html.unescape(re.search(r"<title>(.*?)</title>", document, re.S)[1]))
        if options.keep:
            browse(browser, folder, "--screenshot=" + os.path.abspath(options.keep), "file://" + page)
    print(found)
    whole = found["blocks"] >= 3 and found["spans"] >= 8 and found["rows"] >= 40
    return 0 if whole and not any(found[key] for key in ("wide", "outside", "cramped", "lost", "loaded")) else 1


if __name__ == "__main__":
    sys.exit(main())
