# `make run` shows this host's state, `make test` runs every test; both install what is missing first.
SWIFT ?= swift
BUILD := .build/debug
# What is linted and formatted.
SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources $(wildcard Examples/*/Package.swift Examples/*/Sources)

.PHONY: run test examples sanitize bench program lint format setup setup-tests clean

run: setup
	@$(SWIFT) build --product ReachabilityExample
	@$(BUILD)/ReachabilityExample status || true
	@echo
	@$(BUILD)/ReachabilityExample interfaces
	@echo
	@echo "To watch it change:  $(BUILD)/ReachabilityExample dashboard"
	@echo "A demonstration:     $(BUILD)/ReachabilityExample demo"
	@echo "For a program:       $(BUILD)/ReachabilityExample watch --json default"

# Where this is continuous integration a warning is an error.
STRICT := $(if $(CI_MACHINE),-Xswiftc -warnings-as-errors)

# Every test, and the lint. The tests that change a network do so in private namespaces.
test: setup-tests lint examples
	$(SWIFT) build --build-tests $(STRICT)
	Scripts/in-namespace $(SWIFT) test --skip-build --no-parallel

# Programs as they are written by users of the package, each folder a package of its own; some tests run them.
examples: setup
	@for package in Examples/*/Package.swift; do $(SWIFT) build --package-path "$${package%/*}" || exit 1; done

# The whole suite under the thread and the address sanitizer.
sanitize: setup-tests
	Scripts/sanitize

# Against bare C in the same run.
bench: setup-tests
	$(SWIFT) build -c release --package-path Benchmarks
	Benchmarks/run.sh Benchmarks/.build/release/Benchmarks

# The program as it is to be installed: optimised, with Swift's own libraries inside, so that the host needs no Swift.
program: setup
	$(SWIFT) build -c release --product ReachabilityExample --static-swift-stdlib --scratch-path .build/program
	@echo "Built: .build/program/release/ReachabilityExample"

lint:
	$(SWIFT) format lint --recursive --strict $(SOURCES)

format:
	$(SWIFT) format --recursive --in-place $(SOURCES)

setup:
	@Scripts/setup

# With the daemons where this is continuous integration, whose machine is for nothing else.
setup-tests:
	@Scripts/setup $(if $(CI_MACHINE),--daemons,--tests)

clean:
	rm -rf .build Benchmarks/.build Examples/*/.build
