"""Files: from the trees, by whichever way, and only if they are what their ids say."""

from __future__ import annotations

import gzip
import io
import tarfile

import pytest

from flows.sources.github import archives, client, transfers
from flows.sources.github.transfers import FEW
from flows.sources.interface import RefusedBlob, SourceError
from tests.flows.sources.github.everything import everything, everything_by_git
from tests.github.server import Reply
from tests.histories import GitHistory, module, module_path, timing_path, timings
from warehouse.landing import git_blob_id

RELU = module_path("19_ReLU.py")


def with_many_files(history: GitHistory, count: int = FEW + 20) -> str:
    """More files than are fetched one by one; a commit that shows them."""
    names = [f"{number}_Problem{number}.py" for number in range(100, 100 + count)]
    return history.id(history.commit("2025-02-01", {module_path(name): module(name) for name in names}))


def blob_at(history: GitHistory, path: str) -> str:
    """The blob that stands there in the newest commit."""
    found = everything_by_git(history.path)
    return found.trees[found.chain.head.id][path]


def test_few_files_come_one_by_one(history, github, open_github):
    assert everything(open_github()) == everything_by_git(history.path)
    assert github.count("codeload") == 0
    assert github.count("raw") == len(everything_by_git(history.path).blobs)


def test_many_files_come_in_one_archive(history, github, open_github):
    with_many_files(history)
    source = open_github()
    assert everything(source) == everything_by_git(history.path)
    assert github.count("codeload") == 1
    assert github.count("raw") < 10
    assert source.requests_made == {"api": github.count("api"), "raw": github.count("raw"), "archive": 1}


def test_what_has_landed_is_not_asked_for(history, github, open_github):
    head = with_many_files(history)
    source = open_github()
    source.revisions(())
    tree = everything_by_git(history.path).trees[head]
    for revision in [*source.revisions(()).new, source.revisions(()).head]:
        source.files(revision)
    github.forget()
    assert [blob.id for blob in source.read([tree[RELU]])] == [tree[RELU]]
    assert (github.count("api"), github.count("raw"), github.count("codeload")) == (0, 1, 0)


def test_paths_that_need_quoting(history, github, open_github):
    odd = "results/timing/H100 %41#?&+ü\n/baseline_time_torch.json"
    history.commit("2025-02-01", {odd: timings(n19_ReLU=2.0)})
    assert history.path
    found = everything(open_github())
    assert found == everything_by_git(history.path)
    assert odd in found.trees[found.chain.head.id]


def test_links_and_submodules_are_no_files(history, github, open_github, tmp_path):
    import subprocess

    link = timing_path("link")
    stream = (
        b"commit refs/heads/main\ncommitter C <c@example.org> 1740000000 +0000\ndata 0\nfrom refs/heads/main^0\n"
        b"M 120000 inline %s\ndata 19\n../../../etc/passwd\nM 160000 %s %s\n\n"
        % (link.encode(), b"1" * 40, timing_path("module").encode())
    )
    done = subprocess.run(["git", "-C", str(history.path), "fast-import", "--quiet"], input=stream, capture_output=True)
    assert done.returncode == 0, done.stderr
    found = everything(open_github())
    assert found == everything_by_git(history.folder)
    assert len(found.chain.new) == 4
    assert not [path for files in found.trees.values() for path in files if "link" in path or "module" in path]


@pytest.mark.parametrize("cut", [0, 1, 5, 9])
def test_a_truncated_tree_is_walked_into_the_folders_that_matter(history, github, open_github, cut):
    history.commit(
        "2025-02-01",
        {
            "scripts/generate_baseline_time.py": "1",
            "src/kernelbench/eval.py": "2",
            "src/other/eval.py": "3",
            "docs/a/b.md": "4",
            "results/other/x.json": "5",
            "requirements.txt": "torch==2.5.0",
        },
    )
    assert history.path
    github.truncate_at = cut
    assert everything(open_github()) == everything_by_git(history.path)
    asked = {request.path.rpartition("/")[2] for request in github.requests}
    repository = github.repository
    for never in ("docs", "docs/a", "src/other", "results/other"):
        sha = repository._git("rev-parse", f"{history.id(8)}:{never}").decode().strip()
        assert sha not in asked


def test_a_folder_that_is_too_large_even_so_is_refused(history, github, open_github):
    github.truncate_at, github.truncate_folders = 1, True
    with pytest.raises(
        SourceError, match=r"^lab/KernelBench: tree .* is too large for GitHub's API; clone it, and ingest git:PATH$"
    ):
        everything(open_github())


@pytest.mark.parametrize("route", ["raw", "codeload"])
def test_wrong_bytes_are_fetched_by_another_route(history, github, open_github, route):
    with_many_files(history)
    blob = blob_at(history, RELU)
    github.wrong[route, blob] = b"something else"
    assert everything(open_github()) == everything_by_git(history.path)


def test_bytes_that_are_wrong_everywhere_are_refused_by_name(history, github, open_github):
    with_many_files(history)
    blob = blob_at(history, RELU)
    for route in ("api", "raw", "codeload"):
        github.wrong[route, blob] = b"wrong by " + route.encode()
    found, expected = everything(open_github()), everything_by_git(history.path)
    assert found.blobs.keys() == expected.blobs.keys() - {blob}
    raw, api = (git_blob_id(b"wrong by " + route)[:12] for route in (b"raw", b"api"))
    assert found.refused == {blob: f"the raw host gave 12 bytes of blob {raw}; the API gave 12 bytes of blob {api}"}
    place = f"{history.id(8)}/{RELU}"
    asked = [request.role for request in github.requests if blob in request.target or request.path.endswith(place)]
    assert asked == ["raw", "api"]


