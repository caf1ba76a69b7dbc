# SPDX-License-Identifier: MIT
"""The Python example of the README runs and prints plausible numbers."""
import re

from conftest import ROOT


def test_lines_of_readme(tmp_path, monkeypatch, capsys):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    # a short run is sufficient
    assert '{"contact.friction": 0.3}' in lines
    lines = lines.replace('{"contact.friction": 0.3}', '{"contact.friction": 0.3, "time.end": 5e-6, "expect": {}}')
    (tmp_path / "scenes").symlink_to(ROOT / "scenes")
    monkeypatch.chdir(tmp_path)
    exec(lines, {})
    printed = capsys.readouterr().out.split()
    assert printed[0] == "True" and float(printed[1]) > 0 and float(printed[2]) < 1e-4 and float(printed[3]) >= 0
