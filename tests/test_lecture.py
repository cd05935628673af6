"""The lecture plan: every number in it is one that `guesstree.course.lecture.board` computes, or is computed here."""
import math
import re
from fractions import Fraction
from pathlib import Path

import pytest

from guesstree.course.lecture import board
from guesstree.depth import depth_from_vc
from guesstree.lower_bounds import sandwich

PLAN = (Path(__file__).resolve().parent.parent / "docs" / "lecturers.md").read_text(encoding="utf-8")
ROWS = {int(minute): row for minute, row in re.findall(r"^\| (\d+) \|(.*)$", PLAN.split("## Two hours, minute by minute")[1].split("## ")[0], re.M)}


def numbers(text):
    "Numbers in a text, without those in links, of theorems and in names of exercises."
    text = re.sub(r"\]\([^)]*\)|[Tt]heorem \d\.\d|`[^`]*`|minute \d+", "", text)
    return {float(v.replace(",", "")) for v in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", text)}


@pytest.fixture(scope="module")
def computed():
    return {minute: {float(v) for v in found} for minute, found in board().items()}


def test_the_plan_has_all_minutes(computed):
    assert list(ROWS) == sorted(ROWS) and ROWS.keys() >= computed.keys() and max(ROWS) < 120


@pytest.mark.parametrize("minute", ROWS)
def test_a_number_on_the_board_is_computed(computed, minute):
    assert numbers(ROWS[minute]) == computed.get(minute, set()), ROWS[minute]


def test_what_students_get_wrong_has_true_numbers():
    part = PLAN.split("## What students get wrong")[1].split("## ")[0]
    assert f"`run.lb` is ${board()[68][3]}$ and the optimum ${board()[68][2]}$" in part
    assert depth_from_vc(10, 8) == 11 and "Depth 11 is needed to match ten trees" in part


def test_answers_to_the_exam_are_right():
    part, lam = PLAN.split("### Answers in brief")[1], Fraction(1, 20)
    assert Fraction(3 - 1, 12) / (4 - 2) == Fraction(1, 12) and "for $\\lambda<1/12$" in part
    guess, leaf = Fraction(1, 12) + lam, Fraction(2, 12) + lam
    assert leaf > guess + lam and all(f"\\approx{float(v):.3f}" in part for v in (guess, leaf, guess + lam))
    assert "between $0.21$ and $0.25$" in part and math.isclose(0.21 + 4 / 100, 0.25)
    for price in (Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)):          # two rows, a perfect reference: U = 2 lam
        ends = sandwich([[0], [1]], [0, 1], [False, False], price, 1)
        assert ends.upper == min(2 * price, Fraction(1, 2) + price)
        assert 4 * price >= Fraction(1, 2) + price and (Fraction(1, 2) + price > 2 * price) == (price < Fraction(1, 2))
    assert math.isclose(0.12 - 0.10, 0.02) and "slack $0.02$" in part
    assert math.isclose(0.185 - 0.171, 0.014, abs_tol=1e-12) and "at most $0.014$" in part


def test_the_exact_search_of_the_plan_is_the_first_play_of_the_theatre():
    "What the plan says about the theatre is what its page shows."
    text = (Path(__file__).resolve().parent.parent / "nbs" / "course" / "01_theatre.ipynb").read_text(encoding="utf-8")
    events, first = board()[35]
    assert f"has {events} events and fits on one screen" in text and f"leaves {board()[68][0]} events" in text and first < events
