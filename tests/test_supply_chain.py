"""What an installation brings: pinned, known by its digest, under a licence that is allowed."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, version

import pytest

from tools.build_licences import ALLOWED, LIST, PINS, ROOT, licence, listed, page, pinned

CONSTRAINTS = dict(re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.M))

DIGEST = "--hash=sha256:[0-9a-f]{64}"


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_what_is_installed_by_digest_are_the_versions_that_were_tested_together():
    tested = {normal(name): number for name, number in CONSTRAINTS.items()}
    assert {normal(name): number for name, number in pinned("dev").items()} == tested
    assert pinned("run").items() <= pinned("dev").items()


@pytest.mark.parametrize("which", PINS)
def test_every_pin_has_a_digest_and_none_says_where_a_file_comes_from(which):
    text = PINS[which].read_text(encoding="utf-8")
    assert "://" not in text
    for entry in re.split(r"\n(?=\S)", text.strip()):
        assert re.fullmatch(rf"[\w.-]+==\S+(?: ; [^\\\n]+)? \\\n(?:    {DIGEST}(?: \\\n|$))+", entry), entry


def test_what_the_project_asks_for_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    for which, wanted in {
        "run": [*project["dependencies"], *extras["build"]],
        "dev": [*extras["dev"]],
    }.items():
        names = {normal(re.split(r"[\[<>=]", line)[0]) for line in wanted}
        assert names <= {normal(name) for name in pinned(which)}


def test_the_list_of_licences_is_what_the_installed_packages_state():
    assert LIST.read_text(encoding="utf-8") == page(), "run `make docs`"


def test_every_licence_is_one_that_is_allowed():
    """Of alternatives one is enough; of parts each counts."""
    assert listed().keys() == pinned("dev").keys()
    for package, stated in listed().items():
        choices = re.sub(r"[()]", "", stated).split(" OR ")
        if package == "text-unidecode":
            assert choices[0] == "Artistic-1.0-Perl", "comes with Prefect; asks for no more where nothing is changed"
            continue
        assert any(set(choice.split(" AND ")) <= ALLOWED for choice in choices), (package, stated)


def test_what_is_installed_here_is_what_is_pinned():
    for package, number in pinned("dev").items():
        try:
            installed = version(package)
        except PackageNotFoundError:  # another machine's or Python's
            continue
        assert installed == number
        assert licence(package)
