"""The commands of the documents' page, as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_block(number: int, tmp_path: Path) -> None:
    block = BLOCKS[number]
    if "import" not in block.split("\n")[0] + block.split("\n")[2]:
        block = "from gramfuzz_py import Grammar\n" + block
    path = tmp_path / "test_page_block.py"
    path.write_text(block, encoding="utf-8")
    pytest_flags = ["-m", "pytest", "-q", "-p", "no:cacheprovider"] if "def test_" in block else []
    p = subprocess.run(
        [sys.executable, *pytest_flags, str(path)], cwd=tmp_path, env=ENV, capture_output=True, text=True
    )
    if "def test_one_input" in block:
        p = subprocess.run([sys.executable, str(path)], cwd=tmp_path, env=ENV, capture_output=True, text=True)
    assert p.returncode == 0, p.stdout + p.stderr
    if not pytest_flags:
        assert p.stdout
