#!/usr/bin/env node
// The entry point of the command line, for Node 18 or newer. `./charter` in the root folder is a link to this file;
// `npx charter` and `npm run --silent charter --` run this file, too. If necessary, it first installs the packages and
// builds; otherwise it prints no line of its own. Finally it runs the command line, passes signals to it, and ends with
// its exit code.
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { passSignalsTo } from '../scripts/npm.mjs';
import { isNewEnough, nodeOf, readyOrExit } from '../scripts/ready.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const entry = path.join(root, 'dist/apps/api/apps/cli/src/main.js');

/** Each build makes a new `dist`, and therefore a new cache. */
const compiled = path.join(root, 'dist', '.compiled');
/** Only --verbose prints the stack of an error of a command. Otherwise Node would read the source map in vain. */
const isVerbose = process.argv.includes('--verbose');

await readyOrExit({ root, build: true });
if (isNewEnough(process.version)) runHere();
else runInNewerNode();

function runHere() {
  if (isVerbose) process.setSourceMapsEnabled(true);
  module.enableCompileCache?.(compiled);
  process.argv[1] = entry;
  createRequire(import.meta.url)(entry);
}

/** Runs the command line with the Node in `node_modules`, because the system's Node is too old. */
function runInNewerNode() {
  const args = [...(isVerbose ? ['--enable-source-maps'] : []), entry, ...process.argv.slice(2)];
  const env = { NODE_COMPILE_CACHE: compiled, ...process.env };
  const child = spawn(nodeOf(root), args, { stdio: 'inherit', env });
  const stopPassing = passSignalsTo(child);
  child.once('close', (code, signal) => {
    stopPassing();
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}
