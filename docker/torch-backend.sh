#!/bin/sh
# Prints the option with which `uv pip install` takes the build of Torch that this machine can use: the one for the
# processor, or where there is a graphics card the one for its driver. Where Torch's own index does not answer within
# seconds it prints nothing, and says so: then the registry's build is installed.
#   uv pip install $(sh docker/torch-backend.sh uv) hin-toolkit
set -eu
uv=$1
[ -z "${UV_TORCH_BACKEND:-}" ] || exit 0 # uv reads it by itself
backend=cpu
if nvidia-smi >/dev/null 2>&1; then backend=auto; fi
export UV_HTTP_TIMEOUT=5 UV_HTTP_CONNECT_TIMEOUT=5 UV_HTTP_RETRIES=0
if echo torch | "$uv" pip compile --quiet --no-deps --torch-backend "$backend" \
    --constraint "$(dirname "$0")/../constraints.txt" - >/dev/null 2>&1; then
    echo "--torch-backend $backend"
else
    echo "no answer from Torch's index: taking the registry's build (on Linux with CUDA, 4 GB more)" >&2
fi
