# Two commands do everything on a fresh machine: `make demo` and `make test`. Nothing is installed globally, but for
# a browser and Java where this is a Debian machine, we are root and a test needs them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Hundreds of processes are started; compiling every module anew in each would take a third of their time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test quick fuzz tamper check docs bench wheel clean system pythons quick-tests

# What `make quick` leaves out: tests that need a server, a browser or the corpora, and those that take long.
SLOW := not slow and not neo4j and not spark and not browser and not corpus

demo: $(VENV)/.installed
	mkdir -p build
	$(BIN)/hin demo --out build/demo --replace

test: $(VENV)/.installed-dev system check
	$(BIN)/coverage erase
	$(BIN)/pytest -n 2 --dist loadgroup --cov --cov-report=

# For a developer in a hurry: lint, types, unit and property tests.
quick: check quick-tests

quick-tests: $(VENV)/.installed-dev
	HYPOTHESIS_PROFILE=quick $(BIN)/pytest -q -n 2 --dist loadgroup -m "$(SLOW)"

# Property tests with ten times the examples, other ones each time: `make fuzz`, and `make fuzz SEED=7` to repeat a run. A
# failure prints its example, which becomes an `@example` of the test together with the mend.
ifndef SEED
SEED := $(shell $(PYTHON) -c "import secrets; print(secrets.randbelow(2**32))")
endif
fuzz: $(VENV)/.installed-dev
	@echo "To repeat this run: make fuzz SEED=$(SEED)"
	HYPOTHESIS_PROFILE=fuzz $(BIN)/pytest -n 2 --dist loadgroup -m "hypothesis and not neo4j and not spark" --hypothesis-seed=$(SEED) \
		|| { echo "To repeat this run: make fuzz SEED=$(SEED)"; exit 1; }

# Every value of every JSON file of a graph and a model spoiled in turn; `make test` tries one in eleven.
tamper: $(VENV)/.installed-dev
	HIN_TAMPERING_STEP=1 $(BIN)/pytest -q tests/classify/commands/test_tampering.py

# `make quick` on each Python that is supported, and once with the oldest versions that pyproject.toml allows
# (the tests alone: types are checked against one version of each library, the pinned one).
pythons: $(VENV)/.installed-dev
	for version in 3.11 3.12 3.13; do \
	    python=$$(sh docker/find-python.sh $(BIN)/uv $$version) || exit; \
	    $(MAKE) quick VENV=build/python-$$version PYTHON=$$python || exit; \
	done
	$(MAKE) quick-tests VENV=build/python-lowest PYTHON=$(BIN)/python PINS="--resolution lowest-direct"

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# `make bench` lists the benchmarks, `make bench RUN=load` runs one, `make bench RUN="load --help"` asks it.
bench: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks $(RUN)

# The wheel, installed into an empty environment, must run every command as the README says.
wheel: $(VENV)/.installed-dev
	$(BIN)/python docker/try_wheel.py $(BIN)/uv $(PINS) $$(sh docker/torch-backend.sh $(BIN)/uv)

docs: $(VENV)/.installed-dev
	$(BIN)/sphinx-build -W --keep-going -q -b html docs build/site
	@echo "build/site/index.html"

# The versions in constraints.txt are the ones the tests were seen to pass with. Torch comes for the processor where it can.
PINS := --constraint constraints.txt
INSTALL = $(BIN)/uv pip install --quiet --python $(BIN)/python $(PINS) $$(sh docker/torch-backend.sh $(BIN)/uv)
$(VENV)/.installed: pyproject.toml constraints.txt
	test -x $(BIN)/uv || { $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet --constraint constraints.txt uv; }
	$(INSTALL) --editable .
	touch $@

# Compiled at once: the tests start hundreds of processes, and importing Torch and scikit-learn takes twice as long from source.
$(VENV)/.installed-dev: pyproject.toml constraints.txt
	test -x $(BIN)/uv || { $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet --constraint constraints.txt uv; }
	$(INSTALL) --compile-bytecode --editable . --group dev
	touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: $(VENV)/.installed-dev
	$(INSTALL) --editable . --group dev --group bench
	touch $@

system:
	@sh docker/system-packages.sh

clean:
	rm -rf $(VENV) build site .coverage* .mypy_cache .ruff_cache .pytest_cache
