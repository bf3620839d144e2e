"""How the public index spells modes: one rule here, the same in SQL for modes that only runs have."""

from __future__ import annotations

import re

import pytest

from transforms import registry
from transforms.manifests import naming
from warehouse import sqlfiles
from warehouse.database import connect

UNKNOWN = [
    "jax",
    "jax_default",
    "torch_compile_tvm_fast-math",
    "torch_compile_tvm_default",
    "torch_compile_tvm_default_default",
    "torch-default",
    "default",
    "_default",
    "-default",
    "a__b--c",
    "default_torch",
    "torch_default_x",
    "Torch",
    "ends in default\n",
    "with space_default",
]


@pytest.mark.parametrize(
    ("mode", "external", "interface"),
    [
        ("torch", "torch", "torch_eager"),
        ("torch_compile", "torch-compile", "torch_compile"),
        ("torch_compile_inductor_default", "torch-compile-inductor", "torch_compile_inductor"),
        (
            "torch_compile_inductor_reduce-overhead",
            "torch-compile-inductor-reduce-overhead",
            "torch_compile_inductor_reduce_overhead",
        ),
    ],
)
def test_known_modes_are_spelt_as_the_index_spells_them(mode, external, interface):
    assert (naming.external_mode(mode), naming.interface(mode)) == (external, interface)


@pytest.mark.parametrize("spelling", [naming.external_mode, naming.interface])
def test_no_two_known_modes_share_a_spelling(spelling):
    spelt = [spelling(mode) for mode in registry.modes()]
    assert len(spelt) == len(set(spelt))


def test_sql_spells_unknown_modes_as_it_is_done_here():
    """Rows in, rows out of ``sql/tables/implementations.sql``: runs in modes that the registry lacks."""
    with connect() as connection:
        connection.execute("create table runs (mode varchar, precision varchar)")
        connection.executemany("insert into runs values ($1, null)", [[mode] for mode in UNKNOWN])
        columns = "mode, known, title, framework, language, interface, external_mode, is_baseline, what, licence, "
        columns += "availability, package, trust, trust_meaning"
        connection.execute(f"create table batch_implementations ({columns.replace(',', ' varchar,')} varchar)")
        connection.execute("alter table batch_implementations alter is_baseline type boolean")
        connection.execute("alter table batch_implementations alter known type boolean")
        (made,) = re.findall(r"create table implementations \(.*?\n\);", sqlfiles.schema(), re.DOTALL)
        connection.execute(made)
        connection.execute(sqlfiles.folder("tables")["implementations"].text)
        found = connection.execute("select mode, external_mode, interface from implementations").fetchall()
    assert sorted(found) == sorted((mode, naming.external_mode(mode), naming.interface(mode)) for mode in UNKNOWN)
