# The two commands of a newcomer: `make up` starts the product, `make test` proves it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PACKAGES := experience memory_sync dashboard jobs
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --editable
# Start-up figures are only true when the modules are compiled, whatever the environment says about writing bytecode.
COMPILE := $(BIN)/python -m compileall -q $(PACKAGES) $(VENV)

.PHONY: up test lint types format bench screenshots clean

up: $(VENV)/.up
	@$(BIN)/experience up

test: $(VENV)/.dev
	@$(BIN)/python tests/provide.py
	@$(BIN)/python -m compileall -q $(PACKAGES)
	$(BIN)/python -m pytest $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev
	@$(BIN)/python -m compileall -q $(PACKAGES)
	$(BIN)/python -m benchmarks $(ARGS)
	$(BIN)/python -m benchmarks.night $(NIGHT)

screenshots: $(VENV)/.dev
	@$(BIN)/python tests/provide.py
	@$(BIN)/python -m tests.screenshots

clean:
	rm -rf $(VENV) .tools .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "experience needs Python 3.11 or newer, this is " + sys.version.split()[0])'
	@echo "making the environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.up: pyproject.toml | $(BIN)/python
	@echo "installing experience and what it needs"
	@$(INSTALL) '.[team,minilm]'
	@$(COMPILE)
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@echo "installing experience and what its tests need"
	@$(INSTALL) '.[dev]'
	@$(COMPILE)
	@touch $@ $(VENV)/.up
