#!/bin/sh
# Prints the path of a Python of one version: the one on the PATH or from uv, else pyenv's. Usage: find-python.sh UV 3.12
set -eu
"$1" python find --no-python-downloads "$2" 2>/dev/null && exit
pyenv prefix "$2" 2>/dev/null | sed 's|$|/bin/python|' | grep . && exit
echo "no Python $2 here: install it, for example with \`uv python install $2\`" >&2
exit 1
