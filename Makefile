# Thin on purpose: each target is a script that can be run by hand. `make help` lists them.
PREFIX ?= /usr/local
.DEFAULT_GOAL := help
.PHONY: run serve test build install lint graph docs constant-time check fuzz bench bench-auth clean help

run: ## make a 2-of-3 wallet, sign a real transaction with two shares, have a real node mine it
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

lint: ## formatting, and what the house style forbids
	@scripts/lint

graph: ## the arrows between targets: as committed, and none that is forbidden
	@scripts/dependency-graph --self-test
	@scripts/dependency-graph --check

docs: ## doc comments, the README's commands, links, coverage, versions; the libraries' documentation (.build/documentation)
	@scripts/docs
	@scripts/tested-versions --check
	@scripts/coverage --self-test
	@scripts/coverage
	@swift build
	@scripts/docc --output .build/documentation

constant-time: ## no branches on secrets in the optimised code and its libraries, no time that tells secrets apart
	@scripts/constant-time
	@scripts/taint
	@scripts/timing

check: lint graph docs constant-time ## lint, graph, docs, constant time

fuzz: ## fuzz every decoder of input, 5 seconds each (scripts/fuzz SECONDS ENTRY... for more); Linux only
	@scripts/bootstrap build
	@scripts/fuzz

bench: build ## measure this machine: one JSON line for each operation
	@.build/release/fueki bench

bench-auth: ## measure the sign-in server: refreshes and passkeys a second
	@scripts/bench-auth

clean: ## remove all that was built or downloaded here
	rm -rf .build .build-* .build_*

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
