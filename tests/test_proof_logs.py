"""Logs of random problems are accepted, and every lie in them is caught unless brute force confirms what is left."""
import gzip
import json
import math
import os
import subprocess
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from guesstree import GuessTreeClassifier, Leaf, solve
from guesstree.brute import best_by_rows, least_cost
from guesstree.checks import proof_logs, verifier
from guesstree.checks.proof_logs import log_lines, write_log
from guesstree.checks.verifier import verify
from guesstree.engine.patterns import find_patterns
from guesstree.engine.solver import reference_patterns
from guesstree.notation import predict

BENCH = Path(os.environ.get("GUESSTREE_BENCH", "/nowhere"))


def table(rng, most=24):
    "A random table with weights and every option of `solve` that changes what is claimed."
    n, m, c = int(rng.integers(2, most)), int(rng.integers(1, 6)), int(rng.integers(1, 5))
    X, y, w = rng.random((n, m)) < 0.5, rng.integers(0, c, n), rng.integers(0, 4, n)
    w[0] += 1
    if rng.random() < 0.1:
        w = w * 2**40
    n = int(w.sum())
    lam = [Fraction(0), Fraction(1, 50), Fraction(1, n), Fraction(3, 7 * n), Fraction(1, 10**9)][rng.integers(5)]
    return X, y, w, lam, [None, 0, 1, 2, 3, 4, 5][rng.integers(7)], int(rng.choice([0, 0, 3, 6]))


def write(path, lines):
    path.write_text("".join((o if isinstance(o, str) else json.dumps(o)) + "\n" for o in lines), encoding="utf-8")
    return path


def holds(lines):
    "Is the claim of a log true? The log's own problem, by brute force."
    head, claim = lines[0], next(o for o in lines if "claim" in o)
    rows = [o for o in lines if "pattern" in o]
    X = np.array([[b == "1" for b in o["pattern"]] for o in rows]).reshape(len(rows), -1)
    w = np.array([o["weights"] for o in rows], dtype=object)
    price = Fraction(head["lam"]) * int(w.sum())
    least = max(1, min(head["least"], int(w.sum())))
    best = least_cost(X, w, price.numerator, price.denominator, head["max_depth"], least)
    return Fraction(claim["bound"]) <= Fraction(best, price.denominator * int(w.sum())) <= Fraction(claim["objective"])


@pytest.mark.parametrize("seed", range(4))
def test_logs_of_exact_guessed_and_stopped_searches_are_accepted(seed, tmp_path):
    rng = np.random.default_rng(seed)
    for i in range(40):
        X, y, w, lam, d, least = table(rng)
        options = dict(lam=lam, max_depth=d, min_samples_leaf=least)
        file, found = tmp_path / f"a.proof{'.gz' * (i % 2)}", []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ref, weights = rng.permutation(y), w * 0.5 if w.max() < 9 else w
            found.append(solve(X, y, sample_weight=weights, proof=file, n_jobs=1 + i % 2, **options))
            verdicts = [verify(file, X, y, weights)]
            found.append(solve(X, y, sample_weight=w, y_ref=ref, engine="search", proof=file, **options))
            verdicts.append(verify(file, X, y, w))
            found.append(solve(X, y, sample_weight=w, time_limit=0, proof=file, **options))
            verdicts.append(verify(file, X, y, w) if file.exists() else None)
        assert verdicts[0] and verdicts[1], verdicts
        assert verdicts[2] or found[2].status == "optimal"
        lines = list(log_lines(find_patterns(X, y, sample_weight=w), solve(find_patterns(X, y, sample_weight=w), **options), lam, d, least))
        assert holds(lines)


