"""What the scripts that time do: told of each by its blob, and put together for those of one revision.

A revision's figures come from a function that times (in ``timing.py``, before there was one in ``eval.py``) and from
the scripts that call it (``generate_baseline_time*.py``). See DESIGN.md section 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

__all__ = ["FACTS", "HarnessFacts", "HarnessScript", "merge"]


class HarnessFacts(msgspec.Struct, frozen=True, kw_only=True):
    """How a module was timed. None: not known, or not decided by these scripts."""

    warm_up_trials: int | None = None
    """Passes before the first that is timed."""
    trials: int | None = None
    """Timed passes whose times make the figures."""
    l2_cleared: bool | None = None
    """Whether the L2 cache is overwritten before each timed pass."""
    first_trial_discarded: bool | None = None
    """Whether the first timed pass is left out of the figures."""
    outliers_dropped: bool | None = None
    """Whether the shortest and the longest times are left out of the figures."""
    timer: Literal["cuda_events", "host_clock"] | None = None
    statistic: Literal["mean", "median"] | None = None
    """What ``mean`` in a timing file is of the times."""
    device_synchronized: bool | None = None
    """Whether the device has finished all else before a pass is timed, and the pass before its time is read."""
    precision: Literal["as_written", "fp32", "bf16", "fp16"] | None = None
    """What module and inputs are cast to; ``as_written``: left as the module makes them."""
    basis: str = ""
    """What the facts rest on, in sentences."""


FACTS = tuple(name for name in HarnessFacts.__struct_fields__ if name != "basis")
"""The names of the facts."""


class HarnessScript(HarnessFacts, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one text of one script decides. Grain: one per blob. None where this text alone does not decide it."""

    blob: str
    path: str
    """Where the text stands, below the root of its lineage."""
    first_seen: str
    """Day (UTC) of the first commit of a public main line that shows it."""
    defaults: tuple[str, ...] = ()
    """Facts that this text only proposes: its callers may say otherwise."""


def merge(scripts: Mapping[str, str], known: Mapping[str, HarnessScript]) -> HarnessFacts:
    """The facts that timing scripts (``path -> blob``, paths below the root) decide together.

    What the body of the timing function does, no caller can change. Of what it leaves to its callers, each caller has
    what it names, else the function's default; callers that then differ make the fact unknown, and so does a caller
    whose text is unknown. Without any caller, defaults say nothing: somebody called, and with what is not known.
    """
    if not scripts:
        return HarnessFacts()
    callers = [known.get(blob) for path, blob in sorted(scripts.items()) if _calls(path)]
    function = _function(scripts, known)
    told = {name: _fact(name, function, callers) for name in FACTS}
    return HarnessFacts(**told, basis=_basis([function, *callers]))


def _calls(path: str) -> bool:
    return path.rpartition("/")[2].startswith("generate_baseline_time")


def _function(scripts: Mapping[str, str], known: Mapping[str, HarnessScript]) -> HarnessScript | None:
    """The text that holds the timing function; None where it is unknown, missing, or there are two."""
    for name in ("timing.py", "eval.py"):
        blobs = {blob for path, blob in scripts.items() if path.rpartition("/")[2] == name}
        if blobs:
            return known.get(blobs.pop()) if len(blobs) == 1 else None
    return None


def _fact(name: str, function: HarnessScript | None, callers: list[HarnessScript | None]) -> Any:
    default = getattr(function, name, None)
    if function is not None and name not in function.defaults and default is not None:
        return default
    values = {_of_caller(name, caller, default) for caller in callers}
    return values.pop() if len(values) == 1 else None


def _of_caller(name: str, caller: HarnessScript | None, default: Any) -> Any:
    if caller is None:
        return None
    named = getattr(caller, name)
    return default if named is None else named


def _basis(told: list[HarnessScript | None]) -> str:
    known = dict.fromkeys(script.basis for script in told if script is not None)
    sentences = list(known)
    if None in told:
        sentences.append("The timing function, or a script that calls it, is not known.")
    return " ".join(sentences)
