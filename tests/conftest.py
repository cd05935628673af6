import os

import pytest
from hypothesis import settings

from guesstree import data

settings.register_profile("house", deadline=None, max_examples=150)
settings.register_profile("ci", parent=settings.get_profile("house"), derandomize=True)  # the same examples every time
settings.register_profile("long", parent=settings.get_profile("house"), max_examples=5000)
settings.load_profile("ci" if os.environ.get("CI") else "house")


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes more than a few seconds; runs with --slow")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="slow; run with --slow"))


@pytest.fixture
def paper_table():
    "Load one of the paper's tables, or skip the test and say what is missing."
    def load(name):
        if name not in data.available():
            pytest.skip(f"{name}.csv is not in the folder GUESSTREE_DATA")
        return data.load(name)
    return load
