"""Whether a Prefect API is configured is known without Prefect."""

from __future__ import annotations

from flows.prefect_settings import prefect_is_configured


def test_an_api_is_looked_for_where_prefect_keeps_it(monkeypatch, tmp_path):
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.delenv("PREFECT_PROFILE", raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    assert not prefect_is_configured()
    (tmp_path / "profiles.toml").write_text(
        'active = "mine"\n[profiles.mine]\nPREFECT_API_URL = "http://127.0.0.1:4200/api"\n[profiles.other]\n'
    )
    assert prefect_is_configured()
    monkeypatch.setenv("PREFECT_PROFILE", "other")
    assert not prefect_is_configured()
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:4200/api")
    assert prefect_is_configured()
