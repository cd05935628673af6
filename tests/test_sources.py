"""Rows from where they are: random tables from random sources against the same rows in memory, and what goes wrong between two readings."""
import gc
import itertools
import signal
import time
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")
duckdb = pytest.importorskip("duckdb")
pd = pytest.importorskip("pandas")
import pyarrow.dataset as ds  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

from guesstree.engine import columns, fitted, plan  # noqa: E402
from guesstree import GuessTreeClassifier  # noqa: E402
from guesstree.engine.sources import Source, encode_batch, learn_rows, open_source, patterns_from_source  # noqa: E402
from guesstree.engine.tables import encode_table, learn_encoding, learn_table  # noqa: E402
from guesstree.use import from_json, to_json, verdict  # noqa: E402


def random_table(rng, n, codes=False):
    "Columns of random types with random gaps, a label and a weight; DuckDB takes codes, numbers that are categories, for numbers."
    def gaps(values, share=None):
        share = rng.choice([0, 0.2, 1.0], p=[.5, .45, .05]) if share is None else share
        return [None if rng.random() < share else o for o in values]
    kinds = [lambda: pa.array(gaps(rng.integers(-5, 5, n).tolist()), rng.choice([pa.int8(), pa.int64(), pa.float32()])),
             lambda: pa.array(gaps(rng.normal(size=n).round(2).tolist())),
             lambda: pa.array(gaps(rng.choice([0.5, np.nan, 3.0], n).tolist())),
             lambda: pa.array(gaps((rng.random(n) < .4).tolist()), pa.bool_()),
             lambda: pa.array(gaps(rng.choice(["a", "b", "", "ü"], n).tolist()), pa.string()),
             lambda: pa.array(gaps(rng.choice(["a", "b", "c"], n).tolist(), 0.2), pa.large_string()).dictionary_encode(),
             lambda: pa.array(gaps(rng.integers(0, 9, n).tolist()), pa.int64()).cast(pa.decimal128(25, 3)),
             lambda: pa.array(gaps([f"{o:g}" for o in rng.normal(size=n).round(1)]), pa.string()),
             lambda: pa.array(gaps([f"{o:,.1f}".translate(str.maketrans(",.", ".,")) for o in 1000 * rng.normal(size=n)]), pa.string()),
             lambda: pa.array(gaps(rng.integers(-50000, 50000, n).tolist()), rng.choice([pa.date32(), pa.int32()])),
             lambda: pa.array(gaps(rng.integers(-10**12, 10**12, n).tolist()), rng.choice([pa.timestamp("us"), pa.timestamp("us", "UTC")])),
             lambda: pa.array(gaps(rng.integers(0, 3, n).tolist()), pa.int64()).dictionary_encode()][:None if codes else -1]
    columns = {f"c{k}": kinds[rng.integers(len(kinds))]() for k in range(rng.integers(1, 6))}
    label = [lambda: rng.integers(0, 3, n).tolist(), lambda: rng.choice(["x", "y"], n).tolist(), lambda: (rng.random(n) < .5).tolist()][rng.integers(3)]()
    return pa.table(columns | {"y": label, "w": rng.choice([0, 1, 2.5], n, p=[.1, .6, .3])})


CON = duckdb.connect()    # some versions close what nobody holds, though a relation needs it


def sources(table, folder):
    "The same rows from everywhere."
    CON.register("t", table)
    for k, a in enumerate(range(0, len(table), 37)):
        pq.write_table(table.slice(a, 37), folder / f"{k:03}.parquet", row_group_size=11)
    return [CON.sql("select * from t"), pl.from_arrow(table).lazy(), ds.dataset(table), table.to_reader(max_chunksize=13), str(folder), folder / "*.parquet"]


def found(clf):
    facts = clf.facts_
    return [clf.tree_, clf.objective_, clf.thresholds_, clf.status_, clf.elimination_, clf.loss_, clf.leaf_weights_.tolist(), clf.classes_.tolist(), clf.weight_scale_,
            clf.encoding_, *facts._replace(right=None if facts.right is None else facts.right.tolist())]


def sample_of(monkeypatch, most):
    "Both sides see so many rows at most: a source keeps them, a table in memory plans with them."
    monkeypatch.setattr(columns, "SAMPLE", most)
    monkeypatch.setattr(plan, "_MOST", most)


