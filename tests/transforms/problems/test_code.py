"""Whether code is the same (DESIGN.md, section 5)."""

from __future__ import annotations

import ast
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.transforms.problems.texts import MODEL, module, problem, read
from transforms.problems.code import code_digest, code_text, everything_in

PLAIN = module("B = 4\nN = 8", "x = torch.rand(B, N)\nreturn [x]", "return [N]")


def code(text: str) -> str:
    return code_text(text, ast.parse(text))


def test_the_code_of_a_module_is_its_lines_without_prose():
    text = '"""Words."""\nimport torch  # why\n\n\ndef f(x):\n    """More\n    words.\n    """\n    return x  \n'
    assert code(text) == "import torch\ndef f(x):\n    return x"
    assert code_digest(text, ast.parse(text)) == hashlib.sha256(code(text).encode()).hexdigest()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s = '# kept'  # cut", "s = '# kept'"),
        ('s = "a \\" # kept"', 's = "a \\" # kept"'),
        ("s = '''a\n# kept\n'''  # cut", "s = '''a\n# kept\n'''"),
        ('s = r"\\" # kept"  # cut', 's = r"\\" # kept"'),
        ('s = """say "so" # kept"""', 's = """say "so" # kept"""'),
        ("s = ''; t = '#'", "s = ''; t = '#'"),
        ('s = f"{x} # kept"  # cut', 's = f"{x} # kept"'),
        ("s = rF'''{x}\n# kept'''  # cut", "s = rF'''{x}\n# kept'''"),
        ("s = 'one \\\n# kept'", "s = 'one \\\n# kept'"),
        ("# cut\n#\nx = 1 #cut", "x = 1"),
        ("größe = '✓ # kept'  # ✓", "größe = '✓ # kept'"),
    ],
)
def test_a_comment_is_cut_and_a_hash_inside_a_string_is_kept(text, expected):
    assert code(text) == expected


def test_a_quote_inside_a_replacement_field_does_not_end_the_string():
    """Python 3.12 and later only; older versions cannot parse such a text."""
    text = 's = f"{d["#a"]}"  # cut'
    try:
        tree = ast.parse(text)
    except SyntaxError:
        pytest.skip("this Python has no nested quotes in f-strings")
    assert code_text(text, tree) == 's = f"{d["#a"]}"'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class A:\n    'words'\n    x = 1", "class A:\n    x = 1"),
        ("class A:\n    x = 1\n    'no docstring'", "class A:\n    x = 1\n    'no docstring'"),
        ("async def f():\n    r'''a\n\n    b'''\n    await g()", "async def f():\n    await g()"),
        ("def f(): 'words'", "def f():"),
        ("def f():\n    'größer'; return 1", "def f():\n    ; return 1"),
        ("def f():\n    ('a'  # why\n     'b')\n    return 1", "def f():\n    return 1"),
        ("def f():\n    b'bytes are code'", "def f():\n    b'bytes are code'"),
        ("if x:\n    def f():\n        'words'\n        return 1", "if x:\n    def f():\n        return 1"),
        ("try:\n    pass\nexcept E:\n    def f():\n        'w'", "try:\n    pass\nexcept E:\n    def f():"),
        ("'words'", ""),
        ("x = 1\n'no docstring'", "x = 1\n'no docstring'"),
    ],
)
def test_a_docstring_is_the_first_statement_of_a_module_class_or_function(text, expected):
    assert code(text) == expected


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_make_no_other_code(end):
    assert code(PLAIN.replace("\n", end)) == code(PLAIN)
    assert read(PLAIN.replace("\n", end)).code_digest == read(PLAIN).code_digest


def test_a_byte_order_mark_is_no_code():
    assert read("\ufeff" + PLAIN).code_digest == read(PLAIN).code_digest


def test_a_double_blank_inside_a_line_is_other_code():
    assert read(PLAIN.replace("2 * x", "2 *  x")).code_digest != read(PLAIN).code_digest


def test_everything_in_a_tree_is_what_ast_walk_finds():
    tree = ast.parse(PLAIN)
    walked = [node for node in ast.walk(tree) if not isinstance(node, ast.expr_context)]
    assert sorted(map(id, everything_in(tree))) == sorted(map(id, walked))


