# SPDX-License-Identifier: MIT
"""Furo as Debian packs it, made to work from a folder. Its script is a module, which browsers do not load from files; its style
imports one by an address of a server, and has lost the colours for a system that is set to dark. As of Furo 2022.12.07+dfsg-1;
what a later package has mended is left alone."""
import re
import subprocess
from pathlib import Path

NORMALIZE = Path("/usr/share/javascript/normalize.css/normalize.css")
IMPORT_OF_STYLE = "@import url(/javascript/normalize.css/normalize.css);"
IMPORT_OF_SCRIPT = re.compile(r'^import (\w+) from "\./([\w-]+\.js)";$', flags=re.M)
DARK = re.compile(r'@media not print \{\s*body\[data-theme="dark"\] \{(.*?)\}', flags=re.S)


def mended_style(text):
    text = text.replace(IMPORT_OF_STYLE, NORMALIZE.read_text(encoding="utf-8") if NORMALIZE.is_file() else "")
    dark = DARK.search(text)
    if dark and "prefers-color-scheme" not in text:
        text += ('@media not print { @media (prefers-color-scheme: dark) {\n  body:not([data-theme="light"]) {' + dark[1]
                 + "} } }\n")
    return text


def write(static, python):
    """The files of Furo that need it, into the static folder of the site, where they replace those of the package."""
    place = subprocess.run([python, "-c", "import furo; print(furo.__path__[0])"], check=True, capture_output=True,
                           text=True).stdout
    theme = Path(place.strip(), "theme/furo/static")
    for name in ("scripts", "styles"):
        (static / name).mkdir(parents=True, exist_ok=True)
    style = (theme / "styles/furo.css").read_text(encoding="utf-8")
    (static / "styles/furo.css").write_text(mended_style(style), encoding="utf-8")
    script = (theme / "scripts/furo.js").read_text(encoding="utf-8")
    # What is imported becomes a global of the page.
    script = IMPORT_OF_SCRIPT.sub(lambda match: (theme / "scripts" / match[2]).read_text(encoding="utf-8"), script)
    (static / "scripts/furo.js").write_text(script, encoding="utf-8")
