"""git is started in one place, obeys nobody but that place, and ends."""

from __future__ import annotations

import ast
import os
import time
from contextlib import closing
from pathlib import Path

import pytest

from flows.sources.git import process
from flows.sources.git.process import Git
from flows.sources.interface import SourceError
from tests.conftest import ROOT
from tests.flows.sources.git.repositories import everything, git, loose, opened, unpacked
from tests.histories import GitHistory, module_path, one_figure, timing_path
from transforms.layout import TOP

STARTS = {"subprocess", "pty", "multiprocessing", "pexpect", "git", "pygit2", "dulwich"}
STARTS_OF_OS = ("system", "popen", "exec", "spawn", "posix_spawn", "fork")


@pytest.fixture
def history(tmp_path) -> GitHistory:
    made = one_figure(tmp_path)
    assert made.path.is_dir()
    return made


def starts(path: Path) -> list[str]:
    """What in a module can start a process."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.split(".")[0] in STARTS]
        elif isinstance(node, ast.ImportFrom):
            found += [node.module or ""] if (node.module or "").split(".")[0] in STARTS else []
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            called = f"{node.value.id}.{node.attr}"
            os_starts = node.value.id == "os" and node.attr.startswith(STARTS_OF_OS)
            found += [called] if os_starts or node.attr.startswith("create_subprocess") else []
    return found


def test_processes_are_started_in_one_place():
    rooms = [path for room in ("flows", "transforms", "warehouse") for path in (ROOT / room).rglob("*.py")]
    starting = {path.relative_to(ROOT).as_posix() for path in rooms if starts(path)}
    pager = "flows/cli/pager.py"  # what the user names to read by
    assert starting == {"flows/sources/git/process.py", pager}
    tree = ast.parse((ROOT / "flows/sources/git/process.py").read_text(encoding="utf-8"))
    calls = [
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".Popen")
    ]
    assert len(calls) == 1


def test_a_start_elsewhere_is_seen(tmp_path):
    intruder = tmp_path / "intruder.py"
    intruder.write_text("import os\ndef late():\n    from subprocess import run\n    os.execvp('git', [])\n")
    assert starts(intruder) == ["subprocess", "os.execvp"]


def test_of_the_user_s_environment_only_what_a_process_needs_is_handed_on(monkeypatch):
    kept = {"PATH": "/bin", "TMPDIR": "/tmp/x", "SUDO_UID": "7"}
    dropped = {"GIT_DIR": "/x", "GIT_SSH": "/x", "SSH_ASKPASS": "/x", "GIT_TRACE": "1", "PAGER": "/x", "EDITOR": "/x"}
    monkeypatch.setattr(os, "environ", {**kept, **dropped, "LC_ALL": "de_DE", "HOME": "/home/x", "GITHUB_TOKEN": "x"})
    environment = process._environment()
    assert kept.items() <= environment.items()
    assert not dropped.keys() & environment.keys()
    assert "GITHUB_TOKEN" not in environment
    assert (environment["LC_ALL"], environment["HOME"]) == ("C", os.devnull)


def test_what_overrules_a_configuration_is_what_git_then_goes_by(history):
    for name in process._SETTINGS:
        git(history.path, "config", name, "something else")
    said = Git(history.path).must("config", "--list", "-z").out.decode().split("\0")
    last = dict(setting.partition("\n")[::2] for setting in said if setting)
    assert {name.lower(): value for name, value in process._SETTINGS.items()}.items() <= {
        name.lower(): value for name, value in last.items()
    }.items()


@pytest.mark.parametrize(
    "variable",
    [
        "GIT_DIR",
        "GIT_OBJECT_DIRECTORY",
        "GIT_NAMESPACE",
        "GIT_CONFIG",
        "GIT_CONFIG_PARAMETERS",
        "GIT_CEILING_DIRECTORIES",
    ],
)
def test_a_user_s_environment_leads_git_nowhere_else(history, variable, monkeypatch):
    with closing(opened(history.path)) as source:
        expected = everything(source)
    monkeypatch.setenv(variable, "/no/such/place")
    with closing(opened(history.path)) as source:
        assert everything(source) == expected


# Whose repositories are believed.


@pytest.fixture
def of_another(history, monkeypatch, tmp_path) -> Path:
    """A repository that git takes for another user's; and a configuration of the user's own, which is empty."""
    monkeypatch.setattr(process, "_KEPT", (*process._KEPT, "GIT_TEST_ASSUME_DIFFERENT_OWNER"))
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return history.path


def test_another_user_s_repository_is_refused_with_the_way_on(of_another):
    with pytest.raises(SourceError) as raised:
        opened(of_another)
    assert str(raised.value) == (
        f"{of_another}: belongs to another user, so git does not read it; where you trust it, run "
        f"`git config --global --add safe.directory {of_another}`"
    )


def test_a_repository_does_not_say_of_itself_that_it_is_safe(of_another):
    config = of_another / "config"
    config.write_text(f"{config.read_text()}[safe]\n\tdirectory = *\n")
    with pytest.raises(SourceError, match="belongs to another user"):
        opened(of_another)


@pytest.mark.parametrize("written", ["{path}", "*", "~/repository", "elsewhere\n\tdirectory = {path}"])
def test_a_repository_that_the_user_calls_safe_is_read(of_another, tmp_path, written):
    (tmp_path / ".gitconfig").write_text(f"[safe]\n\tdirectory = {written.format(path=of_another)}\n")
    with closing(opened(of_another)) as source:
        assert everything(source)[0]


def test_what_the_user_calls_safe_no_more_is_not_read(of_another, tmp_path):
    (tmp_path / ".gitconfig").write_text(f"[safe]\n\tdirectory = {of_another}\n\tdirectory =\n\tdirectory = /else\n")
    with pytest.raises(SourceError, match="belongs to another user"):
        opened(of_another)


def test_a_folder_of_any_name_can_be_called_safe(of_another, tmp_path):
    odd = tmp_path / 'a "b" \\c;#d\n'
    of_another.rename(odd)
    git(tmp_path, "config", "--file", tmp_path / ".gitconfig", "safe.directory", odd)
    with closing(opened(odd)) as source:
        assert everything(source)[0]


def test_nothing_else_of_the_user_s_configuration_is_handed_on(of_another, tmp_path):
    (tmp_path / ".gitconfig").write_text("[safe]\n\tdirectory = *\n[gpg]\n\tprogram = mine\n[alias]\n\tx = y\n")
    said = Git(of_another).must("config", "--list", "--show-scope").text.splitlines()
    assert [line for line in said if line.startswith(("system", "global"))] == ["global\tsafe.directory=*"]


# git ends.


def running(words: bytes) -> list[int]:
    """The processes whose command line has these words."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [int(path.parent.name)] if words in path.read_bytes() else []
        except OSError:
            continue
    return found


