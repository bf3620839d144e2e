"""Nothing in a repository can name a program that runs.

Each repository names a program that leaves a file, by one of the means that git has. First plain git is shown to start
it there, in the same repository; then the repository is ingested.
"""

from __future__ import annotations

import os
import pty
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from flows.sources.git import GitSource, process
from flows.sources.git.process import Git
from flows.sources.interface import Blob, SourceError
from tests.flows.sources.git.repositories import everything, git, opened, put, raw_commit
from tests.histories import LAB, GitHistory, ingest_git, one_figure, query, timing_path, timings

NEW = "b" * 40


@dataclass(frozen=True)
class Trap:
    """A clone with a work tree, and a program that leaves ``canary`` when it is started."""

    path: Path
    program: Path
    canary: Path

    def git(self, *arguments: str | Path, given: bytes = b"", **environment: str) -> None:
        """Plain git, whether or not it succeeds."""
        git(self.path, *arguments, given=given, ok=False, **environment)

    def config(self, name: str, value: str | Path | None = None) -> None:
        """Set what the repository's own configuration says: to the program, where nothing else is named."""
        git(self.path, "config", name, str(self.program if value is None else value))

    def sprung(self) -> bool:
        """Whether the program was started since this was asked last."""
        was = self.canary.exists()
        self.canary.unlink(missing_ok=True)
        return was


@pytest.fixture
def trap(tmp_path) -> Trap:
    history = one_figure(tmp_path)
    history.commit("2025-01-02", {timing_path(): timings(n19_ReLU=0.9), ".gitattributes": "*.json diff=a filter=a\n"})
    clone, program, canary = tmp_path / "clone", tmp_path / "program", tmp_path / "canary"
    git(tmp_path, "clone", "--quiet", history.path, clone)
    program.write_text(f"#!/bin/sh\n: > {canary}\nexit 1\n")
    program.chmod(0o755)
    return Trap(clone, program, canary)


MEANS: dict[str, Callable[[Trap], None]] = {}
"""Each arms a trap, and springs it with plain git."""


def means(made: Callable[[Trap], None]) -> Callable[[Trap], None]:
    MEANS[made.__name__] = made
    return made


@means
def hooks(trap: Trap) -> None:
    for name in ("reference-transaction", "post-checkout", "post-index-change", "post-merge", "pre-auto-gc"):
        (trap.path / ".git" / "hooks" / name).symlink_to(trap.program)
    trap.git("update-ref", "refs/heads/other", "HEAD")


@means
def hooks_elsewhere(trap: Trap) -> None:
    folder = trap.path.parent / "hooks"
    folder.mkdir()
    (folder / "reference-transaction").symlink_to(trap.program)
    trap.config("core.hooksPath", folder)
    trap.git("update-ref", "refs/heads/other", "HEAD")


@means
def the_monitor_of_files(trap: Trap) -> None:
    trap.config("core.fsmonitor")
    trap.git("status")


def signed(trap: Trap, kind: bytes) -> None:
    """A newest commit that is signed, with a signature that only a program can tell from a true one."""
    tree, head = git(trap.path, "rev-parse", "HEAD^{tree}"), git(trap.path, "rev-parse", "HEAD")
    signature = b"gpgsig -----BEGIN %s-----\n \n AAAA\n -----END %s-----\n" % (kind, kind)
    at = b"committer C <c@example.org> 1735862400 +0000"
    trap.git("update-ref", "refs/heads/main", raw_commit(trap.path, tree, at, head, more=signature))
    trap.config("log.showSignature", "true")


@means
def signatures(trap: Trap) -> None:
    signed(trap, b"PGP SIGNATURE")
    trap.config("gpg.program")
    trap.git("log", "-1")


@means
def signatures_of_ssh(trap: Trap) -> None:
    signed(trap, b"SSH SIGNATURE")
    trap.config("gpg.ssh.allowedSignersFile", os.devnull)
    trap.config("gpg.ssh.program")
    trap.git("log", "-1")


@means
def signatures_of_certificates(trap: Trap) -> None:
    signed(trap, b"SIGNED MESSAGE")
    trap.config("gpg.x509.program")
    trap.git("log", "-1")


