#!/bin/sh
# Builds the image from this checkout, without a hub or a daemon, and runs it once under runc (as root):
#   sh deploy/image.sh --out DIR [--no-run]
# Needs Debian's binutils, umoci and runc. The same commit gives the same digest.
set -eu
root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd -P)
node "$root/scripts/ensure-dependencies.mjs" --dev
exec "$root/node_modules/.bin/node" --disable-warning=ExperimentalWarning "$root/scripts/image.ts" "$@"
