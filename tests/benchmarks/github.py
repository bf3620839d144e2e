"""What ingests from GitHub cost: a repository on this machine, served on loopback, 60 requests an hour, no token.

    python -m tests.benchmarks.github UPSTREAM [FORK ...]

Each is a git repository, bare or not. The first is ingested into an empty home, once with what ships with the package
and once as if it were of another project; the others into the home that has it; each a second time, with nothing new.
The targets are those of API requests; raw files and archives, which have no hourly limit, are counted apart.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from flows.sequence import Directly, ingest
from flows.sources.github import GitHubSource
from flows.sources.interface import SourceError
from flows.sources.spec import open_source
from tests.github import GitHub
from warehouse.home import Home

AN_HOUR = 60
FIRST, FORK = 40, 15


def requests(github: GitHub) -> Counter[str]:
    """API requests, those for archives apart; raw files; archives. Each archive also takes one request of the API."""
    return Counter(
        "archive" if "/tarball/" in request.path else request.role
        for request in github.requests
        if request.role != "codeload"
    )


def twice(github: GitHub, repository: Path, name: str, home: Home, target: int, *, alone: bool = False) -> None:
    """Ingest it, and once more; print what both took. ``alone``: nothing is known of it but what it says itself."""
    github.serve(repository)
    github.name = name
    told = f"{name}, of which nothing ships" if alone else name
    for turn, aim in (("first", f"at most {target}"), ("again", "1")):
        github.forget()
        github._used = 0  # another hour
        began = time.monotonic()
        alone_source = GitHubSource(name, None, name, home.root / "github") if alone else None
        with closing(alone_source or open_source(f"github:{name}", home)) as source:
            try:
                discovered = ingest(home, source, Directly()).discovered
                found = f"{len(discovered.revisions)} revisions" if discovered else ""
            except SourceError as error:
                found = str(error)
        took_s, made = time.monotonic() - began, requests(github)
        print(
            f"{told}, {turn}: {made['api']} API requests (target: {aim}), {made['archive']} archives, "
            f"{made['raw']} raw files, {took_s:.1f} s; {found}",
            flush=True,
        )


def main(repositories: list[str]) -> None:
    """Measure each in turn."""
    for variable in ("GITHUB_TOKEN", "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        os.environ.pop(variable, None)
    first, *forks = map(Path, repositories)
    with tempfile.TemporaryDirectory(prefix="kbw-bench-") as folder, GitHub(first) as github:
        os.environ |= github.environment
        github.allowance = AN_HOUR
        twice(github, first, "lab/Alone", Home(Path(folder) / "alone"), AN_HOUR, alone=True)
        home = Home(Path(folder) / "home")
        twice(github, first, "ScalingIntelligence/KernelBench", home, FIRST)
        for number, fork in enumerate(forks, 1):
            twice(github, fork, f"fork-{number}/KernelBench", home, FORK)


if __name__ == "__main__":
    main(sys.argv[1:])
