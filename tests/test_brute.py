"""The two brute forces agree far beyond what the notebook shows."""
import itertools

import numpy as np
import pytest

from guesstree import Leaf
from guesstree.brute import best_by_rows, best_of_all
from guesstree.notation import depth, objective


def test_every_labelling_of_every_matrix_with_four_rows_and_two_columns():
    for bits in itertools.product([0, 1], repeat=8):
        Xb = np.reshape(bits, (4, 2))
        if (np.lexsort(Xb.T[::-1]) != np.arange(4)).any():
            continue  # the order of rows does not matter
        for y in itertools.product([0, 1], repeat=4):
            for lam in (0, 1 / 4):
                a, b = best_of_all(Xb, np.array(y), lam, 1), best_by_rows(Xb, np.array(y), lam, 1)
                assert a == b


@pytest.mark.parametrize("seed", range(30))
def test_random_problems(seed):
    rng = np.random.default_rng(seed)
    n, m, c = rng.integers(2, 9), rng.integers(1, 4), rng.integers(2, 4)
    Xb, y, w = rng.integers(0, 2, (n, m)), rng.integers(0, c, n), rng.integers(1, 5, n)
    lam = float(rng.choice([0, 1 / w.sum(), 0.03]))
    a, b = best_of_all(Xb, y, lam, 2 if m < 3 and c < 3 else 1, w), best_by_rows(Xb, y, lam, 2 if m < 3 and c < 3 else 1, w)
    assert a == b
    assert float(b.cost) == pytest.approx(objective(b.tree, Xb, y, lam, sample_weight=w), abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_deeper_is_never_worse_and_no_limit_is_the_limit(seed):
    rng = np.random.default_rng(seed)
    Xb, y = rng.integers(0, 2, (12, 4)), rng.integers(0, 3, 12)
    costs = [best_by_rows(Xb, y, 0.03, d).cost for d in range(5)]
    assert costs == sorted(costs, reverse=True)
    best = best_by_rows(Xb, y, 0.03)
    assert best.cost == costs[4] and depth(best.tree) <= 4  # four columns: no path is longer


@pytest.mark.parametrize("seed", range(10))
def test_order_of_rows_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    Xb, y = rng.integers(0, 2, (14, 4)), rng.integers(0, 2, 14)
    order = rng.permutation(14)
    assert best_by_rows(Xb, y, 1 / 14, 3) == best_by_rows(Xb[order], y[order], 1 / 14, 3)


def test_edges():
    assert best_by_rows([[0], [1]], ["a", "a"], 0.1).tree == Leaf("a")
    assert best_by_rows(np.zeros((3, 0)), [1, 0, 1], 0.0).tree == Leaf(1)
    assert best_by_rows([[0], [1]], [0, 1], 5.0).tree == Leaf(0)  # ties go to the smaller label
    assert best_by_rows([[0], [1]], [0, 1], 0.0, max_depth=0).tree == Leaf(0)
