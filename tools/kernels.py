"""Kernels that start at once: one process imports the libraries, and every kernel is a fork of it.

A notebook spends most of its time on the imports of scikit-learn, Numba, pandas and Matplotlib. A fork has them already. It has
nothing of guesstree, which each notebook imports anew, as after a restart. Linux only; elsewhere kernels start in the usual way.
"""
import builtins
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from functools import cache
from importlib import import_module
from types import SimpleNamespace
from unittest.mock import patch

LIBRARIES = ("ipykernel.kernelapp", "numba", "pandas", "scipy.optimize", "sklearn.datasets", "sklearn.ensemble", "sklearn.model_selection", "matplotlib.pyplot",
             "fastcore.test")


class Fork:
    "What jupyter_client asks of a process, for a process that another one has started."
    stdin = stdout = stderr = None

    def __init__(self, pid):
        self.pid = pid

    def poll(self):
        for pause in (0.03, 0):      # what was just killed is gone by then; Jupyter would look again after a tenth of a second
            try:
                os.kill(self.pid, 0)
            except ProcessLookupError:
                return 0
            time.sleep(pause)

    def wait(self):
        while self.poll() is None:
            time.sleep(0.05)
        return 0

    def send_signal(self, signum):
        os.kill(self.pid, signum)

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def kill(self):
        self.send_signal(signal.SIGKILL)


@cache
def _parent(warnings):
    "The process that imports once; Python reads `PYTHONWARNINGS` when it starts, Matplotlib its backend when it is imported."
    env = {**os.environ, "PYTHONWARNINGS": warnings, "MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    return subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, text=True)


def _launch(cmd, env=None, cwd=None, **_):
    parent = _parent(env.get("PYTHONWARNINGS", ""))
    print(json.dumps([cmd, cwd, env]), file=parent.stdin, flush=True)
    return Fork(int(parent.stdout.readline()))


def forked():
    "Within this context Jupyter's kernels are forks."
    return patch("jupyter_client.provisioning.local_provisioner.launch_kernel", _launch) if sys.platform == "linux" else nullcontext()


def _become_kernel(cmd, cwd, env):
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    sys.stdin = open(os.devnull)
    os.dup2(sys.stdin.fileno(), 0)
    os.dup2(2, 1)                                   # the pipe belongs to the parent
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = cmd[2:]                              # without python -m
    import_module("ipykernel.kernelapp").launch_new_instance()


def _serve():
    "Read what to start, a line each, and answer with the process id."
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)   # nobody waits for a fork
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # a kernel ends with its parent; read when ipykernel is imported
    del sys.path[0]                                 # this folder
    builtins.get_ipython = lambda: SimpleNamespace(kernel=None)   # when pandas is imported, it asks whether it is in a notebook
    for name in LIBRARIES:
        import_module(name)
    import_module("numba").njit(lambda a: a[0] + 1)(import_module("numpy").zeros(1))   # Numba learns its types when it compiles first
    del builtins.get_ipython
    while line := sys.stdin.readline():
        pid = os.fork()
        if not pid:
            os.setpgid(0, 0)                        # an interrupt is for one kernel
            return _become_kernel(*json.loads(line))
        try:
            os.setpgid(pid, pid)
        except OSError:                             # it was faster
            pass
        print(pid, flush=True)


if __name__ == "__main__":
    _serve()
