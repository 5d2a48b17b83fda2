# Two commands do everything on a fresh machine: `make demo` and `make test`. Nothing is installed globally, but for
# a browser and Java where this is a Debian machine, we are root and a test needs them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check docs bench clean system

demo: $(VENV)/.installed
	mkdir -p build
	$(BIN)/hin demo --out build/demo --replace

test: $(VENV)/.installed-dev system check
	$(BIN)/coverage erase
	$(BIN)/pytest --cov --cov-report=term:skip-covered

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/.installed-dev
	$(BIN)/sphinx-build -W --keep-going -q -b html docs build/site
	@echo "build/site/index.html"

# The versions in constraints.txt are the ones the tests were seen to pass with.
$(VENV)/.installed: pyproject.toml constraints.txt
	test -x $(BIN)/uv || { $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet --constraint constraints.txt uv; }
	$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --editable .
	touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt
	test -x $(BIN)/uv || { $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet --constraint constraints.txt uv; }
	$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --editable '.[dev]'
	touch $@ $(VENV)/.installed

system:
	@sh docker/system-packages.sh

clean:
	rm -rf $(VENV) build site .coverage* .mypy_cache .ruff_cache .pytest_cache
