"""Where settings may stand, and what they may say."""

from __future__ import annotations

import pytest

from flows.settings import Followed, Settings, read_settings
from warehouse.home import WarehouseError


def test_settings_may_stand_in_pyproject_and_a_mistake_in_them_is_told(home, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[[tool.kbw.sources]]\nsource = "sample"\nstale_after_hours = 9\n')
    assert read_settings(home).sources == [Followed("sample", stale_after_hours=9)]
    (tmp_path / "kbw.toml").write_text('[[sources]]\nsauce = "sample"\n')
    with pytest.raises(WarehouseError, match=r"kbw\.toml"):
        read_settings(home)
    monkeypatch.setenv("KBW_CONFIG", str(tmp_path / "absent.toml"))
    with pytest.raises(WarehouseError, match="no such file"):
        read_settings(home)
    monkeypatch.delenv("KBW_CONFIG")
    (tmp_path / "kbw.toml").unlink()
    (tmp_path / "pyproject.toml").unlink()
    assert read_settings(home) == Settings()


@pytest.mark.parametrize("hours", ["1e308", "nan", "inf", "0", "-1", "87601", '"soon"'])
@pytest.mark.parametrize("threshold", ["due_after_hours", "stale_after_hours"])
def test_hours_that_no_calendar_holds_are_refused(home, tmp_path, monkeypatch, threshold, hours):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kbw.toml").write_text(f'[[sources]]\nsource = "sample"\n{threshold} = {hours}\n')
    with pytest.raises(WarehouseError, match=rf"kbw\.toml: .*{threshold}"):
        read_settings(home)


@pytest.mark.parametrize("days", ["0", "-1", "3651", "1e3", "9" * 5000])
def test_days_that_no_calendar_holds_are_refused(home, tmp_path, monkeypatch, days):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kbw.toml").write_text(f"stale_after_days = {days}\n")
    with pytest.raises(WarehouseError, match=r"kbw\.toml: "):
        read_settings(home)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"a = " + b"[" * 5_000, b"sources = 3", b"[tool", b"\x00"])
def test_settings_that_cannot_be_read_are_told_in_one_line(home, tmp_path, monkeypatch, content):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("KBW_CONFIG", "~/mine.toml")
    (tmp_path / "mine.toml").write_bytes(content)
    with pytest.raises(WarehouseError, match=r"^/[^\n]*mine\.toml: [^\n]+$"):
        read_settings(home)
