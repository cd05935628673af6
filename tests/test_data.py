"""The paper's tables: from a folder, by download, and refused when they are not what they should be."""
import hashlib
import http.server
import threading

import numpy as np
import pytest

from guesstree import data
from guesstree.notation import split_points
from guesstree.engine.patterns import find_patterns

UNAVOIDABLE = {"spiral": (100, 1.0), "compas": (2308, 0.7770), "broward": (1947, 1.0), "fico": (9871, 0.9747),
               "takeaway": (2221, 0.9947), "restaurant": (2643, 0.9989), "netherlands_thresholded": (363, 0.7199)}


@pytest.mark.parametrize("name", UNAVOIDABLE)
def test_tables_are_the_papers(paper_table, name):
    table = paper_table(name)  # rows, features and split points are checked on loading
    patterns = find_patterns(table.X, table.y, split_points(table.X))
    n_patterns, best = UNAVOIDABLE[name]
    assert (len(patterns), round(patterns.weights.max(1).sum() / patterns.n, 4)) == (n_patterns, best)
    assert len(table.feature_names) == table.X.shape[1] and set(table.y.tolist()) == {0, 1}


@pytest.fixture
def server(tmp_path, monkeypatch):
    "A web server on this machine instead of the real one, an empty cache, no folder."
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args): super().__init__(*args, directory=str(tmp_path / "web"))
        def log_message(self, *args): pass
    (tmp_path / "web").mkdir()
    web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    monkeypatch.delenv("GUESSTREE_DATA", raising=False)
    monkeypatch.setattr(data, "_url", lambda source: f"http://127.0.0.1:{web.server_port}/{source.origin}")
    import pooch
    monkeypatch.setattr(pooch, "os_cache", lambda name: tmp_path / "cache")
    yield tmp_path
    web.shutdown()


TEXT = "\n".join(["a,b,target", *(f"{i % 91},{i * 37 % 91},{i % 2}" for i in range(100))]).encode()


DIGEST = hashlib.sha256(TEXT).hexdigest()


def offer(monkeypatch, content=TEXT, digest=DIGEST, name="spiral"):
    monkeypatch.setitem(data.PAPER, name, data.PAPER[name]._replace(origin="file.csv", sha256=digest))
    return content


def test_download_once_then_cache(server, monkeypatch):
    (server / "web" / "file.csv").write_bytes(offer(monkeypatch))
    first = data.load("spiral")
    (server / "web" / "file.csv").unlink()
    assert np.array_equal(data.load("spiral").X, first.X)
    assert "spiral" not in data.available()


def test_a_download_with_a_wrong_checksum_is_refused(server, monkeypatch):
    content, offered = offer(monkeypatch), server / "web" / "file.csv"
    offered.write_bytes(content.replace(b"1", b"2"))
    with pytest.raises(FileNotFoundError, match="(?s)GUESSTREE_DATA.* failed: "):
        data.load("spiral")
    offered.write_bytes(content)
    assert len(data.load("spiral").y) == 100


def test_a_corrupted_cache_is_fetched_again(server, monkeypatch):
    (server / "web" / "file.csv").write_bytes(offer(monkeypatch))
    first = data.load("spiral")
    (server / "cache" / "spiral.csv").write_text("damaged")
    assert np.array_equal(data.load("spiral").X, first.X)


def test_no_network_says_what_to_do(server, monkeypatch):
    offer(monkeypatch)
    with pytest.raises(FileNotFoundError) as caught:
        data.load("spiral")
    text = str(caught.value)
    assert "spiral.csv was not found" in text and "GUESSTREE_DATA" in text and "100 rows" in text and "failed" in text


def test_netherlands_by_file(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    table = np.column_stack([rng.integers(0, 2, 20000), *(rng.permutation(20000) % k for k in (1000,) * 8), rng.integers(0, 2, 20000)])
    np.savetxt(tmp_path / "netherlands.csv", table, delimiter=",", fmt="%d",
               header=",".join([*"abcdefghi", "recidivism_in_4y"]), comments="")
    monkeypatch.setenv("GUESSTREE_DATA", str(tmp_path))
    with pytest.raises(ValueError, match="must have 53890 split points, got 7993"):
        data.load("netherlands")
    monkeypatch.setitem(data.PAPER, "netherlands", data.PAPER["netherlands"]._replace(columns=7993))
    assert data.load("netherlands").X.shape == (20000, 9)


def test_a_folder_that_is_not_there(monkeypatch):
    monkeypatch.setenv("GUESSTREE_DATA", "no such folder")
    assert data.available() == []
    with pytest.raises(FileNotFoundError, match="now: no such folder"):
        data.load("netherlands")


@pytest.mark.parametrize("folder", [None, ""])
def test_a_file_in_the_current_folder_is_not_read(tmp_path, monkeypatch, folder):
    "Unset or empty, GUESSTREE_DATA names no folder, and not the one in which somebody happens to be."
    (tmp_path / "spiral.csv").write_text("\n".join(["a,b,target", *(f"{i % 91},{i * 37 % 91},{i % 2}" for i in range(100))]))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GUESSTREE_DATA", ".")
    assert data.available() == ["spiral"] and len(data.load("spiral").X) == 100
    monkeypatch.delenv("GUESSTREE_DATA") if folder is None else monkeypatch.setenv("GUESSTREE_DATA", folder)
    monkeypatch.setattr("pooch.retrieve", lambda *_, **__: tmp_path / "another.csv")
    assert data.available() == []
    with pytest.raises(FileNotFoundError, match="another.csv"):
        data.load("spiral")
