#!/bin/sh
# The browser of the tests in tests/web: Debian's own. Does nothing where there is one; as root it installs it.
set -eu
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null; then exit 0; fi
done
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "tests/web need a Chromium: apt-get install chromium" >&2
    exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core
