#!/bin/sh
# Stands in for python3, cargo, rustc, rustup, nice and evcxr_jupyter: a test links it under these names and tells it through
# PYTHON, PIP, SYSROOT, RUSTC, RUSTUP, CARGO_INSTALL, TEMPLATE, KERNEL and SERVER what to answer or do. Calls that change something go to CALLS.
SEEN=$PATH
PATH=/usr/bin:/bin
note() { echo "$1" >> "$CALLS"; }
# The value of the option $1 among the arguments that follow.
option() { name=$1; shift; while [ "$1" != "$name" ]; do shift; done; echo "$2"; }
for last; do :; done

case "$(basename "$0") $*" in
nice*) shift 2; exec "$@" ;;
python*sys.version_info*) echo "${PYTHON:-3.11.2 able}" ;;
python*"-m venv"*) note venv; mkdir -p "$last/bin" && ln -s "$TOOL" "$last/bin/python" ;;
python*"-m ensurepip"*) note ensurepip ;;
python*"-m pip install"*) note pip; eval "$PIP" ;;
python*jupyter_client*)
    note template
    mkdir -p "$EVCXR_TMPDIR/target/incremental" && echo warm > "$EVCXR_TMPDIR/target/libd2l.rlib"
    eval "$TEMPLATE"
    ;;
python*jupyterlab*) note server; eval "$SERVER" ;;
cargo*install*)
    note "cargo $(option --version "$@")"
    eval "$CARGO_INSTALL"
    root=$(option --root "$@")
    mkdir -p "$root/bin" && ln -s "$TOOL" "$root/bin/evcxr_jupyter"
    echo '"evcxr_jupyter 0.22.0 (registry+somewhere)" = ["evcxr_jupyter"]' > "$root/.crates.toml"
    ;;
rustc*"--print sysroot"*) echo "$SYSROOT" ;;
rustc*-vV*) echo "${RUSTC:-rustc 1.95.0}" ;;
evcxr_jupyter*--control_file*) eval "$KERNEL" ;;
rustup*"component add rust-src"*) note rustup; eval "$RUSTUP"; mkdir -p "$SYSROOT/lib/rustlib/src/rust/library" ;;
evcxr_jupyter*--install*) note register; mkdir -p "$JUPYTER_PATH/kernels/rust" && touch "$JUPYTER_PATH/kernels/rust/logo.png" ;;
*) echo "no answer to: $0 $*" >&2; exit 99 ;;
esac
