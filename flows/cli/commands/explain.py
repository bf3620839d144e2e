"""``kbw explain RUN``: why a figure is what it is, and whether it can be believed."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.columns import half_ns
from flows.cli.declared import harness, software
from flows.cli.gpus import Gpus
from flows.cli.lookup import DIGITS, one_run, open_reader, runs_named
from flows.cli.options import GpuOption, HomeOption, HostOption, JsonOption, ModeOption, SourceOption, home_of
from flows.cli.page import link_of
from flows.cli.reasons import SEVERITIES, in_words, why_changed, why_unranked
from flows.cli.render import count, day, duration, interval, note, ratio, say, show_object, text
from warehouse.home import Home, WarehouseError

if TYPE_CHECKING:
    from warehouse.database import Reader


def explain_command(
    run: Annotated[
        str,
        typer.Argument(help="Run id, the beginning of one, or HOST/MODE/LEVEL/FILE, parts of which may be missing."),
    ],
    source: SourceOption = None,
    host: HostOption = None,
    gpu: GpuOption = None,
    mode: ModeOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Everything known about one figure, from the bytes it was read from to each reason not to trust it."""
    warehouse = home_of(home)
    with closing(open_reader(warehouse)) as reader:
        found = one_run(run, runs_named(reader, run, source=source, host=host, gpu=gpu, mode=mode))
        known = _known(warehouse, reader, found["run_id"])
        if as_json:
            show_object(_as_json(Gpus(reader), known))
            return
    for part in (_figure, _origin, _module, _binding, _presence, _rank, _noise, _doubts):
        lines = list(part(known))
        for line in lines:
            say(line)
        if lines:
            say()
    note("What the words mean: kbw docs trust, reading, records")


def _known(warehouse: Home, reader: Reader, run_id: str) -> dict[str, Any]:
    run = reader.query("explain_run", run_id=run_id).records()[0]
    where = {name: run[name] for name in ("source", "host", "mode")}
    file = {name: run[name] for name in ("source", "path", "blob")}
    return {
        "run": run,
        "landed": _landed(warehouse, run["blob"]),
        "file": reader.query("explain_file", **file).records()[0],
        "refused": reader.query("explain_refusals", **where).records(),
        "module": reader.query("explain_module", run_id=run_id).records(),
        "declared": reader.query(
            "explain_declared", source=run["source"], revision=run["first_revision"], position=run["first_position"]
        ).records(),
        "versions": reader.query("explain_presence", run_id=run_id).records(),
        "ranking": reader.query("explain_cohort", cohort_id=run["cohort_id"]).records(),
        "possible_codes": reader.query("explain_doubt", run_id=run_id).records() if _is_doubted(run) else [],
    }


def _is_doubted(run: Mapping[str, Any]) -> bool:
    return bool(run["file_doubtful"] or "below_floor" in run["remarks"])


def _as_json(gpus: Gpus, known: dict[str, Any]) -> dict[str, Any]:
    return {
        **known,
        "run": gpus.within([known["run"]])[0],
        "file": {**known["file"], "gpus": gpus.each(known["file"]["gpus"])},
        "versions": gpus.within(known["versions"]),
    }


