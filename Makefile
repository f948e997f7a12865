# Everything that a checkout can do. Each command does the set-up that it needs; `make help` lists them.
#
# ROS_DISTRO=kilted takes another ROS distribution, PINS=robot the NumPy and OpenCV of a Jazzy robot,
# PYTHON=python3.12 another Python than the first that fits.

.DEFAULT_GOAL := help
.PHONY: help setup replay test lint types imports benchmarks lock clean distclean
SHELL := /bin/sh

# A sourced ROS installation or another environment would be found before what is set up here.
unexport AMENT_PREFIX_PATH CMAKE_PREFIX_PATH COLCON_PREFIX_PATH LD_LIBRARY_PATH
unexport PYTHONHOME PYTHONPATH VIRTUAL_ENV ROS_VERSION ROS_PYTHON_VERSION

in_environment := . ./env.sh &&

help: ## List the commands
	@sed -n 's/^\([a-z]*\):[^#]*## /\1#/p' $(MAKEFILE_LIST) | awk -F'#' '{printf "make %-11s %s\n", $$1, $$2}'

setup: ## Install the locked packages into .venv and build the interfaces
	@sh tools/with_python.sh set_up.py

replay: setup ## Play the sample to an agent: AGENT MODEL PERCEPTION DATASET QUESTIONS KEYS OUT WORKERS LIMIT
	@$(in_environment) exec avr up replay \
	  $${AGENT:+"agent:=$$AGENT"} \
	  $${MODEL:+"model:=$$MODEL"} \
	  $${PERCEPTION:+"perception:=$$PERCEPTION"} \
	  $${DATASET:+"dataset:=$$DATASET"} \
	  $${QUESTIONS:+"questions:=$$QUESTIONS"} \
	  $${KEYS:+"keys:=$$KEYS"} \
	  $${OUT:+"out:=$$OUT"} \
	  $${WORKERS:+"workers:=$$WORKERS"} \
	  $${LIMIT:+"limit:=$$LIMIT"}

test: lint types imports ## Check style, types and imports, then run the tests: TESTS (what to run)
	@$(in_environment) exec python -m pytest $(TESTS)

lint: setup ## Check style and form
	@$(in_environment) ruff check --quiet && ruff format --check --quiet

types: setup ## Check types
	@$(in_environment) python tools/check_types.py

imports: setup ## Check which rooms import which
	@$(in_environment) python tools/check_imports.py

benchmarks: setup ## Measure speed, side by side with what it is compared to
	@$(in_environment) for benchmark in benchmarks/*.py; do python "$$benchmark" || exit; done

lock: ## Resolve requirements/*.lock again
	@sh tools/with_python.sh make_locks.py

clean: ## Delete what was built
	rm -rf build .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

distclean: clean ## Delete what was built and installed
	rm -rf .venv .venv-kilted .venv-robot
