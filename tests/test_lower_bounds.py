"""Guessed bounds and searches on random problems, several classes, against brute force."""
import itertools
from fractions import Fraction

import numpy as np
import pytest

from guesstree import lower_bounds as lb
from guesstree.brute import best_by_rows
from guesstree.lower_bounds import (
    KINDS, corollary, guarantee, guess_search, guessed_bound, lb_guess, reference_errors,
    relaxed_value, sandwich)
from guesstree.notation import Leaf, depth, n_leaves, predict


def random_problem(seed):
    rng = np.random.default_rng(seed)
    n, m, c = rng.integers(2, 14), rng.integers(1, 5), rng.integers(2, 4)
    lam = float(rng.choice([0, 0.03, 1 / n, 2 / n]))
    return rng.integers(0, 2, (n, m)), rng.integers(0, c, n), rng.random(n) < rng.choice([0, 0.1, 0.3, 0.6]), lam, int(rng.integers(0, 4))


def groups(Xb):
    return np.unique(Xb, axis=0, return_inverse=True)[1].ravel()


@pytest.mark.parametrize("seed", range(60))
def test_relaxed_value_against_brute_force(seed):
    Xb, y, bad, lam, d = random_problem(seed)
    assert relaxed_value(Xb, y, None, lam, d) == best_by_rows(Xb, y, lam, d).cost
    assert relaxed_value(Xb, y, None, lam) == best_by_rows(Xb, y, lam).cost
    n, kept = len(y), ~bad
    if kept.any():  # brute force divides by the rows it is given, so the price changes with them
        share = Fraction(int(kept.sum()), n)
        rest = share * best_by_rows(Xb[kept], y[kept], Fraction(lb.as_fraction(lam)) / share, d).cost
        assert relaxed_value(Xb, y, bad, lam, d) == Fraction(int(bad.sum()), n) + rest == sandwich(Xb, y, bad, lam, d).upper


@pytest.mark.parametrize("seed", range(120))
def test_guessed_search_keeps_its_promise(seed):
    Xb, y, bad, lam, d = random_problem(seed)
    best, ends = best_by_rows(Xb, y, lam, d), sandwich(Xb, y, bad, lam, d)
    for kind in KINDS:
        o = guess_search(Xb, y, bad, lam, d, kind)
        wrong = predict(o.tree, Xb) != y
        assert o.objective == Fraction(int(wrong.sum()), len(y)) + lb.as_fraction(lam) * n_leaves(o.tree) and depth(o.tree) <= d
        assert ends.lower <= best.cost <= o.objective <= o.lb <= ends.upper
        if kind == "exact":
            assert o.objective == best.cost == o.lb
        both = guarantee(o.tree, best.tree, Xb, y, bad, lam)
        assert both.left == o.objective <= both.right


@pytest.mark.parametrize("seed", range(120))
def test_bounds_stay_below_the_relaxed_value(seed):
    Xb, y, bad, lam, d = random_problem(seed)
    rng = np.random.default_rng(seed)
    for s in (np.ones(len(y), dtype=bool), rng.random(len(y)) < 0.5):
        exact, paper, gosdt, tight = (guessed_bound(s, y, bad, lam, kind, groups(Xb)) for kind in KINDS)
        assert max(exact, paper, gosdt) <= tight <= relaxed_value(Xb, y, bad, lam, d, support=s)
        assert exact <= relaxed_value(Xb, y, None, lam, d, support=s)
        assert float(paper) == pytest.approx(lb_guess(s, bad, lam), abs=1e-15)
        assert guessed_bound(s, y, bad, lam, "tight") <= tight  # without patterns it knows less


@pytest.mark.parametrize("seed", range(60))
def test_corollary_with_trees_as_references(seed):
    Xb, y, _, lam, d = random_problem(seed)
    rng = np.random.default_rng(seed)
    same = best_by_rows(Xb, rng.integers(0, 2, len(y)), 0.01, d).tree
    y_ref = predict(same, Xb)
    bad = reference_errors(y, y_ref)
    for kind in KINDS[1:]:
        tree = guess_search(Xb, y, bad, lam, d, kind).tree
        for loss_ref in (None, float(bad.mean()), float(bad.mean()) + 0.1):
            sides = corollary(tree, same, Xb, y, y_ref, lam, loss_ref)
            assert sides.left <= sides.right + Fraction(1, 10**12)


@pytest.mark.slow
def test_every_reference_on_every_labelling_of_three_columns():
    cube = np.array(list(itertools.product([0, 1], repeat=3)))
    for y in range(128):
        labels = np.array([y >> i & 1 for i in range(8)])
        for bad in range(0, 256, 3):
            p = lb.guess_problem(cube, labels, np.array([bad >> i & 1 for i in range(8)], dtype=bool), 1 / 8)
            for kind in KINDS[1:]:
                assert lb._solve(p, 255, 2, kind, {}).value <= lb.relaxed_cost(p, 255, 2, {})


def test_one_class_references_no_columns_and_no_rows_right():
    y = np.array([0, 1, 1])
    for y_ref in (np.zeros(3), np.ones(3), 1 - y):
        bad = reference_errors(y, y_ref)
        o = guess_search(np.eye(3), y, bad, 0.01)
        assert o.objective <= sandwich(np.eye(3), y, bad, 0.01).upper
    assert guess_search(np.zeros((3, 0)), y, bad, 0.1).tree == Leaf(1)
    assert sandwich(np.eye(3), y, np.ones(3, dtype=bool), 0.1) == (Fraction(1, 10), Fraction(11, 10))
    assert reference_errors(np.array(["a", "b"]), ["a", "c"]).tolist() == [False, True]


def test_bad_input():
    Xb, y, bad = np.eye(3), [0, 1, 1], np.zeros(3, dtype=bool)
    for call, text in [
        (lambda: lb_guess([], [], 0.1), "support must have shape"), (lambda: lb_guess(bad, bad[:2], 0.1), r"ref_wrong must have shape \(3,\)"),
        (lambda: guessed_bound(bad, y, bad, 0.1, "tight", [0, 1]), r"patterns must have shape \(3,\)"),
        (lambda: guessed_bound(bad, y[:2], bad, 0.1), "y must have one label for each of the 3 rows"),
        (lambda: guess_search(Xb, y, [0, 0, 1], 0.1), "ref_wrong must be boolean"), (lambda: guess_search(Xb, y, bad, -1), "lam must be >= 0"),
        (lambda: guess_search(Xb, y, bad, 0.1, -1), "max_depth must be >= 0"), (lambda: relaxed_value(Xb, y, bad, 0.1, 1, bad[:1]), "support"),
        (lambda: sandwich(Xb, y, bad[:2], 0.1), "support must have shape|ref_wrong must have shape"),
        (lambda: reference_errors([0, 1], ["a", "b"]), "labels of the same kind"),
    ]:
        with pytest.raises((ValueError, TypeError), match=text):
            call()