def _landed(warehouse: Home, blob: str) -> dict[str, Any] | None:
    """What landed under the file's id; None where the landing is not beside the database."""
    from warehouse.landing import Landing

    try:
        ((_, data, form),) = Landing(warehouse.landing).read([blob])
    except WarehouseError:
        return None
    return {"form": form, "size_bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def _figure(known: Mapping[str, Any]) -> Iterator[str]:
    run = known["run"]
    yield f"{run['level']}/{run['problem']} on {run['host']} in {run['implementation']}: run {run['run_id'][:DIGITS]}"
    yield f"Figure     {interval(run['mean_ns'], half_ns(run))}, mean of {run['num_trials']} trials"
    median = f", half of them below {duration(run['median_ns'])}" if run["median_ns"] is not None else ""
    yield f"           trials from {duration(run['min_ns'])} to {duration(run['max_ns'])}{median}"
    yield f"           rounded: stands for ± {duration(run['rounding_ns'])}, which the interval includes"
    yield f"           as written: {run['source_metrics']}"
    yield f"Precision  {run['precision'] or 'as the module says'}"
    yield f"GPU        {run['product'] or 'not in the registry'}, reported as {run['hardware'] or 'nothing'}"
    if run["told_by"]:
        yield f"           told as {run['known_as']}: {run['told_by']}"


def _origin(known: Mapping[str, Any]) -> Iterator[str]:
    run, file, landed = known["run"], known["file"], known["landed"]
    yield f"File       {link_of(run) or run['path']}"
    yield f"           git blob {run['blob']}"
    if landed is None:
        yield "           its bytes are not in the landing of this home"
    elif landed["form"] == "bytes":
        yield f"           landed as {count(landed['size_bytes'])} bytes, SHA-256 {landed['sha256']}"
    else:
        yield "           its source states the figures and does not carry the file's bytes"
    yield f"Commit     first shown by {run['first_revision']}, {day(run['observed_at'])}"
    yield f"           figures of this content: {count(file['read'])} read, {count(file['flagged'])} flagged"
    yield f"           GPUs in it: {', '.join(file['gpus'])}"
    refused = Counter(row["reason"] for row in known["refused"])
    told = ", ".join(f"{times} {reason}" for reason, times in refused.most_common()) or "nothing"
    yield f"Refused    of this host and mode, ever: {told}"
    yield f"Flags      {', '.join(run['flags']) or 'none'}"
    if run["copy_of"]:
        yield f"Copy       repeats run {run['copy_of'][:DIGITS]} of another source; not ranked"
    if run["copied_by"]:
        yield f"Copied     by {len(run['copied_by'])} runs of other sources"
    then = known["declared"][0]
    yield f"Declared   software: {software(then)} (declared, not measured)"
    yield f"           timing scripts: {harness(then)}"
    unknown = [words for name, words in _FACTS.items() if run["harness_facts"][name] is None]
    if unknown:
        yield f"           of them it is not known {', '.join(unknown)}: held against no figure"


def _module(known: Mapping[str, Any]) -> Iterator[str]:
    run = known["run"]
    if run["workload_id"] is None:
        yield f"Module     none: {why_unranked(run['ineligible_reasons'])}"
        return
    computation = (
        run["compute_digest"][:DIGITS] if run["compute_digest"] else "not known, since the reader cannot tell it"
    )
    yield f"Module     code {run['code_digest'][:DIGITS]}, computation {computation}"
    for version in known["module"]:
        said = "the code that was measured" if version["measured"] else why_changed(version["change"])
        yield f"           from {version['from_revision'][:DIGITS]} ({day(version['from_at'])}): {said}"
        if version["inputs"]:
            yield f"             inputs {_listed(version['inputs'])}"


_HINTS = 4
"""So many codes are named; more would be guessing."""


def _binding(known: Mapping[str, Any]) -> Iterator[str]:
    """Whether the figure was taken on the code it is bound to, as far as the hardware tells."""
    run, codes = known["run"], known["possible_codes"]
    if not _is_doubted(run):
        return
    if run["file_doubtful"]:
        yield "Binding    doubtful: its file was taken on other code than the modules beside it"
    else:
        yield "Binding    it alone of its file is in doubt: faster than the hardware permits for this code"
    if run["file_figures"] is not None:
        yield (
            f"           of the {count(run['file_figures'])} figures that first appeared in it, "
            f"{count(run['figures_costed'])} have a known floor, {count(run['figures_below_floor'])} lie below it"
        )
    if "below_floor" not in run["remarks"]:
        yield "           this figure is not below it, or its floor is not known"
    for code in codes[:_HINTS]:
        yield (
            f"           possible under code {code['code_digest'][:DIGITS]} of {code['source']}, shown from "
            f"{code['from_revision'][:DIGITS]} ({day(code['from_at'])}), floor {duration(code['floor_ns'])}"
        )
    if codes:
        yield "           a hint, no binding: nobody says on which code it was taken"
    else:
        yield "           no earlier code is known under which it would be possible"


def _listed(inputs: list[str] | None) -> str:
    return ", ".join(inputs or []) or "not known"


def _presence(known: Mapping[str, Any]) -> Iterator[str]:
    run = known["run"]
    if not run["reachable"]:
        noticed = day(run["unreachable_since"])
        yield f"Presence   unreachable: the branch was rewritten, noticed on {noticed}; kept as it was"
        if known["versions"]:
            yield "           versions of this figure that the branch shows, or did in what it still contains:"
    else:
        yield f"Presence   {'stands' if run['present'] else 'does not stand any more'}; versions of this figure:"
    for version in known["versions"]:
        mark = "*" if version["run_id"] == run["run_id"] else " "
        until = day(version["until_at"]) or "now"
        line = f"         {mark} {duration(version['mean_ns'])}, {day(version['from_at'])} to {until}"
        if version["version"] > 1:
            beyond = "beyond" if version["beyond_interval"] else "within"
            line += f": {ratio(version['ratio'])} of the one before, {beyond} intervals and rounding; "
            line += why_changed(version["reason"])
        yield line


def _rank(known: Mapping[str, Any]) -> Iterator[str]:
    run = known["run"]
    if run["rank"] is None or not run["present"]:
        why = why_unranked(run["ineligible_reasons"]) or "it does not stand"
        last = f"; it was {run['rank']} of {run['cohort_size']} when it last did" if run["rank"] else ""
        yield f"Rank       none: {why}{last}"
    else:
        shared = [row for row in known["ranking"] if row["rank_shared"] == run["rank_shared"]]
        tie = f", tied with {len(shared) - 1} (shared rank {run['rank_shared']})" if len(shared) > 1 else ""
        yield f"Rank       {run['rank']} of {run['cohort_size']} in its cohort{tie}"
        for row in known["ranking"]:
            mark = "*" if row["run_id"] == run["run_id"] else " "
            between = f"{duration(row['low_ns'])} to {duration(row['high_ns'])}"
            yield f"         {mark} {row['rank']} {row['implementation']}: {between}"


_REMARKS = {
    "wide_spread": "the standard deviation is more than a quarter of the mean",
    "skewed": "the mean is far above the median, or, where none is told, above the fastest trial",
    "mixed_gpus": "its file holds figures of several GPUs",
    "same_on_other_host": "another host has exactly these figures",
    "slower_than_eager": "compiled, yet slower than eager beyond intervals and rounding",
    "below_floor": "faster than the hardware permits for its code",
}


_BASES = {"environment": "on this machine", "GPU": "on this GPU", "all": "on all machines"}


def _noise(known: Mapping[str, Any]) -> Iterator[str]:
    run = known["run"]
    fastest = ratio(run["mean_over_min"])
    yield f"Noise      std is {run['spread']:.1%} of the mean, the mean {fastest} of the fastest trial"
    for remark in run["remarks"]:
        yield f"           {_REMARKS[remark]}"
    if run["limit_ratio"] is not None:
        yield (
            f"           sessions: nine in ten of {count(run['limit_pairs'])} repeated pairs of "
            f"{count(run['limit_sessions'])} sessions ({_BASES[run['limit_basis']]}, {run['duration_class']}) differ "
            f"by less than {ratio(run['limit_ratio'])}"
        )


def _doubts(known: Mapping[str, Any]) -> Iterator[str]:
    run = known["run"]
    if not run["stale"]:
        yield "Doubts     none"
        return
    yield (
        f"Doubts     {len(run['stale_reasons'])}, the gravest {run['severity']}: {SEVERITIES[run['severity']]}; "
        f"as of head {run['head']} ({day(run['head_at'])})"
    )
    for reason in run["stale_reasons"]:
        evidence = _EVIDENCE[reason](known) if reason in _EVIDENCE else [in_words({**run, "reasons": [reason]})]
        yield f"  {reason}: {'; '.join(evidence)}"


_FACTS = {
    "l2_cleared": "whether they clear the L2 cache",
    "first_trial_discarded": "whether they discard the first trial",
    "warm_up_trials": "how they warm up",
    "timer": "what timer they use",
}


def _unreachable(known: Mapping[str, Any]) -> Iterator[str]:
    run = known["run"]
    yield f"the branch was rewritten and does not contain {run['first_revision']}, nor these figures anywhere"
    yield f"noticed on {day(run['unreachable_since'])}"


def _withdrawn(known: Mapping[str, Any]) -> Iterator[str]:
    last = next(row for row in reversed(known["versions"]) if row["run_id"] == known["run"]["run_id"])
    yield f"no longer shown by {last['until_revision']} ({day(last['until_at'])})"


def _problem_changed(known: Mapping[str, Any]) -> Iterator[str]:
    run = known["run"]
    first = next((row for row in known["module"] if row["later"] and not row["measured"]), None)
    if first is not None:
        yield (
            f"first seen at {first['from_revision']} ({day(first['from_at'])}), of the tracked commits, with code "
            f"{(first['code_digest'] or 'none')[:DIGITS]}"
        )
    last = known["module"][-1] if known["module"] else None
    code = (last["code_digest"] or "none")[:DIGITS] if last else "none"
    yield f"measured was {run['code_digest'][:DIGITS]}, head has {code}"
    yield f"{run['change'] or 'changed'}: {why_changed(run['change'])}"
    if run["change"] == "inputs_changed" and last and last["inputs"]:
        measured = next((row["inputs"] for row in known["module"] if row["measured"]), None)
        yield f"inputs then {_listed(measured)}, at head {_listed(last['inputs'])}"


def _toolchain_changed(known: Mapping[str, Any]) -> Iterator[str]:
    names = ("requirements_torch", "readme_torch", "readme_cuda")
    then = known["declared"][0]
    yield from _redeclared(known, names)
    yield f"then {software(then)}, at head {software(known['declared'][-1])}"


def _harness_changed(known: Mapping[str, Any]) -> Iterator[str]:
    yield from _redeclared(known, ("harness_digest",))
    yield f"then {harness(known['declared'][0])}, at head {harness(known['declared'][-1])}"


def _redeclared(known: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[str]:
    """The first tracked commit, after the figures appeared, that declares something else."""
    then = known["declared"][0]
    for row in known["declared"][1:]:
        if any(row[name] != then[name] for name in names):
            yield f"first seen at {row['revision']} ({day(row['committed_at'])}), of the tracked commits"
            return


def _age(known: Mapping[str, Any]) -> Iterator[str]:
    run = known["run"]
    yield f"observed {day(run['observed_at'])}, {count(run['age_days'])} days ago"
    yield f"after {run['stale_after_days']} days a figure is called old"


def _source_unchecked(known: Mapping[str, Any]) -> Iterator[str]:
    run = known["run"]
    if run["checked_at"] is None:
        yield "no check of the source ever succeeded"
        return
    yield f"last checked {text(run['checked_at'])} (UTC)"
    yield f"after {run['stale_after_hours']:g} hours a source counts as unchecked: kbw ingest checks again"


_EVIDENCE = {
    "unreachable": _unreachable,
    "withdrawn": _withdrawn,
    "problem_changed": _problem_changed,
    "binding_doubtful": lambda known: iter(["see Binding above"]),
    "toolchain_changed": _toolchain_changed,
    "harness_changed": _harness_changed,
    "age": _age,
    "source_unchecked": _source_unchecked,
}
