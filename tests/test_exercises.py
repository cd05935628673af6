"""Exercises: text in the chapter, a check with a hint, a solution that passes, a wrong answer that does not."""
import ast
import re
import sys
from pathlib import Path

import nbformat
import pytest

from guesstree.course.answers import EXERCISES
from guesstree.course.exercises import check, hint

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


@pytest.mark.parametrize("name", EXERCISES)
@pytest.mark.parametrize("answer", [None, "", [], object(), lambda *args: None, lambda: 1], ids=["None", "text", "list", "object", "returns None", "takes nothing"])
def test_nonsense_is_rejected_in_words(name, answer):
    verdict = check(name, answer)
    assert not verdict and verdict.message
