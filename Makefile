# make demo, make test: all that a newcomer needs. The rest is for those who stay.
PYTHON ?= python3
BIN := .venv/bin
SOURCES := settings.ini setup.py pyproject.toml
unexport PYTHONDONTWRITEBYTECODE   # a test starts a hundred processes: each would translate all modules to bytecode again

.PHONY: demo test quick test-bare test-lowest test-browser slow fuzz lint build lab export notebooks readme handout book deck prepare experiments bench wasm clean

demo: .venv/.ready                 ## two problems from start to end; pictures in guesstree-demo
	$(BIN)/guesstree demo

test: .venv/.dev-ready             ## run every cell of every notebook, then the tests
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal

quick: .venv/.dev-ready            ## under a minute: lint, the rules of the house, and the notebooks that you changed
	$(BIN)/ruff check --quiet
	$(BIN)/python tools/house.py
	$(BIN)/python -m pytest -q tests/test_house.py tests/test_notation.py tests/test_brute.py -m 'not runs_notebooks'
	$(BIN)/python tools/notebooks.py compare --changed

test-bare: .venv/.dev-ready        ## what depends on the paper's tables, without them and without a network
	env -u GUESSTREE_DATA XDG_CACHE_HOME=$$(mktemp -d) HTTPS_PROXY=http://127.0.0.1:9 \
	  $(BIN)/python -m pytest -n 2 --dist worksteal -m tables

test-lowest:                       ## the tests of the package itself, with the lowest requirements of settings.ini; Python 3.11 has them all
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet --editable . $$($(PYTHON) tools/lowest.py tables sources) \
	  nbdev==2.4.14 execnb==0.1.18 fastcore==1.14.5 ghapi==1.1.1 nbclient nbconvert ipykernel pytest pytest-xdist hypothesis
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 .venv-lowest/bin/python -m pytest -n 2 -q \
	  $(filter-out $(addprefix tests/test_,$(addsuffix .py,house help book browser browser_book browser_live browser_table deck lab lecture release)),$(wildcard tests/test_*.py))
	.venv-lowest/bin/guesstree demo --folder $$(mktemp -d)

test-browser: .venv/.dev-ready     ## the pages in a real browser; needs chromium and chromedriver
	$(BIN)/python -m pytest tests/test_browser.py tests/test_browser_live.py tests/test_browser_table.py tests/test_browser_book.py

slow: .venv/.dev-ready             ## the cells and tests that take their time
	$(BIN)/nbdev_test --n_workers 2 --flags slow
	$(BIN)/python -m pytest --slow

lint: .venv/.dev-ready             ## names that are undefined or unused; types as a user sees them
	$(BIN)/ruff check
	$(BIN)/mypy

build: .venv/.dev-ready            ## wheel and sdist, installed in a new environment and tried there
	$(BIN)/python tools/smoke.py

fuzz: .venv/.bench-ready           ## the long run against wrong trees and false certificates, an hour or so; tests/README.md says what has been run
	$(BIN)/python tools/fuzz.py problems 0 100000
	$(BIN)/python tools/fuzz.py restless 400000 410000
	$(BIN)/python tools/fuzz.py fits 0 10000
	$(BIN)/python tools/fuzz.py interrupts 0 200
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$$(mktemp -d) $(BIN)/python tools/fuzz.py problems 200000 205000
	NUMBA_DISABLE_JIT=1 $(BIN)/python tools/fuzz.py problems 300000 300200

lab: .venv/.dev-ready              ## JupyterLab on the notebooks, which it is told to trust: else it hides their pictures until you run them
	$(BIN)/jupyter trust $$(find nbs -name '*.ipynb' -not -path '*/.*') >/dev/null
	$(BIN)/jupyter lab nbs

export: .venv/.dev-ready           ## notebooks -> guesstree
	$(BIN)/python tools/notebooks.py export

notebooks: export                  ## run all notebooks, keep their outputs
	$(BIN)/python tools/notebooks.py run

readme: .venv/.dev-ready           ## nbs/index.ipynb -> README.md
	$(BIN)/python tools/notebooks.py readme

handout: .venv/.ready              ## the twelve plants on one page to print: handout.html
	$(BIN)/python -c 'from guesstree.course.lecture import handout; print(handout().save("handout.html"))'

book: .venv/.book-ready            ## the notebooks as a site that needs no network: _docs/html/index.html
	$(BIN)/python docs/make.py _docs

deck: .venv/.book-ready            ## the slides of the lecture, one file that needs no network: _docs/deck.html
	$(BIN)/python docs/deck.py _docs

prepare: export readme test        ## the gate before a commit: stored outputs are compared, not rewritten (make notebooks keeps new ones)

experiments: .venv/.dev-ready      ## the paper's experiments, about forty minutes on two cores; stop and go on as you like
	$(BIN)/python tools/experiments.py

bench: .venv/.bench-ready          ## measurements, printed as ratios to rivals in the same run
	$(BIN)/python benchmarks/patterns.py
	$(BIN)/python benchmarks/growth.py growth.svg
	$(BIN)/python benchmarks/thresholds.py
	$(BIN)/python benchmarks/rivals.py
	$(BIN)/python benchmarks/guesses.py
	$(BIN)/python benchmarks/clock.py
	$(BIN)/python benchmarks/progress.py progress.svg
	$(BIN)/python benchmarks/penalties.py
	$(BIN)/python benchmarks/host_dl85.py
	$(BIN)/python benchmarks/host_gosdt.py
	$(BIN)/python benchmarks/near_optimal.py
	$(BIN)/python benchmarks/scale.py

wasm: .venv/.dev-ready             ## the compiled search for a page; needs npm, and ziglang from PyPI
	$(BIN)/python -m pip install --quiet ziglang
	npm install --silent --no-save --prefix build/wasm binaryen
	$(BIN)/python tools/wasm.py build/wasm

clean:                             ## remove what can be made again
	find guesstree -name __pycache__ -type d -exec rm -rf {} +
	rm -rf .venv .venv-lowest build dist _docs *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache tests/__pycache__ guesstree-demo growth.svg handout.html

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "guesstree needs Python 3.11 or newer; try: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.ready: .venv/bin/python $(SOURCES)
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/.bench-ready: .venv/.ready
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	@touch $@

.venv/.book-ready: .venv/.ready
	$(BIN)/python -m pip install --quiet --editable '.[book]'
	@touch $@

.venv/.dev-ready: .venv/bin/python $(SOURCES)
	$(BIN)/python -m pip install --quiet --editable '.[dev,book]'
	@touch $@ .venv/.ready
