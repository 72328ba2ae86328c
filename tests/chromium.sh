#!/bin/sh
# The browser tests need a Chromium: where there is none, installs Debian's; says nothing where there is one.
set -eu

for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then
        exit 0
    fi
done

if ! command -v apt-get >/dev/null 2>&1; then
    echo "The browser tests need Chromium: install it (chromium, chromium-browser or google-chrome on the PATH)." >&2
    exit 1
fi

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    as_root="sudo"
fi
echo "Installing the Debian package chromium for the browser tests: ${as_root:+$as_root }apt-get install chromium"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get -qq update >/dev/null
$as_root apt-get -qq install --no-install-recommends --yes chromium >/dev/null