PROSE = st.lists(
    st.tuples(
        st.integers(0, len(PLAIN.splitlines()) - 1),
        st.sampled_from(["  # a 'comment", '   # """', "   ", "\t", "\n", "\n# more\n"]),
    )
)


@given(added=PROSE, end=st.sampled_from(["\n", "\r\n", "\r"]), final=st.booleans())
def test_prose_and_blanks_never_change_either_digest(added, end, final):
    lines = PLAIN.splitlines()
    for index, words in added:
        lines[index] += words
    text = "\n".join(lines) + "\n" * final
    changed, plain = read(text.replace("\n", end)), read(PLAIN)
    assert changed.code_digest == plain.code_digest
    assert changed.problem == plain.problem


@given(words=st.text(st.characters(exclude_characters="\r\n\0\\", exclude_categories=["Cs"])))
def test_whatever_a_comment_says_it_is_cut(words):
    assert read(PLAIN.replace("# kept, not used", "#" + words)).code_digest == read(PLAIN).code_digest


@given(words=st.text(st.characters(exclude_categories=["Cs"])))
def test_whatever_a_string_says_it_is_kept(words):
    literal = ascii(words + "#")
    assert code(f"s = {literal}  # cut") == f"s = {literal}"


def test_another_generator_is_the_same_computation():
    first, second = problem(inputs="return [torch.rand(3)]"), problem(inputs="return [torch.randn(3)]")
    assert first.compute_digest == second.compute_digest


def test_another_spelling_of_the_same_sizes_is_the_same_computation():
    spelled = [
        problem("N = 8", "return [torch.rand(N)]"),
        problem("M = 2 * 4; SHAPE = (M,)", "return [torch.rand(*SHAPE)]"),
        problem("a, b = 8, 1", "x = torch.rand(a * b)\nreturn [x]"),
        problem("", "return [torch.rand((8,))]"),
        problem("N: int = 4\nN *= 2", "return [torch.rand(N)]"),
    ]
    assert len({one.compute_digest for one in spelled}) == 1


@pytest.mark.parametrize(
    "constant",
    ["flag = True", "words = 'one'", "size = int(4)", "both = (True, 1)", "C.n = 1", "n = -x == 1"],
)
def test_an_assignment_of_anything_but_numbers_is_part_of_the_computation(constant):
    assert problem(constant).compute_digest != problem().compute_digest


def test_a_line_that_holds_more_than_sizes_is_part_of_the_computation():
    """Or two modules that differ in what they compute would be taken for equivalent."""
    first, second = problem("N = 1; torch.add = max"), problem("N = 1; torch.add = min")
    assert first.compute_digest != second.compute_digest


def test_another_model_is_another_computation():
    one = read(module())
    other = read(module().replace("2 * x", "3 * x"))
    assert one.problem and other.problem
    assert one.problem.compute_digest != other.problem.compute_digest


SIZES = st.lists(st.integers(1, 9), min_size=1, max_size=3)
DTYPES = st.sampled_from(["float16", "float32", "float64", "bfloat16"])
ARGUMENTS = st.lists(st.one_of(st.integers(-9, 9), st.sampled_from([0.5, 1e-5]), st.just("'text'")), max_size=3)


@given(one=st.tuples(SIZES, DTYPES, ARGUMENTS), other=st.tuples(SIZES, DTYPES, ARGUMENTS))
def test_the_compute_digest_changes_with_a_shape_a_dtype_or_an_argument_and_only_then(one, other):
    def digest(sizes, dtype, arguments):
        names = {f"n{index}": value for index, value in enumerate(arguments) if value != "'text'"}
        given_ = [f"n{index}" if value != "'text'" else value for index, value in enumerate(arguments)]
        constants = "\n".join(f"{name} = {value}" for name, value in names.items())
        inputs = f"return [torch.rand({', '.join(map(str, sizes))}, dtype=torch.{dtype})]"
        return problem(constants, inputs, f"return [{', '.join(given_)}]").compute_digest

    assert (digest(*one) == digest(*other)) == (one == other)


def test_the_model_of_these_tests_has_a_docstring_and_a_comment():
    """Or the tests above would show nothing."""
    assert '"""' in MODEL
    assert "# kept, not used" in MODEL
