"""How a command ends when something is wrong: one line that says what and what to do, never "a defect of kbw"."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from flows.cli.exits import in_words
from tests.flows.cli.test_process import KBW, own

EVERYTHING = ("records", "--limit", "0")
LITTLE = ("info",)


def test_a_defect_shows_its_traceback_only_on_demand(kbw, home):
    plain, debugged = kbw("records"), kbw("--debug", "records")
    assert "Traceback" not in plain.stderr
    assert "Traceback" in debugged.stderr
    assert plain.stderr.splitlines()[-1] == debugged.stderr.splitlines()[-1]


@pytest.mark.parametrize("command", [EVERYTHING, LITTLE, (*EVERYTHING, "--json"), ("sql", "from runs", "--csv")])
def test_an_answer_that_nobody_reads_ends_the_command_as_it_ends_git(sample_home, command):
    """Also a short one, which is printed at the very end."""
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.Popen([*KBW, *command], env=own(sample_home.root), stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 141
    assert b"Traceback" not in said and b"Broken pipe" not in said and b"Exception" not in said


def test_the_first_line_of_a_long_answer_is_had_by_head(sample_home):
    command = f'"{sys.executable}" -m flows sql "from runs" --csv | head -1; echo ${{PIPESTATUS[0]}}'
    done = subprocess.run(["bash", "-c", command], env=own(sample_home.root), capture_output=True, text=True)
    head, status = done.stdout.splitlines()
    assert head.startswith("run_id,") and status == "141"
    assert done.stderr == ""


@pytest.mark.parametrize("command", [EVERYTHING, LITTLE])
def test_an_output_without_space_is_said(sample_home, command):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*KBW, *command], env=own(sample_home.root), stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    last = done.stderr.decode().splitlines()[-1]
    assert last.endswith(
        "the output: No space left on device; free some and run again, the published file is as it was"
    )


@pytest.mark.parametrize("command", ["sql", "sql -", "verify -"])
def test_a_standard_input_that_is_closed_is_said(sample_home, command):
    command = f'"{sys.executable}" -m flows {command} <&-'
    done = subprocess.run(command, shell=True, env=own(sample_home.root), capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == "kbw: standard input is closed and there is nothing else to read; name a file\n"


def test_what_cannot_be_a_folder_is_said_with_a_way_on(kbw, tmp_path):
    (tmp_path / "file").write_text("")
    for arguments in (("ingest", "sample", "--home"), ("rebuild", "--home")):
        done = kbw(*arguments, tmp_path / "file" / "home")
        assert done.returncode == 1
        assert done.stderr.startswith("kbw: ") and done.stderr.count("\n") == 1
        assert "defect" not in done.stderr


def test_a_file_that_is_not_there_is_said(on_sample):
    done = on_sample("sql", "nothere.sql")
    assert (done.returncode, done.stderr) == (1, "kbw: nothere.sql: No such file or directory; check the name\n")


@pytest.mark.parametrize(
    ("number", "way_on"),
    [
        (errno.EACCES, "allow it, or name another folder (--home, KBW_HOME, --to)"),
        (errno.EROFS, "allow it, or name another folder (--home, KBW_HOME, --to)"),
        (errno.ENOSPC, "free some and run again, the published file is as it was"),
        (errno.EMFILE, "raise the limit with `ulimit -n`"),
        (errno.EIO, "free or allow it and run again, the published file is as it was"),
    ],
)
def test_what_the_machine_refuses_is_said_with_a_way_on(number, way_on):
    assert in_words(OSError(number, os.strerror(number), "home/x")) == f"home/x: {os.strerror(number)}; {way_on}"


@pytest.mark.parametrize("locale", ["xx_YY.bogus", "C", "POSIX"])
def test_a_locale_that_is_not_installed_disturbs_nothing(sample_home, locale):
    done = subprocess.run([*KBW, *LITTLE], env=own(sample_home.root, LC_ALL=locale, LANG=locale), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("command", [LITTLE, ("sources",), ("stale", "--limit", "1"), ("records", "--limit", "1")])
def test_a_clock_that_was_set_back_ends_no_command(kbw, own_sample_home, command):
    """All that the home remembers happened in the future."""
    said = own_sample_home.heartbeat.read_text()
    own_sample_home.heartbeat.write_text(re.sub(r"\b20\d\d-(?=\d\d-\d\dT)", "2099-", said))
    done = kbw(*command)
    assert done.returncode == 0, done.stderr
    assert "2099" not in said and "defect" not in done.stderr


def test_a_user_without_a_folder_is_served(sample_home, monkeypatch):
    def none() -> Path:
        raise RuntimeError("Could not determine home directory.")

    from flows.prefect_settings import prefect_is_configured

    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.delenv("PREFECT_HOME", raising=False)
    monkeypatch.setattr(Path, "home", none)
    assert not prefect_is_configured()