@means
def a_configuration_that_includes_another(trap: Trap) -> None:
    signed(trap, b"PGP SIGNATURE")
    other = trap.path.parent / "other"
    other.write_text(f"[gpg]\n\tprogram = {trap.program}\n")
    trap.config("include.path", other)
    trap.config(f"includeIf.gitdir:{trap.path.parent}/.path", other)
    trap.git("log", "-1")


@means
def a_configuration_of_the_work_tree(trap: Trap) -> None:
    signed(trap, b"PGP SIGNATURE")
    trap.config("extensions.worktreeConfig", "true")
    (trap.path / ".git" / "config.worktree").write_text(f"[gpg]\n\tprogram = {trap.program}\n")
    trap.git("log", "-1")


@means
def a_difference_by_another_program(trap: Trap) -> None:
    trap.config("diff.external")
    trap.git("diff", "HEAD~1")


@means
def a_driver_of_differences(trap: Trap) -> None:
    trap.config("diff.a.textconv")
    trap.config("diff.a.command")
    trap.git("log", "-p")


@means
def filters(trap: Trap) -> None:
    trap.config("filter.a.smudge")
    trap.config("filter.a.clean")
    trap.config("filter.a.process")
    trap.git("cat-file", "--filters", f"HEAD:{timing_path()}")


@means
def credentials(trap: Trap) -> None:
    trap.config("credential.helper", f"!{trap.program}")
    trap.git("credential", "fill", given=b"protocol=https\nhost=example.org\n\n")


@means
def a_question_for_a_password(trap: Trap) -> None:
    trap.config("core.askPass")
    trap.git("credential", "fill", given=b"protocol=https\nhost=example.org\n\n")


@means
def refs_of_alternates(trap: Trap) -> None:
    (trap.path / ".git" / "objects" / "info" / "alternates").write_text(f"{trap.path.parent}/repository/objects\n")
    trap.config("core.alternateRefsCommand")
    trap.git("rev-list", "--alternate-refs")


@means
def a_proxy(trap: Trap) -> None:
    trap.config("core.gitProxy")
    trap.config("remote.origin.url", "git://127.0.0.1:9/lab/KernelBench")
    trap.git("ls-remote", "origin")


@means
def a_remote_that_is_a_program(trap: Trap) -> None:
    trap.config("protocol.ext.allow", "always")
    trap.config("remote.origin.url", f"ext::{trap.program}")
    trap.git("fetch")


@means
def a_command_for_ssh(trap: Trap) -> None:
    trap.config("core.sshCommand")
    trap.config("remote.origin.url", "ssh://127.0.0.1:9/lab/KernelBench")
    trap.git("fetch")


@means
def a_server_on_this_machine(trap: Trap) -> None:
    trap.config("remote.origin.uploadpack")
    trap.git("fetch")


@means
def submodules(trap: Trap) -> None:
    trap.git("update-index", "--add", "--cacheinfo", f"160000,{git(trap.path, 'rev-parse', 'HEAD')},results/sub")
    (trap.path / ".gitmodules").write_text('[submodule "a"]\n\tpath = results/sub\n\turl = ./\n')
    trap.git("add", ".gitmodules")
    trap.git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "with a submodule")
    git(trap.path, "clone", "--quiet", trap.path.parent / "repository", "results/sub")
    git(trap.path / "results" / "sub", "checkout", "--quiet", "HEAD~1")
    trap.config("submodule.a.url", "./")
    trap.config("submodule.a.update", f"!{trap.program}")
    trap.config("submodule.recurse", "true")
    trap.git("submodule", "update")


@means
def other_names_of_commands(trap: Trap) -> None:
    """An alias takes the place of no command that git has: ``other`` is what plain git starts."""
    for command in ("rev-list", "cat-file", "rev-parse", "ls-tree", "config", "other"):
        trap.config(f"alias.{command}", f"!{trap.program}")
    trap.git("other")


@means
def pagers(trap: Trap) -> None:
    """git starts one at a terminal alone."""
    for name in ("core.pager", "pager.log", "pager.rev-list", "pager.cat-file", "pager.ls-tree"):
        trap.config(name)
    pid, terminal = pty.fork()
    if not pid:
        os.execvp("git", ["git", "-C", str(trap.path), "log"])
    with suppress(OSError), os.fdopen(terminal, "rb", buffering=0) as said:
        while said.read(1024):
            pass
    os.waitpid(pid, 0)


