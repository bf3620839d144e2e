"""What belongs to no source: ways of running and of measuring, GPUs, timing scripts, the database itself."""

from __future__ import annotations

from transforms.contracts.columns import flag, integer, number, text
from transforms.contracts.contract import contract
from transforms.contracts.fields import FIELDS

IMPLEMENTATIONS = contract(
    "implementations",
    "table",
    "A way of running a reference module. Grain: mode.",
    FIELDS["mode"].but("As the timing file's name says it."),
    flag("known", "Whether the registry knows what the mode runs."),
    FIELDS["title"].but("In words."),
    text("framework", "What runs it.", null=""),
    text("language", "Language of the source.", null=""),
    text("interface", "The public index's name of the interface."),
    text("external_mode", "The public index's name of the mode."),
    "is_baseline",
    text("what", "What runs, in a sentence.", null=""),
    text("licence", "Licence of what runs."),
    text("availability", "How it can be had."),
    text("package", "Whether there is a package of it."),
    text("trust", "How far the figures have been confirmed."),
    text("trust_meaning", "What that means, in words."),
    key=("mode",),
)

PROTOCOLS = contract(
    "protocols",
    "table",
    "A way of measuring. Grain: protocol.",
    FIELDS["protocol_id"].but("SHA-256 over its identity document."),
    text("name", "Name."),
    FIELDS["title"].but("In words."),
    text("timer", "What takes the time."),
    text("primary_statistic", "The statistic that ranks."),
    text("notes", "What is comparable, in words."),
    text("document", "The identity document as JSON."),
    key=("protocol_id",),
)

GPUS = contract(
    "gpus",
    "table",
    "A GPU as timing files report it, with its datasheet. Grain: reported hardware string.",
    FIELDS["hardware"].but("The string that timing files report."),
    FIELDS["vendor"].but(),
    FIELDS["product"].but(),
    FIELDS["form_factor"].but(null="the string fits several"),
    FIELDS["architecture"].but(),
    FIELDS["memory_gb"].but(null="the string fits several"),
    text("memory_type", "HBM3, GDDR6, ...", null="the string fits several"),
    "dram_gb_per_s",
    number("l2_mb", "L2 cache in MB.", null="", gt=0),
    "last_cache_mb",
    "fp32_tflops",
    "tf32_tflops",
    number("bf16_tflops", "Datasheet peak bf16, dense", null="none", gt=0),
    number("fp8_tflops", "Datasheet peak fp8, dense", null="none", gt=0),
    text("datasheet", "The documents that the figures come from."),
    text("note", "Whose figures these are, where the string names a part of a GPU or several", null="its own"),
    key=("hardware",),
)

_NOT_KNOWN = "not known, or left to a caller that is not"

HARNESSES = contract(
    "harnesses",
    "table",
    "What the timing scripts of a commit do, as far as their texts are known. Grain: digest of the scripts.",
    FIELDS["harness_digest"].but(),
    integer("warm_up_trials", "Passes before the first that is timed", null=_NOT_KNOWN, ge=0),
    integer("trials", "Timed passes that make a figure", null=_NOT_KNOWN, ge=1),
    flag("l2_cleared", "Whether they clear the L2 cache between trials", null=_NOT_KNOWN),
    flag("first_trial_discarded", "Whether they leave the first trial out", null=_NOT_KNOWN),
    flag("outliers_dropped", "Whether they leave the shortest and longest times out", null=_NOT_KNOWN),
    text("timer", "What takes the time", null=_NOT_KNOWN, one_of=["cuda_events", "host_clock"]),
    text("statistic", "What the reported mean is of the times", null=_NOT_KNOWN, one_of=["mean", "median"]),
    flag("device_synchronized", "Whether nothing else is under way when a pass is timed", null=_NOT_KNOWN),
    FIELDS["precision"].but("What module and inputs are cast to; as_written: nothing", null=_NOT_KNOWN),
    text("basis", "What this rests on; empty: none of the scripts is known."),
    key=("harness_digest",),
)

HOST_GPUS = contract(
    "host_gpus",
    "table",
    "Which GPU a host folder has whose files do not say it, as the registry or the settings tell. Grain: host.",
    FIELDS["source"].but("Repository of the lineages it is told for, owner/repo", null="every one"),
    FIELDS["host"].but(),
    FIELDS["hardware"].but("The GPU, as files would report it."),
    text("basis", "What this rests on."),
    key=("source", "host"),
)

TWIN_HOSTS = contract(
    "twin_hosts",
    "table",
    "Two host folders that are one machine, measured once for each. Grain: pair of hosts.",
    FIELDS["source"].but("Repository of the lineages, owner/repo."),
    FIELDS["host"].but("The one measured first."),
    text("twin_host", "The one measured after it."),
    text("basis", "What this rests on."),
    key=("source", "host", "twin_host"),
)

META = contract(
    "meta",
    "table",
    "Facts about the database itself. Grain: key.",
    text("key", "What is stated."),
    text("value", "The statement."),
    key=("key",),
)

CONTRACTS = (IMPLEMENTATIONS, PROTOCOLS, GPUS, HARNESSES, HOST_GPUS, TWIN_HOSTS, META)
