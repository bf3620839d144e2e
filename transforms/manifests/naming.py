"""Names, titles and external ids as the public index spells them (DESIGN.md section 8).

Where it has no rule (modes and hosts it does not publish), its pattern is continued.
"""

import re

from transforms.manifests.kinds import LONGEST_NAME
from transforms.registry import hosts, modes
from transforms.timings.paths import EAGER

PROJECT = "kernelbench"

_OTHER = re.compile(r"[^a-z0-9]+")
_COMPILE = "torch_compile_"


def name(*parts: str) -> str:
    """A name: lower case, runs of other characters to one hyphen, trimmed, cut to 100 characters."""
    return _OTHER.sub("-", "-".join((PROJECT, *parts)).lower()).strip("-")[:LONGEST_NAME]


def title(*parts: str) -> str:
    """A manifest's title, from the parts that are not empty."""
    return " · ".join(filter(None, parts))


def problem_parts(level: str, file: str) -> tuple[str, str]:
    """What names a problem within a name: `l3`, `28_VisionTransformer`."""
    return f"l{level.removeprefix('level')}", file.removesuffix(".py")


def external_mode(mode: str) -> str:
    """`torch_compile_inductor_default` is `torch-compile-inductor` outside.

    `sql/tables/implementations.sql` says the same, and `interface`, of modes that only runs have.
    """
    return mode.replace("_", "-").removesuffix("-default")


def interface(mode: str) -> str:
    """The mode as an implementation's way of being called; the eager one is `torch_eager`."""
    return "torch_eager" if mode == EAGER else mode.replace("-", "_").removesuffix("_default")


def mode_title(mode: str) -> str:
    """The mode in words; one that the registry lacks as `torch.compile (backend, mode)`, or as it stands."""
    if mode in modes():
        return modes()[mode].title
    options = mode.removeprefix(_COMPILE).removesuffix("_default").split("_", 1)
    return f"torch.compile ({', '.join(options)})" if mode.startswith(_COMPILE) else mode


def host_title(host: str) -> str:
    """Who ran the machine; a host that the registry does not know is its own title."""
    return hosts().get(host, host)


def external_id(host: str, mode: str, level: str, file: str) -> str:
    """A run outside: `H100_Modal/torch/level1/19_ReLU.py`. Modes that differ by `_default` share it."""
    return f"{host}/{external_mode(mode)}/{level}/{file}"