@pytest.mark.parametrize("seed", range(6))
def test_a_fit_on_a_source_is_the_fit_in_memory(seed, tmp_path, monkeypatch):
    rng = np.random.default_rng(seed)
    table = random_table(rng, int(rng.integers(260, 400)))
    sample_of(monkeypatch, [100_000, 210][seed % 2])
    weight = ["w", None, 0.5][seed % 3]
    options = [dict(), dict(thresholds="buckets"), dict(class_weight="balanced" if weight is None else None)][rng.integers(3)]
    clf = GuessTreeClassifier(0.03, max_depth=2, **options)
    near = found(clf.fit(table if weight == "w" else table.drop_columns("w"), "y", weight))
    for source in sources(table if weight == "w" else table.drop_columns("w"), tmp_path):
        assert found(clf.fit(source, "y", weight)) == near


@pytest.mark.parametrize("seed", range(40))
def test_encoding_of_batches(seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng, int(rng.integers(1, 60)), codes=True)
    X = table.drop_columns(["y", "w"])
    cut = int(rng.integers(1, 20))
    rows = learn_rows(Source(table.schema, lambda names: table.to_batches(max_chunksize=cut)), "y")
    names = rows.encoding.names
    assert names == [*X.column_names, "w"]
    assert [f for f in rows.encoding.features if f.name != "w"] == learn_encoding(X).features
    encoding = learn_encoding(X)
    for batch in X.to_batches(max_chunksize=cut):
        assert np.array_equal(encode_batch(encoding, batch), encode_table(encoding, pa.Table.from_batches([batch])), equal_nan=True)


def test_a_random_state_is_used_as_in_memory(tmp_path, monkeypatch):
    table = random_table(np.random.default_rng(3), 300).drop_columns("w")
    for most in (100_000, 210):
        sample_of(monkeypatch, most)
        near, far = (GuessTreeClassifier(0.03, max_depth=2, random_state=np.random.RandomState(5)).fit(o, "y") for o in (table, table.to_reader()))
        assert found(near) == found(far)


def test_a_penalty_is_chosen_on_the_sample(monkeypatch):
    table = random_table(np.random.default_rng(4), 400).drop_columns("w")
    monkeypatch.setattr(columns, "SAMPLE", 250)
    clf = GuessTreeClassifier(max_depth=2).fit(table.to_reader(), "y")
    assert clf.path_.trials and clf.facts_.patterns.n == 400


