"""The paper's GOSDT against the oracle and against its own listing, beyond what the notebook shows."""
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from test_solver import leaf_sizes, random_problem, upper

from guesstree import solve
from guesstree.brute import best_by_rows
from guesstree.gosdt import gosdt_listing
from guesstree.kernels import STOP
from guesstree.lower_bounds import relaxed_value
from guesstree.notation import binarize, n_leaves, objective, split_points


@pytest.mark.parametrize("seed", range(12))
def test_exact_against_the_oracle(seed):
    rng = np.random.default_rng(seed)
    for _ in range(40):
        Xb, y, options = random_problem(rng)
        best = best_by_rows(Xb, y, **options)
        if best is None:
            continue
        r = solve(Xb, y, engine="gosdt", **options)
        assert (r.status, r.n_leaves) == ("optimal", n_leaves(best.tree)), (Xb, y, options)
        assert r.objective == r.lower_bound == pytest.approx(float(best.cost), abs=1e-12)
        assert objective(r.tree, Xb, y, options["lam"], options["max_depth"], options["sample_weight"]) == pytest.approx(r.objective, abs=1e-12)
        w = np.ones(len(y), int) if options["sample_weight"] is None else options["sample_weight"]
        assert r.n_leaves == 1 or min(leaf_sizes(r.tree, Xb, w)) >= options["min_samples_leaf"]


@pytest.mark.slow
def test_exact_against_the_oracle_at_length():
    for seed in range(100, 160):
        test_exact_against_the_oracle(seed)


@pytest.mark.parametrize("seed", range(8))
def test_theorem_4_3_and_the_sandwich(seed):
    rng = np.random.default_rng(seed)
    for _ in range(15):
        X = rng.integers(0, 3, (rng.integers(6, 17), 4))
        Xb, c = binarize(X, split_points(X)), int(rng.integers(2, 5))
        y = np.digitize(X @ rng.normal(size=4), np.linspace(-1, 1, c - 1)) if rng.random() < 0.6 else rng.integers(0, c, len(X))
        noisy = rng.random(len(y)) < rng.choice([0, 0.1, 0.4, 1])
        ref = np.where(noisy, (y + 1 + rng.integers(0, c - 1, len(y))) % c, y) if rng.random() < 0.8 else np.zeros(len(y), int)
        lam, d = float(rng.choice([0, 0.01, 0.04, 1 / len(y)])), [1, 2, 3, 4, 5, None][rng.integers(6)]
        best, u = best_by_rows(Xb, y, lam, d), upper(Xb, y, ref, lam, d)
        for kind in ("paper", "gosdt", "tight"):
            r = solve(Xb, y, lam=lam, max_depth=d, y_ref=ref, lower_bound=kind, engine="gosdt")
            assert r.lower_bound <= float(best.cost) + 1e-12
            assert float(best.cost) - 1e-12 <= r.objective <= float(u) + 1e-12
            assert r.status in ("optimal", "guess_optimal") and (d is None or r.depth <= d)
            assert r.status != "optimal" or r.objective == pytest.approx(float(best.cost), abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_repaired_listing(seed):
    rng = np.random.default_rng(seed)
    for _ in range(60):
        n, m = int(rng.integers(2, 9)), int(rng.integers(1, 5))
        Xb, y, d = rng.integers(0, 2, (n, m)), rng.integers(0, rng.integers(2, 5), n), [0, 1, 2, 3, None][rng.integers(5)]
        lam, wrong = float(rng.choice([0, 0.05, 0.1, 1 / n])), rng.random(n) < 0.3
        best = best_by_rows(Xb, y, lam, d).cost
        found, guessed = gosdt_listing(Xb, y, lam, d), gosdt_listing(Xb, y, lam, d, wrong)
        assert found.objective == found.lb == best
        assert best <= guessed.objective <= relaxed_value(Xb, y, wrong, lam, d)
        for r in (found, guessed):
            assert objective(r.tree, Xb, y, lam, d) == pytest.approx(float(r.objective), abs=1e-12)


def noise(n=400, m=16, seed=0):
    rng = np.random.default_rng(seed)
    return rng.random((n, m)) < 0.5, rng.integers(0, 2, n)


def test_larger_problems_agree_with_the_other_search():
    for seed in range(4):
        Xb, y = noise(200, 10, seed)
        y[:120] = (Xb[:120, 0] ^ Xb[:120, 1]) | Xb[:120, 2]
        for d in (3, 5, None):
            a, b = (solve(Xb, y, lam=0.01, max_depth=d, engine=e) for e in ("gosdt", "search"))
            assert (a.objective, a.n_leaves, a.status) == (b.objective, b.n_leaves, "optimal")


def test_limits_give_a_tree_and_a_true_bound():
    Xb, y = noise()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for limits in (dict(time_limit=0.05), dict(memory_limit=2)):
            r = solve(Xb, y, lam=0.001, max_depth=7, engine="gosdt", **limits)
            assert 0 < r.lower_bound < r.objective and r.depth <= 7
            assert objective(r.tree, Xb, y, 0.001, 7) == pytest.approx(r.objective)


def test_memory_stays_within_its_limit_and_says_so():
    from guesstree.gosdt import _run
    codes, weights, state = noise(300, 14)[0].astype(np.int32), np.random.default_rng(1).integers(1, 4, (300, 2)), np.zeros(16, np.int64)
    g = _run(codes, np.full(14, 2), weights, 1, 2, 6, None, 0, 0, 2**21, state)
    assert state[STOP] == 2 and sum(x.nbytes for x in g) <= 2**21


def test_the_same_answer_every_time():
    Xb, y = noise(150, 9)
    ref = np.where(np.arange(150) % 4, y, 1 - y)
    for options in (dict(), dict(y_ref=ref, lower_bound="paper"), dict(y_ref=ref, lower_bound="tight")):
        runs = [solve(Xb, y, lam=0.01, max_depth=4, engine="gosdt", **options) for _ in range(3)]
        assert len({(r.tree, r.objective, r.n_subproblems) for r in runs}) == 1


def run(seeds, **env):
    code = "from test_gosdt import test_exact_against_the_oracle as check, test_theorem_4_3_and_the_sandwich as guess\nfor s in range(%d): check(s); guess(s)"
    done = subprocess.run([sys.executable, "-c", code % seeds], cwd=Path(__file__).parent, env={**os.environ, **env}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


def test_without_the_compiler():
    run(2, NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
def test_with_bounds_checks(tmp_path):
    run(8, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))
