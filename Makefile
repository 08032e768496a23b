# Each target only runs scripts, which can also be run by hand. `make help` lists the targets.
PREFIX ?= /usr/local
.DEFAULT_GOAL := help
.PHONY: run serve test build install lint graph docs constant-time apple check fuzz bench bench-auth clean help

run: ## make a 2-of-3 wallet, sign a payment with two shares, and have a real node mine it
	@scripts/bootstrap build demo
	@scripts/build-release
	@scripts/main-job

serve: ## start the sign-in server: http://localhost:8420, its state in ~/.fuekid
	@scripts/bootstrap build server
	@scripts/build-release fuekid
	@.build/release/fuekid --role auth

test: ## run every test
	@scripts/bootstrap build server demo peers
	@scripts/test

build: ## build the command `fueki` for use (.build/release/fueki)
	@scripts/bootstrap build
	@scripts/build-release

install: build ## copy `fueki`, its manual page and shell completions to PREFIX (/usr/local)
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" scripts/install

lint: ## check the formatting and the rules of the house style
	@scripts/lint --self-test
	@scripts/step --self-test
	@scripts/bootstrap --self-test
	@scripts/lint

graph: ## check the dependencies between targets: docs/dependency-graph.txt lists them all, none is forbidden, docs/architecture.md names every target
	@scripts/dependency-graph --self-test
	@scripts/dependency-graph --check

docs: ## check comments, commands, links and docs/coverage.md; build the libraries' documentation (.build/documentation)
	@scripts/docs
	@scripts/tested-versions --check
	@scripts/coverage --self-test
	@scripts/coverage
	@FUEKI_OPTIMISED=1 scripts/step build 'Building what the documentation describes' swift build $(FUEKI_BUILD_OPTIONS)
	@scripts/docc --output .build/documentation

constant-time: ## check that operations on secrets have no branches and take the same time for all secrets
	@scripts/constant-time
	@scripts/taint
	@scripts/timing

apple: ## type-check the sources for Apple's systems against stubs of Apple's modules (docs/apple.md)
	@scripts/apple-check --self-test
	@scripts/apple-check

check: lint graph docs constant-time apple ## run lint, graph, docs, constant-time and apple

fuzz: ## fuzz every decoder of input, 5 seconds each (scripts/fuzz SECONDS ENTRY... for more); Linux only
	@scripts/bootstrap build
	@scripts/fuzz

bench: ## measure the speed on this machine: one JSON line for each operation
	@scripts/bootstrap build
	@scripts/bench

bench-auth: ## measure the sign-in server: refreshes and passkey verifications a second
	@scripts/bench-auth

clean: ## remove all build products and downloads of this clone
	rm -rf .build .build-* .build_*

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