def test_a_file_that_the_raw_host_does_not_show_comes_from_the_api(history, github, open_github, monkeypatch):
    """A private repository: the raw host gets no token, and says 404."""
    github.private, github.token = True, "secret"
    github.set_environment(monkeypatch, token="secret")
    assert everything(open_github()) == everything_by_git(history.path)


def test_a_file_that_nobody_has_is_refused(history, github, open_github):
    blob = blob_at(history, RELU)
    github.missing = {("raw", blob), ("api", blob)}
    assert everything(open_github()).refused == {blob: "the raw host answers 404; the API answers 404"}


def test_a_file_beyond_any_size_is_refused(history, github, open_github, monkeypatch):
    monkeypatch.setattr(transfers, "LARGEST_FILE", 5)
    monkeypatch.setattr(client, "_LARGEST_JSON", 2**20)
    refused = everything(open_github()).refused
    assert all("the raw host gave more than 0 MiB" in detail for detail in refused.values())


def test_a_blob_of_unknown_place_comes_from_the_api(history, github, open_github):
    blob = blob_at(history, RELU)
    (found,) = open_github().read([blob])
    assert found.data == everything_by_git(history.path).blobs[blob]
    (lost,) = open_github().read(["0" * 40])
    assert lost == RefusedBlob("0" * 40, "the API answers 404")


def packed(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for member, data in members:
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


def member(name: str, data: bytes = b"", **other: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in other.items():
        setattr(info, key, value)
    return info, data


def test_names_in_an_archive_are_not_trusted(history, github, open_github, clock, tmp_path, monkeypatch):
    """Members that point elsewhere, links, devices and repeated names: nothing is written, and nothing is taken."""
    with_many_files(history)
    trap = tmp_path / "trap"
    link = {"type": tarfile.SYMTYPE, "linkname": str(trap)}
    hostile = packed(
        member(f"../../../../..{trap}", b"x"),
        member(str(trap), b"x"),
        member(f"top/../{RELU}", b"x"),
        member(f"top/{RELU}", **link),
        member(f"top/{RELU}", type=tarfile.LNKTYPE, linkname="/etc/passwd"),
        member(f"top/{RELU}", type=tarfile.CHRTYPE),
        member(f"top/{RELU}", type=tarfile.DIRTYPE),
        member(f"top/{RELU}", b"not it"),
        member(RELU, b"x"),
        member("", b""),
    )
    monkeypatch.setattr(github, "_codeload", lambda request: Reply(200, hostile, "application/x-gzip"))
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert everything(open_github(cache=None)) == everything_by_git(history.path)
    assert sorted(tmp_path.rglob("*")) == before
    assert clock.slept == [], "the archive was read to its end, and once"
    assert not trap.exists()


def test_an_archive_that_swells_is_given_up(history, github, open_github, monkeypatch, heard):
    with_many_files(history)
    bomb = packed(member("top/zeros", bytes(2**22)))
    monkeypatch.setattr(github, "_codeload", lambda request: Reply(200, bomb, "application/x-gzip"))
    monkeypatch.setattr(archives, "LARGEST_UNPACKED", 2**20)
    assert everything(open_github()) == everything_by_git(history.path)
    assert any("unpacks to more than 1 MiB; going on file by file" in words for words in heard)
    assert github.count("codeload") == 1


def test_an_archive_without_end_is_given_up(history, github, open_github, monkeypatch, heard):
    with_many_files(history)
    monkeypatch.setattr(archives, "LARGEST_ARCHIVE", 1000)
    assert everything(open_github()) == everything_by_git(history.path)
    assert any("has more than 0 MiB; going on file by file" in words for words in heard)


@pytest.mark.parametrize(
    "body",
    [b"", b"\x1f\x8b", gzip.compress(b"", mtime=0), gzip.compress(b"no tar" * 1000, mtime=0)],
    ids=["no bytes", "a beginning", "nothing packed", "no tar"],  # bytes would hold the time at which they were packed
)
def test_an_archive_that_is_none_is_done_without(history, github, open_github, monkeypatch, body):
    with_many_files(history)
    monkeypatch.setattr(github, "_codeload", lambda request: Reply(200, body, "application/x-gzip"))
    assert everything(open_github()) == everything_by_git(history.path)


def test_progress_is_said(history, github, open_github, heard):
    with_many_files(history)
    everything(open_github())
    wanted = len(everything_by_git(history.path).blobs)
    assert f"lab/KernelBench: {wanted} of {wanted} files" in heard
    assert f"lab/KernelBench: 25 of {wanted} files" in heard
    assert not [words for words in heard if "\n" in words]


def test_an_interrupted_reading_goes_on_with_what_is_left(history, github, open_github):
    """What came is the caller's; whoever asks again asks for less."""
    with_many_files(history)
    source = open_github()
    chain = source.revisions(())
    wanted = sorted({blob for revision in [*chain.new, chain.head] for blob in source.files(revision).values()})
    reading = source.read(wanted)
    got = [next(reading).id for _ in range(5)]
    reading.close()
    rest = [blob.id for blob in source.read([blob for blob in wanted if blob not in got])]
    assert sorted(got + rest) == wanted
