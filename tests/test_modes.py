"""The kernels without the compiler, and with checks of every index."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = "from test_solver import test_exact_against_the_oracle as check, test_theorem_4_3_and_the_sandwich as guess\nfor s in range(%d): check(s); guess(s)"


def run(n, **env):
    done = subprocess.run([sys.executable, "-c", CODE % n], cwd=Path(__file__).parent, env={**os.environ, **env}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


def test_without_the_compiler():
    run(2, NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
def test_with_bounds_checks(tmp_path):
    run(20, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))
