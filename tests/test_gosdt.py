"""The paper's GOSDT against the oracle and against its own listing, beyond what the notebook shows."""
import warnings

import numpy as np
import pytest

from guesstree import solve
from guesstree.brute import best_by_rows
from guesstree.engine.layout import STOP, new_state
from guesstree.gosdt import gosdt_listing
from guesstree.lower_bounds import relaxed_value
from guesstree.notation import objective


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
    from guesstree.engine.gosdt_compiled import _run
    codes, weights, state = noise(300, 14)[0].astype(np.int32), np.random.default_rng(1).integers(1, 4, (300, 2)), new_state()
    g = _run(codes, np.full(14, 2), weights, 1, 2, 6, None, 0, 0, 2**21, state)
    assert state[STOP] == 2 and sum(x.nbytes for x in g) <= 2**21


def test_the_same_answer_every_time():
    Xb, y = noise(150, 9)
    ref = np.where(np.arange(150) % 4, y, 1 - y)
    for options in (dict(), dict(y_ref=ref, lower_bound="paper"), dict(y_ref=ref, lower_bound="tight")):
        runs = [solve(Xb, y, lam=0.01, max_depth=4, engine="gosdt", **options) for _ in range(3)]
        assert len({(r.tree, r.objective, r.n_subproblems) for r in runs}) == 1