def changes(o):
    "One line in every way: each field dropped, each value changed."
    for name, value in o.items():
        yield {k: v for k, v in o.items() if k != name}
        others = []
        if isinstance(value, bool) or value is None:
            others = [0, 3, "x"]
        elif isinstance(value, int):
            others = [value + 1, value - 1, 10**400, -1, None, True, float(value), str(value), 0]
        elif name in ("lam", "objective", "bound", "scale"):
            f = Fraction(value)
            others = [str(f + Fraction(1, 60)), str(f / 2), "0", "-1", "1/0", "nan", float(f), None, f"{10**300}/7"]
        elif name == "pattern":
            others = [value[1:], value + "0", *(value[:i] + "10"[int(value[i])] + value[i + 1:] for i in range(len(value)))]
        elif name == "weights":
            others = [value[1:], value[::-1], [v + 1 for v in value], [-v for v in value], [10**30 * v for v in value], "x", None]
        elif name == "tree":
            others = [0, 1, 99, [0, 0, 1], [0, 1, 0], [99, 0, 1], [0, [0, 0, 1], [0, 1, 0]], [], [0, 1], "x", None]
        elif name == "rows":
            others = ["", "+0", "-0", "+1 -0", "+99", "x", value + " +0", " " + value, None, 3]
        elif name == "claim":
            others = ["optimal", "guess_optimal", "time_limit", "sure", None]
        elif isinstance(value, list):
            others = [value[1:], value[::-1], value * 2, None, "x"]
        else:
            others = ["guesstree 1", None, 1]
        yield from (o | {name: v} for v in others)


def lies(log):
    "Logs that differ from `log` in one place."
    for i, o in enumerate(log):
        yield log[:i] + log[i + 1:]
        yield log[:i] + [o] + log[i:]
        yield log[:i]
        if i:
            yield log[:i - 1] + [o, log[i - 1]] + log[i + 1:]
        yield log[:i] + [json.dumps(o)[:-2]] + log[i + 1:]
        yield log[:i] + ["\x00garbage"] + log[i + 1:]
        yield from (log[:i] + [new] + log[i + 1:] for new in changes(o))


@pytest.mark.parametrize("seed", range(3))
def test_every_lie_is_caught_or_harmless(seed, tmp_path):
    rng, tried, accepted, file = np.random.default_rng(100 + seed), 0, 0, tmp_path / "lie.proof"
    for _ in range(4):
        X, y, w, lam, d, least = table(rng, 12)
        pat = find_patterns(X, y, sample_weight=w)
        r = solve(pat, lam=lam, max_depth=d, min_samples_leaf=least)
        if seed:
            r = r._replace(status="time_limit", lower_bound=r.lower_bound * 0.9)
        log = list(log_lines(pat, r, lam, d, least, most=1 + seed % 3))
        assert verify(write(file, log), X, y, w)
        for lie in lies(log):
            tried += 1
            if verify(write(file, lie)):     # what is left must be a proof of a true claim
                accepted += 1
                assert holds([o if isinstance(o, dict) else json.loads(o) for o in lie]), (lie, log)
                if verify(file, X, y, w):    # and if it is about this table, of a claim about this table
                    head, claim = lie[0], next(o for o in lie if "claim" in o)
                    best = best_by_rows(X, y, Fraction(head["lam"]), head["max_depth"], w, min(head["least"], int(w.sum())))
                    assert Fraction(claim["bound"]) <= best.cost <= Fraction(claim["objective"])
    assert tried > 500 and accepted < tried / 2


def test_bytes_that_are_no_log(tmp_path):
    rng, file = np.random.default_rng(0), tmp_path / "x.proof"
    log = list(log_lines(find_patterns([[0], [1]], [0, 1]), solve([[0], [1]], [0, 1], lam=0.1), 0.1))
    text = "".join(json.dumps(o) + "\n" for o in log).encode()
    for _ in range(200):
        data = bytearray(text)
        for at in rng.integers(0, len(data), 3):
            data[at] = rng.integers(0, 256)
        file.write_bytes(bytes(data))
        verify(file)                     # a verdict, never an error
    packed, file = gzip.compress(text), tmp_path / "x.proof.gz"
    assert verify(_put(file, packed))
    for cut in range(len(packed) - 1):
        assert not verify(_put(file, packed[:cut]))
    for data in (b"", b"\xff\xfe", b"[" * 10**5, b"{}\n", b"null\n", b"NaN\n", b"1" * 5000, text[:-30]):
        assert not verify(_put(tmp_path / "y.proof", data)), data[:20]


def _put(path, data):
    path.write_bytes(data)
    return path


