"""Pictures of every page of the dashboard, light and dark, of a made-up team: `make screenshots`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.provide import chromium

PAGES = ("", "experiences", "memories", "review", "sessions", "nights", "playground", "events", "health")
PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
SCRIPT = str(Path(sys.executable).parent / "experience")
SETTLED_MS = 900  # charts draw themselves in less


def main() -> None:
    """Seed a store, serve it, take the pictures, end the service."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        env = {**os.environ, "EXPERIENCE_HOME": f"{scratch}/home", "EXPERIENCE_EMBEDDER": "none"}
        shop = Path(scratch) / "shop"
        shop.mkdir()
        where = ["--project", str(shop)]
        subprocess.run([SCRIPT, "demo", *where], env=env, check=True, stdout=subprocess.DEVNULL)
        command = [SCRIPT, "up", "--port", "0", *where, "--json"]
        with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as up:
            try:
                with sync_playwright() as playwright:
                    browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
                    shoot(browser, address(up))
                    browser.close()
            finally:
                up.terminate()


def address(up: subprocess.Popen[str]) -> str:
    """Where the service says it is."""
    assert up.stdout is not None
    said = ""
    while not said.rstrip().endswith("}"):
        said += up.stdout.readline()
    return str(json.loads(said)["address"])


def shoot(browser: Browser, where: str) -> None:
    """Every page in both themes."""
    for scheme in ("light", "dark"):
        page = browser.new_context(color_scheme=scheme, viewport={"width": 1280, "height": 900}).new_page()
        for name in PAGES:
            page.goto(f"{where}{name}", wait_until="load")
            page.wait_for_timeout(SETTLED_MS)
            page.screenshot(path=PICTURES / f"{name or 'overview'}-{scheme}.png")
            sys.stderr.write(f"{name or 'overview'} {scheme}\n")


if __name__ == "__main__":
    main()
