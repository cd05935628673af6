"""A time limit holds for the whole fit, whatever the table looks like; what the reference did not read is said."""
import _thread
import threading
import time
import warnings

import numpy as np
import pytest

from guesstree import GuessTreeClassifier, estimator, solve
from guesstree.notation import predict

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


WIDE = [(20_000, 200, None, 2, {}), (20_000, 1000, None, 5, dict(min_samples_leaf=5)), (10_000, 500, 8, 2, dict(lam=0)), (5000, 2000, 4, 5, {}), (20_000, 200, 5, 2, dict(lam=0, guess=True))]


@pytest.mark.parametrize("m, n, max_depth, classes, options", WIDE)
def test_a_limit_holds_for_very_many_columns_with_a_true_bound(compiled, m, n, max_depth, classes, options):
    rng, (lam, guess) = np.random.default_rng(0), (options.get("lam", 0.01), options.get("guess"))
    X = rng.random((n, m)) < 0.5
    y = np.where(rng.random(n) < 0.1, rng.integers(0, classes, n), (X[:, 7] & X[:, m // 2]) + 0)
    options = dict(lam=lam, max_depth=max_depth, min_samples_leaf=options.get("min_samples_leaf", 0), y_ref=y if guess else None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        few = dict(options, y_ref=y[:50] if guess else None)
        solve(X[:50, :2600], y[:50], time_limit=0.5, **few)   # compiles
        begin, work = time.perf_counter(), time.process_time()
        found = solve(X, y, time_limit=1, **options)
        seconds, work = time.perf_counter() - begin, time.process_time() - work
    assert min(seconds, work) < 1.8, (seconds, work, found.seconds)
    known = ((X[:, 7] & X[:, m // 2]) != y).mean() + 3 * lam          # a tree of three leaves
    assert found.status in ("optimal", "guess_optimal", "time_limit") and found.lower_bound <= min(known, found.objective) + 1e-12
    told = predict(found.tree, X)
    assert abs((told != y).mean() + lam * found.n_leaves - found.objective) < 1e-9


def interrupt(*args, **kwargs):
    raise KeyboardInterrupt


def test_an_interrupt_before_there_is_a_tree_raises(monkeypatch):
    X, y = np.arange(40.0)[:, None], np.arange(40) % 2
    clf = GuessTreeClassifier()
    monkeypatch.setattr(estimator, "fold_reference", interrupt)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y)
    assert not hasattr(clf, "tree_")


@pytest.mark.parametrize("where", ["hold_out", "guess_for", "search", "prove"])
def test_an_interrupt_after_the_first_answer_keeps_the_best_tree(compiled, monkeypatch, where):
    rng = np.random.default_rng(0)
    X = rng.random((300, 4))
    y = (X[:, 0] + 2 * rng.random(300) > 1.5).astype(int)   # no tree is proven in a moment
    given, usual = [], getattr(estimator, where)
    def later(*args, **more):   # `search` also gives the first two answers
        given.append(where)
        return interrupt() if where != "search" or len(given) > 2 else usual(*args, **more)
    monkeypatch.setattr(estimator, where, later)
    with pytest.warns(UserWarning, match="interrupted") if where != "prove" else warnings.catch_warnings():
        clf = GuessTreeClassifier(lower_bound="paper", max_depth=4).fit(X, y)
    assert clf.status_ in ("interrupted", "optimal") and clf.lower_bound_ <= clf.objective_
    assert (clf.path_.stopped == "interrupted") == (where in ("hold_out", "guess_for"))
    assert bool(clf.path_.trials) == (where in ("search", "prove"))


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
