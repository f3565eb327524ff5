#!/usr/bin/env node
// The entry point of the command line, for Node 18 or newer. `./charter` in the root folder is a link to this file;
// `npx charter` and `npm run --silent charter --` run this file, too. If necessary, it first installs the packages and
// builds; otherwise it prints no line of its own. Finally it runs the command line, passes signals to it, and ends with
// its exit code.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { passSignalsTo } from '../scripts/npm.mjs';
import { isNewEnough, nodeOf, readyOrExit } from '../scripts/ready.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const entry = path.join(root, 'dist/apps/api/apps/cli/src/main.js');

await readyOrExit({ root, build: true });
if (isNewEnough(process.version)) runHere();
else runInNewerNode();

function runHere() {
  process.setSourceMapsEnabled(true);
  process.argv[1] = entry;
  createRequire(import.meta.url)(entry);
}

/** Runs the command line with the Node in `node_modules`, because the system's Node is too old. */
function runInNewerNode() {
  const child = spawn(nodeOf(root), ['--enable-source-maps', entry, ...process.argv.slice(2)], { stdio: 'inherit' });
  const stopPassing = passSignalsTo(child);
  child.once('close', (code, signal) => {
    stopPassing();
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}
