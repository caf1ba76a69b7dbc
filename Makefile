# SPDX-License-Identifier: MIT
# The front door; CMake does the work. `make help` lists what there is.

BUILD ?= build
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 600
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
DEMO := scenes/gallery/dropped_bracket.yaml

# Tests of many processes run where PETSc and MPI are installed (`make mpi`).
MPI := $(shell pkg-config --exists 'PETSc >= 3.18' 2>/dev/null && command -v mpirun >/dev/null && echo ON || echo OFF)

# Only failures and warnings of the configuration are worth reading.
CONFIGURE := tools/configure
COMPILE := cmake --build $(BUILD) -j $(JOBS)

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := all
.PHONY: all mpi gpu python deb packages demo test quick verify stress bench install check format docs site pictures fuzz clean help

all: ## build the command and the library
	@$(CONFIGURE) release $(BUILD)
	@$(COMPILE)
	@echo "built $(BUILD)/carom"

mpi: ## install PETSc and Open MPI, and build carom-mpi as well, for runs of many processes
	@tools/install-dependencies mpi
	@$(CONFIGURE) release $(BUILD) -DCAROM_MPI=ON
	@$(COMPILE)
	@echo "built $(BUILD)/carom and $(BUILD)/carom-mpi"

gpu: ## build libcarom-cuda.so as well, for runs with --device gpu (needs nvcc of CUDA 11.8 or later)
	@$(CONFIGURE) release $(BUILD) -DCAROM_CUDA=ON
	@$(COMPILE)
	@echo "built $(BUILD)/carom and $(BUILD)/lib/libcarom-cuda.so"

python: ## build the library and a wheel in build/python (use it without: PYTHONPATH=python)
	@tools/install-dependencies python
	@$(CONFIGURE) release $(BUILD)
	@$(COMPILE)
	@tools/build_wheel $(BUILD)

deb: ## build packages for Debian in build/deb: command, library, development files, Python
	@tools/install-dependencies build
	@$(CONFIGURE) release $(BUILD)
	@$(COMPILE)
	@tools/build_deb $(BUILD)

packages: python deb ## build wheel and Debian packages, install, use and remove them in bare trees (as root)
	@tools/install-dependencies packages
	@test/package/wheel $(BUILD)
	@test/package/deb $(BUILD)

demo: ## install what is missing, build, drop a part and draw it
	@tools/install-dependencies build
	@$(CONFIGURE) release $(BUILD)
	@$(COMPILE) --target carom-cli
	@if ! command -v npm >/dev/null || ! $(COMPILE) --target viewer >/dev/null 2>&1; then \
	echo "no page: it needs node 18 and npm (make test installs them)"; fi
	@$(BUILD)/carom run $(DEMO) -o out/dropped_bracket
	@$(BUILD)/carom picture out/dropped_bracket --view=30,20
	@if test -f $(BUILD)/viewer/report.html; then $(BUILD)/carom report out/dropped_bracket; fi

test: ## install what is missing, build, and run all tests but those of the label long
	@tools/install-dependencies test
	@$(CONFIGURE) release $(BUILD) -DCAROM_TESTS=ON -DCAROM_MPI=$(MPI)
	@$(COMPILE)
	@[ $(MPI) = ON ] || echo "mpi.* are SKIPPED: there is no PETSc (make mpi installs it)"
	@code=0; ctest --test-dir $(BUILD) -LE '^long$$' -j $(JOBS) --output-on-failure --no-tests=error || code=$$?; \
	command -v chromium chromium-browser google-chrome >/dev/null || \
	echo "browser.* were SKIPPED: there is no Chromium (tools/install-dependencies page installs it)"; exit $$code

quick: ## build, and run the tests that take at most some two seconds each
	@tools/install-dependencies test
	@$(CONFIGURE) release $(BUILD) -DCAROM_TESTS=ON
	@$(COMPILE)
	@ctest --test-dir $(BUILD) -L '^quick$$' -j $(JOBS) --output-on-failure --no-tests=error

verify: ## run all scenes that say what is expected, compare them with docs/verification.md, and the long tests
	@tools/install-dependencies test
	@$(CONFIGURE) release $(BUILD) -DCAROM_TESTS=ON -DCAROM_MPI=$(MPI)
	@$(COMPILE)
	@$(BUILD)/carom verify --all --markdown >$(BUILD)/verification.md
	@tools/check_verification $(BUILD)/verification.md
	@ctest --test-dir $(BUILD) -L '^long$$' -j $(JOBS) --output-on-failure --no-tests=error

stress: all ## two minutes of random scenes and an independent judge (STRESS="--scenes 2000" for a long run)
	@tools/stress --carom $(BUILD)/carom $(STRESS)
	@[ ! -x $(BUILD)/test/conformance/test_bound ] || CAROM_BOUND_ROUNDS=160 $(BUILD)/test/conformance/test_bound

bench: ## build and run the benchmarks
	@$(CONFIGURE) release $(BUILD)
	@$(COMPILE) --target carom-bench
	@$(BUILD)/carom-bench

install: ## install below PREFIX (/usr/local); DESTDIR is honoured
	@$(CONFIGURE) release $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DCAROM_TESTS=OFF
	@$(COMPILE)
	@cmake --install $(BUILD) --prefix $(PREFIX) >/dev/null
	@echo "installed below $(DESTDIR)$(PREFIX)"

check: all ## check format, layers, names, tests, documents and words
	@tools/check_format
	@tools/check_layers
	@tools/check_names --build $(BUILD)
	@tools/check_tests
	@tools/check_docs
	@tools/check_words
	@tools/generate_python --check

format: ## rewrite the sources in the house style
	@tools/check_format --fix

docs: all ## write the manual, the man page, the completions and the declarations of Python anew
	@tools/generate_python
	@tools/generate_docs $(BUILD)/carom
	@$(BUILD)/carom verify --plan --markdown >$(BUILD)/verification.md 2>/dev/null
	@tools/check_verification --fill $(BUILD)/verification.md

# Pictures of scenes are in docs/pictures/scenes; remove one to have it drawn anew.
site: ## install what is missing, and build the manual as a site: build/site/html/index.html (PICTURES=1 draws scenes that have no picture)
	@tools/install-dependencies site
	@if [ -n "$(PICTURES)" ]; then $(MAKE) all && tools/site/pictures.py $(abspath $(BUILD))/carom; fi
	@tools/build_site $(BUILD)

pictures: ## take the pictures of the README and the manual anew (needs Chromium)
	@tools/install-dependencies page
	@$(CONFIGURE) release $(BUILD) -DCAROM_TESTS=ON
	@$(COMPILE) --target carom-cli viewer
	@CAROM=$(abspath $(BUILD))/carom CAROM_PAGE_BUILD=$(abspath $(BUILD))/viewer node tools/pictures.mjs

fuzz: ## fuzz each target for FUZZ_SECONDS (600)
	@tools/fuzz $(FUZZ_SECONDS)

clean: ## remove all build folders (results in out/ stay)
	@rm -rf $(BUILD) build-debug build-asan build-tsan build-fuzz build-clang build-arm64 build-windows

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
