"""Every engine counts the same work, and ends at the same place of it, on another processor and without a compiler."""
import json
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

from guesstree import solve
from guesstree.engine.patterns import find_patterns
from guesstree.notation import split_points

ENGINES = ("fast", "search", "pairs", "boxes", "sweep", "dl85", "gosdt")


def tables(size):
    "Names, tables and what is asked of `solve`: every engine, guesses, classes, weights, prices and limits."
    rng, n = np.random.default_rng(0), 60 * size
    Xb, numbers = rng.random((n, 5 + 2 * size)) < 0.5, rng.integers(0, 4, (n, 3)).astype(float)
    y = (Xb[:, :4].sum(axis=1) > 2) ^ (rng.random(n) < 0.2)
    three, ref, w = rng.integers(0, 3, n), y ^ (rng.random(n) < 0.1), rng.integers(1, 5, n)
    yield "exact", (Xb, y), dict(lam=0.005, max_depth=5, engine="search")
    yield "three classes", (Xb, three), dict(lam=0.01, max_depth=4)
    yield "weights", (Xb, y), dict(lam=0.01, max_depth=4, sample_weight=w, min_samples_leaf=4)
    yield "no limit", (Xb, y), dict(lam=0.02)
    yield "free", (Xb[:, :6], y), dict(lam=0, max_depth=5)
    yield "guess", (Xb, y), dict(lam=0.005, max_depth=5, y_ref=ref, engine="search")
    yield "tight", (Xb, y), dict(lam=0.005, max_depth=5, y_ref=ref, lower_bound="tight", engine="pairs")
    for engine in ENGINES[2:]:
        patterns = (find_patterns(numbers, y, split_points(numbers)),)
        for limit in (0, 50, 1000):
            yield f"{engine} {limit}", patterns, dict(lam=0.01, max_depth=3, engine=engine, work_limit=limit)
    for limit in (0, 30, 3000, 60_000):
        yield f"limit {limit}", (Xb, y), dict(lam=0.001, max_depth=7, work_limit=limit)
        yield f"free, limit {limit}", (Xb, three), dict(lam=0.005, work_limit=limit)


def answers(size):
    "What `solve` says about all tables: everything but the seconds."
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {name: solve(*data, **options) for name, data, options in tables(size)}
    return {name: [repr(r.tree), *map(repr, (*r[1:10], *r[11:]))] for name, r in found.items()}


@pytest.fixture(scope="module")
def here():
    return {size: answers(size) for size in (1, 3)}


@pytest.mark.parametrize("size, setting", [(3, dict(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")), (1, dict(NUMBA_DISABLE_JIT="1"))])
def test_another_processor_or_no_compiler_changes_nothing(here, size, setting):
    told = subprocess.run([sys.executable, __file__, str(size)], capture_output=True, text=True, env={**os.environ, **setting}, timeout=1200)
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout.splitlines()[-1]) == here[size]


def test_limits_and_guesses_have_one_thread(here):
    for name, data, options in tables(3):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pair = solve(*data, n_jobs=2, **options)
        if "work_limit" in options or "y_ref" in options:                       # one thread, whatever is asked for
            assert [repr(pair.tree), *map(repr, (*pair[1:10], *pair[11:]))] == here[3][name]
        elif options["lam"] > 0:
            assert [repr(pair.tree), repr(pair.objective), repr(pair.lower_bound)] == [*here[3][name][:2], here[3][name][5]]


if __name__ == "__main__":
    print(json.dumps(answers(int(sys.argv[1]))))