def test_the_verifier_stands_alone(tmp_path):
    "A copy of the file, in a process that cannot import guesstree."
    source = Path(verifier.__file__).read_text(encoding="utf-8")
    assert "guesstree" not in "".join(line for line in source.splitlines(True) if "import" in line)
    copy, file = tmp_path / "sceptic.py", tmp_path / "a.proof"
    copy.write_text(source, encoding="utf-8")
    solve([[0], [1]], ["no", "yes"], lam=0.1, proof=file)
    for target, code in ((file, 0), (copy, 1)):
        run = subprocess.run([sys.executable, "-I", copy, target], capture_output=True, text=True, cwd=tmp_path)
        assert (run.returncode, run.stderr) == (code, ""), run
    run = subprocess.run([sys.executable, "-m", "guesstree.checks.verifier", file], capture_output=True, text=True)
    assert run.returncode == 0 and "accepted, optimal" in run.stdout, run


def test_an_interrupt_keeps_the_result_and_leaves_no_file(tmp_path, monkeypatch):
    def interrupt(*args): raise KeyboardInterrupt
    monkeypatch.setattr(proof_logs, "reach", interrupt)
    with pytest.warns(UserWarning, match="no log of the proof was written \\(interrupted\\)"):
        r = solve([[0], [1]], [0, 1], lam=0.1, proof=tmp_path / "a.proof")
    assert r.status == "optimal" and list(tmp_path.iterdir()) == []


def test_a_wrong_claim_cannot_be_written(tmp_path):
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    r = solve(X, y, lam=0.01)._replace(tree=Leaf(0), status="optimal")
    with pytest.warns(UserWarning, match="is not proven"):
        assert not write_log(tmp_path / "a", find_patterns(X, y), r, 0.01)
    assert list(tmp_path.iterdir()) == []
    for bad, error in (("no/folder/a", FileNotFoundError), (tmp_path, IsADirectoryError), (3, TypeError)):
        with pytest.raises(error, match="proof"):
            solve(X, y, proof=bad)


def test_labels_and_names_of_all_kinds(tmp_path):
    X, file = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3), tmp_path / "a.proof"
    for y in (["ja", "nein", "ÿ\n\"", "ja"] * 3, [True, False, True, True] * 3, [0.5, 1.5, 2.0, 0.5] * 3,
              [3, -1, 10**12, 3] * 3):
        solve(X, y, lam=0.01, proof=file)
        assert verify(file, X, y)
        assert not verify(file, X, list(y)[1:] + list(y)[:1])
    third = np.array([0.1, 1 / 3, 0.7] * 4)
    solve(X, y, lam=0.01, sample_weight=third, proof=file)
    assert "rounded" in verify(file, X, y, third).words and not verify(file, X, y, third + 0.1)


@pytest.mark.parametrize("options", [dict(), dict(lower_bound="exact", min_samples_leaf=0.1), dict(certify=False, class_weight="balanced"),
                                     dict(max_depth=None, regularization=0.05)])
def test_fits_write_logs(options, tmp_path):
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(80, 3)).round(1), rng.integers(1, 4, 80) / 4
    y = np.where(X[:, 0] * X[:, 1] > 0, "a", np.where(X[:, 2] > 1, "b", "c"))
    clf = GuessTreeClassifier(**{"regularization": 0.02, "max_depth": 3} | options).fit(X, y, w)
    made = clf.write_proof(tmp_path / "a.proof")
    assert made.accepted, made
    assert clf.certificate_["Optimality"].premises[0].value == made.path


@pytest.mark.skipif(not (BENCH / "dl85/hepatitis.npz").exists(), reason="hepatitis.npz is not in the folder GUESSTREE_BENCH")
def test_hepatitis_refutes_another_solver(tmp_path):
    z, file = np.load(BENCH / "dl85/hepatitis.npz"), tmp_path / "hepatitis.proof"
    r = solve(z["X"], z["y"], lam=0.005, max_depth=4, proof=file)
    verdict = verify(file, z["X"], z["y"])
    assert verdict and round(r.objective, 6) == 0.093796 < 0.096095
    assert "objective 0.093796" in verdict.words and "has a smaller one" in verdict.words


def test_reference_patterns_have_logs(tmp_path):
    rng = np.random.default_rng(1)
    X, y = rng.random((60, 5)) < 0.5, rng.integers(0, 3, 60)
    patterns, right = reference_patterns(X, y, rng.permutation(y))
    r = solve(patterns, y_ref=right, lam=0.001, max_depth=3, engine="search", proof=tmp_path / "a")
    assert r.status == "guess_optimal" and verify(tmp_path / "a", X, y)


