# Lawspeaker, from a checkout: needs GNU make (3.81 or newer) and Python (3.11 or newer).
# Everything is installed into .venv, and only again when pyproject.toml has changed.
# ARGS are passed on: make play ARGS="--seed 7", make test ARGS="-k library".

SHELL = /bin/sh
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install -qq --disable-pip-version-check
PYTEST := $(PY) -m pytest -n auto --dist loadgroup
PYTHONS := $(PYTHON) python3.13 python3.12 python3.11 python3
LINTED := $(wildcard interpreter/lawspeaker tests benchmarks)
GAMES := $(patsubst rules/%/game.yaml,%,$(wildcard rules/*/game.yaml))

.PHONY: help play test accept check wheel clean moved

help:
	@echo "make play     play a game in the terminal"
	@echo "make check    check the rules of all built-in games"
	@echo "make test     style, types and tests"
	@echo "make accept   run the tests and accept changed golden files (then read the diff)"
	@echo "make wheel    build the source archive and the wheel into dist/"
	@echo "make clean    remove all that was made, .venv too"

play: $(VENV)/installed
	@$(VENV)/bin/lawspeaker play walhalla $(ARGS)

check: $(VENV)/installed
	@$(VENV)/bin/lawspeaker check $(GAMES) $(ARGS)

# Everything runs even if something fails, and the tests' closing line comes last.
test: $(VENV)/installed-test
	@failed=; \
	echo "ruff check"; $(PY) -m ruff check . || failed="$$failed [ruff check]"; \
	echo "ruff format"; $(PY) -m ruff format --check . || failed="$$failed [ruff format]"; \
	echo "mypy"; $(PY) -m mypy $(LINTED) || failed="$$failed [mypy]"; \
	if [ -n "$$failed" ]; then echo "FAILED before the tests:$$failed"; fi; \
	$(PYTEST) $(ARGS) || failed="$$failed [pytest]"; \
	[ -z "$$failed" ]

accept: $(VENV)/installed-test
	@$(PYTEST) --accept $(ARGS)

wheel: $(VENV)/installed-test
	@$(PY) -m build --outdir dist .

clean:
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -type d -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/installed: pyproject.toml $(VENV)/made
	@echo "Installing Lawspeaker into $(VENV)"
	@$(PIP) -e .
	@touch $@

$(VENV)/installed-test: pyproject.toml $(VENV)/made
	@echo "Installing Lawspeaker and what its tests need into $(VENV)"
	@$(PIP) -e '.[test]'
	@touch $(VENV)/installed $@

# An environment knows its own place: one that was moved or copied, or whose Python is gone, is
# made anew. PYTHON=... is tried first where it is given.
ifneq ($(shell test -x $(PY) && cat $(VENV)/made 2>/dev/null),$(CURDIR))
$(VENV)/made: moved
endif

$(VENV)/made:
	@python=; bare=; \
	for name in $(PYTHONS); do \
	    "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
	    if "$$name" -c 'import ensurepip, venv' >/dev/null 2>&1; then python=$$name; break; fi; \
	    bare=$${bare:-$$name}; \
	done; \
	if [ -z "$$python" ] && [ -n "$$bare" ]; then \
	    version=$$("$$bare" -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
	    echo "Python $$version ($$bare) is here, but it cannot make virtual environments:" >&2; \
	    echo "its venv or ensurepip module is missing." >&2; \
	    echo "On Debian and Ubuntu: apt install python$$version-venv" >&2; \
	    exit 1; \
	fi; \
	if [ -z "$$python" ]; then \
	    echo "Lawspeaker needs Python 3.11 or newer. Looked for: $(strip $(PYTHONS))" >&2; \
	    echo "On Debian and Ubuntu: apt install python3 python3-venv" >&2; \
	    echo "On macOS: brew install python" >&2; \
	    echo "Or say where it is: make PYTHON=/path/to/python3 ..." >&2; \
	    exit 1; \
	fi; \
	echo "Making $(VENV) with $$("$$python" --version)"; \
	"$$python" -m venv --clear $(VENV) && pwd -P > $@
