"""What a problem module declares (DESIGN.md, section 6)."""

from __future__ import annotations

import hashlib
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.transforms.problems.texts import module, problem, read, refusal, shapes
from transforms.problems import reader
from transforms.problems.reader import read_module


def test_a_module_is_read_whole():
    text = module(
        "batch, N = 4, 1024 * 2\nshape = (N, 3)\nscale = 0.5\nflag = True",
        "x = torch.rand(batch, *shape)\nmask = torch.randint(0, 2, x.shape).bool()\nreturn [x, mask]",
        "return [N, scale, shape, flag, 7]",
    )
    reading = read(text)
    assert (reading.level, reading.file, reading.reason) == ("level1", "1_Double.py", None)
    assert reading.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert reading.size_bytes == len(text.encode())
    assert reading.problem
    facts = reading.problem.as_json()
    assert len(facts.pop("compute_digest")) == 64
    assert facts == {
        "inputs": [
            {"name": "x", "shape": ["batch", "n", 3], "dtype": "fp32"},
            {"name": "mask", "shape": ["batch", "n", 3], "dtype": "bool"},
        ],
        "axes": {"batch": 4, "n": 2048},
        "scalars": {"n": 2048, "scale": 0.5},
        "init": [2048, 0.5, [2048, 3], "flag", 7],
    }


