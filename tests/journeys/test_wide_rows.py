"""What a run says of itself in a word: its problem's number, its GPU, its host's title."""

from __future__ import annotations

from tests.histories import GitHistory, figures, ingest_git, module, module_path, query, timing_path, timings

WORDS = "problem_number, gpu, host_title"


def test_a_gpu_that_the_settings_tell_of_a_host_is_the_runs_too_as_long_as_they_do(home, tmp_path, monkeypatch):
    """The figures of the host are untouched by the second and third ingest, which bring another host's."""
    monkeypatch.delenv("KBW_CONFIG", raising=False)
    history = GitHistory(tmp_path / "repository")
    silent = timings(n19_ReLU=figures(1.0, hardware=None))
    history.commit("2025-01-01", {timing_path("told"): silent, module_path("19_ReLU.py"): module("ReLU")})
    ingest_git(home, history)
    asked = f"select {WORDS} from runs where host = 'told'"
    assert query(home, asked) == [(19, None, "told")]
    settings = home.root / "kbw.toml"
    for number, told, word in ((2, '[hosts."told"]\ngpu = "AMD Instinct MI300X"\n', "MI300X"), (3, "", None)):
        settings.write_text(told)
        history.commit(f"2025-0{number}-01", {timing_path("H100_Modal"): timings(n19_ReLU=float(number))})
        ingest_git(home, history)
        assert query(home, asked) == [(19, word, "told")]
        assert query(home, f"select {WORDS} from baselines where host = 'told'") == [(19, word, "told")]
        assert query(home, f"select distinct {WORDS} from records where host = 'H100_Modal'") == [(19, "H100", "Modal")]
