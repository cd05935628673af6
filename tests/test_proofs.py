"""Hunts for failures at length, mutants of the search that the hunt has to find, and checks of fitted classifiers."""
from pathlib import Path

import numpy as np
import pytest

import guesstree
from guesstree import GuessTreeClassifier
from guesstree.checks import engines, mutants
from guesstree.checks.claims import (
    prove_corollary, prove_depth, prove_gap, prove_guess, prove_thresholds)
from guesstree.data import spiral
from guesstree.notation import Leaf, Split, depth
from guesstree.proofs import Line, Proof



@pytest.mark.parametrize("seed", range(1, 4))
def test_nothing_is_refuted(seed):
    found = engines.hunt(25, seed, engines.OTHERS)
    assert found.failure is None and found.n_lines > 500


@pytest.mark.slow
def test_nothing_is_refuted_at_length():
    for seed in range(10, 20):
        assert engines.hunt(100, seed, engines.OTHERS).failure is None


@pytest.mark.parametrize("mutant", mutants.MUTANTS, ids=lambda m: m.name)
def test_a_mutant_fits_the_source(mutant):
    text = mutants._file(Path(guesstree.__file__).parent, mutant).read_text(encoding="utf-8")
    changed = mutants._changed(text, mutant)
    assert changed != text
    compile(changed, mutant.module, "exec")


def test_a_mutant_of_the_certificate_is_caught():
    "Mutants of the search are caught in checks/03_mutants, and all of them in a slow cell there."
    mutant, = (m for m in mutants.MUTANTS if m.name == "certificate: |MC| forgotten in U")
    assert mutants.catch(mutant, 60)[1] is not None


@pytest.mark.slow
def test_the_package_itself_survives_what_mutants_do_not():
    assert mutants.catch(None, 300) == (300, None)


def table(seed, n=80):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(1)
    return X, np.array(["no", "yes", "perhaps"])[(X[:, 0] > 0).astype(int) + ((X[:, 1] > .5) & (rng.random(n) < .8))]


@pytest.mark.parametrize("options", [dict(), dict(lower_bound="exact", thresholds="buckets"), dict(lower_bound="tight", certify=False, max_depth=4),
    dict(thresholds="all", reference=(10, 1), max_depth=2), dict(min_samples_leaf=5), dict(max_depth=None, regularization=.05), pytest.param(dict(class_weight="balanced"), marks=pytest.mark.slow), dict(time_limit=0)],
    ids=str)
@pytest.mark.filterwarnings("ignore:stopped")
def test_fitted_classifiers(options):
    X, y = table(0, 24 if options.get("thresholds") == "all" else 80)   # 80 rows of all thresholds have 198 million boxes
    clf = GuessTreeClassifier(**{"regularization": .03, **options}).fit(X, y)
    report = engines.check(clf, X, y, time_limit=2)
    assert report.refuted == [], report
    assert "REFUTED" not in report.verdict and "Holds, with slack: " in report.verdict and report.verdict in repr(report) and report.verdict in report._repr_html_()


def test_a_report_notices_other_rows_and_other_trees():
    arms = spiral()
    clf = GuessTreeClassifier(regularization=.02, max_depth=3).fit(arms.X, arms.y)
    assert {"Objective, at most", "Objective, at least"} & {c.name for c in engines.check(clf, arms.X, 1 - arms.y).refuted}
    clf.tree_ = Split(0, clf.tree_, Leaf(0))
    assert {c.name for c in engines.check(clf, arms.X, arms.y).refuted} >= {"Depth limit"}
    with pytest.raises(TypeError, match="fitted GuessTreeClassifier"):
        engines.check(GuessTreeClassifier(), arms.X, arms.y)
    with pytest.raises(ValueError, match="one label for each of the 100 rows"):
        engines.check(clf, arms.X, arms.y[:3])


@pytest.mark.parametrize("seed", range(60))
def test_proofs_with_random_trees(seed):
    "Lines that must hold whatever tree is put in, and lines that must fail for bad ones."
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    Xb, y, MC = rng.integers(0, 2, (n, 3)), rng.integers(0, 3, n), rng.random(n) < .3

    def draw(d):
        return Leaf(int(rng.integers(3))) if d == 0 or rng.random() < .2 else Split(int(rng.integers(3)), draw(d - 1), draw(d - 1))
    t, lam, d = draw(3), float(rng.choice([0, .05, 1 / n])), int(rng.integers(0, 4))
    p = prove_guess(Xb, y, MC, lam, d, t)
    assert p.applies == (depth(t) <= d) and not p.refuted
    assert prove_gap(Xb, y, lam, d, tree=t).lines[-2].holds  # the first claim needs no optimal tree
    worse = prove_thresholds(Xb, y, y, lam, tree=t)
    assert not worse.applies or worse.lines[3].holds == (not worse.refuted)
    assert not prove_corollary(Xb, y, np.where(MC, (y + 1) % 3, y), lam, d).refuted


def test_a_proof_says_which_line_fails():
    p = Proof("p", [Line("premise", "one", 1, 2), Line("claim", "two", 3, 2)])
    assert p.applies and p.refuted == [p.lines[1]] and "FAILS" in repr(p) and "refuted" in repr(p)
    assert not p._replace(lines=[Line("premise", "zero", 1, 0), *p.lines]).refuted
    assert not prove_depth(2, 8).applies and prove_depth(10, 8).lines[-1].right == 2**11
