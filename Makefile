# Everything that people and CI run. Needs make, a POSIX shell, Node 20 or newer with npm; brings its own Node 26 and PostgreSQL.

.POSIX:
.PHONY: help install demo test up check bench clean

help:
	@echo 'make demo     start everything, plan a sample scenario, publish it, show the routes, stop'
	@echo 'make up       start everything on http://127.0.0.1:8080 until Ctrl-C; data in .milkrun'
	@echo 'make test     all tests'
	@echo 'make check    types, lint, import map, generated files'
	@echo 'make bench    benchmarks; prints one line of JSON for each result'
	@echo 'make install  only the set-up that all of these do first'
	@echo 'make clean    remove what these have made, except the data in .milkrun'

install: node_modules/.installed

demo: node_modules/.installed
	@bin/demo

up: node_modules/.installed
	@bin/milkrun up

test: node_modules/.installed
	@npm run --silent test

check: node_modules/.installed
	@npm run --silent check

bench: node_modules/.installed
	@npm run --silent bench

clean:
	rm -rf node_modules coverage dist

node_modules/.installed: package.json package-lock.json bin/install
	@bin/install
	@touch node_modules/.installed
