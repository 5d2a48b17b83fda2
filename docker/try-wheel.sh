#!/bin/sh
# Builds the wheel, installs it into an empty environment and runs the README's ten lines there; then once more what
# needs no Torch, without it. Usage: try-wheel.sh UV
set -eu
uv=$(realpath "$1")
cd "$(dirname "$0")/.."
source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Setuptools puts what it copied in build/lib into the next wheel too, deleted files among it.
rm -rf build/lib build/bdist.*
"$uv" build --quiet --wheel --out-dir "$work/dist" .
rm -rf build/lib build/bdist.*
"$uv" venv --quiet --python "$(dirname "$uv")/python" "$work/venv"
"$uv" pip install --quiet --python "$work/venv/bin/python" --constraint constraints.txt "$work"/dist/*.whl
cp examples/tickets.csv examples/tickets_new.csv examples/topics.txt "$work"

# The lines are read off the README, so that it cannot promise what the wheel does not do.
lines() { sed -n '/^## Ten lines/,/^## /p' "$source/README.md"; }
lines | sed -n 's/^\$ \(hin .*\)/\1/p' > "$work/commands.sh"
lines | sed -n '/^```python/,/^```/p' | grep -v '^```' > "$work/lines.py"
[ -s "$work/commands.sh" ] && [ -s "$work/lines.py" ]
cd "$work"
PATH="$work/venv/bin:$PATH"
export PATH
sh -eu commands.sh
python lines.py

"$uv" pip uninstall --quiet --python "$work/venv/bin/python" torch
hin load tickets.csv --text subject,body --replace --quiet
hin motifs --pattern product-agent --top 3 --quiet
hin classify --categories topics.txt --classifier linear --out linear.csv --quiet
hin predict tickets_new.csv --out new.csv --quiet
hin explain T-0001 --top 3 --quiet
hin query 'MATCH (d:Document)-[:CLASSIFIED_AS]->(c:Category) RETURN c.name, count(d)' --quiet
echo "the wheel works, with Torch and without"
