"""DL8.5 against the oracle and against its own plain version, far beyond what the notebook shows, and under limits."""
import threading
import time
import warnings
from fractions import Fraction

import numpy as np
import pytest
from test_engines import leaf_sizes, random_reference, upper

from guesstree import solve
from guesstree.brute import best_by_rows
from guesstree.dl85 import dl85
from guesstree.engine.dl85_compiled import run
from guesstree.engine.layout import BIG, BOUND, INCUMBENT, NODES, STOP, new_state
from guesstree.notation import binarize, objective, split_points


@pytest.mark.parametrize("seed", range(6))
def test_minimum_support_under_guesses(seed):
    "The comparator has to respect the support too: the certified bound is one of trees with such leaves."
    rng = np.random.default_rng(seed)
    for _ in range(20):
        Xb, y = rng.random((14, 5)) < 0.5, rng.integers(0, 3, 14)
        lam, d, msl = float(rng.choice([0, 0.02, 1 / 14])), int(rng.integers(1, 5)), int(rng.integers(2, 5))
        best = float(best_by_rows(Xb, y, lam, d, min_samples_leaf=msl).cost)
        for kind in ("paper", "gosdt", "tight"):
            r = solve(Xb, y, lam=lam, max_depth=d, y_ref=np.where(rng.random(14) < 0.3, 1, y), lower_bound=kind, min_samples_leaf=msl, engine="dl85")
            assert r.lower_bound - 1e-12 <= best <= r.objective + 1e-12
            assert r.n_leaves == 1 or min(leaf_sizes(r.tree, Xb, np.ones(14, int))) >= msl


@pytest.mark.parametrize("scale", [1, 2**12, 2**30])
def test_sums_of_all_widths_and_engines_agree(scale):
    rng = np.random.default_rng(5)
    for c in (2, 3):
        X = rng.integers(0, 4, (80, 4))
        Xb, y, w = binarize(X, split_points(X)), rng.integers(0, c, 80), rng.integers(1, 4, 80) * scale
        for d, msl in ((2, 0), (3, 5 * scale), (4, 0), (5, 3 * scale), (None, 9 * scale)):
            one, two = (solve(Xb, y, lam=0.01, max_depth=d, engine=e, sample_weight=w, min_samples_leaf=msl) for e in ("dl85", "boxes"))
            assert (one.status, one.objective, one.n_leaves) == ("optimal", two.objective, two.n_leaves)


def hard_problem():
    rng = np.random.default_rng(3)
    return rng.random((3000, 40)) < 0.5, rng.integers(0, 2, 3000)


def test_a_time_limit_is_kept_and_gives_a_tree_and_a_bound():
    Xb, y = hard_problem()
    solve(Xb[:50], y[:50], lam=0.01, max_depth=3, engine="dl85")  # compile
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        r = solve(Xb, y, lam=0.0005, max_depth=6, engine="dl85", time_limit=0.5)
    assert r.status == "time_limit" and r.seconds < 30   # a guard against hanging
    assert 0 < r.lower_bound < r.objective < min(y.mean(), 1 - y.mean())
    assert objective(r.tree, Xb, y, 0.0005, 6) == pytest.approx(r.objective, abs=1e-12)


def test_state_tells_how_it_goes():
    Xb, y = hard_problem()
    state, weights, found = new_state(), np.eye(2, dtype=np.int64)[y], []
    state[INCUMBENT] = BIG
    args = np.asarray(~Xb, np.int32), np.full(40, 2), weights, 2, 2, 6, None, 0, 0, 1 << 20, state
    thread = threading.Thread(target=lambda: found.append(run(*args)))
    thread.start()
    end = time.perf_counter() + 60
    while state[INCUMBENT] >= BIG and time.perf_counter() < end:  # the compiled code lets go of the interpreter
        time.sleep(0.01)
    best, low, nodes = (int(state[q]) for q in (INCUMBENT, BOUND, NODES))
    state[STOP] = 1
    thread.join(60)
    assert not thread.is_alive() and 0 < low < best < BIG and nodes > 0
    assert low <= found[0][0] < found[0][1] <= best and state[STOP] == 1


def test_plain_version_counts_the_same_errors():
    rng = np.random.default_rng(4)
    for _ in range(20):
        Xb, y = rng.integers(0, 2, (30, 5)), rng.integers(0, 3, 30)
        lam, d, minsup = Fraction(int(rng.integers(0, 3)), 30), int(rng.integers(0, 5)), int(rng.integers(1, 5))
        r = solve(Xb, y, lam=lam, max_depth=d, min_samples_leaf=minsup, engine="dl85")
        for by_rows in (True, False):
            assert r.objective == pytest.approx(float(dl85(Xb, y, lam, d, minsup, by_rows=by_rows).cost), abs=1e-12)


def test_plain_version_under_a_guess():
    rng = np.random.default_rng(5)
    for _ in range(40):
        Xb, y, ref, lam, d = random_reference(rng)
        d = 5 if d is None else d
        assert best_by_rows(Xb, y, lam, d).cost <= dl85(Xb, y, lam, d, ref_wrong=y != ref, kind="paper").cost <= upper(Xb, y, ref, lam, d)
