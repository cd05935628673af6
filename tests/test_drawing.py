"""Pictures of trees: with Graphviz and without, and what the nodes say about any fit."""
import shutil
import stat
import sys
from xml.dom.minidom import parseString

import graphviz
import numpy as np
import pandas as pd
import pytest

from guesstree import GuessTreeClassifier, GuessTreeClassifierCV, Leaf, Split
from guesstree.notation import n_leaves, named
from guesstree.use import from_json, plot_tree, to_dot, to_graphviz, to_json, to_svg
from guesstree.use.drawing import _box, _cards, _facts, _high, _place, node_weights

ODD = named(Split(0, Leaf('a &lt; b & "c" \\n'), Split(1, Leaf("AT&T <b>"), Leaf("ü\\"))), ["x\\y <= 3 & &amp;", "two\nlines"])


def words(svg):
    return [t.firstChild.data if t.firstChild else "" for t in parseString(str(svg)).getElementsByTagName("text")]


@pytest.mark.skipif(not shutil.which("dot"), reason="the program dot is not installed")
def test_graphviz_draws_what_we_draw():
    shown = ODD.graphviz()._repr_mimebundle_()
    assert isinstance(ODD.graphviz(), graphviz.Source) and sorted(words(shown["image/svg+xml"])) == sorted(words(to_svg(ODD)))
    assert to_graphviz(Leaf(1)).pipe(format="svg", encoding="utf-8").count("<ellipse") == 0      # boxes only


def hidden(path):
    "No program at all."


def failing(path):
    (path / "dot").write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
    (path / "dot").chmod(0o755)


def forbidden(path):
    (path / "dot").write_text("#!/bin/sh\n")
    (path / "dot").chmod(stat.S_IRUSR)


@pytest.mark.skipif(sys.platform == "win32", reason="dot is a script here")
@pytest.mark.parametrize("make", [hidden, failing, forbidden])
def test_without_graphviz_a_picture_and_a_sentence(make, tmp_path, monkeypatch):
    make(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    shown = ODD.graphviz()._repr_mimebundle_()
    assert shown["image/svg+xml"] == to_svg(ODD) and to_svg(ODD) in shown["text/html"]
    assert "apt install graphviz" in shown["text/plain"] and "plot_tree" in shown["text/plain"]


def test_jupyter_shows_the_sentence(monkeypatch):
    formatter = pytest.importorskip("IPython.core.formatters").DisplayFormatter()
    monkeypatch.setenv("PATH", "")
    shown, _ = formatter.format(to_graphviz(Split(0, Leaf(0), Leaf(1))))
    assert "apt install graphviz" in shown["text/html"] and "<svg" in shown["text/html"]


def table(seed, classes):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.integers(0, 9, 200), "b": rng.choice(["u", "v", "w"], 200), "c": rng.random(200).round(1)})
    return X, rng.integers(0, classes, 200) * (X.a > 3), rng


@pytest.mark.parametrize("classes", [1, 2, 3, 12])
@pytest.mark.parametrize("kind", ["plain", "weights", "zeros", "balanced"])
def test_nodes_say_what_can_be_counted(classes, kind):
    X, y, rng = table(classes, classes)
    w = {"weights": rng.random(200).round(3), "zeros": rng.integers(0, 2, 200) * 1.0}.get(kind)
    clf = GuessTreeClassifier(0.004, 3, class_weight="balanced" if kind == "balanced" else None).fit(X, y, sample_weight=w)
    count = np.ones(200) if w is None else w
    if kind == "balanced":
        count = 200 / (len(clf.classes_) * np.bincount(np.searchsorted(clf.classes_, y)))[np.searchsorted(clf.classes_, y)]
    passes = clf.decision_path(X).toarray()
    for model in (clf, from_json(to_json(clf))):
        found = node_weights(model)
        assert np.allclose(found, passes.T @ (count[:, None] * (y.to_numpy()[:, None] == clf.classes_)), rtol=1e-6)
        for i, said in enumerate(_facts(model, ("rows", "errors", "shares"))):
            leaf = clf.nodes_.feature[i] < 0
            here = count * passes[:, i]
            start = f"{here.sum():.0f} row" if model.weight_scale_ is None else "weight "
            assert said[0].startswith(start)
            if leaf:
                assert float(said[1].split()[0]) == pytest.approx(here[clf.predict(X) != y].sum(), rel=1e-3, abs=1e-6)
            shares = [o for o in said if o.endswith(" %")]
            assert len(shares) == min(4, int((found[i] > 0).sum())) == len(said) - 1 - leaf
            assert (len(shares) == 4) == any(o.startswith("other: ") for o in shares)


def test_a_cross_validated_tree_and_a_tree_from_a_file():
    X, y, _ = table(0, 2)
    cv = GuessTreeClassifierCV(max_depths=(2,), cv=3).fit(X, y)
    assert words(to_svg(cv)) == words(to_svg(cv.best_estimator_)) and "200 rows" in words(to_svg(cv))
    back = from_json(to_json(cv.best_estimator_))
    assert to_svg(back) == to_svg(cv) and to_dot(back) == to_dot(cv)
    ax = plot_tree(cv, row=X[:1])
    assert sum(o.get_linewidth() > 2 for o in ax.lines) == cv.best_estimator_.decision_path(X[:1]).sum() - 1


def test_many_leaves_and_long_words_do_not_overlap():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 2, (2000, 5)), columns=[f"a column with a rather long name, number {j}" for j in range(5)])
    y = np.array(["a label of some length", "another"])[X.sum(axis=1) % 2]
    clf = GuessTreeClassifier(0.0001, 5, "all").fit(X, y)
    assert clf.n_leaves_ == 32
    card = _cards(clf.tree_, _facts(clf, ("rows", "errors", "shares")))
    levels = {}
    for o, x, top, start, _ in _place(card):
        levels.setdefault(top, []).append((x - _box(o) / 2, x + _box(o) / 2))
        assert start is None or start[1] + 30 < top                          # room for the answer
        assert _high(o) >= 26 + 14 * len(o.small)
    for spans in levels.values():
        spans.sort()
        assert all(a[1] < b[0] for a, b in zip(spans, spans[1:]))
    assert words(to_svg(clf)).count("0 wrong") == 32 == n_leaves(clf.tree_)


def test_labels_in_small_print_are_text():
    X = pd.DataFrame({"a": [0, 1] * 20})
    evil = np.array(["<script>alert(1)</script>", '"><img src=x>'])[X.a]
    clf = GuessTreeClassifier(0.01, 1, "all").fit(X, evil)
    svg = to_svg(clf, show="shares")
    assert "<script" not in svg and "<img" not in svg and "&lt;script&gt;" in svg and parseString(str(svg))