@pytest.mark.parametrize("name", MEANS)
def test_a_repository_is_read_and_no_program_that_it_names_is_started(trap, name):
    MEANS[name](trap)
    assert trap.sprung(), "plain git does not start it: the test would prove nothing"
    with closing(opened(trap.path)) as source:
        assert all(source.listings())
        revisions, _, blobs = everything(source)
    assert not trap.sprung()
    assert len(revisions) == 2
    written = {timings(n19_ReLU=mean).encode() for mean in (1.0, 0.9)}
    assert written <= {blob.data for blob in blobs if isinstance(blob, Blob)}


def test_what_git_obeys_in_a_user_s_configuration_alone_names_no_program(trap):
    """git 2.39 starts none of these for a repository's own configuration: they are here for releases that would."""
    trap.config("uploadpack.packObjectsHook")
    for name in ("trace2.eventTarget", "trace2.normalTarget", "trace2.perfTarget"):
        trap.config(name, trap.canary)
    trap.git("log")
    with closing(opened(trap.path)) as source:
        everything(source)
    assert not trap.sprung()


LAZY = {
    "ext": {"remote.origin.url": "ext::{}", "protocol.ext.allow": "always"},
    "ssh": {"remote.origin.url": "ssh://127.0.0.1:9/a", "core.sshCommand": "{}"},
    "server": {"remote.origin.uploadpack": "{}"},
}
PROMISES = {
    "promisor": {"remote.origin.promisor": "true"},
    "filter": {"remote.origin.partialclonefilter": "blob:none"},
    "extension": {"extensions.partialClone": "origin"},
    "empty": {"remote.origin.promisor": ""},
}


def lazy(trap: Trap, by: str, promise: str = "promisor") -> str:
    """A partial clone that fetches, by one of three programs, a file that it lacks; the file's id."""
    lacking = "".join(f"100644 {name}\0" for name in ("a",)).encode() + bytes.fromhex(NEW)
    tree = put(trap.path, "tree", lacking)
    trap.git("update-ref", "refs/heads/lacking", raw_commit(trap.path, tree, b"committer C <c@x> 1735862400 +0000"))
    for name, value in LAZY[by].items():
        trap.config(name, value.format(trap.program))
    for name, value in PROMISES[promise].items():
        git(trap.path, "config", name, value)
    return NEW


@pytest.mark.parametrize("by", LAZY)
def test_a_file_that_a_partial_clone_lacks_is_not_fetched(trap, by):
    lacking = lazy(trap, by)
    trap.git("cat-file", "blob", lacking)
    assert trap.sprung(), "plain git does not start it: the test would prove nothing"
    assert Git(trap.path).ask("cat-file", "blob", lacking).status == 128
    assert not trap.sprung()
    with pytest.raises(SourceError, match=r"a partial clone \(remote.origin.promisor\) .* clone anew without --filter"):
        opened(trap.path)
    assert not trap.sprung()


@pytest.mark.parametrize("barrier", ["GIT_NO_LAZY_FETCH", "GIT_ALLOW_PROTOCOL"])
@pytest.mark.parametrize("by", LAZY)
def test_each_of_two_barriers_keeps_git_from_fetching(trap, by, barrier, monkeypatch):
    """Older releases know nothing of the one; the other is an old one."""
    lacking = lazy(trap, by)
    alone = {name: value for name, value in process._ENVIRONMENT.items() if name not in {"GIT_NO_LAZY_FETCH"}}
    monkeypatch.setattr(process, "_ENVIRONMENT", alone if barrier == "GIT_ALLOW_PROTOCOL" else process._ENVIRONMENT)
    protocols = "" if barrier == "GIT_ALLOW_PROTOCOL" else "ext:ssh:file"
    Git(trap.path).ask("cat-file", "blob", lacking, protocols=protocols)
    assert not trap.sprung()


@pytest.mark.parametrize("promise", PROMISES)
def test_whatever_makes_a_clone_partial_it_is_refused(trap, promise):
    lazy(trap, "server", promise)
    with pytest.raises(SourceError, match="a partial clone"):
        opened(trap.path)


