"""Every engine against the oracle, exact and guessed: compiled, without the compiler, and with checks of every index."""
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from guesstree import Leaf, solve
from guesstree.brute import best_by_rows
from guesstree.engine.prices import as_fraction
from guesstree.notation import binarize, n_leaves, objective, split_points

ENGINES = ("search", "boxes", "sweep", "pairs", "dl85", "gosdt")
GUESSED = ("search", "pairs", "dl85", "gosdt")
RULED = ("search", "boxes", "pairs")  # these break ties as the oracle does


def random_problem(rng):
    "Columns, labels, options; nested, single and sparse columns, ties, several classes, weights."
    n, c, kind = int(rng.integers(2, 15)), int(rng.integers(1, 5)), rng.integers(4)
    if kind == 0:
        Xb = rng.random((n, rng.integers(1, 6))) < rng.choice([0.1, 0.5])
    else:
        X = rng.integers(0, rng.integers(2, 6), (n, rng.integers(1, 4)))
        Xb = binarize(X, split_points(X))
    if Xb.shape[1]:
        Xb = Xb[:, rng.integers(0, Xb.shape[1], rng.integers(1, Xb.shape[1] + 2))] ^ (rng.random() < 0.5)
    y = rng.integers(0, c, n)
    w = None if rng.random() < 0.5 else rng.integers(1, 6, n)
    total = n if w is None else int(w.sum())
    lam = float(rng.choice([0, 0.01, 0.05, 0.2, 1 / total, 2 / total, 1.5 / total]))
    options = dict(lam=lam, max_depth=[0, 1, 2, 3, 4, 5, None][rng.integers(7)], sample_weight=w,
                   min_samples_leaf=int(rng.choice([0, 0, 0, 2, 3])))
    return Xb, y, options


def leaf_sizes(tree, Xb, w):
    if isinstance(tree, Leaf):
        return [int(w.sum())]
    yes = np.asarray(Xb)[:, tree.column].astype(bool)
    return leaf_sizes(tree.yes, Xb[yes], w[yes]) + leaf_sizes(tree.no, Xb[~yes], w[~yes])


@pytest.mark.parametrize("seed", range(10))
def test_exact_against_the_oracle(seed):
    rng = np.random.default_rng(seed)
    for _ in range(40):
        Xb, y, options = random_problem(rng)
        best = best_by_rows(Xb, y, **options)
        if best is None:
            continue
        sweeps = options["max_depth"] is not None and options["min_samples_leaf"] <= 1
        w = np.ones(len(y), int) if options["sample_weight"] is None else options["sample_weight"]
        for engine in (e for e in ENGINES if e != "sweep" or sweeps):
            r = solve(Xb, y, engine=engine, **options)
            assert r.status == "optimal" and (r.ties_settled or options["lam"] == 0), (Xb, y, options, engine)
            if r.ties_settled:   # otherwise it ended with a tree without avoidable errors
                assert r.n_leaves == n_leaves(best.tree), (Xb, y, options, engine)
                assert engine not in RULED or r.tree == best.tree, (Xb, y, options, engine)
            assert r.objective == r.lower_bound == pytest.approx(float(best.cost), abs=1e-12)
            assert objective(r.tree, Xb, y, options["lam"], options["max_depth"], options["sample_weight"]) == pytest.approx(r.objective, abs=1e-12)
            assert r.n_leaves == 1 or min(leaf_sizes(r.tree, Xb, w)) >= options["min_samples_leaf"]


@pytest.mark.slow
def test_exact_against_the_oracle_at_length():
    for seed in range(10, 400):
        test_exact_against_the_oracle(seed)


def upper(Xb, y, ref, lam, d):
    "U: errors of the reference plus the best tree for the samples it gets right."
    ok, n = y == ref, len(y)
    if not ok.any():
        return 1 + as_fraction(lam)
    best = best_by_rows(Xb[ok], y[ok], as_fraction(lam) * n / int(ok.sum()), d)
    return Fraction(int((~ok).sum()), n) + best.cost * int(ok.sum()) / n


def random_reference(rng):
    "Columns, labels, labels of a reference from perfect to adversarial, price, depth."
    X = rng.integers(0, 3, (rng.integers(6, 17), 4))
    Xb, c = binarize(X, split_points(X)), int(rng.integers(2, 5))
    y = np.digitize(X @ rng.normal(size=4), np.linspace(-1, 1, c - 1)) if rng.random() < 0.6 else rng.integers(0, c, len(X))
    noisy = rng.random(len(y)) < rng.choice([0, 0.1, 0.4, 1])
    ref = np.where(noisy, (y + 1 + rng.integers(0, c - 1, len(y))) % c, y) if rng.random() < 0.8 else np.zeros(len(y), int)
    return Xb, y, ref, float(rng.choice([0, 0.01, 0.04, 1 / len(y)])), [1, 2, 3, 4, 5, None][rng.integers(6)]


@pytest.mark.parametrize("seed", range(6))
def test_theorem_4_3_and_the_sandwich(seed):
    rng = np.random.default_rng(seed)
    for _ in range(15):
        Xb, y, ref, lam, d = random_reference(rng)
        best, u = best_by_rows(Xb, y, lam, d), upper(Xb, y, ref, lam, d)
        for engine in GUESSED:
            for kind in ("paper", "gosdt", "tight"):
                r = solve(Xb, y, lam=lam, max_depth=d, y_ref=ref, lower_bound=kind, engine=engine)
                assert r.lower_bound <= float(best.cost) + 1e-12
                assert float(best.cost) - 1e-12 <= r.objective <= float(u) + 1e-12
                assert r.guessed_lower_bound is None or r.guessed_lower_bound <= float(u) + 1e-12
                assert (d is None or r.depth <= d) and r.status in ("optimal", "guess_optimal")
                assert r.status != "optimal" or r.objective == pytest.approx(float(best.cost), abs=1e-12)


@pytest.mark.slow
def test_theorem_4_3_and_the_sandwich_at_length():
    for seed in range(6, 100):
        test_theorem_4_3_and_the_sandwich(seed)


def run(n, **env):
    code = "from test_engines import test_exact_against_the_oracle as check, test_theorem_4_3_and_the_sandwich as guess\nfor s in range(%d): check(s); guess(s)"
    done = subprocess.run([sys.executable, "-c", code % n], cwd=Path(__file__).parent, env={**os.environ, **env}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


def test_without_the_compiler():
    run(1, NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
def test_without_the_compiler_at_length():
    run(4, NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
def test_with_bounds_checks(tmp_path):
    run(20, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))
