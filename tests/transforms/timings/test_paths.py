import pytest

from transforms.timings.paths import TimingPath, timing_path

COMPILE = "torch_compile_inductor_default"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("H100_Modal/baseline_time_torch.json", ("H100_Modal", "torch")),
        (f"H100_Modal/baseline_time_{COMPILE}.json", ("H100_Modal", COMPILE)),
        ("H100_Modal/baseline_time_trt.json", ("H100_Modal", "trt")),
        ("H100_Modal/baseline_time.json", ("H100_Modal", "torch")),
        ("h100_modal/baseline_time_torch.json", ("h100_modal", "torch")),
    ],
)
def test_the_folder_is_the_host_and_the_rest_of_the_name_the_mode(path, expected):
    assert timing_path(f"results/timing/{path}") == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("baseline_time_matx3", ("matx3", "torch")),
        ("baseline_time_torch_compile_matx2", ("matx2", "torch_compile")),
        (f"baseline_time_{COMPILE}_H100", ("H100", COMPILE)),
        ("baseline_time_torch", ("unknown", "torch")),
        ("baseline_time", ("unknown", "torch")),
        ("baseline_time_torchlab", ("torchlab", "torch")),
    ],
)
def test_without_a_folder_what_a_known_mode_leaves_of_the_name_is_the_host(name, expected):
    assert timing_path(f"results/timing/{name}.json") == expected
    assert timing_path(f"results/timing/old/{name}.json") == expected


def test_the_longest_known_mode_is_taken_off():
    path = "results/timing/baseline_time_a_b_c.json"
    assert timing_path(path, modes={"a"}) == TimingPath("b_c", "a")
    assert timing_path(path, modes={"a", "a_b"}) == TimingPath("c", "a_b")


def test_the_archive_folder_is_no_part_of_a_host():
    assert timing_path("results/timing/old/H100/baseline_time_torch.json") == ("H100", "torch")


def test_nested_folders_are_one_host():
    assert timing_path("results/timing/a/b/baseline_time_torch.json") == ("a/b", "torch")


@pytest.mark.parametrize(
    "path",
    [
        "results/timing/H100/summary.json",
        "results/timing/README.md",
        "results/timing/H100/baseline_time_torch.csv",
        "results/other/H100/baseline_time_torch.json",
        "results/timings/H100/baseline_time_torch.json",
        "H100/baseline_time_torch.json",
        "baseline_time_torch.json",
        "",
    ],
)
def test_other_files_are_not_timing_files(path):
    assert timing_path(path) is None
