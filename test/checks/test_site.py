#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests tools/check_site on pages with planted faults, and tools/build_site on the tree.

The site is built where its generator is installed (tools/install-dependencies site), and searched where there is a Chromium;
elsewhere these parts are left out."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

GOOD = {
    "index.html": '<html><head><link rel="stylesheet" href="_static/a.css"></head><body><h1 id="top">A</h1>'
                  '<a href="sub/b.html#there">b</a> <a href="https://example.org/x">out</a> <a href="#top">up</a></body></html>',
    "sub/b.html": '<p id="there">b</p><img src="../_static/p.png"><a href="../index.html">home</a>',
    "_static/a.css": "", "_static/p.png": "",
}


def check(pages):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in pages.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return subprocess.run([sys.executable, ROOT / "tools/check_site", folder], capture_output=True, text=True)


class Links(unittest.TestCase):
    def test_sound_pages(self):
        result = check(GOOD)
        self.assertEqual((result.returncode, result.stdout), (0, "site: 2 pages, 6 links, 1 of them to other sites\n"), result.stderr)

    def planted(self, name, old, new, message):
        result = check({**GOOD, name: GOOD[name].replace(old, new) if old else new})
        self.assertEqual(result.returncode, 1)
        self.assertIn(message, result.stderr)
        self.assertIn("site: 1 dead links", result.stderr)

    def test_missing_page(self):
        self.planted("index.html", "sub/b.html#there", "sub/c.html", "index.html:1: the link to sub/c.html leads nowhere")

    def test_missing_anchor(self):
        self.planted("index.html", "#there", "#here", "index.html:1: sub/b.html has no #here")
        self.planted("index.html", '"#top"', '"#bottom"', "index.html:1: index.html has no #bottom")

    def test_missing_picture(self):
        self.planted("sub/b.html", "p.png", "q.png", "sub/b.html:1: the link to ../_static/q.png leads nowhere")

    def test_network(self):
        self.planted("index.html", "_static/a.css", "https://example.org/a.css", "the page needs a network or a server for https://example.org/a.css")
        self.planted("index.html", "sub/b.html#there", "/sub/b.html", "the page needs a network or a server for /sub/b.html")

    def test_style(self):
        self.planted("_static/a.css", "", "@import url(/b.css);", "_static/a.css: the style loads /b.css, which is not there")

    def test_nothing(self):
        result = check({"a.txt": ""})
        self.assertEqual(result.returncode, 1)
        self.assertIn("no pages", result.stderr)


class Whole(unittest.TestCase):
    def test_site(self):
        with tempfile.TemporaryDirectory(dir=os.environ.get("CAROM_BUILD")) as folder:
            result = subprocess.run([sys.executable, ROOT / "tools/build_site", folder], capture_output=True, text=True)
            if result.returncode == 77:
                self.skipTest(result.stderr.strip())
            self.assertEqual(result.returncode, 0, result.stderr)
            html = Path(folder, "site/html")
            # A page of each kind, and a word on it that only a build which works can have put there.
            for name, word in {
                "index.html": "Impact dynamics", "docs/theory/newmark_dcr.html": 'class="katex"', "docs/verification.html": "<table",
                "docs/notebooks/two_bars.html": "<img", "gallery/papers.html": 'class="scene"',
                "gallery/papers/dcr/two_bars.html": "Impact of two bars", "reference/c/ledger.html": "carom_ledger_row",
                "reference/python.html": "simulate", "docs/manual/your_words.html": "ALLKE",
            }.items():
                self.assertIn(word, (html / name).read_text(encoding="utf-8"), name)
            # What a stranger looks for, and the page that must be among the first ten.
            for words, page in {
                "restitution": "docs/manual/rebound.html", "Taylor bar": "docs/theory/inelastic.html",
                "peak force": "docs/manual/result_files.html", "Abaqus": "docs/manual/import.html", "ALLIE": "docs/manual/your_words.html",
            }.items():
                found = search(html, words)
                if found is not None:
                    self.assertIn(page, found[:10], words)


def search(html, words):
    """The pages that the search of the site finds in a browser that reads files, the best first; None without a browser."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not browser:
        return None
    with tempfile.TemporaryDirectory() as folder:
        address = (html / "search.html").as_uri() + "?q=" + words.replace(" ", "+")
        options = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking " \
            "--disable-component-update --disable-sync --virtual-time-budget=20000 --dump-dom"
        shown = subprocess.run([browser, *options.split(), f"--user-data-dir={folder}", address], capture_output=True, text=True, timeout=300)
    return [target.split("#")[0] for target in re.findall(r'<li[^>]*><a href="([^"?]*)', shown.stdout.partition('id="search-results"')[2])]


if __name__ == "__main__":
    unittest.main()
