"""Exercises: text in the chapter, a check with a hint, a solution that passes, a wrong answer that does not."""
import ast
import numbers
import re
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import nbformat
import numpy as np
import pytest

from guesstree.course.answers import EXERCISES, _sections
from guesstree.course.exercises import check, hint
from guesstree.notation import Leaf, Split

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import notebooks  # noqa: E402

LESSONS = [f"{n:02}" for n in range(1, 12)]  # chapters of the spine that end with exercises; rooms may
CHAPTERS = [p for p in notebooks.notebooks() if p.stem[:2].isdigit()]


def cells(path, kind):
    return [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == kind]


def asked(path):
    "Names of the exercises in a chapter."
    return re.findall(r"^\*\*(\w+\.\d+)\*\* ", "\n".join(c.source for c in cells(path, "markdown")), re.M)


@pytest.mark.parametrize("path", CHAPTERS, ids=notebooks.name_of)
def test_a_chapter_asks_what_can_be_checked(path):
    names, module = asked(path), path.stem[3:]
    assert names == [f"{module}.{i + 1}" for i in range(len(names))]
    assert sorted(names) == sorted(name for name in EXERCISES if name.partition(".")[0] == module)
    assert len(names) >= 2 or notebooks.name_of(path)[:2] not in LESSONS


def test_every_exercise_belongs_to_a_chapter_and_has_a_hint():
    assert sorted(EXERCISES) == sorted(name for path in CHAPTERS for name in asked(path))
    assert all(len(hint(name)) > 20 for name in EXERCISES)


def test_every_solution_is_right():
    "The outputs are those of a run: test_house.py reruns every notebook."
    right = set()
    for path in (notebooks.NBS / "course" / "solutions").glob("*.ipynb"):
        for cell in cells(path, "code"):
            last = re.match(r'check\("([\w.]+)"', ast.unparse(ast.parse(cell.source).body[-1]).replace("'", '"'))
            if last:
                assert cell.outputs[0]["data"]["text/plain"].startswith("Right"), last[1]
                right.add(last[1])
    assert right == set(EXERCISES)


def test_every_exercise_rejects_a_wrong_answer():
    code = "\n".join(c.source for path in sorted(notebooks.NBS.glob("course/*_answers*.ipynb")) for c in cells(path, "code"))
    assert set(re.findall(r'wrong_answer\("([\w.]+)",\s', code)) - {"example.1"} == set(EXERCISES)


NONSENSE = {"None": None, "text": "", "list": [], "object": object(), "returns None": lambda *args: None, "takes nothing": lambda: 1}


@pytest.mark.parametrize("name", EXERCISES)
def test_nonsense_is_rejected_in_words(name):
    for kind, answer in NONSENSE.items():
        verdict = check(name, answer)
        assert not verdict and verdict.message, kind


def right_answers():
    "{exercise: the answer that its solution hands over}."
    found = {}
    for path in sorted((notebooks.NBS / "course" / "solutions").glob("*.ipynb")):
        imports, *sections = _sections(path)
        for section in sections:
            scope = {"check": found.__setitem__}
            for text in [*imports, *section]:
                exec(re.sub(r"^from guesstree\.course.*\bcheck\b.*$", "", text, flags=re.M), scope)
    return found


def as_kind(kind, value):
    "An answer with every number in it, and every number that it returns, as another kind of number, where that is the same number."
    if isinstance(value, (bool, np.bool_, str, Leaf, Split)) or value is None:
        return value
    if isinstance(value, (numbers.Real, np.number)):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                made = kind(value)
                off = abs(Fraction(made.item() if isinstance(made, np.generic) else made) - Fraction(value.item() if isinstance(value, np.generic) else value))
                return made if off <= (0 if value == int(value) else 1e-7 * abs(value)) else value
            except (OverflowError, ValueError, TypeError):
                return value
    if isinstance(value, np.ndarray):
        return value
    if type(value) in (list, tuple):
        return type(value)(as_kind(kind, o) for o in value)
    if type(value) is dict:
        return {k: as_kind(kind, o) for k, o in value.items()}
    if callable(value) and not isinstance(value, type):
        return lambda *args: as_kind(kind, value(*args))
    return value


@pytest.fixture(scope="module")
def answers():
    return right_answers()


KINDS = {"float": float, "Fraction": Fraction, "int": lambda v: int(v) if v == int(v) else v, "float32": np.float32, "int64": np.int64}


NO_NUMBERS = {"runs.1", "runs.3", "grids.3",     # ask for runs, and the parameters of a run have kinds of their own
              "readers.2"}   # asks for two numbers that single precision takes for one


@pytest.mark.parametrize("name", [o for o in EXERCISES if o not in NO_NUMBERS])
def test_a_right_answer_is_right_in_every_kind_of_number(answers, name):
    for kind, number in KINDS.items():
        verdict = check(name, as_kind(number, answers[name]))
        assert verdict, (kind, verdict.message)


def nudged(value):
    "An answer with every number that it is, or returns, a hundred thousandth larger."
    if isinstance(value, (bool, np.bool_, str, Leaf, Split)) or value is None:
        return value
    if isinstance(value, (numbers.Real, np.number)):
        return float(value) + 1e-5
    if type(value) in (list, tuple):
        return type(value)(nudged(o) for o in value)
    if callable(value) and not isinstance(value, type):
        return lambda *args: nudged(value(*args))
    return value


NUMBERS = ["notation.1", "layout.1", "patterns.1", "patterns.2", "data.1", "data.2", "readers.1", "depth.1", "lower_bounds.2", "guessed_bounds.2", "brute.1", "brute.2", "brute.3", "branch_and_bound.3",
           "depth3.1", "depth3.2", "boxes.1", "boxes.2", "running_sums.1", "running_sums.2", "sweep.1", "sweep.2", "solver.1", "solver.2", "gosdt.1", "gosdt_compiled.2", "proofs.1", "certificate.2", "errata.1",
           "evening.2", "clock.1", "clock.2", "compiler.1", "compiler.2", "results.1", "results.2", "words.1", "words.2", "tree_json.1", "tree_json.2", "sklearn_tree.1", "sklearn_tree.2", "mutants.2", "forest.1",
           "forest.2", "faithful.1", "faithful.3", "born_again.1", "born_again.2", "oct.2", "rules.2", "dl85_compiled.1", "weak.1", "weak.2", "tuning.1", "tuning.2", "path.2", "trace.2", "theatre.1", "theatre.2",
           "plots.2", "pictures.1", "cluster.2", "paper.1", "grids.1", "paper_time.1", "beyond.1"]

@pytest.mark.parametrize("name", [*NUMBERS, "lower_bounds.1"])
def test_a_number_that_is_off_by_more_than_rounding_is_wrong(answers, name):
    assert not check(name, nudged(answers[name]))
