"""The same tables give the same fits: whatever the processor, however busy it is, however many threads there are (searches: test_work.py)."""
import json
import multiprocessing
import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

_PRINT = "import json, test_same; print(json.dumps(test_same.everything()))"


def tables():
    "A dozen tables: numbers, ties, 0/1 columns, classes, weights, rows that are equal."
    rng = np.random.default_rng(0)
    for load in (load_iris, load_wine, load_breast_cancer):
        yield *load(return_X_y=True), None
    for i in range(9):
        n, p, classes = int(rng.integers(40, 400)), int(rng.integers(2, 12)), int(rng.integers(2, 5))
        X = rng.integers(0, (2, 5, 1000)[i % 3], (n, p)).astype(float)
        y = (X[:, 0] + X[:, -1] > np.median(X[:, 0] + X[:, -1])) * 1 + (rng.random(n) < 0.2) * rng.integers(0, classes, n)
        yield X, y, rng.integers(1, 9, n) / 8 if i % 4 == 1 else rng.random(n) if i % 4 == 3 else None


def everything():
    "All that fits say of these tables, to the last digit."
    from guesstree import GuessTreeClassifier
    said = []
    for X, y, w in tables():
        clf = GuessTreeClassifier(max_depth=4, time_limit=None).fit(X, y, w)
        fit = [str(clf.tree_), clf.status_, clf.n_subproblems_, clf.regularization_, *map(float.hex, (clf.objective_, clf.lower_bound_))]
        trials = [(t.leaves, *map(float.hex, t.scores)) for t in clf.path_.trials]
        said += [fit, trials, str(clf.certificate_)]
    return json.loads(json.dumps(said))


@pytest.fixture(scope="module")
def known():
    return everything()


def elsewhere(**env):
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", _PRINT], cwd=os.path.dirname(__file__), env={**os.environ, **env}, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    return json.loads(run.stdout)


@pytest.mark.filterwarnings("ignore:stopped", "ignore:compiling")
def test_another_processor_gives_the_same_answers(known, tmp_path):
    assert elsewhere(NUMBA_CPU_NAME="generic", NUMBA_CACHE_DIR=str(tmp_path)) == known


def spin():
    while True:
        pass


@pytest.mark.filterwarnings("ignore:stopped", "ignore:compiling")
def test_a_busy_machine_gives_the_same_answers(known):
    busy = [multiprocessing.get_context("spawn").Process(target=spin, daemon=True) for _ in range(8)]
    for process in busy:
        process.start()
    try:
        assert everything() == known
    finally:
        for process in busy:
            process.kill()


@pytest.mark.filterwarnings("ignore:stopped", "ignore:compiling")
def test_threads_change_no_answer():
    from guesstree import GuessTreeClassifier
    for X, y, w in list(tables())[::3]:
        one, two = (GuessTreeClassifier(max_depth=4, time_limit=None, n_jobs=jobs).fit(X, y, w) for jobs in (1, 2))
        assert (str(one.tree_), one.objective_, one.lower_bound_, one.status_, one.regularization_) == (str(two.tree_), two.objective_, two.lower_bound_, two.status_, two.regularization_)
