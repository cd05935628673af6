"""A time limit holds for the whole fit, whatever the table looks like; what the reference did not read is said."""
import _thread
import threading
import time
import warnings

import numpy as np
import pytest

from guesstree import GuessTreeClassifier, estimator
from guesstree.engine import columns, held_out

SHAPES = [(200, 5000, 10, 3), (500, 2000, 20, 1), (500, 20_000, 20, 3), (500, 100_000, 20, 3), (2, 300_000, 30, 3), (2, 300, 5000, 2), (50, 20_000, 50, 2), (3, 10, 1, 1), (1, 1000, 5, 1), (300, 600, 3, 1)]


@pytest.fixture(scope="module")
def compiled():
    "Compilation does not count, and would be most of what is measured here."
    rng = np.random.default_rng(0)
    for classes in (2, 3):
        GuessTreeClassifier(time_limit=None).fit(rng.random((60, 3)), np.arange(60) % classes)


@pytest.mark.parametrize("classes, n, p, limit", SHAPES)
def test_a_limit_holds_for_tables_of_every_shape(compiled, classes, n, p, limit):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, p))
    y = rng.integers(0, classes, n) if classes > 2 else (X[:, 0] + 0.5 * rng.normal(size=n) > 0).astype(int) * (classes - 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begin, work = time.perf_counter(), time.process_time()
        clf = GuessTreeClassifier(time_limit=limit).fit(X, y)
        seconds, work = time.perf_counter() - begin - clf.timings_["jit"], time.process_time() - work - clf.timings_["jit"]
    assert min(seconds, work) < 2 * limit + 1, (seconds, work, clf.timings_)   # other processes take their part of the clock
    assert clf.status_ in ("optimal", "guess_optimal", "time_limit") and clf.lower_bound_ <= clf.objective_
    assert len(clf.predict(X[:5])) == 5
    if n == 300_000:
        assert "the reference saw" in clf.elimination_ and int(clf.leaf_weights_.sum()) == n   # the search counts all rows


def interrupt(*args, **kwargs):
    raise KeyboardInterrupt


def test_an_interrupt_before_there_is_a_tree_raises(monkeypatch):
    X, y = np.arange(40.0)[:, None], np.arange(40) % 2
    clf = GuessTreeClassifier()
    monkeypatch.setattr(columns, "fit_reference", interrupt)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y)
    assert not hasattr(clf, "tree_")


@pytest.mark.parametrize("where", ["_fold_columns", "_held_out", "beside", "prove"])
def test_an_interrupt_after_the_guesses_keeps_the_best_tree(compiled, monkeypatch, where):
    rng = np.random.default_rng(0)
    X = rng.random((300, 4))
    y = (X[:, 0] + 0.3 * rng.random(300) > 0.6).astype(int)
    monkeypatch.setattr(estimator if where == "prove" else held_out, where, interrupt)
    clf = GuessTreeClassifier(lower_bound="paper", max_depth=4).fit(X, y)
    assert clf.status_ in ("interrupted", "optimal") and clf.lower_bound_ <= clf.objective_
    assert (clf.path_.stopped == "interrupted") == (where != "prove")
    assert clf.path_.trials or where in ("_fold_columns", "_held_out")


def test_an_interrupt_at_any_moment_raises_or_keeps_a_tree(compiled):
    rng = np.random.default_rng(0)
    X, y = rng.random((2000, 8)), rng.integers(0, 3, 2000)
    ends = []
    for seconds in (0.02, 0.2, 0.6, 1.5, 3, 4.5):
        if "interrupted" in ends and seconds > 1.5:   # later moments are for slow machines
            break
        timer = threading.Timer(seconds, _thread.interrupt_main)
        clf = GuessTreeClassifier(time_limit=6)
        timer.start()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                clf.fit(X, y)
                ends.append(clf.status_)
        except KeyboardInterrupt:
            ends.append("raised")
            assert not hasattr(clf, "tree_")
        finally:
            try:
                timer.join()
            except KeyboardInterrupt:   # it came after the fit
                pass
    assert {*ends} <= {"raised", "interrupted", "optimal", "guess_optimal", "time_limit"}, ends
    assert "interrupted" in ends, ends