def test_a_log_takes_nothing_from_the_result(tmp_path, monkeypatch):
    "A stopped search keeps the bound that it has proven, and the log says what the log shows, however little time it gets."
    rng, file = np.random.default_rng(5), tmp_path / "a.proof"
    X, y = rng.random((400, 40)) < 0.5, rng.integers(0, 2, 400)   # far from ending in these limits
    for limit in (0, 0.05, 0.3):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            r = solve(X, y, lam=0.001, max_depth=7, time_limit=limit, proof=file)
        assert r.status == "time_limit" and verify(file, X, y)
        shown = Fraction(next(o for o in map(json.loads, file.read_text().splitlines()) if "claim" in o)["bound"])
        told = [o for o in said if "the log of the proof shows" in str(o.message)]
        assert r.gap == pytest.approx(r.objective - r.lower_bound) and bool(told) == (shown < Fraction(r.lower_bound) * (1 - Fraction(1, 2**40)))
    clf = GuessTreeClassifier(0.001, max_depth=7, thresholds="all", lower_bound="exact", time_limit=0.3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = clf.fit(X, y).lower_bound_, clf.gap_
        made = clf.write_proof(file, time_limit=0)
    assert made.accepted and (clf.lower_bound_, clf.gap_, clf.facts_.lower_bound) == (*known, known[0])
    assert [p.value for p in clf.certificate_["Optimality"].premises] == [str(file)] * (made.bound >= known[0])
    easy = X[:, :8], X[:, 0] ^ X[:, 1]
    monkeypatch.setattr(proof_logs, "write_log", lambda *_, **__: 0.0)    # as if there had been time for a bound of zero
    assert solve(*easy, lam=0.01, proof=file).lower_bound == solve(*easy, lam=0.01).lower_bound > 0


def odd_weights(rng, n):
    "Weights that no power of two makes whole, that are tiny or huge, or differ by much."
    return [lambda: rng.random(n)**8, lambda: rng.integers(1, 9, n) / 3, lambda: np.full(n, 2.0**43), lambda: np.full(n, 0.1),
            lambda: 10.0**rng.integers(-12, 12, n), lambda: 10.0**rng.integers(-250, 3, n), lambda: np.append(1.0, np.where(rng.random(n - 1) < 0.5, 5e-324, 1.0)),
            lambda: rng.integers(1, 2**40, n) * 1.0, lambda: rng.random(n).astype(np.float32), lambda: rng.random(n) * 2.0**rng.integers(-60, 40)][rng.integers(10)]()


def exact_best(X, y, w, lam, depth, least=0):
    "The least objective of any tree, with the weights as given, in fractions."
    w = [Fraction(float(o)) for o in w]
    unit, cells = math.lcm(*(o.denominator for o in w)), {}
    for row, label, o in zip(X.tolist(), y.tolist(), w):
        cells.setdefault(tuple(row), dict.fromkeys(range(max(y) + 1), 0))[label] += int(o * unit)
    weights = np.array([list(o.values()) for o in cells.values()], dtype=object)
    price, n = lam * int(weights.sum()), int(weights.sum())
    best = least_cost(np.array(list(cells), bool), weights, price.numerator, price.denominator, depth, max(1, math.ceil(Fraction(least) * unit)))
    return Fraction(best, price.denominator * n)


@pytest.mark.parametrize("seed", range(4))
def test_odd_weights_are_logged_and_bounded_as_they_are(seed, tmp_path):
    "Honest logs are accepted, no tree undercuts the bound, and the gap is as large as it is said to be."
    rng, file, rounded = np.random.default_rng(seed), tmp_path / "a.proof", 0
    for i in range(120):
        n, m, c = int(rng.integers(2, 20)), int(rng.integers(1, 5)), int(rng.integers(1, 4))
        X, y, w = rng.random((n, m)) < 0.5, rng.integers(0, c, n), odd_weights(rng, n)
        lam, depth, least = [Fraction(0), Fraction(1, 50), Fraction(3, 7 * n)][i % 3], [None, 0, 1, 2, 3][i % 5], float(rng.choice([0, min(w), sum(w) / 3]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ref = rng.permutation(y) if i % 7 == 0 else None
            r = solve(X, y, lam, depth, ref, sample_weight=w, min_samples_leaf=least, proof=file, time_limit=0 if i % 11 == 0 else None)
        best, given = exact_best(X, y, w, lam, depth, least), [Fraction(float(o)) for o in w]
        own = sum((o for o, wrong in zip(given, predict(r.tree, X) != y) if wrong), Fraction(0)) / sum(given) + lam * r.n_leaves
        assert Fraction(r.lower_bound) <= best + (Fraction(1, 10**16) if r.rounding == 0 else 0)
        assert 0 <= r.gap and own - best <= Fraction(r.gap) + Fraction(1, 10**15) and abs(own - Fraction(r.objective)) < 1e-15
        assert not file.exists() or verify(file, X, y, w), (X, y, w)
        file.unlink(missing_ok=True)
        rounded += r.rounding > 0
    assert rounded > 40


class Forge:
    "A table, an honest log of it, and how to make others."
    def __init__(self, folder):
        rng = np.random.default_rng(0)
        self.file, self.X = folder / "forged.proof", pd.DataFrame(rng.random((60, 4)) < 0.5, columns=["age <= 30", "age <= 50", "ill", "colour = red"])
        self.X["age <= 50"] |= self.X["age <= 30"]
        self.y, self.w = (self.X["age <= 50"] ^ self.X.ill ^ (rng.random(60) < 0.2)).to_numpy(int), rng.integers(1, 3, 60)
        self.lines, r = self.log(self.X, self.y, self.w)
        self.wrong = predict(r.tree, self.X.to_numpy()) != self.y
    def log(self, X, y, w, **options):
        r = solve(X, y, sample_weight=w, proof=self.file, **{"lam": 0.02, "max_depth": 2} | options)
        return [json.loads(o) for o in self.file.read_text().splitlines()], r
    def head(self, lines=None, **changes):
        return [(lines or self.lines)[0] | changes, *(lines or self.lines)[1:]]
    def other(self, change, X=None, y=None, w=None, **options):
        "An honest log of another table, or of other trees, with another head."
        lines, _ = self.log(self.X if X is None else X, self.y if y is None else y, self.w if w is None else w, **options)
        return self.head(lines, **change)
    def at(self, key, **changes):
        i = next(i for i, o in enumerate(self.lines) if key in o)
        return [*self.lines[:i], self.lines[i] | changes, *self.lines[i + 1:]]
    def said(self, lines):
        "The verdict on lines, text or bytes, and on a name that ends in .gz if they are compressed."
        if isinstance(lines, bytes):
            return verify(_put(self.file.with_suffix(".gz") if lines[:2] == b"\x1f\x8b" else self.file, lines), self.X, self.y, self.w)
        return verify(write(self.file, lines), self.X, self.y, self.w)


_FORGERIES = {   # of a log that is honest otherwise
    "wrong rows dropped": lambda f: f.other({}, X=f.X[~f.wrong], y=f.y[~f.wrong], w=f.w[~f.wrong]),
    **{f"wrong rows dropped, scale {scale}": lambda f, s=scale: f.other(dict(scale=s), X=f.X[~f.wrong], y=f.y[~f.wrong], w=f.w[~f.wrong])
       for scale in ("1/2", "1/3", "1/1000000007", f"1/{10**80}", "3/2", str(2**41))},
    "a row dropped": lambda f: f.other({}, X=f.X[1:], y=f.y[1:], w=f.w[1:]),
    "a row twice": lambda f: f.other({}, X=pd.concat([f.X, f.X[:1]]), y=np.append(f.y, f.y[0]), w=np.append(f.w, f.w[0])),
    "all weights one, scale 1/4": lambda f: f.other(dict(scale="1/4"), w=np.ones(60)),
    "a label without weight": lambda f: f.other({}, w=np.where(f.y, f.w, 0)),
    "a label without weight, scale 1/2": lambda f: [o | {k: [0, *v] if k == "weights" else 1 for k, v in o.items() if k in ("weights", "tree")}
                                                    for o in f.other(dict(scale="1/2", classes=[0, 1]), w=np.where(f.y, f.w, 0))],
    "a weight less": lambda f: f.other({}, w=f.w - (np.arange(60) == 7) * (f.w > 1) - (np.arange(60) == 8) * (f.w > 1)),
    "labels swapped": lambda f: f.head(classes=[1, 0]),
    "labels as text": lambda f: f.head(classes=["0", "1"]),
    "a label flipped": lambda f: f.other({}, y=np.where(np.arange(60) == 5, 1 - f.y, f.y)),
    "thresholds renamed": lambda f: f.head(columns=["age <= 31", *f.lines[0]["columns"][1:]]),
    "names swapped": lambda f: f.head(columns=[f.lines[0]["columns"][j] for j in (1, 0, 2, 3)]),
    "columns swapped": lambda f: f.other(dict(columns=f.lines[0]["columns"]), X=f.X[f.X.columns[[2, 1, 0, 3]]]),
    "a column left out": lambda f: f.other({}, X=f.X.drop(columns="ill")),
    "another penalty": lambda f: f.head(lam="1/100"),
    "a penalty of another log": lambda f: f.other(dict(lam="1/50"), lam=0.3),
    "a deeper limit": lambda f: f.head(max_depth=4),
    "no limit": lambda f: f.other(dict(max_depth=None), max_depth=1),
    "a lighter leaf": lambda f: f.other(dict(least=0), min_samples_leaf=50),
    "a heavier leaf": lambda f: f.head(least=10**9),
    "a larger bound": lambda f: f.at("claim", claim="time_limit", bound="1/2"),
    "another tree called optimal": lambda f: f.at("tree", tree=1),
    "a last line that uses itself": lambda f: [*f.lines[:-1], f.lines[-1] | dict(look=0), f.lines[-1] | dict(look=0)],
    "NaN": lambda f: f.at("pattern", weights=[float("nan"), 1]), "infinity": lambda f: f.at("rows", bound=float("inf")),
    "a huge weight": lambda f: f.at("pattern", weights=[10**400, 1]), "a negative weight": lambda f: f.at("pattern", weights=[-1, 1]),
    "a huge penalty": lambda f: f.head(lam=f"{10**400}"), "a tiny scale": lambda f: f.head(scale=f"1/{10**400}"), "no scale": lambda f: f.head(scale="0"),
    "numbers too long": lambda f: f.head(lam="1" * 5000),
    "NaN as a class": lambda f: f.head(classes=[0, float("nan")]), "a list as a class": lambda f: f.head(classes=[0, [1]]),
    "null as a column": lambda f: f.head(columns=[None, "a", "b", "c"]), "an object as weights": lambda f: f.at("pattern", weights={"0": 1}),
    "a list as rows": lambda f: f.at("rows", rows=["+0"]), "an object as the tree": lambda f: f.at("tree", tree={"0": 1}),
    "a field twice": lambda f: [*f.lines[:-1], json.dumps(f.lines[-1])[:-1] + ', "bound": 0}'],
    "no lines": lambda f: b"", "an empty line": lambda f: [*f.lines[:3], "", *f.lines[3:]],
    "half a file": lambda f: f.lines[:len(f.lines) // 2], "half a line": lambda f: [*f.lines[:-1], json.dumps(f.lines[-1])[:9]],
    "half a packed file": lambda f: gzip.compress("".join(json.dumps(o) + "\n" for o in f.lines).encode())[:-40],
    "a bomb": lambda f: gzip.compress(b'{"proof": "' + bytes(10**8), 1), "a deep list": lambda f: b"[" * 10**6, "deep objects": lambda f: b'{"a":' * 10**6,
    "a deep tree": lambda f: f.at("tree") [:-3] + ['{"tree": ' + "[0, 1, " * 900 + "0" + "]" * 900 + "}"],
    "no text": lambda f: b"\xff\xfe\x00", "a device's idea of a log": lambda f: bytes(10**4),
}


@pytest.fixture(scope="module")
def forge(tmp_path_factory):
    return Forge(tmp_path_factory.mktemp("forge"))


@pytest.mark.parametrize("name", _FORGERIES)
def test_forged_logs_are_refused_in_words(forge, name):
    assert forge.said(forge.lines), forge.said(forge.lines)
    verdict = forge.said(_FORGERIES[name](forge))
    assert not verdict and verdict.words.startswith(f"rejected, line {verdict.line}: ") and verdict.words[-1] != " ", verdict
