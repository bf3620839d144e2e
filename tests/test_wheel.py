"""What `pip install kernelbench-warehouse` brings: the wheel, in an environment that knows nothing of the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from tests.conftest import ROOT

ROOMS = ("flows", "sql", "transforms", "warehouse")
DATA = ("warehouse", "data")
"""Where a checkout keeps its home."""


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel in it."""

    wheel: Path
    folder: Path

    def run(self, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one of its scripts, away from the checkout."""
        known = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
        home = {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder / "data"), "PREFECT_HOME": os.devnull}
        command = [str(self.folder / "bin" / script), *arguments]
        return subprocess.run(command, cwd=self.folder, env=known | home, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Installed:
    """Build the wheel, install it into an empty environment, and only then lend that the dependencies.

    By a path file, whose folder's own path files are not followed: the checkout, installed there, stays unknown.
    """
    folder = tmp_path_factory.mktemp("wheel")
    said = {"check": True, "capture_output": True}
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder / "dist"], cwd=ROOT, **said)
    (wheel,) = (folder / "dist").glob("*.whl")
    environment = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], **said)
    pip = [sys.executable, "-m", "pip", "--python", environment / "bin" / "python", "install", "--no-compile"]
    subprocess.run([*pip, "--no-deps", "--no-index", wheel], **said)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(str(Path(duckdb.__file__).parent.parent) + "\n")
    return Installed(wheel, environment)


def test_every_file_of_the_rooms_is_in_the_wheel_and_no_other(installed):
    files = {path.relative_to(ROOT) for room in ROOMS for path in (ROOT / room).rglob("*") if path.is_file()}
    wanted = {path.as_posix() for path in files if "__pycache__" not in path.parts and path.parts[:2] != DATA}
    manual = (path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*") if path.is_file())
    wanted |= {f"flows/manual/{path.as_posix()}" for path in manual}
    with zipfile.ZipFile(installed.wheel) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        licences = {name.partition("/licenses/")[2] for name in wheel.namelist() if "/licenses/" in name}
    assert names == wanted
    assert {".sql", ".json", ".parquet"} <= {Path(name).suffix for name in names}
    assert licences == {"LICENSE", "NOTICE", "flows/sources/sample_data/LICENSE"}


def test_the_installed_package_is_the_wheel_s(installed):
    code = "import flows, warehouse; print(flows.__file__, warehouse.__file__)"
    done = installed.run("python", "-c", code)
    assert done.stdout.count(str(installed.folder)) == 2, done.stdout + done.stderr


@pytest.mark.parametrize("script", ["kbw", "kernelbench-warehouse"])
def test_both_names_of_the_command_answer(installed, script):
    done = installed.run(script, "--help")
    assert done.returncode == 0, done.stderr
    assert "who holds the record" in done.stdout


def test_the_installed_command_ingests_the_sample_into_the_user_s_data_and_reads_it(installed):
    upstream = "sample:ScalingIntelligence/KernelBench"
    assert "10,105 runs" in answer(installed, "kernelbench-warehouse", "ingest", upstream)
    assert list((installed.folder / "data").rglob("warehouse.duckdb"))
    assert "H100_Modal" in answer(installed, "kbw", "records", "--gpu", "H100", "--limit", "5")
    assert answer(installed, "kbw", "check")
    assert answer(installed, "kbw", "sql", "select count(*) as runs from runs", "--csv").split() == ["runs", "10105"]


def answer(installed: Installed, script: str, *arguments: str) -> str:
    done = installed.run(script, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout
