"""What belongs to no source: ways of running and of measuring, GPUs, timing scripts, the database itself."""

from __future__ import annotations

from transforms.contracts.columns import flag, number, text
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
    FIELDS["form_factor"].but(),
    FIELDS["architecture"].but(),
    FIELDS["memory_gb"].but(),
    text("memory_type", "HBM3, GDDR6, ..."),
    "dram_gb_per_s",
    number("l2_mb", "L2 cache in MB.", null="", gt=0),
    "last_cache_mb",
    "fp32_tflops",
    "tf32_tflops",
    number("bf16_tflops", "Datasheet peak bf16, dense", null="none", gt=0),
    number("fp8_tflops", "Datasheet peak fp8, dense", null="none", gt=0),
    text("datasheet", "The documents that the figures come from."),
    key=("hardware",),
)

HARNESSES = contract(
    "harnesses",
    "table",
    "What is known of timing scripts; scripts that are not here are unknown. Grain: digest of the scripts.",
    FIELDS["harness_digest"].but(),
    text("first_seen", "Day of upstream's first revision that shows them."),
    flag("l2_cleared", "Whether they clear the L2 cache between trials", null="not known"),
    flag("first_trial_discarded", "Whether they leave the first trial out", null="not known"),
    text("basis", "What this rests on."),
    key=("harness_digest",),
)

META = contract(
    "meta",
    "table",
    "Facts about the database itself. Grain: key.",
    text("key", "What is stated."),
    text("value", "The statement."),
    key=("key",),
)

CONTRACTS = (IMPLEMENTATIONS, PROTOCOLS, GPUS, HARNESSES, META)
