# Everything a user or a contributor runs. Each target sets up what it needs.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
# Snapshot tests compare error messages, to which a backtrace would be added.
unexport RUST_BACKTRACE

# Seconds per fuzz target: `make fuzz`, and the short run in `make test`.
FUZZ_SECONDS ?= 600
SHORT_FUZZ_SECONDS ?= 20
# Where the fuzzer starts; 0 is somewhere else each time.
FUZZ_SEED ?= 0
# All crates at once, always: of fewer, libraries would have other features, and be compiled again.
# The package for Python asks for the same features, so that it shares them, too.
TEST := cargo test --workspace --locked
# The command and the example `crs`, as the tests have them.
BUILD_FOR_TESTS := $(TEST) --quiet --no-run
# Tests on two processors at a time.
PYTEST := -m pytest -q -p no:cacheprovider -n 2
# Both at once, always: each alone would have other features, and everything would be compiled again.
BUILD_FOR_BENCH := cargo build --release --locked --quiet -p kdisc-cli -p kdisc-bench
# Options of the benchmark: --large adds ten million units, --quick is a trial.
BENCH ?= --large

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test format lint unit peers wheel python spark docs browser fuzz fuzz-short bench bench-engine bench-files bench-regions bench-density bench-report bench-python bench-spark picture

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## Measure the built-in example: report, table and summary go to demo/
	@tools/setup compiler
	@mkdir -p demo
	cargo build --release --locked --quiet -p kdisc-cli
	"$$(tools/binary kdisc)" risk -o demo/risk.csv --summary demo/summary.json
	@echo
	"$$(tools/binary kdisc)" report -o demo/report.html --max-radius 500 --min-count 10 --allow 1% \
		--max-radius-px 20 --value production --p 10
	@echo
	@echo "Open demo/report.html in a browser; demo/risk.csv has a row for every unit."

test: format lint unit peers browser python spark docs fuzz-short ## Run everything a contributor should run
	@echo "make test: all passed"

format:
	@tools/setup lints
	cargo fmt --all --check

lint:
	@tools/setup compiler lints python
	cargo clippy --workspace --all-targets --locked -- -D warnings

unit:
	@tools/setup compiler data
	$(TEST)

# Files to and from GeoPandas (GDAL), DuckDB, Polars and PROJ: the programs that our users have.
peers:
	@tools/setup compiler python
	$(BUILD_FOR_TESTS)
	KDISC="$$(tools/binary kdisc debug)" KDISC_CRS="$$(tools/binary examples/crs debug)" \
		.venv/bin/python $(PYTEST) tests/peers

# Reports as people open them. Two at a time would take as long: Chromium has threads of its own.
browser:
	@tools/setup compiler python browser
	$(BUILD_FOR_TESTS)
	KDISC="$$(tools/binary kdisc debug)" .venv/bin/python $(PYTEST) -n 0 tests/browser

# The package as people install it. It is built like the other tests: a release takes longer than
# all of them.
wheel:
	@tools/setup compiler python
	rm -rf target/wheel
	MATURIN_PEP517_ARGS="--profile dev --locked" .venv/bin/pip wheel --quiet \
		--disable-pip-version-check --no-deps --wheel-dir target/wheel ./python

# The wheel in an environment of its own. How soon Ctrl-C stops a run is tested alone: other tests
# would be in the way.
python: wheel
	rm -rf python/.venv
	python3 -m venv python/.venv
	python/.venv/bin/pip install --quiet --disable-pip-version-check \
		target/wheel/kdisc-*.whl -r tools/peers.txt -r tools/python.txt
	python/.venv/bin/mypy --strict --ignore-missing-imports python/kdisc
	cd python/tests && ../.venv/bin/mypy --strict --cache-dir=/dev/null test_typed.py
	cd python/tests && ../.venv/bin/python $(PYTEST) -c ../pyproject.toml \
		--doctest-modules --doctest-glob=python.md --ignore=spark --ignore-glob='../.venv/*/kdisc/spark' \
		--ignore=test_conduct.py . ../../docs/python.md --pyargs kdisc
	cd python/tests && ../.venv/bin/python $(PYTEST) -n 0 -c ../pyproject.toml test_conduct.py

