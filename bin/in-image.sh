#!/bin/sh
# `charter` in the image. The image holds the built files only; `exec` lets signals reach the process.
exec node --enable-source-maps "$CHARTER_HOME/dist/apps/api/apps/cli/src/main.js" "$@"
