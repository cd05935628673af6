"""The recorded search against the oracle and the compiled one, far beyond what the notebook shows."""
import json

import numpy as np
import pytest
from test_engines import leaf_sizes, random_problem, random_reference, upper

from guesstree import solve
from guesstree.brute import best_by_rows
from guesstree.course.trace import describe, record


@pytest.mark.parametrize("seed", range(10))
def test_exact_is_the_tree_of_the_oracle_and_of_solve(seed):
    rng = np.random.default_rng(seed)
    for _ in range(40):
        Xb, y, options = random_problem(rng)
        best = best_by_rows(Xb, y, **options)
        if best is None:
            continue
        r, s = record(Xb, y, **options).result, solve(Xb, y, engine="search", **options)
        assert r.tree == best.tree and (s.tree == best.tree or not s.ties_settled), (Xb, y, options)
        assert r.status == s.status == "optimal" and r.lower_bound == r.objective == s.objective
        w = np.ones(len(y), int) if options["sample_weight"] is None else options["sample_weight"]
        assert r.n_leaves == 1 or min(leaf_sizes(r.tree, Xb, w)) >= options["min_samples_leaf"]


@pytest.mark.parametrize("seed", range(6))
def test_guesses_keep_what_the_theorem_promises(seed):
    "Trees may differ from those of the compiled search, which meets others first; bounds are of the same kind."
    rng = np.random.default_rng(seed)
    for _ in range(10):
        Xb, y, ref, lam, d = random_reference(rng)
        best, u = float(best_by_rows(Xb, y, lam, d).cost), float(upper(Xb, y, ref, lam, d))
        for kind in ("paper", "gosdt", "tight"):
            r = record(Xb, y, lam, d, ref, kind, max_events=100_000).result
            s = solve(Xb, y, lam=lam, max_depth=d, y_ref=ref, lower_bound=kind, engine="search")
            assert r.lower_bound - 1e-12 <= best <= r.objective + 1e-12 and r.objective <= u + 1e-12
            assert (r.guessed_lower_bound is None) == (s.guessed_lower_bound is None)
            assert r.guessed_lower_bound is None or r.guessed_lower_bound <= u + 1e-12
            assert r.status in ("optimal", "guess_optimal") and (r.status != "optimal" or r.objective == pytest.approx(best, abs=1e-12))


def test_events_tell_one_story():
    "Bounds of a node never part, children come after parents, the last event settles the whole problem."
    rng = np.random.default_rng(1)
    for _ in range(30):
        Xb, y, ref, lam, d = random_reference(rng)
        for kind in ("exact", "paper", "tight"):
            rec, low, cost, opened = record(Xb, y, lam, d, ref, kind, max_events=100_000), {}, {}, set()
            for e in rec.events:
                assert (e.kind == "open") == (e.node not in opened) and (e.via is None or e.via[0] in opened)
                opened.add(e.node)
                assert low.get(e.node, 0) <= e.low <= e.cost <= cost.get(e.node, np.inf), describe(e, rec.nodes)
                low[e.node], cost[e.node] = e.low, e.cost
            assert opened == set(range(len(rec.nodes)))
            assert (rec.events[-1].kind, rec.events[-1].node) == ("solved", 0)
            assert rec.events[-1].cost == pytest.approx(rec.result.objective, abs=1e-12)
            assert json.loads(rec.to_json())["result"]["objective"] == rec.result.objective


def test_labels_of_any_kind_can_be_written():
    rec = record([[0], [1], [1]], np.array(["no", "yes", "yes"]), 0.01, 1)
    assert '["yes"]' in rec.to_json() and rec.problem["labels"] == ["no", "yes"]
