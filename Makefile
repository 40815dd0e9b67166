# Each target is one obvious command, and sets up what it needs: on a fresh machine only Python and make are there.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
ARGS   ?=
# What only tests use of Node.js is installed where Node.js is; without it those tests are skipped and say so.
NODE   := $(if $(shell command -v npm),tests/node/node_modules/.stamp)

.DEFAULT_GOAL := help
.PHONY: help setup lock generate check test golden conformance docs package bench lint ci

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/.stamp $(NODE) ## Make .venv from requirements.lock (does nothing when it is up to date)

# The build backend comes from the lock as well, hence no build isolation.
$(VENV)/.stamp: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

tests/node/node_modules/.stamp: tests/node/package-lock.json
	npm ci --prefix tests/node --silent --no-audit --no-fund
	touch $@

lock: ## Resolve the dependencies of pyproject.toml anew into requirements.lock
	test -x $(BIN)/uv || { $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet uv; }
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra dev --extra fast --extra docs --extra publish --extra pydantic --extra verify --generate-hashes \
		--no-emit-index-url --custom-compile-command "make lock" --output-file requirements.lock pyproject.toml

generate: setup ## Write every output of the manifest (ARGS=JOB for one)
	$(BIN)/wirebound generate $(ARGS)

check: setup ## Compare generated/ with what would be written; change nothing
	$(BIN)/wirebound generate --check $(ARGS)

test: setup ## Run the tests (ARGS=tests/test_x.py for some)
	$(BIN)/pytest -n 2 $(ARGS)

# One process: the snapshots are rewritten as a whole.
golden: setup ## Rewrite goldens and snapshots; review the diff before committing it
	WIREBOUND_GOLDEN=1 $(BIN)/pytest -n 0 --snapshot-update $(ARGS)

conformance: setup ## Write tests/conformance.md (needs the JSON Schema test suite in ../shared/corpus)
	$(BIN)/python tests/conformance.py

docs: setup ## Build the reference site and show it
	$(BIN)/wirebound docs --serve $(ARGS)

package: setup ## Build and prove the packages, into dist/ (ARGS="JOB --python python3.13")
	$(BIN)/wirebound package $(ARGS)

bench: setup .venv-bench/.stamp ## Measure against peers, side by side (ARGS="speed scale --rounds 9 --json"; see bench/README.md)
	$(BIN)/python bench $(ARGS)

# The peers have an environment of their own: what is measured with them is what they bring.
.venv-bench/.stamp: bench/requirements.lock
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --require-hashes -r bench/requirements.lock
	touch $@

lint: setup ## Style, formatting and types
	$(BIN)/ruff check .
	$(BIN)/black --check .
	$(BIN)/mypy --strict codegen

ci: ## What continuous integration runs
	bash .ci/run
