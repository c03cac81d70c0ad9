# A thin layer over CMake (see CMakePresets.json) for the commands of the README.
#
#   make              the release in build/, the program at build/assay
#   make demo         sets the machine up, builds, lifts the examples
#   make check        sets the machine up and runs every test; the last line counts them
#   make quick        the C tests of the release build: under a minute
#   make check-full   what takes longer than make check may
#   make bench        speed and memory, as tables
#   make wheel        the Python package as a wheel in build/dist
#   make install      PREFIX=/usr/local, DESTDIR=

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: build demo check quick check-full bench wheel install clean

build:
	@tools/setup.sh build
	@mkdir -p build
	@cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	@cmake --build build -j $(JOBS) -- --no-print-directory

demo: build
	@tools/demo.sh

check:
	@tools/check.sh

check-full:
	@tools/check.sh full

quick: build
	@cd build && ctest -j $(JOBS) -LE slow --output-on-failure

bench: build
	@tools/bench.sh

wheel: build
	@tools/venv.sh
	@build/venv/bin/python -m pip wheel --quiet --no-deps --wheel-dir build/dist .
	@ls build/dist/*.whl

install: build
	@cmake --install build --prefix $(PREFIX)

clean:
	@rm -rf build/CMakeFiles build/CMakeCache.txt build/sanitize build/fuzz build/debug
