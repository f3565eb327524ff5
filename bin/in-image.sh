#!/bin/sh
# `charter` in the image: what was built is all there is, and signals reach it.
exec node --enable-source-maps "$CHARTER_HOME/dist/apps/api/apps/cli/src/main.js" "$@"
