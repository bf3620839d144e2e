"""What a kept entry says, and why another is refused."""

import json

import pytest

from tests.transforms.timings.texts import FIGURES, entry, flags, level1, read, reason, reasons, without

LITERALS = json.dumps(FIGURES)[1:-1]


def one(fields: str) -> str:
    """A file with one entry, its fields given as JSON text."""
    return '{"level1": {"19_ReLU.py": {' + fields + "}}}"


def test_an_entry_is_kept_as_it_is_reported():
    assert read(level1(ReLU=entry())).entries.row(0, named=True) == {
        "blob": "b1",
        "level": "level1",
        "problem": "19_ReLU.py",
        "level_key": "level1",
        "problem_key": "19_ReLU.py",
        "mean": 1.37,
        "std": 0.238,
        "min": 1.28,
        "max": 3.1,
        "num_trials": 100,
        "hardware": "NVIDIA H100 80GB HBM3",
        "device": "cuda:0",
        "precision": None,
        "median": None,
        "source_metrics": '{"device":"cuda:0","max":3.1,"mean":1.37,"min":1.28,"num_trials":100,"std":0.238}',
        "rounding": 0.005,
        "flags": [],
    }


def metrics(text: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(read(text).entries["source_metrics"][0])
    return found


def test_extra_keys_survive_in_the_source_metrics():
    extra = {
        "median": 1.33,
        "torch": {"b": [1, None, True], "a": "ü"},
        "ü": 0.5,
        "error": None,
        "status": "ok",
    }
    text = level1(ReLU=entry(**extra))
    assert metrics(text) == {k: v for k, v in FIGURES.items() if k != "hardware"} | extra
    assert '"b":[1,null,true]' in read(text).entries["source_metrics"][0]


def test_extra_numbers_that_no_double_holds_survive_as_they_are_written():
    found = metrics(one(LITERALS + ', "a": NaN, "b": 1e400, "c": 12345678901234567890, "d": 1.0, "e": -Infinity'))
    assert found | FIGURES == FIGURES | {
        "a": "NaN",
        "b": "1e400",
        "c": "12345678901234567890",
        "d": 1,
        "e": "-Infinity",
    }


def test_a_device_is_left_out_where_there_is_none_and_null_where_it_is_null():
    assert "device" not in metrics(level1(ReLU=without("device")))
    assert metrics(level1(ReLU=entry(device=None)))["device"] is None
    assert metrics(level1(ReLU=entry(device='a"\u0001')))["device"] == 'a"\u0001'


def test_whole_figures_have_no_point_in_the_source_metrics():
    text = level1(ReLU=entry(mean=9.0, min=9, max=1e1, std=1e-7, num_trials=200.0))
    expected = '{"device":"cuda:0","max":10,"mean":9,"min":9,"num_trials":200,"std":1e-7}'
    assert read(text).entries["source_metrics"].to_list() == [expected]


def test_a_path_keeps_its_key_beside_the_problem_it_names():
    text = json.dumps({"level1": {"KernelBench/level1/19_ReLU.py": FIGURES}})
    assert read(text).entries.select("problem", "problem_key").rows() == [
        ("19_ReLU.py", "KernelBench/level1/19_ReLU.py")
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"num_trials": 9}, ["few_trials"]),
        ({"num_trials": 10}, []),
        ({"hardware": ""}, ["hardware_missing"]),
        ({"hardware": None}, ["hardware_missing"]),
        ({"hardware": "AMD GPU"}, ["unknown_gpu"]),
        ({"std": 0.0}, ["zero_spread"]),
        ({"std": -0.0}, ["zero_spread"]),
        ({"mean": 11.6, "std": 85.9, "min": 2.96, "max": 866.0}, ["noisy"]),
        ({"mean": 4.0, "std": 1.0, "min": 1.0, "max": 9.0}, []),
        ({"std": 0, "num_trials": 1, "hardware": "?"}, ["few_trials", "unknown_gpu", "zero_spread"]),
    ],
)
def test_an_entry_is_flagged_for_what_a_reader_should_know(changes, expected):
    assert flags(**changes) == expected