# A real Spark, in an environment of its own: it wants an older pandas than the rest.
spark: wheel
	@tools/setup java
	rm -rf python/.venv-spark
	python3 -m venv python/.venv-spark
	python/.venv-spark/bin/pip install --quiet --disable-pip-version-check \
		target/wheel/kdisc-*.whl -r tools/spark.txt
	cd python/tests/spark && ../../.venv-spark/bin/python $(PYTEST) \
		-c ../../pyproject.toml --doctest-modules --doctest-glob=spark.md \
		. ../../../docs/spark.md --pyargs kdisc.spark

docs:
	@tools/setup compiler
	RUSTDOCFLAGS="-D warnings" cargo doc --lib --no-deps --locked

# The same inputs every time: what a change breaks should not depend on luck.
fuzz-short:
	@$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=$(SHORT_FUZZ_SECONDS) FUZZ_SEED=1

# Inputs have their full length from the start: grown slowly, as is the fuzzer's wont, a short run
# would see a handful of points at most. Two targets run at a time; what one has to say comes when
# it is done. All are run, whatever fails.
fuzz: ## Fuzz each target for FUZZ_SECONDS (600)
	@tools/setup compiler fuzz
	cargo fuzz build -s none
	@cargo fuzz list | xargs -P 2 -I TARGET bash -c ' \
		echo "fuzzing TARGET for $(FUZZ_SECONDS) s"; \
		said=$$(cargo fuzz run -s none TARGET -- \
			-max_total_time=$(FUZZ_SECONDS) -seed=$(FUZZ_SEED) -len_control=0 -max_len=400 \
			-timeout=300 -verbosity=0 -print_final_stats=1 2>&1) && failed=0 || failed=1; \
		echo "$$said"; exit $$failed'

bench: bench-engine bench-files bench-regions bench-density bench-report bench-python bench-spark ## Compare with peers, and print the README's tables

bench-engine: ## Compare the measure with kiddo, the published algorithm and itself
	@tools/setup compiler
	$(BUILD_FOR_BENCH)
	"$$(tools/binary kdisc-bench)" $(BENCH)

bench-files: ## Compare reading and writing files with DuckDB and Polars
	@tools/setup compiler python
	$(BUILD_FOR_BENCH)
	.venv/bin/python crates/kdisc-bench/files.py "$$(tools/binary kdisc)"

bench-regions: ## Compare counting in polygons with GeoPandas' sjoin
	@tools/setup compiler python
	$(BUILD_FOR_BENCH)
	.venv/bin/python crates/kdisc-bench/regions.py "$$(tools/binary kdisc)"

bench-density: ## Compare density maps with NumPy and SciPy
	@tools/setup compiler python
	$(BUILD_FOR_BENCH)
	.venv/bin/python crates/kdisc-bench/density.py \
		"$$(tools/binary kdisc)" "$$(tools/binary kdisc-bench)"

bench-report: ## Compare the report with the commands that it contains
	@tools/setup compiler
	$(BUILD_FOR_BENCH)
	python3 crates/kdisc-bench/report.py "$$(tools/binary kdisc)"

# The package as a release, beside the programs of .venv.
bench-python: ## Compare the Python package with the Rust engine and SciPy
	@tools/setup compiler python
	$(BUILD_FOR_BENCH)
	rm -rf target/bench-python
	.venv/bin/pip install --quiet --disable-pip-version-check --no-deps --target target/bench-python ./python
	PYTHONPATH=target/bench-python .venv/bin/python crates/kdisc-bench/python.py "$$(tools/binary kdisc-bench)"

bench-spark: ## Measure ten million units on Spark, beside the engine on the same machine
	@tools/setup compiler java python
	rm -rf target/bench-spark
	python3 -m venv target/bench-spark
	target/bench-spark/bin/pip install --quiet --disable-pip-version-check ./python -r tools/spark.txt
	target/bench-spark/bin/python crates/kdisc-bench/spark.py

picture: ## Draw the README's picture again
	@tools/setup compiler
	cargo run --release --locked --quiet -p kdisc-cli -- map --delta 0,inf --highlight top:6 -o docs/town.svg
