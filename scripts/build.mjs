// The whole build: Nest builds the server and the command line while Vite builds the pages and the client. After Nest,
// `bundle.mjs` bundles the server into one file and the command line into another.
// The script passes its arguments to `nest build`.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
const into = given.some((argument) => argument.endsWith('tsconfig.next.json')) ? 'dist.next' : 'dist';

const bin = (name) => path.join(root, 'node_modules', '.bin', name);
const run = (command, ...args) =>
  new Promise((resolve) => {
    spawn(command, args, { cwd: root, stdio: 'inherit' }).on('close', (code) => resolve(code ?? 1));
  });

const programs = async () =>
  (await run(bin('nest'), 'build', 'api', ...given)) ||
  run(process.execPath, 'scripts/bundle.mjs', path.join(root, into, 'apps/api'));

const codes = await Promise.all([
  programs(),
  run(process.execPath, 'web/build.mjs', path.join(root, into, 'web')),
  run(process.execPath, 'scripts/build-client.mjs', path.join(root, into, 'client')),
]);
process.exitCode = Math.max(...codes);
