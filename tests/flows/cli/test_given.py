"""What a person hands a command to read: files, standard input, devices."""

from __future__ import annotations

import io
import json

import pytest

from flows.cli import given
from flows.cli.given import given_text
from warehouse.home import WarehouseError


def test_a_file_is_read_with_or_without_a_byte_order_mark(tmp_path, monkeypatch):
    (tmp_path / "a.sql").write_bytes("select 'ü'".encode("utf-8-sig"))
    assert given_text(str(tmp_path / "a.sql")) == "select 'ü'"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert given_text("~/a.sql") == "select 'ü'"


def test_a_dash_is_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"from runs")))
    assert given_text("-") == "from runs"


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_device_without_an_end_is_refused(device):
    with pytest.raises(WarehouseError, match=f"{device}: holds more than 64 MiB"):
        given_text(device)


def test_as_much_as_is_read_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(given, "LARGEST", 4)
    (tmp_path / "four").write_bytes(b"four")
    (tmp_path / "five!").write_bytes(b"five!")
    assert given_text(str(tmp_path / "four")) == "four"
    with pytest.raises(WarehouseError, match="holds more than"):
        given_text(str(tmp_path / "five!"))


NO_MANIFESTS = {"utf-16": b"\xff\xfe", "deep": b"[" * 100_000, "empty": b"", "half": b'{"a":'}


@pytest.mark.parametrize("content", NO_MANIFESTS.values(), ids=NO_MANIFESTS)
def test_what_is_no_manifest_is_refused_in_one_line(kbw, tmp_path, content):
    (tmp_path / "run.json").write_bytes(content)
    done = kbw("verify", tmp_path / "run.json")
    assert done.returncode == 1
    assert done.stderr.startswith(f"kbw: {tmp_path}/run.json: ")
    assert done.stderr.count("\n") == 1
    assert "defect" not in done.stderr


def test_an_unreadable_manifest_is_told_with_its_name(kbw, tmp_path):
    assert f"{tmp_path}" in kbw("verify", tmp_path / "absent.json").stderr
    (tmp_path / "x.json").write_text(json.dumps({"digest": "x"}))
    assert kbw("verify", tmp_path / "x.json").returncode == 0
