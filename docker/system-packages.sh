#!/bin/sh
# Gets what tests need beside Python: Java 17 and Maven for a real Neo4j, Chromium for the report. Only on a Debian machine
# where we are root; elsewhere the tests that need them skip and say so.
set -eu
missing=""
command -v java >/dev/null 2>&1 || missing="$missing openjdk-17-jre-headless"
command -v mvn >/dev/null 2>&1 || missing="$missing maven"
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing$missing"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
    echo "not installed:$missing (the tests that need them will be skipped)"
fi
