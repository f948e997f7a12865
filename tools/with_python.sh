#!/bin/sh
# Runs a Python script of this folder: with_python.sh SCRIPT [ARGUMENT ...]. The Python is PYTHON if that is
# given, else the first of python3, python3.13 to python3.10 that has its headers and venv.
set -eu

tools=$(CDPATH="" cd "$(dirname "$0")" && pwd)
script=$tools/$1
shift
unset PYTHONHOME PYTHONPATH

# Prints "complete", "incomplete" (no headers or no venv) or nothing (not a Python 3.10 to 3.13).
probe() {
  "$1" -I -c '
import sys
if (3, 10) <= sys.version_info[:2] <= (3, 13):
    import importlib.util, os, sysconfig
    complete = os.path.isfile(os.path.join(sysconfig.get_path("include"), "Python.h"))
    complete = complete and importlib.util.find_spec("ensurepip") is not None
    print("complete" if complete else "incomplete")
' 2>/dev/null || true
}

# Sets `python` to the first complete candidate, else the first incomplete one, else nothing.
choose() {
  python=
  for candidate in python3 python3.13 python3.12 python3.11 python3.10; do
    case $(probe "$candidate") in
      complete)
        python=$candidate
        return
        ;;
      incomplete) python=${python:-$candidate} ;;
    esac
  done
}

if [ -n "${PYTHON:-}" ]; then
  python=$PYTHON
  if [ -z "$(probe "$python")" ]; then
    echo "PYTHON is '$python', which is not a Python 3.10 to 3.13 that starts: set it to one." >&2
    exit 1
  fi
else
  choose
  if [ -z "$python" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing python3 with apt-get."
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -q python3 python3-dev python3-venv; } >/dev/null
    choose
  fi
  if [ -z "$python" ]; then
    {
      echo "No Python 3.10 to 3.13 was found. Run:"
      echo "  sudo apt-get update && sudo apt-get install -y python3 python3-dev python3-venv"
      echo "or set PYTHON to one."
    } >&2
    exit 1
  fi
fi
exec "$python" -I "$script" "$@"
