# Everything a user or a developer does with this project. Needs git, make and python3-venv; sets up the rest itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# On a Raspberry Pi picamera2, lgpio and numpy come from apt, so the venv must see them.
SITE := $(shell test -e /proc/device-tree/model && grep -qs "Raspberry Pi" /proc/device-tree/model && echo --system-site-packages)

.PHONY: demo test lint format bench clean install-test

demo: $(VENV)/run
	$(BIN)/corona demo

test: lint
	@sh tests/chromium.sh
	$(BIN)/pytest

lint: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/test
	$(BIN)/python -m tests.bench

$(VENV)/python: 
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Corona needs Python 3.11 or newer; Raspberry Pi OS older than Trixie is not supported."; exit 1; }
	$(PYTHON) -m venv $(SITE) $(VENV)
	@touch $@

$(VENV)/run: pyproject.toml $(VENV)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/test: pyproject.toml $(VENV)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[test]"
	@touch $@ $(VENV)/run

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