def test_a_clone_that_says_it_is_not_partial_is_read(trap):
    trap.config("remote.origin.promisor", "false")
    opened(trap.path).close()


def test_the_user_s_own_programs_are_not_started_either(trap, home, tmp_path, monkeypatch):
    """``log.showSignature`` of a user's broke every ingest of upstream, whose commits GitHub signs."""
    signed(trap, b"PGP SIGNATURE")
    git(trap.path, "config", "--unset", "log.showSignature")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / ".gitconfig").write_text(f"[log]\n\tshowSignature = true\n[gpg]\n\tprogram = {trap.program}\n")
    monkeypatch.setenv("HOME", str(mine))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    git(trap.path, "log", "-1", GIT_CONFIG_GLOBAL=str(mine / ".gitconfig"))
    assert trap.sprung(), "plain git does not start it: the test would prove nothing"
    ingest_git(home, GitHistory(trap.path))
    assert not trap.sprung()
    assert query(home, "select count(*) from runs") == [(2,)]


def test_cloning_a_bundle_starts_nothing(trap, tmp_path, monkeypatch):
    """A bundle has no configuration; hooks could come from the user's, and where they are taken from for new clones."""
    bundle, template = tmp_path / "all.bundle", tmp_path / "template"
    git(trap.path, "bundle", "create", "--quiet", bundle, "--all")
    (template / "hooks").mkdir(parents=True)
    (template / "hooks" / "reference-transaction").symlink_to(trap.program)
    mine = tmp_path / ".gitconfig"
    mine.write_text(f"[init]\n\ttemplateDir = {template}\n")
    git(tmp_path, "clone", "--bare", bundle, tmp_path / "plain", ok=False, GIT_CONFIG_GLOBAL=str(mine))
    assert trap.sprung(), "plain git does not start it: the test would prove nothing"
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(template))
    with closing(GitSource(str(bundle), None, LAB)) as source:
        assert len(everything(source)[0]) == 2
    assert not trap.sprung()


def test_a_file_that_leads_to_a_repository_is_no_bundle(trap, tmp_path):
    """git takes a file that says ``gitdir:`` for the repository that it names."""
    file = tmp_path / "all.bundle"
    file.write_text(f"gitdir: {trap.path}/.git\n")
    with pytest.raises(SourceError, match="not a git repository or bundle"):
        opened(file)


@pytest.mark.parametrize("ref", ["refs/heads/../../../../escaped", "refs/heads/../../config", "/escaped", "HEAD.lock"])
def test_names_of_refs_in_a_bundle_write_nothing_outside_its_clone(trap, tmp_path, ref):
    bundle = tmp_path / "odd.bundle"
    git(trap.path, "bundle", "create", "--quiet", bundle, "main")
    head = git(trap.path, "rev-parse", "main").encode()
    data = bundle.read_bytes().replace(b" refs/heads/main\n", b" refs/heads/main\n%s %s\n" % (head, ref.encode()), 1)
    bundle.write_bytes(data)
    before = sorted(path for path in tmp_path.rglob("*"))
    with closing(GitSource(str(bundle), "main", LAB)) as source:
        assert len(everything(source)[0]) == 2
    assert sorted(path for path in tmp_path.rglob("*")) == before
    assert not Path("/escaped").exists()


@pytest.mark.parametrize(
    "damage", [b"# v3 git bundle\n@filter=blob:none\n", b"# v9 git bundle\n", b"# v2 git bundle\n"]
)
def test_a_bundle_that_is_not_whole_is_refused_in_one_line(trap, tmp_path, damage):
    bundle = tmp_path / "odd.bundle"
    git(trap.path, "bundle", "create", "--quiet", bundle, "main")
    data = bundle.read_bytes()
    cut = data[: len(data) // 2] if damage.startswith(b"# v2") else data
    bundle.write_bytes(cut.replace(b"# v2 git bundle\n", damage, 1))
    with pytest.raises(SourceError) as raised:
        opened(bundle)
    assert str(raised.value).startswith(f"{bundle}: ")
    assert "\n" not in str(raised.value)