@pytest.fixture
def impatient(monkeypatch) -> None:
    monkeypatch.setattr(process, "PATIENCE_S", 0.4)


def endless(repository: Path, what: str) -> None:
    """Let something in a repository be a pipe that nobody writes to."""
    repository.joinpath(what).unlink(missing_ok=True)
    repository.joinpath(what).parent.mkdir(exist_ok=True)
    os.mkfifo(repository / what)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("what", ["HEAD", "config", "packed-refs", "objects/info/alternates", "shallow"])
def test_a_repository_that_is_made_of_pipes_ends_with_one_line(history, what):
    endless(history.path, what)
    with pytest.raises(SourceError) as raised, closing(opened(history.path)) as source:
        everything(source)
    assert "\n" not in str(raised.value)
    assert not running(bytes(history.path))


@pytest.mark.usefixtures("impatient")
def test_a_configuration_that_includes_a_pipe_ends_with_one_line(history, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    git(history.path, "config", "include.path", tmp_path / "pipe")
    with pytest.raises(SourceError, match="git rev-parse came to no end"):
        opened(history.path)
    assert not running(bytes(history.path))


@pytest.mark.usefixtures("impatient")
def test_a_file_that_is_a_pipe_ends_the_reading_with_one_line(history, tmp_path):
    repository = unpacked(history.path, tmp_path / "unpacked")
    blob = git(repository, "rev-parse", f"HEAD:{timing_path()}")
    endless(repository, str(loose(repository, blob).relative_to(repository)))
    with (
        closing(opened(repository)) as source,
        pytest.raises(SourceError, match=f"{blob} cannot be read: .* no end"),
    ):
        everything(source)
    assert not running(bytes(repository))


def test_whoever_takes_his_time_with_an_answer_is_not_cut_off(history, monkeypatch):
    monkeypatch.setattr(process, "PATIENCE_S", 0.2)
    with closing(opened(history.path)) as source:
        files = source.files(source.revisions(()).head)
        assert set(files) == {timing_path(), module_path("19_ReLU.py")}
        time.sleep(0.6)
        assert len(list(source.read(sorted(files.values())))) == 2


@pytest.mark.parametrize("then", ["wait", "exit 0"])
def test_what_git_started_ends_with_it(tmp_path, monkeypatch, then):
    """A clone of a bundle starts others; here a stand-in for git starts one that would outlive it."""
    stand_in = tmp_path / "git"
    stand_in.write_text(f"#!/bin/sh\nsleep 61.25 &\n{then}\n")
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(process, "_believed", lambda: b"")
    with pytest.raises(SourceError, match="git clone came to no end"):
        Git(tmp_path).ask("clone", patience_s=0.4)
    assert not running(b"sleep\x0061.25")


def test_without_git_the_way_on_is_told(history, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceError, match="git is not installed; install it, or ingest `sample` or a dir: source"):
        opened(history.path)


def test_git_that_ends_by_itself_is_told_in_one_line(history, tmp_path):
    with closing(opened(history.path)) as source:
        chain = source.revisions(())
        assert source._objects._batch is not None
        source._objects._batch._process.kill()
        source._objects._batch._process.wait()
        with pytest.raises(SourceError, match="cannot be read"):
            list(source.read([source.files(chain.head)[timing_path()]] * 2000))


def test_nothing_is_written_into_a_repository(history):
    git(history.path, "config", "core.sharedRepository", "all")
    before = {path: path.lstat().st_mtime_ns for path in history.path.rglob("*")}
    with closing(opened(history.path)) as source:
        list(source.listings())
        source.read_at(TOP, "lab/x")
        everything(source)
    assert {path: path.lstat().st_mtime_ns for path in history.path.rglob("*")} == before
