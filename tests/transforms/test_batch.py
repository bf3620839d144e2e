"""What belongs to no source comes from the registry alone, in the columns of its contracts."""

from __future__ import annotations

import json
from dataclasses import make_dataclass

import pytest

from transforms import registry
from transforms.batch import common_tables, ingest_rows
from transforms.contracts.objects import OBJECTS
from transforms.contracts.one_pass import keeps_contract
from transforms.protocol import protocol, protocol_id
from transforms.version import rules_version

TABLES = common_tables(stale_after_days=7)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_keeps_its_contract_and_is_ordered_by_its_key(name):
    assert keeps_contract(OBJECTS[name], TABLES[name])
    assert TABLES[name].equals(TABLES[name].sort(OBJECTS[name].key))


def test_every_row_of_the_registry_is_there():
    assert set(TABLES["gpus"]["hardware"]) == set(registry.gpus())
    assert set(TABLES["implementations"]["mode"]) == set(registry.modes())
    assert set(TABLES["host_gpus"].select("source", "host").rows()) == set(registry.told_gpus())
    assert set(TABLES["twin_hosts"]["source"]) == {machine.source for machine in registry.twins()}


def test_a_gpu_has_its_figures_and_the_cache_before_memory():
    (row,) = TABLES["gpus"].filter(hardware="AMD Instinct MI300X").to_dicts()
    assert (row["last_cache_mb"], row["tf32_tflops"] is not None, row["datasheet"]) == (
        256,
        True,
        registry.gpus()["AMD Instinct MI300X"].source,
    )


def test_the_protocol_is_its_document():
    (row,) = TABLES["protocols"].to_dicts()
    assert (row["protocol_id"], json.loads(row["document"])) == (protocol_id(), protocol())


def test_the_database_says_by_which_rules_it_was_made():
    stated = dict(TABLES["meta"].iter_rows())
    assert (stated["schema_version"], stated["stale_after_days"]) == (rules_version(), "7")
    assert stated["upstream"] == registry.upstream()


def test_the_log_of_ingests_is_in_their_order():
    columns = list(OBJECTS["ingests"].columns)
    record = make_dataclass("Record", columns)
    blank = dict.fromkeys(columns)
    found = ingest_rows([record(**{**blank, "ingest_id": name}) for name in ("b", "a")])
    assert found["ingest_id"].to_list() == ["a", "b"]
    assert found.columns == columns
