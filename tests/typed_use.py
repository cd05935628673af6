"""What a user writes, for mypy --strict (tests/test_release.py runs it): the public names have types."""
from fractions import Fraction
from typing import assert_type

import numpy as np

from guesstree import (
    GuessTreeClassifier, GuessTreeClassifierCV, Leaf, Result, Split, ThresholdGuesser,
    regularization_path, solve, warmup)
from guesstree.engine.certificate import Certificate
from guesstree.use.source import to_python, to_sql
from guesstree.data import Dataset, load, toy
from guesstree.use.words import Rule, rules, sentence
from guesstree.use.reading import from_json
from guesstree.use.tree_json import to_json
from guesstree.use.one_page import report
from guesstree.notation import Tree
from guesstree.use.path import Path

X, y = np.random.default_rng(0).normal(size=(50, 3)), np.arange(50) % 2

clf = GuessTreeClassifier(regularization=Fraction(1, 100), max_depth=None, class_weight="balanced", time_limit=5).fit(X, y)
assert_type(clf, GuessTreeClassifier)
assert_type(clf.predict(X), np.ndarray)
assert_type(clf.tree_, Tree)
assert_type(clf.gap_, float)
assert_type(clf.guessed_lower_bound_, float | None)
assert_type(clf.certificate_, Certificate)
assert_type(GuessTreeClassifierCV(clf, max_depths=[2, 3]).fit(X, y).best_estimator_, GuessTreeClassifier)
assert_type(ThresholdGuesser((20, 3), max_columns=10).fit(X, y).transform(X), np.ndarray)
assert_type(regularization_path(X, y, lam_min=0.01), Path)

found = solve(X > 0, y, lam=0.01, max_depth=3)
assert_type(found, Result)
assert_type(found.tree, Tree)
assert_type(warmup(), float)
tree: Tree = Split(0, Leaf(1), Leaf(0))

assert_type(toy(), Dataset)
assert_type(load("compas").y, np.ndarray)
assert_type(to_sql(clf, table="people"), str)
assert_type(to_python(clf), str)
assert_type(from_json(to_json(clf)), GuessTreeClassifier)
assert_type(report(clf, title="Mine"), str)
assert_type([sentence(r) for r in rules(clf)], list[str])
assert_type(rules(clf), list[Rule])

GuessTreeClassifier(max_depth=2.5)          # type: ignore[arg-type]
solve(X > 0, y, lamb=0.1)                   # type: ignore[call-arg]
clf.predict()                               # type: ignore[call-arg]