def test_a_rare_class_outside_the_sample_is_a_class(monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.normal(size=1000)
    y = np.where(x > 0, "a", "b").astype(object)
    y[:2] = "rare"
    monkeypatch.setattr(columns, "SAMPLE", 250)
    clf = GuessTreeClassifier(0.01, max_depth=2).fit(pa.table({"x": x, "y": y}).to_reader(), "y")
    assert clf.classes_.tolist() == ["a", "b", "rare"] and clf.leaf_weights_.sum(axis=0)[2] == 2
    assert clf.predict_proba(pa.table({"x": x})).shape == (1000, 3)


def slow_source(table, seconds, wait=time.sleep):
    def read(names):
        for batch in table.to_batches(max_chunksize=100):
            wait(seconds)
            yield batch
    return Source(table.schema, read, len(table))


def test_the_time_limit_holds_while_rows_are_read(monkeypatch):
    table = random_table(np.random.default_rng(1), 4000).drop_columns("w")
    monkeypatch.setattr(columns, "SAMPLE", 250)
    GuessTreeClassifier(0.05, max_depth=2).fit(slow_source(table, 0), "y")                   # compiled
    now = [0.0]
    def wait(seconds): now[0] += seconds
    monkeypatch.setattr(fitted, "time", SimpleNamespace(perf_counter=lambda: now[0]))        # a clock that only reading moves
    with pytest.raises(TimeoutError, match="time_limit was over while reading, after"):
        GuessTreeClassifier(0.05, max_depth=2, time_limit=2).fit(slow_source(table, 0.2, wait), "y")
    assert 1.7 < now[0] < 2.1
    with pytest.warns(UserWarning, match="certificate are about the 1200 of 4000 rows that were counted"):
        clf = GuessTreeClassifier(0.05, max_depth=2, time_limit=5).fit(slow_source(table, 0.085, wait), "y")
    assert clf.facts_.patterns.n == 1200 and (clf.status_, clf.counted_.why) == ("time_limit", "time_limit")
    with pytest.warns(UserWarning, match="are about the 250 of 4000 rows that were drawn by lot and counted"):
        clf = GuessTreeClassifier(0.05, max_depth=2, time_limit=5).fit(slow_source(table, 0.11, wait), "y")
    assert clf.facts_.patterns.n == 250 and "drawn by lot" in clf.elimination_ and clf.status_ == "time_limit"


@pytest.mark.parametrize("regularization", [0.05, "auto"])
def test_ctrl_c_while_rows_are_counted_keeps_what_was_counted(monkeypatch, regularization):
    table = random_table(np.random.default_rng(1), 4000).drop_columns("w")
    monkeypatch.setattr(columns, "SAMPLE", 250)
    seen = itertools.count()
    def press(seconds):
        if next(seen) == 47:                       # in the second reading, of 40 batches, while the eighth is read
            signal.raise_signal(signal.SIGINT)
    with pytest.warns(UserWarning, match="interrupted while rows were counted"):
        clf = GuessTreeClassifier(regularization, max_depth=2).fit(slow_source(table, 0, press), "y")
    assert clf.status_ == "interrupted" and clf.counted_[:3] == (800, 4000, "interrupted") and clf.leaf_weights_.sum() == 800
    assert "about the 800 of 4000 rows that were counted" in clf.certificate_.clauses[0].claim
    assert "about 800 of 4000 rows, the first" in verdict(clf)
    back = from_json(to_json(clf))
    assert back.counted_ == clf.counted_ and verdict(back) == verdict(clf)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    whole = GuessTreeClassifier(0.05, max_depth=2).fit(slow_source(table, 0), "y")
    assert whole.counted_ is None and whole.status_ == "optimal" and whole.leaf_weights_.sum() == 4000


@pytest.mark.parametrize("column", [["1,5", "2,5", None, "1.000"], ["2020-01-31", "2021-01-31T10:00", "", "1999-12-31"], ["8 %", "9 %", "NA", "7%"],
                                    pd.to_datetime(["2020-01-31", None, "1960-01-01", "2000-02-29"]).tz_localize("Asia/Tokyo"), pd.to_timedelta([1, 2, None, 9], "h"),
                                    pd.to_datetime(["2020-01-31", None, "1960-01-01", "2000-02-29"]).date, [b"1", b"2", b"3", b"4"], ["7", "x", "8", "9"]])
def test_texts_and_dates_are_read_alike_everywhere(column):
    "A frame of pandas or polars, an Arrow table, a stream in batches of one: one encoding, one table of numbers."
    frame = pd.DataFrame({"a": pd.Series(column), "y": [0, 1, 1, 0]})
    table = pa.Table.from_pandas(frame)
    with warnings.catch_warnings(action="ignore"):
        encoding, Z = learn_table(frame[["a"]])
        for other in (table.select(["a"]), pl.from_arrow(table.select(["a"]))):
            again, same = learn_table(other)
            assert [f.notation for f in again.features] == [f.notation for f in encoding.features] and np.allclose(same, Z, rtol=1e-15)
        rows = learn_rows(open_source(table.to_reader(max_chunksize=1)), "y")
    assert np.allclose(np.concatenate([part[0] for part in rows.chunks()]), Z, rtol=1e-15)


def test_ctrl_c_while_rows_are_read_ends_the_fit():
    table, left = random_table(np.random.default_rng(1), 4000), iter(range(20))
    def wait(_):
        if next(left) == 10:
            signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        GuessTreeClassifier(0.05, max_depth=2).fit(slow_source(table, 0, wait), "y")


def test_temporary_files_go_with_their_source(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    source = open_source(pa.table({"x": [1, 2], "y": [0, 1]}).to_reader())
    assert len(list(tmp_path.iterdir())) == 1 and len(patterns_from_source(source, "y", [(0, 1.5)])) == 2
    del source
    gc.collect()
    assert not list(tmp_path.iterdir())
