# Everything a user or a developer does with this project. Needs git, make and python3-venv; sets up the rest itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# By module, not by script: these still work when the folder has been moved.
RUN := $(BIN)/python -m

export PYTHON

# The tests run one process a core: more threads in each would only wait for one another (a quarter of the time).
test test-slow: export OPENBLAS_NUM_THREADS = 1
test test-slow: export OPENCV_FOR_THREADS_NUM = 1

.PHONY: demo test test-slow test-appliance install uninstall lint format bench catalogues screenshots static clean FORCE

demo: $(VENV)/run
	$(RUN) companion demo

test: lint $(VENV)/test
	@sh tests/chromium.sh
	$(RUN) pytest -n auto --dist worksteal -m "not slow"

# Whole evenings, the virtual table, what calibration takes long for, dozens of tables read once more, every page under axe, every route, several browsers at once, the bench itself,
# and the further cases of tests that have many.
test-slow: $(VENV)/test
	@sh tests/chromium.sh
	$(RUN) pytest -n auto --dist worksteal -m slow

# The camera of a Raspberry Pi and the installation, in a Debian Trixie that is made for it and kept; needs root.
test-appliance: $(VENV)/test
	@PYTHON=$(BIN)/python bash tests/appliance/run

install:
	@sh systemd/install

uninstall:
	@sh systemd/install remove

lint: $(VENV)/test
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(RUN) mypy

format: $(VENV)/test
	$(RUN) ruff check --fix .
	$(RUN) ruff format .

bench: $(VENV)/test
	$(RUN) tests.bench

catalogues: $(VENV)/test
	$(RUN) tests.catalogues

screenshots: $(VENV)/test
	@sh tests/chromium.sh
	$(RUN) tests.screenshots

# The icons and the silent video; needs ffmpeg.
static: $(VENV)/test
	@sh tests/chromium.sh
	$(RUN) tests.static_files

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

# A .venv whose Python is gone (the system was upgraded) counts as not made.
ifneq ($(shell $(BIN)/python -c 'print("runs")' 2>/dev/null),runs)
$(VENV)/run $(VENV)/test: FORCE
endif

$(VENV)/run: pyproject.toml
	@sh .ci/venv .

$(VENV)/test: pyproject.toml
	@sh .ci/venv '.[test]'
