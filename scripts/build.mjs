// The whole build: the server by Nest and the pages by Vite, side by side. What is given goes on to `nest build`.
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

const codes = await Promise.all([
  run(bin('nest'), 'build', 'api', ...given),
  run(process.execPath, 'web/build.mjs', path.join(root, into, 'web')),
]);
process.exitCode = Math.max(...codes);
