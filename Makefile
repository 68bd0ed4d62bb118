# Lawspeaker, from a checkout: needs GNU make (3.81 or newer) and Python (3.11 or newer).
# Everything is installed into .venv, and only again when pyproject.toml has changed.
# ARGS are passed on: make play ARGS="--port 8000", make test ARGS="-k library".
# LOCKED=1 installs exactly what locks/ says, with hashes: make full LOCKED=1.
# PACKAGE=study or SINCE=main runs the tests that a change in a package, or since a revision, can
# affect (tests/selection.py).

SHELL = /bin/sh
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install -qq --disable-pip-version-check
SELECT := $(if $(PACKAGE),'--package=$(PACKAGE)') $(if $(SINCE),'--since=$(SINCE)')
PYTEST := $(PY) -m pytest -n auto --dist loadgroup $(SELECT)
PYTHONS := $(PYTHON) python3.13 python3.12 python3.11 python3
locked = $(PIP) --require-hashes -r locks/$(1).txt && $(PIP) --no-deps --no-build-isolation -e .
GAMES := $(patsubst rules/%/game.yaml,%,$(wildcard rules/*/game.yaml))

# Whoever tells Python to keep no compiled modules would have each of hundreds of processes compile
# them all anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help play test full nightly mutants accept check screenshots site browser database wheel version release oldest lock audit clean moved

help:
	@echo "make play     open the table in the browser"
	@echo "make check    check the rules of all built-in games"
	@echo "make test     style, types and the quick tests: 5 minutes on two cores"
	@echo "make test PACKAGE=study, make test SINCE=main   the tests that a change can affect"
	@echo "make full     all tests: 17 minutes on two cores, run before a change lands"
	@echo "make nightly  the same tests with large numbers: hours"
	@echo "make mutants  mutate the interpreter in many places; list what no test detects"
	@echo "make accept   run the tests and accept changed golden files (then read the diff)"
	@echo "make screenshots  take the pictures of docs/images anew, in a real browser"
	@echo "make site     all built-in games, the workshop and the documentation into site/, for any host"
	@echo "make wheel    build the source archive, the wheel and its bill of materials into dist/"
	@echo "make version VERSION=1.0.0  write a version into all files that state it"
	@echo "make release  build everything twice, try it in fresh environments, write the release notes"
	@echo "make oldest   the quick tests with the oldest packages that pyproject.toml allows (needs the network)"
	@echo "make lock     resolve all packages anew and write locks/ (needs the network)"
	@echo "make audit    known vulnerabilities of the packages in locks/ (needs the network)"
	@echo "make clean    remove all that was made, .venv too"

# With no terminal attached there is nobody to play: bots do, and the game is printed.
play: $(VENV)/installed
	@if [ -t 0 ] && [ -t 1 ]; then $(VENV)/bin/lawspeaker serve --open $(ARGS); \
	else $(VENV)/bin/lawspeaker play walhalla $(ARGS); fi

check: $(VENV)/installed
	@$(VENV)/bin/lawspeaker check $(GAMES) $(ARGS)

# Three tiers (tests/tiers.py). Style and types are tests like others (tests/repo/test_style.py).
test: $(VENV)/installed-test browser
	@LAWSPEAKER_TIER=test $(PYTEST) $(ARGS)

full: $(VENV)/installed-test browser database
	@LAWSPEAKER_TIER=full $(PYTEST) $(ARGS)

nightly: $(VENV)/installed-test browser database
	@LAWSPEAKER_TIER=nightly $(PYTEST) $(ARGS)

# Takes hours: -j 8 for eight at a time, --only privacy for one part, --since REV for new code alone,
# --seed 2 for other places.
mutants: $(VENV)/installed-test
	@$(PY) -m tests.mutants $(ARGS)

accept: $(VENV)/installed-test
	@LAWSPEAKER_TIER=full $(PYTEST) --accept $(ARGS)

screenshots: $(VENV)/installed-test browser
	@$(PY) -m tests.web.browser.screenshots docs/images $(ARGS)

# Python for the browser comes with npm, once (docs/publishing.md).
site: $(VENV)/installed-test
	@$(PY) -m tests.site.building build/docs
	@$(VENV)/bin/lawspeaker publish $(GAMES) --workshop --docs build/docs -o site $(ARGS)

# The tests in a real browser want Chromium, best as its headless shell: with a whole Chromium they
# take almost twice the CPU time. Root gets it where apt-get has it; without any browser those tests
# are skipped, and say so.
browser:
	@install="apt-get install -y --no-install-recommends"; \
	if command -v chromium-headless-shell >/dev/null 2>&1; then exit 0; fi; \
	if [ "$$(id -u 2>/dev/null)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    $$install chromium-headless-shell >/dev/null 2>&1 && exit 0; \
	    root=yes; \
	fi; \
	for name in chromium chromium-browser google-chrome google-chrome-stable; do \
	    if command -v $$name >/dev/null 2>&1; then exit 0; fi; \
	done; \
	if [ -n "$$root" ]; then \
	    echo "Installing Chromium, for the tests in a real browser"; \
	    (apt-get update && ($$install chromium-headless-shell || $$install chromium)) >/dev/null 2>&1 \
	        || echo "Chromium could not be installed; the tests in a real browser are skipped."; \
	fi

# And a PostgreSQL server, which the tests start and end themselves.
database:
	@if command -v pg_ctl >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/pg_ctl >/dev/null 2>&1; then \
	    exit 0; \
	fi; \
	if [ "$$(id -u 2>/dev/null)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    echo "Installing PostgreSQL, for the tests of servers that share tables"; \
	    (apt-get update && apt-get install -y --no-install-recommends postgresql) >/dev/null 2>&1 \
	        || echo "PostgreSQL could not be installed; the tests that need it are skipped."; \
	fi

wheel: $(VENV)/installed-test
	@$(PY) -m build --outdir dist .
	@$(PY) -m tests.dependencies.sbom dist

version: $(VENV)/installed-test
	@$(PY) -m tests.release.preparing $(VERSION)
	@rm -f $(VENV)/installed $(VENV)/installed-test  # what is installed knows the version

# Refuses if version, changelog and docs disagree (tests/release). It publishes nothing.
release: $(VENV)/installed-test
	@$(PY) -m tests.release.releasing dist

# What is tested of the checkout itself does not depend on packages.
oldest: $(VENV)/installed-test
	@$(PIP) uv
	@$(PY) -m uv venv -q --clear -p $(PY) build/oldest
	@$(PY) -m uv pip install -q --python build/oldest/bin/python --resolution lowest-direct -e '.[test]'
	@build/oldest/bin/python -m pytest -n auto --dist loadgroup --ignore=tests/repo $(ARGS)

# The tools for these two are installed when they are needed, and nowhere else.
lock: $(VENV)/installed-test
	@$(PIP) uv
	@$(PY) -m tests.dependencies.locking

audit: $(VENV)/installed-test
	@$(PIP) pip-audit || echo "pip-audit could not be installed."
	@$(PY) -m tests.dependencies.audit $(ARGS)

clean:
	rm -rf $(VENV) build dist site .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -type d -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/installed: pyproject.toml $(if $(LOCKED),locks/serve.txt) $(VENV)/made
	@echo "Installing Lawspeaker into $(VENV)"
	@$(if $(LOCKED),$(call locked,serve),$(PIP) -e '.[web]')
	@touch $@

$(VENV)/installed-test: pyproject.toml $(if $(LOCKED),locks/test.txt) $(VENV)/made
	@echo "Installing Lawspeaker and what its tests need into $(VENV)"
	@$(if $(LOCKED),$(call locked,test),$(PIP) -e '.[test]')
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
