# Everything a person or a machine does with this project. `make help` lists it.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help ingest test test-slow check lint types bench bench-github clients docs pins golden clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

ingest: $(VENV)/.installed ## Set up, then ingest the embedded sample: needs no network after the set-up
	$(BIN)/kbw ingest sample

test: $(VENV)/.installed-dev ## Run the tests
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder -m "not slow"

test-slow: $(VENV)/.installed-dev ## Also run the tests that take minutes
	FUZZ_EXAMPLES=10000 $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

check: lint types test ## What continuous integration runs: lint, types, tests

lint: $(VENV)/.installed-dev ## Format and lint Python and SQL
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/sqlfluff lint --processes 0 --disable-progress-bar --nocolor sql docs

types: $(VENV)/.installed-dev ## Check types, strictly
	$(BIN)/mypy

bench: $(VENV)/.installed-dev ## Measure the targets of the design, each beside its floor
	$(BIN)/python -m tests.benchmarks

bench-github: $(VENV)/.installed-dev ## Count the requests that ingests of clones take, as if from GitHub: REPOSITORIES="UPSTREAM FORK"
	$(BIN)/python -m tests.benchmarks.github $(REPOSITORIES)

clients: $(VENV)/.installed-dev ## Ask everything of the sample with the DuckDB clients that are supported: needs uv and the network
	$(BIN)/kbw ingest sample --home build/clients
	$(BIN)/python -m tools.try_clients build/clients/warehouse.duckdb

docs: $(VENV)/.installed-dev ## Write what is generated from the contracts and from the design
	$(BIN)/python -m tools.build_docs
	$(BIN)/python -m tools.build_pictures
	$(BIN)/python -m tools.build_schemas
	$(BIN)/python -m tools.build_licences

pins: ## Write down, by their digests, which files the versions of constraints.txt are: needs uv
	$(PIN) --output-file pins/run.txt --extra build pyproject.toml
	$(PIN) --output-file pins/dev.txt --extra build --extra dev pyproject.toml

PIN := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --constraint constraints.txt

golden: $(VENV)/.installed-dev ## Write down what the rules of this schema version make of the sample
	$(BIN)/python -m tools.build_golden

clean: ## Remove the virtual environment and caches; the data stays
	rm -rf $(VENV) .pytest_cache .ruff_cache .mypy_cache .hypothesis build dist

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; name one with make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Every file is compared with its digest, and nothing is resolved or fetched beyond those that are listed. Modules are
# compiled when they are first imported: most of what the dependencies bring never is.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps
INSTALL_THIS := $(INSTALL) --no-build-isolation --editable .

$(VENV)/.installed: pyproject.toml pins/run.txt | $(VENV)/bin/python
	$(INSTALL) --require-hashes --requirement pins/run.txt
	$(INSTALL_THIS)
	@touch $@

$(VENV)/.installed-dev: pyproject.toml pins/dev.txt | $(VENV)/bin/python
	$(INSTALL) --require-hashes --requirement pins/dev.txt
	$(INSTALL_THIS)
	@touch $(VENV)/.installed $@
