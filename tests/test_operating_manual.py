"""docs/operating.md and the Dockerfile: each recipe is what the programs that read it take, as far as they are here."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from datetime import datetime
from pathlib import Path

import pytest
import yaml
from cronsim import CronSim

from flows.cli.app import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
MANUAL = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
WORKFLOW = (ROOT / "docs" / "github-actions.md").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def blocks(kind: str, text: str = MANUAL) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(program: str) -> list[list[str]]:
    """Every call of a program in the shell blocks of the manual, as words."""
    lines = [line.partition("  #")[0] for block in blocks("sh") for line in block.splitlines()]
    split = [shlex.split(line, comments=True) for line in lines]
    return [words for words in split if words and Path(words[0]).name == program]


def test_every_call_of_kbw_in_the_manual_is_of_a_command_with_options_that_there_are(kbw):
    calls = [words[1:] for words in commands("kbw")]
    calls += [words[words.index("kbw", 2) + 1 :] for words in commands("docker") if words[1] == "run"]
    calls += [line.partition("kbw ")[2].split() for block in blocks("cron") for line in block.splitlines()]
    assert len(calls) >= 12
    for name, *rest in calls:
        assert name in COMMANDS
        page = kbw(name, "--help").stdout
        for option in (word for word in rest if word.startswith("--")):
            assert option in page, (name, option)


def test_the_lines_for_cron_are_read_by_a_reader_of_cron_and_set_the_home():
    (block,) = blocks("cron")
    for line in block.splitlines():
        *fields, rest = line.split(maxsplit=5)
        CronSim(" ".join(fields), datetime(2026, 1, 1))
        home, program, *_ = rest.split()
        assert home.startswith("KBW_HOME=/")
        assert program.startswith("/")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
def test_systemd_accepts_the_service_and_the_timer(tmp_path):
    units = {block.splitlines()[0].removeprefix("# "): block for block in blocks("ini")}
    assert units.keys() == {"kbw.service", "kbw.timer"}
    true = shutil.which("true")
    for name, text in units.items():
        (tmp_path / name).write_text(text.replace("/srv/kbw/.venv/bin/kbw", str(true)))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *sorted(tmp_path.iterdir())], capture_output=True, text=True
    )
    assert [line for line in done.stderr.splitlines() if "kbw." in line] == []
    (when,) = re.findall(r"^OnCalendar=(.+)$", units["kbw.timer"], re.MULTILINE)
    assert subprocess.run(["systemd-analyze", "calendar", when], capture_output=True).returncode == 0


def test_the_alert_and_the_workflow_are_yaml_and_call_what_there_is():
    (alert,) = [yaml.safe_load(block) for block in blocks("yaml")]
    from flows.cli.metrics import METRICS

    (rule,) = alert["groups"][0]["rules"]
    assert set(re.findall(r"kbw_\w+", rule["expr"])) <= {metric.name for metric in METRICS}
    (workflow,) = [yaml.load(block, Loader=yaml.BaseLoader) for block in blocks("yaml", WORKFLOW)]
    (job,) = workflow["jobs"].values()
    runs = [step["run"].split() for step in job["steps"] if step.get("run", "").startswith("kbw ")]
    assert [words[1] for words in runs] == ["ingest", "check", "check", "export"]
    (schedule,) = workflow["on"]["schedule"]
    CronSim(schedule["cron"], datetime(2026, 1, 1))


def test_the_wheelhouse_is_filled_and_used_by_options_that_pip_has():
    calls = [words[1:] for words in commands("pip")]
    assert [call[0] for call in calls] == ["download", "wheel", "install", "install"]
    for name, *rest in calls:
        page = subprocess.run([sys.executable, "-m", "pip", name, "--help"], capture_output=True, text=True).stdout
        assert page
        for option in (word for word in rest if word.startswith("--")):
            assert re.search(rf"{option}\b", page), (name, option)
        pins = [rest[at + 1] for at, word in enumerate(rest) if word == "--requirement"]
        assert all((ROOT / pin).is_file() for pin in pins)
    installed = [call for call in calls if call[0] == "install"]
    assert all({"--no-index", "--no-deps"} <= set(call) for call in installed)


def instructions() -> list[list[str]]:
    joined = DOCKERFILE.replace("\\\n", " ")
    return [line.split() for line in joined.splitlines() if line and not line.startswith("#")]


def test_the_container_copies_all_that_the_package_is_made_of_and_no_data():
    copied = [words[1:-1] for words in instructions() if words[0] == "COPY" and not words[1].startswith("--")]
    names = {name for some in copied for name in some}
    assert all((ROOT / name).exists() for name in names)
    project = PROJECT["project"]
    packages = set(PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    needed = {"pyproject.toml", project["readme"], "pins/run.txt"} | packages
    assert needed <= names
    assert all(name in names or name.split("/")[0] in names for name in project["license-files"])
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {f"!{name}" for name in names} == {line for line in ignored if line.startswith("!")}
    assert ignored.index("*") < ignored.index("!warehouse") < ignored.index("warehouse/data")


def test_the_container_installs_by_digests_and_runs_as_nobody_in_particular():
    told = instructions()
    installs = [" ".join(words) for words in told if words[0] == "RUN" and "pip install" in " ".join(words)]
    assert "--require-hashes --no-deps --requirement pins/run.txt" in installs[0]
    assert "--no-deps --no-build-isolation ." in installs[1]
    last = {words[0]: words[1:] for words in told}
    assert last["USER"] == ["kbw"]
    assert "KBW_HOME=/data" in last["ENV"]
    assert last["VOLUME"] == ["/data"]
    assert (last["ENTRYPOINT"], last["CMD"]) == (['["kbw"]'], ['["ingest",', '"--all"]'])
