"""What the docs show runs as shown."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from experience.settings import KNOWN
from tests.test_cli import SCRIPT, run

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [
    pytest.param(block, id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))
]


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_of_python_runs(block: str, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", block], cwd=tmp_path, check=True, timeout=60)


def test_the_first_minute_of_the_readme_finds_the_right_one(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    script = next(block for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) if "experience init" in block)
    env = {**os.environ, "PATH": f"{Path(SCRIPT).parent}{os.pathsep}{os.environ['PATH']}"}

    done = subprocess.run(["sh", "-ec", script], cwd=tmp_path, env=env, capture_output=True, text=True, check=True)

    last = done.stdout.splitlines()[-2:]
    assert "fix the flaky login test" in last[0]
    assert "freeze the clock" in last[1]


def test_every_command_and_setting_is_documented(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    commands = re.findall(r"^  ([\w-]+) ", run(tmp_path, "--help").stdout.split("Commands:")[1], re.MULTILINE)

    assert len(commands) >= 13
    assert [name for name in commands if f"| `{name}" not in page] == []
    assert [name for name in KNOWN if f"| `{name}`" not in page] == []


def test_every_link_of_the_docs_leads_somewhere() -> None:
    pairs = [
        (page, link) for page in PAGES for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    ]

    assert [f"{page.name}: {found}" for page, found in pairs if not (page.parent / found).exists()] == []
