"""Puts the program into the wheel, and names the wheel's platform.

GOOS and GOARCH choose another platform than this machine's, as for go build. GRAMFUZZ_PROGRAM is a
program that was built already.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLATFORMS = {
    "linux/amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin/amd64": "macosx_12_0_x86_64",
    "darwin/arm64": "macosx_12_0_arm64",
    "windows/amd64": "win_amd64",
    "windows/arm64": "win_arm64",
}


class Program(BuildHookInterface[Any]):
    """The hook that builds the program."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        go = ["go", "env", "GOOS", "GOARCH"]
        system, arch = subprocess.run(go, capture_output=True, text=True, check=True).stdout.split()
        name = "gramfuzz.exe" if system == "windows" else "gramfuzz"
        built = os.environ.get("GRAMFUZZ_PROGRAM")
        if not built:
            self.folder = tempfile.TemporaryDirectory()
            built = str(Path(self.folder.name) / name)
            command = ["go", "build", "-ldflags=-s -w", "-o", built, "./cmd/gramfuzz"]
            env = {**os.environ, "CGO_ENABLED": "0"}
            subprocess.run(command, cwd=Path(self.root).parent, env=env, check=True)
        build_data["force_include"][built] = f"gramfuzz_py/bin/{name}"
        build_data["tag"] = f"py3-none-{PLATFORMS[f'{system}/{arch}']}"
        build_data["pure_python"] = False
