#!/usr/bin/env node
// The command line's door: `npx charter …`, `npm run --silent charter -- …`, or this file itself, under any Node from 18
// on. Makes the repository ready first (which says something only if there is something to do), then becomes the command
// line; exit codes and signals are those of the command line.
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

/** The system's Node is too old, the one that came with the packages is not. */
function runInNewerNode() {
  const child = spawn(nodeOf(root), ['--enable-source-maps', entry, ...process.argv.slice(2)], { stdio: 'inherit' });
  const stopPassing = passSignalsTo(child);
  child.once('close', (code, signal) => {
    stopPassing();
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}
