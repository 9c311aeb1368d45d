# `make run` and `make test` are all a new machine needs; Python 3.11 or newer must be there.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.PHONY: run test data lab mutants kills faults safety soak fuzz audit lint docs screenshots bench ci clean help

help:
	@echo "make run          install, read the example documents, open the page"
	@echo "make test         install the development tools, run the tests"
	@echo "make data         fetch the public data that some tests and benchmarks use (make data DATA=folder, or ZORORA_DATA)"
	@echo "make lab          kills, faults, browser walks and fuzzing in short (minutes); prints what was tried and lost"
	@echo "make mutants      move each number that decides what a report says by a fifth; prints those no test notices (minutes)"
	@echo "make fuzz         feed every reader of outside data for minutes (make fuzz SECONDS=300)"
	@echo "make audit        known weaknesses, bounds and licences of what is installed (advisories need a network)"
	@echo "make kills        two hundred kills at random moments of everything that writes or asks (half an hour)"
	@echo "make faults       power cuts after every write, full disks, damage, four programs at once: all of it (minutes)"
	@echo "make safety       five hundred damaged copies of the database, two thousand saves of settings (minutes)"
	@echo "make soak         50 reports in a row and a day of looks at the pages; nothing may pile up (minutes)"
	@echo "make lint         ruff, mypy"
	@echo "make docs         write the generated parts of docs/ again, and the pages of the documentation to build/site"
	@echo "make screenshots  every page and its rare states, narrow and wide, light and dark, audited, to build/screenshots"
	@echo "make bench        all measurements (make bench NAME='startup pipeline' for some)"
	@echo "make ci           what the gate runs, from nothing"

run: $(VENV)/.installed-run
	$(BIN)/zorora ingest examples
	$(BIN)/zorora web

test: $(VENV)/.installed-dev
	$(BIN)/pytest -n 2 --dist worksteal

DATA ?=
data:
	$(PYTHON) -m benchmarks.fetch_data $(DATA)

lab: $(VENV)/.installed-dev
	$(BIN)/pytest -m lab -n 2 --dist loadfile

mutants: $(VENV)/.installed-dev
	$(BIN)/python -m tests.mutants --measure

kills: $(VENV)/.installed-dev
	KILLS=200 $(BIN)/pytest -m lab -k kill

faults: $(VENV)/.installed-dev
	POWER=all DISK=all DAMAGE=40 FOUR=60 $(BIN)/pytest -m lab tests/lab -k 'not kill'

safety: $(VENV)/.installed-dev
	COPIES=500 SAVES=2000 $(BIN)/pytest -m lab tests/lab/test_damaged_copies.py tests/lab/test_saves.py

soak: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks soak

SECONDS ?= 20
fuzz: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --editable '.[fuzz]'
	$(BIN)/python -m tests.security.fuzz --seconds $(SECONDS)
	API_EXAMPLES=200 $(BIN)/pytest -m lab tests/security/test_api_fuzzing.py

audit: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --editable '.[fuzz]'
	$(BIN)/python -m tests.security.audit

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/.installed-dev
	$(BIN)/python docs/build.py

screenshots: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.screenshots --readme
	$(BIN)/python -m benchmarks.screenshots --all
	$(BIN)/python -m benchmarks.screenshots --states

NAME ?= all
bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks $(NAME)

ci:
	bash .ci/run

clean:
	rm -rf build dist

# pip as `python -m venv` brings it may be years old; it is renewed first
$(VENV)/bin/pip:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed-run: $(VENV)/bin/pip pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[embeddings]'
	touch $@

$(VENV)/.installed-dev: $(VENV)/bin/pip pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@