HOSTILE = {
    "a size of thousands of hexadecimal digits": f"x = torch.rand(0x{'f' * 4000})",
    "sizes that double forty times": "x = torch.rand(2, 3)" + "\nx = torch.rand(*x.shape, *x.shape)" * 40,
    "a tuple that doubles forty times": "s = (2, 3)" + "\ns = (*s, *s)" * 40 + "\nx = torch.rand(*s)",
    "a power without end": "x = torch.rand(9 ** 9 ** 9)",
    "a shift without end": "x = torch.rand(1 << 99999999999)",
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_module_is_code_whose_inputs_are_not_told(body):
    reading = read(module("", f"{body}\nreturn [x]"))
    assert (reading.reason, reading.problem) == ("outside_grammar", None)
    assert reading.code_digest is not None
    assert reading.detail


def test_a_module_of_more_than_a_mebibyte_is_not_parsed():
    fits = module("# " + "x" * 1_000_000)
    assert read(fits).reason is None
    reading = read(fits + "#" * 60_000)
    assert (reading.reason, reading.code_digest) == ("reader_failed", None)
    assert reading.detail == f"{reading.size_bytes} bytes; at most 1048576 are read"


def test_whatever_fails_in_the_reader_refuses_the_module_alone(monkeypatch):
    """A fault of ours, met by a stranger's module, must not end an ingest."""
    monkeypatch.setattr(reader, "read_inputs", lambda scope: 1 / 0)
    reading = read(module())
    assert (reading.reason, reading.problem) == ("reader_failed", None)
    assert reading.detail == "ZeroDivisionError: division by zero"
    assert reading.code_digest is not None


@pytest.mark.parametrize(
    ("constants", "arguments", "expected"),
    [
        ("N = 8", "N", ["n"]),
        ("N = 8", "N * 2", [16]),
        ("N = 8", "(N)", ["n"]),
        ("N = 8", "(N, 2)", ["n", 2]),
        ("N = 8", "[N, 2]", ["n", 2]),
        ("N = 8", "size=(N, 2)", ["n", 2]),
        ("S = (8,)", "S", [8]),
        ("S = (8,)", "2, *S", [2, 8]),
        ("N = 8; S = [N, 2]", "*S", ["n", 2]),
        ("N = 8; S = (N, 2)", "S[0], S[-1]", [8, 2]),
        ("N = 8; S = (N, 2)", "(4,) + S", [4, "n", 2]),
        ("N = 8; S = (*(N, 1), 2)", "S", ["n", 1, 2]),
        ("a = b = 5", "a, b", ["a", "b"]),
        ("a, b = 5, 6", "a, b", ["a", "b"]),
        ("(a, (b, c)) = (5, (6, 7))", "a, b, c", ["a", "b", "c"]),
        ("S = (5, 6); a, b = S", "a, b", ["a", "b"]),
        ("N = 8\nM = N", "M", ["m"]),
        ("N: int = 8", "N", ["n"]),
        ("N = 8\nN //= 3", "N", ["n"]),
        ("N = 2 ** 10 // 3 % 100 - -1 << 1", "N", ["n"]),
        ("N = 0x10 + 1_000", "N + 0", [1016]),
        ("if True:\n    N = 1\nN = 8", "N", ["n"]),
        ("", "()", None),
    ],
)
def test_sizes_are_read_as_they_are_written(constants, arguments, expected):
    expected_shapes = [] if expected is None else [expected]
    assert shapes(constants, f"return [torch.rand({arguments})]") == expected_shapes


def test_axes_have_the_sizes_of_their_constants():
    constants = "a = b = 5\nN = 2 ** 10 // 3 % 100 - -1 << 1"
    assert problem(constants, "return [torch.rand(a, b), torch.rand(N)]").axes == {"a": 5, "b": 5, "n": 84}


@pytest.mark.parametrize(
    ("expression", "dtype"),
    [
        ("torch.rand(3)", "fp32"),
        ("torch.randn(3)", "fp32"),
        ("torch.rand_mix(3)", "fp32"),
        ("torch.randn_mix(3, dtype=torch.half)", "fp16"),
        ("torch.randint(0, 9, (3,))", "int64"),
        ("torch.randint(9, size=(3,))", "int64"),
        ("torch.randint(0, 9, (3,), dtype=torch.int32)", "int32"),
        ("torch.rand(3, device='cuda', dtype=torch.bfloat16)", "bf16"),
        ("torch.rand(3, dtype=None)", "fp32"),
        ("torch.rand(3, dtype=DTYPE)", "fp64"),
        ("torch.rand(3, dtype=torch.half).float()", "fp32"),
        ("torch.rand(3).half().cuda()", "fp16"),
        ("torch.rand(3).to(torch.float16)", "fp16"),
        ("torch.rand(3).to('cuda')", "fp32"),
        ("torch.rand(3).to(device)", "fp32"),
        ("torch.rand(3).to(device='cuda', dtype=torch.double)", "fp64"),
        ("torch.rand(3).to(torch.rand(1).half())", "fp16"),
        ("torch.rand(3).type(torch.long)", "int64"),
        ("torch.randint(0, 2, (3,)).bool()", "bool"),
        ("torch.randint(0, 2, (3,)).float() * 2 - 1", "fp32"),
        ("torch.randint(0, 2, (3,)) * 2", "int64"),
        ("torch.triu(torch.rand(3, 3).half(), diagonal=1)", "fp16"),
        ("F.softmax(torch.rand(3), dim=-1)", "fp32"),
        ("(torch.rand(3) * torch.rand(())).softmax(dim=0)", "fp32"),
        ("-torch.rand(3)", "fp32"),
    ],
)
def test_the_last_cast_decides_the_dtype(expression, dtype):
    constants = "DTYPE = torch.float64\ndevice = 'cuda' if torch.cuda.is_available() else 'cpu'"
    assert [tensor.dtype for tensor in problem(constants, f"return [{expression}]").inputs] == [dtype]


@pytest.mark.parametrize(
    ("inputs", "names"),
    [
        ("A = torch.rand(3)\nreturn [A]", ["a"]),
        ("A = torch.rand(3).half().cuda()\nreturn [A]", ["a"]),
        ("A: torch.Tensor = torch.rand(3)\nreturn (A,)", ["a"]),
        ("a, b = torch.rand(3), torch.rand(3)\nreturn [b, a]", ["b", "a"]),
        ("A = torch.triu(torch.rand(3, 3))\nreturn [A]", ["input_1"]),
        ("return [torch.rand(3), torch.rand(3)]", ["input_1", "input_2"]),
        ("s = torch.rand(())\nreturn [torch.rand(3) * s, torch.rand(3)]", ["input_2", "input_3"]),
        ("x = torch.rand(3)\nreturn [torch.rand(3), x]", ["input_2", "x"]),
        ("x = torch.rand(3)\nx = x.cuda()\nreturn [x]", ["x"]),
        ("x = torch.rand(3)\nx *= 2\nreturn [x]", ["x"]),
        ("both = [torch.tril(torch.rand(3, 3)), torch.rand(3)]\nreturn both", ["input_1", "input_2"]),
    ],
)
def test_an_input_has_its_variables_name_or_its_number(inputs, names):
    assert [tensor.name for tensor in problem("", inputs).inputs] == names


def test_local_names_and_harmless_statements_are_followed():
    inputs = (
        '"""Words."""\ntorch.manual_seed(1)\nn = 2 * N\nassert n > 0\n'
        "x = torch.rand(n)\nm, = x.shape\nreturn [x, torch.rand(m, x.size(0))]"
    )
    read_ = problem("N = 4", inputs)
    assert [list(tensor.shape) for tensor in read_.inputs] == [["n"], ["m", 8]]
    assert read_.axes == {"n": 8, "m": 8}


def test_torch_is_known_under_any_name_it_is_imported_by():
    constants = "import torch as T\nfrom torch import randn as normal\nfrom somewhere import rand_mix"
    assert shapes(constants, "return [T.rand(1), normal(2), rand_mix(3)]") == [[1], [2], [3]]


@pytest.mark.parametrize(
    ("constants", "expression", "expected"),
    [
        ("n = 3", "n", 3),
        ("n = 3", "n * 0.5", 1.5),
        ("n = 3", "-n", -3),
        ("n = 3", "(n, 5)", [3, 5]),
        ("n = [3, 5]", "n", [3, 5]),
        ("n = []", "n", []),
        ("n = (3,) + (5,)", "n", [3, 5]),
        ("n = [4] * 2", "n", "n"),
        ("", "[4] * 2", "[4] * 2"),
        ("n = True", "n", "n"),
        ("", "None", "None"),
        ("", "'same'", "'same'"),
        ("n = (0.9, 0.99)", "n", "n"),
        ("n = ((1, 2), 3)", "n", "n"),
        ("", "nn.ReLU( )", "nn.ReLU( )"),
        ("n = 1e999", "n", "n"),
        ("n = 2 ** 53", "n", "n"),
        ("n = 1 // 0", "n", "n"),
        ("n = 9 ** 9 ** 9", "n", "n"),
        ("n = 1 << 10 ** 9", "n", "n"),
        ("n = (-8) ** 0.5", "n", "n"),
        ("import n", "n", "n"),
        ("", "dict(\n    a=1,  # one\n\n    b=2)", "dict(\n        a=1,\n        b=2)"),
    ],
)
def test_an_argument_is_a_number_or_a_list_of_sizes_or_its_source(constants, expression, expected):
    assert problem(constants, init=f"return [{expression}]").init == [expected]


def test_only_bare_names_of_numbers_are_scalars():
    read_ = problem("N = 3; eps = 1e-5; S = (1, 2); on = True", init="k = 7\nreturn [N, eps, S, on, 5, N + 1, *S, k]")
    assert read_.scalars == {"n": 3, "eps": 1e-5, "k": 7}
    assert read_.init == [3, 1e-5, [1, 2], "on", 5, 4, 1, 2, 7]


def test_the_constructors_arguments_may_be_a_constant():
    assert problem("ARGUMENTS = [1, 2]", init="return ARGUMENTS").init == [1, 2]


@pytest.mark.parametrize(
    "constants",
    [
        "N = 8\nif F:\n    N = 4",
        "N = 8\nfor N in range(3):\n    pass",
        "N = 8\nwhile F:\n    N += 1",
        "N = 8\nwith F as N:\n    pass",
        "try:\n    N = 8\nexcept ImportError:\n    N = 4",
        "N = 8\ntry:\n    pass\nexcept ValueError as N:\n    pass",
        "N = 8\nimport N",
        "N = 8\nfrom sizes import N",
        "N = 8\nfrom sizes import *",
        "N = 8\ndef N():\n    pass",
        "N = 8\nclass N:\n    pass",
        "N = 8\ndel N",
        "N = 8\ndef grow():\n    global N\n    N = 9",
        "N = 8\nprint(N := 9)",
        "N = 8\nglobals()['N'] = 9",
        "N = 8\nexec('N = 9')",
        "N = 8\n[N, *M] = 1, 2",
        "N = 8\nN @= 2",
        "N = int(8)",
        "N = 8 if F else 4",
        "N = True",
        "N = 8.0",
        "N = -8",
        "N = '8'",
        "N = max(4, 8)",
        "N = [8]\nN.append(9)",
        "N = [8]\nM = N\nM[0] = 9",
        "N = [8]\nlast = N.pop()",
        "N = [8]\nM = N\nM += [9]",
        "N = [4] * 2",
        "N: int",
        "M = 8",
    ],
)
def test_a_name_that_the_text_does_not_tell_is_never_taken_for_a_size(constants):
    reading = read(module(constants, "return [torch.rand(N)]"))
    assert (reading.reason, reading.problem) == ("outside_grammar", None)


def test_a_name_that_is_not_known_does_not_matter_where_no_shape_needs_it():
    assert shapes("if F:\n    M = 1\nN = 8", "return [torch.rand(N)]") == [["n"]]


def test_a_local_variable_of_a_method_is_another_variable():
    constants = "N = 8\ndef helper():\n    N = 9\n    return [N for N in range(N)]"
    assert shapes(constants, "return [torch.rand(N)]") == [["n"]]


@pytest.mark.parametrize("other", ["5", "2.5", "'mean'", "True", "None", "N"])
def test_a_value_that_is_no_tensor_is_no_input_and_names_no_axis(other):
    declared = problem("N = 8\nM = 4", f"x = torch.rand(M)\nreturn [{other}, x]")
    assert [(tensor.name, tensor.shape) for tensor in declared.inputs] == [("x", ("m",))]
    assert declared.axes == {"m": 4}


@pytest.mark.parametrize(
    "again",
    [
        "(x + x.T) / 2",
        "x + x.t()",
        "x.mT - x",
        "x * x.transpose(0, 1)",
        "x.transpose(-2, -1)",
        "-x",
        "0.5 * x + 1",
        "x.T",
    ],
)
def test_what_keeps_the_sizes_of_the_tensor_of_the_same_name_keeps_its_name_and_axes(again):
    declared = problem("N = 8", f"x = torch.rand(N, N)\nx = {again}\ny = torch.rand(N)\nreturn [x, y]")
    assert [(tensor.name, tensor.shape) for tensor in declared.inputs] == [("x", ("n", "n")), ("y", ("n",))]


def test_bits_of_a_mask_may_be_turned():
    assert shapes("N = 8", "mask = ~torch.randint(0, 2, (N,)).bool()\nreturn [mask]") == [["n"]]


def test_last_dimensions_of_a_batch_may_be_exchanged_where_they_are_equal():
    assert shapes("B, N = 2, 8", "x = torch.rand(B, N, N)\nx = x + x.mT\nreturn [x]") == [["b", "n", "n"]]


@pytest.mark.parametrize(
    "inputs",
    [
        "return [torch.rand(3) for _ in range(2)]",
        "x = []\nfor _ in range(2):\n    x.append(torch.rand(3))\nreturn x",
        "if N:\n    return [torch.rand(3)]\nreturn [torch.rand(4)]",
        "return [torch.rand(3) if N else torch.rand(4)]",
        "return torch.rand(3)",
        "return [torch.zeros(3)]",
        "return [torch.rand(3).view(1, 3)]",
        "return [torch.rand(3, 4).T]",
        "return [torch.rand(3) > 0.5]",
        "return [torch.rand(3) + torch.rand(3)]",
        "return [torch.randint(0, 2, (3,)) * 0.5]",
        "return [torch.randint(0, 2, (3,)) / 2]",
        "return [torch.randint(0, 2, (3,)).softmax(0)]",
        "return [torch.randint(9, (3,))]",
        "return [torch.randint(*(0, 1), 9, (3,))]",
        "return [torch.rand(3, dtype=torch.uint8)]",
        "return [torch.rand(3).to(unheard_of)]",
        "return [torch.rand(3, **{})]",
        "return [torch.rand(3, out=N)]",
        "return [torch.rand(3).clamp(min=unheard_of)]",
        "return [torch.rand()]",
        "return [torch.rand(3), torch.float32]",
        "x = torch.rand(N, N)\ny = torch.rand(N, N)\nx = x + y\nreturn [x]",
        "x = torch.rand(N, 9)\nx = x.transpose(0, 1)\nreturn [x]",
        "x = torch.rand(N, N)\nx = x.transpose(0)\nreturn [x]",
        "x = torch.rand(N, N)\nx = x.transpose(0, 2)\nreturn [x]",
        "x = torch.rand(2, N, N)\nx = x.T\nreturn [x]",
        "x = torch.rand(N, N)\nx = x + x.half()\nreturn [x]",
        "return [~torch.rand(3)]",
        "return [-torch.randint(0, 2, (3,)).bool()]",
        "return [[torch.rand(3)]]",
        "x = torch.rand(3)\nreturn [x, x]",
        "x = torch.rand(3)\nx.unsqueeze_(0)\nreturn [x]",
        "X = torch.rand(3)\nx = torch.rand(3)\nreturn [X, x]",
        "x = torch.rand(N)\nN = 3\nreturn [x]",
        "yield torch.rand(3)",
        "return",
        "pass",
    ],
)
def test_get_inputs_that_is_not_straight_is_outside_the_grammar(inputs):
    assert refusal("N = 8", inputs)


def test_the_detail_says_which_expression_at_which_line():
    assert refusal("", "return [torch.rand(int(4), 3)]").endswith(": int(4) is not read")
    assert refusal("", "return [torch.rand(int(4), 3)]").startswith("line 21:")


def test_an_axis_or_scalar_of_two_values_is_outside_the_grammar():
    assert "axis n has two values: 4 and 8" in refusal("N = 4\nn = 8", "return [torch.rand(N, n)]")
    assert "axis n" in refusal("N = 4\nS = (N,)\nN = 8", "return [torch.rand(*S, N)]")
    assert "scalar n" in refusal("N = 4\nn = 8", init="return [N, n]")


@pytest.mark.parametrize("name", ["get_inputs", "get_init_inputs"])
def test_a_module_without_both_functions_is_outside_the_grammar(name):
    reading = read(module().replace(f"def {name}()", "def another()"))
    assert (reading.reason, reading.detail) == ("outside_grammar", f"there is no function {name}")


@pytest.mark.parametrize(
    "constants", ["@wrapped\ndef get_inputs():\n    return []", "async def get_inputs():\n    return []"]
)
def test_a_function_that_is_not_plain_is_outside_the_grammar(constants):
    text = module().replace("def get_inputs", "def another") + constants
    assert read(text).reason == "outside_grammar"


def test_a_default_of_get_inputs_is_not_a_constant():
    text = module("N = 8", "return [torch.rand(N)]").replace("get_inputs()", "get_inputs(N=4)")
    assert read(text).reason == "outside_grammar"


def test_a_changed_default_dtype_is_outside_the_grammar():
    assert "default dtype" in refusal("torch.set_default_dtype(torch.float16)")
    assert problem("# torch.set_default_dtype(torch.float16)").inputs


@pytest.mark.parametrize(
    "init", ["return 5", "for n in F:\n    pass\nreturn []", "x = [True]\nreturn x", "yield 1", "pass"]
)
def test_get_init_inputs_that_gives_no_list_is_outside_the_grammar(init):
    assert refusal(init=init)


def test_bytes_that_are_no_text_or_no_python_have_a_reason_and_no_code():
    for data, reason in [(b"\xff\xfe", "not_text"), (b"def", "not_python"), (b"a\0b", "not_python")]:
        reading = read_module(data, "level1", "1_a.py")
        assert (reading.reason, reading.code_digest, reading.problem) == (reason, None, None)
        assert reading.detail


def test_an_empty_module_is_python_outside_the_grammar():
    reading = read("")
    assert reading.reason == "outside_grammar"
    assert reading.code_digest == hashlib.sha256(b"").hexdigest()


def test_reading_gives_no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(module("words = '\\d'")).problem


@pytest.mark.parametrize(
    "deep",
    [
        "(" * 500 + "1" + ")" * 500,
        "-" * 3000 + "1",
        "+".join("1" * 9000),
        "a" + "()" * 3000,
        "a" + ".b()" * 3000,
    ],
)
def test_deep_nesting_has_a_reason(deep):
    """Which of the two depends on how deep the parser of this Python goes."""
    assert read(module(f"N = {deep}", "return [torch.rand(N)]")).reason in ("not_python", "outside_grammar")


@pytest.mark.parametrize("doubling", ["S = S + S", "S = (*S, *S)", "S += S"])
def test_a_tuple_that_grows_without_end_is_not_followed(doubling):
    constants = "S = (1,)\n" + f"{doubling}\n" * 60
    assert "is not read" in refusal(constants, "return [torch.rand(S)]")


@given(data=st.binary())
def test_no_bytes_make_reading_raise(data):
    assert (read_module(data, "level1", "1_a.py").problem is None) == (data is not None)


FRAGMENTS = st.sampled_from(
    [
        *(
            "N",
            "x",
            "torch",
            ".rand",
            ".shape",
            "(",
            ")",
            "[",
            "]",
            ",",
            "*",
            "=",
            ":",
            "\n",
            "\n    ",
            "1",
            "0.5",
            "'",
        ),
        *(
            '"',
            "#",
            "def get_inputs():",
            "def get_init_inputs():",
            "return ",
            "import ",
            "class A",
            "if ",
            " for ",
        ),
        *(
            "f'",
            "{",
            "}",
            '"""',
            "\\",
            "\t",
            "\f",
            "lambda",
            ":=",
            "**",
            "global ",
            "try:",
            "del ",
            " as ",
            "@",
            ";",
        ),
    ]
)


@given(parts=st.lists(FRAGMENTS, max_size=40))
def test_no_text_makes_reading_raise(parts):
    reading = read("".join(parts))
    assert (reading.problem is None) == (reading.reason is not None)
    assert (reading.code_digest is None) == (reading.reason in ("not_text", "not_python"))


EXPRESSIONS = st.recursive(
    st.sampled_from(["1", "N", "S", "0.5", "True", "'s'", "torch.rand(N)", "torch.half", "x", "M", "()", "[]"]),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "*", "/", "//", "%", "**", "<<", "@"]), inner),
        st.builds("(-{})".format, inner),
        st.builds("({}, {})".format, inner, inner),
        st.builds("[*{}]".format, inner),
        st.builds("{}[{}]".format, inner, inner),
        st.builds("{}{}".format, inner, st.sampled_from([".shape", ".half()", ".to(N)", ".size(0)", ".dtype", ".T"])),
        st.builds("torch.rand({}, {})".format, inner, inner),
        st.builds("torch.randint(0, 2, {}, dtype={})".format, inner, inner),
        st.builds("torch.triu({})".format, inner),
    ),
    max_leaves=8,
)


@given(constant=EXPRESSIONS, local=EXPRESSIONS, returned=EXPRESSIONS, init=EXPRESSIONS)
def test_no_expression_makes_reading_raise(constant, local, returned, init):
    constants = f"N = 4\nS = (N, 2)\nM = {constant}\nM += N"
    reading = read(module(constants, f"x = {local}\nreturn [x, {returned}]", f"return [M, {init}]"))
    assert (reading.problem is None) == (reading.reason is not None)
