#!/bin/sh
# The browser of the tests in tests/web: Debian's own, and its engine alone, which most of them are content with. As root it
# installs what is missing; else the tests do with a browser that is there.
set -eu
whole=''
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null; then whole=$name; fi
done
if [ -n "$whole" ] && command -v chromium-headless-shell >/dev/null; then exit 0; fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    if [ -n "$whole" ]; then exit 0; fi
    echo "tests/web need a Chromium: apt-get install chromium" >&2
    exit 1
fi
apt-get update -qq
install() { DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; }
if [ -z "$whole" ]; then install chromium fonts-dejavu-core; fi
install chromium-headless-shell || echo "tests/web do without it, and take longer" >&2  # older releases have none