def test_missing_hardware_is_flagged_and_null():
    entries = read(level1(ReLU=without("hardware"), Tanh=entry(hardware=""))).entries
    assert entries["hardware"].to_list() == [None, None]
    assert entries["flags"].to_list() == [["hardware_missing"]] * 2


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "not_measured"),
        ({"error": "failed"}, "not_measured"),
        (entry(error=""), "not_measured"),
        (entry(error="\ud800"), "not_measured"),
        (entry(error=None), None),
        ([1.2, 1.3], "wrong_type"),
        ("1.37", "wrong_type"),
        (1.37, "wrong_type"),
        (True, "wrong_type"),
        (entry(mean="1.37"), "wrong_type"),
        (entry(std=None), "wrong_type"),
        (entry(max=[3.1]), "wrong_type"),
        (entry(num_trials=True), "wrong_type"),
        (entry(hardware=7), "wrong_type"),
        (entry(device=["cuda"]), "wrong_type"),
        (entry(hardware="\ud800"), "wrong_type"),
        (entry(note=["\udc00"]), "wrong_type"),
        ({"mean": "1.37"}, "wrong_type"),
        (entry(status="numeric_mismatch"), "failed"),
        (entry(status=1), "failed"),
        (without("mean") | {"status": "failed"}, "failed"),
        (entry(status="passed"), None),
        (entry(status="success"), None),
        (entry(status=None), None),
        ({}, "missing_statistic"),
        ({"mean": 33179.262129999996}, "missing_statistic"),
        (without("num_trials"), "missing_statistic"),
        (without("std") | {"mean": float("nan")}, "missing_statistic"),
        (entry(mean=float("nan")), "not_finite"),
        (entry(mean=-1, max=float("inf")), "not_finite"),
        (entry(mean=10**400), "not_finite"),
        (entry(num_trials=float("nan")), "not_finite"),
        (entry(mean=-1.0, min=-1.2, max=-0.9), "not_positive"),
        (entry(mean=0, std=0, min=0, max=0), "not_positive"),
        (entry(min=0), "not_positive"),
        (entry(std=-0.1), "not_positive"),
        (entry(std=-0.1, num_trials=0), "not_positive"),
        (entry(std=-0.1, num_trials=12.5), "not_positive"),
        (entry(num_trials=0), "bad_trial_count"),
        (entry(num_trials=-5), "bad_trial_count"),
        (entry(num_trials=12.5), "bad_trial_count"),
        (entry(num_trials=2**53), "bad_trial_count"),  # JSON cannot write it exactly
        (entry(num_trials=2**63 - 1), "bad_trial_count"),
        (entry(num_trials=2**63), "bad_trial_count"),
        (entry(num_trials=1e30), "bad_trial_count"),
        (entry(num_trials=12.5, mean=9.0), "bad_trial_count"),
        (entry(num_trials=2**53 - 1), None),
        (entry(num_trials=100.0), None),
        (entry(mean=9.0), "mean_outside_range"),
        (entry(mean=1.0, std=5.0), "mean_outside_range"),
        (entry(mean=1.0, std=5.0, min=0.9, max=1.1), "impossible_spread"),
    ],
)
def test_an_entry_is_refused_for_the_first_reason_that_applies(value, expected):
    assert reason(value) == expected


def test_whole_numbers_of_any_length_are_read():
    digits = "9" * 100_000
    assert reasons(one(LITERALS.replace("100", digits))) == {"19_ReLU.py": "bad_trial_count"}
    assert reasons(one(LITERALS.replace("1.37", digits))) == {"19_ReLU.py": "not_finite"}
    assert reasons(one(f'{LITERALS}, "seed": {digits}')) == {}


@pytest.mark.parametrize(
    ("figures", "expected"),
    [
        # Widths are 0.005 each: 2.77 may be 2.765, 2.78 may be 2.775.
        ({"mean": 2.77, "std": 0.0012, "min": 2.77, "max": 2.77}, None),
        ({"mean": 2.78, "std": 0.0, "min": 2.77, "max": 2.77}, None),
        ({"mean": 2.79, "std": 0.0012, "min": 2.77, "max": 2.77}, "mean_outside_range"),
        ({"mean": 2.75, "std": 0.0012, "min": 2.77, "max": 2.77}, "mean_outside_range"),
        ({"mean": 1.0, "std": 0.004, "min": 0.999, "max": 1.0}, None),
        # Written with more digits, the figures mean more.
        ({"mean": 2.7801, "std": 0.0012, "min": 2.7700, "max": 2.7702}, "mean_outside_range"),
        ({"mean": 2.77011, "std": 0.0, "min": 2.7699, "max": 2.7701}, None),
        # (max - mean)(mean - min) is 0.01, with widths 0.0121; n/(n-1) is 2 for two trials.
        ({"mean": 1.0, "std": 0.105, "min": 0.9, "max": 1.1, "num_trials": 1000}, None),
        ({"mean": 1.0, "std": 0.112, "min": 0.9, "max": 1.1, "num_trials": 1000}, "impossible_spread"),
        ({"mean": 1.0, "std": 0.141, "min": 0.9, "max": 1.1, "num_trials": 2}, None),
        ({"mean": 1.0, "std": 0.16, "min": 0.9, "max": 1.1, "num_trials": 2}, "impossible_spread"),
        # A single trial has no spread to test.
        ({"mean": 1.0, "std": 5.0, "min": 1.0, "max": 1.0, "num_trials": 1}, None),
        # Far out, where products would not be doubles.
        ({"mean": 1e200, "std": 1e250, "min": 1e199, "max": 1e201}, "impossible_spread"),
        ({"mean": 1e-200, "std": 1e-100, "min": 1e-201, "max": 1e-199}, "impossible_spread"),
        ({"mean": 1e308, "std": 0, "min": 1e308, "max": 1.7e308}, None),
    ],
)
def test_figures_may_contradict_each_other_within_their_rounding_only(figures, expected):
    assert reason(entry(**figures)) == expected


