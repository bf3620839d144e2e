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