def test_a_key_that_stands_twice_is_refused_with_all_its_entries():
    text = '{"level1": {"1_a.py": {"x": 1.0}, "2_b.py": null, "1_a.py": {"mean": NaN}}}'
    refusals = read(text).refusals
    assert refusals.select("problem_key", "reason", "raw").rows() == [
        ("1_a.py", "duplicate_key", '[{"x":1.0},{"mean":NaN}]'),
        ("2_b.py", "not_measured", "null"),
    ]
    assert read(text).files.select("entries", "kept", "refused").row(0) == (2, 0, 2)


def test_a_key_that_stands_twice_is_seen_wherever_the_spaces_are():
    for between in ('"1_a.py" :', '"1_a.py"\t:', '"1_\\u0061.py":', '"1_a.py":'):
        text = f'{{"level1": {{"1_a.py": {{{LITERALS}}}, {between} {{{LITERALS}}}}}}}'
        assert reasons(text) == {"1_a.py": "duplicate_key"}


def test_a_statistic_that_stands_twice_is_refused():
    assert reasons(one(f'"mean": 1.37, {LITERALS}')) == {"19_ReLU.py": "duplicate_key"}
    assert reasons(one(f'{LITERALS}, "x": [{{"a": 1, "a": 2}}]')) == {"19_ReLU.py": "duplicate_key"}
    assert reasons(one(f'"hardware": null, {LITERALS}')) == {"19_ReLU.py": "duplicate_key"}


def test_a_level_that_stands_twice_is_refused_with_all_its_entries():
    once = f'{{"1_a.py": {{{LITERALS}}}}}'
    text = f'{{"level1": {once}, "level2": {once}, "level1": {{"2_b.py": null}}}}'
    readings = read(text)
    assert readings.refusals.select("level", "problem_key", "reason").rows() == [
        ("level1", "1_a.py", "duplicate_key"),
        ("level1", "2_b.py", "duplicate_key"),
    ]
    assert readings.entries["level"].to_list() == ["level2"]


def test_two_keys_that_name_one_problem_are_both_refused():
    path = "KernelBench/level1/19_ReLU.py"
    keys = {path: None, "19_ReLU.py": FIGURES, "20_a.py": FIGURES}
    text = json.dumps({"level1": keys, "level2": {"x/19_ReLU.py": FIGURES}})
    assert reasons(text) == {path: "duplicate_key", "19_ReLU.py": "duplicate_key"}


def test_a_key_that_names_no_problem_is_refused():
    text = json.dumps(
        {
            "level1": {"Tanh": None, "level2/1_a.py": FIGURES, "1_\ud800.py": FIGURES},
            "level\ud800": {"1_a.py": 1},
        }
    )
    assert read(text).refusals.select("level", "problem_key", "reason").rows() == [
        ("level1", "Tanh", "bad_problem_name"),
        ("level1", "level2/1_a.py", "bad_problem_name"),
        ("level1", "1_\\ud800.py", "bad_problem_name"),
        ("level\\ud800", "1_a.py", "bad_problem_name"),
    ]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "the entry is null"),
        ({"error": "subprocess failed"}, 'error is "subprocess failed"'),
        (entry(status="oom"), 'status is "oom"'),
        (without("std", "max"), "no std, max"),
        (entry(mean=float("nan")), "mean is NaN"),
        (entry(std=-0.1), "mean is 1.37, std -0.1, min 1.28, max 3.1"),
        (entry(num_trials=12.5), "num_trials is 12.5"),
        (entry(num_trials=0), "num_trials is 0"),
        (entry(mean=9.0), "mean 9 is not between min 1.28 and max 3.1"),
        (
            entry(mean=1.0, std=5.0, min=0.9, max=1.1),
            "std 5 is more than 100 trials with mean 1, min 0.9 and max 1.1 can have",
        ),
    ],
)
def test_a_refusal_says_what_is_wrong_in_words(value, words):
    assert read(level1(ReLU=value)).refusals["detail"].to_list() == [words]


def test_every_refusal_has_words():
    keys = {"a": None, "1_a.py": FIGURES, "x/1_a.py": FIGURES, "1_é.py": "é", "2_a.py": entry(mean=0)}
    refusals = read(json.dumps({"level1": keys})).refusals
    assert refusals.height == len(keys)
    assert refusals["detail"].null_count() == 0


def test_a_refused_entry_shows_its_text_as_it_is_written():
    text = one('"mean": 9.00, "std": 1e0, "min": 1.280, "max": 3.1, "num_trials": 100, "hardware": "é"')
    raw = '{"mean":9.00,"std":1e0,"min":1.280,"max":3.1,"num_trials":100,"hardware":"é"}'
    assert read(text).refusals["raw"].to_list() == [raw]


def test_a_long_text_of_a_refused_entry_is_cut():
    assert read(level1(ReLU=entry(error="x" * 5000))).refusals["raw"].str.len_chars().to_list() == [2000]


def test_a_colon_in_a_name_is_no_sign_of_anything():
    text = json.dumps({"level:1": {"1_a:b.py": entry(hardware="a:b", device=None)}})
    assert read(text).entries.select("level", "problem", "hardware").rows() == [("level:1", "1_a:b.py", "a:b")]
