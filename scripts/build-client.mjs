// Builds the package `@charter/client` into the given folder: ES modules, their types, and the package's own
// package.json. `npm pack` in this folder makes the archive that a program installs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const from = path.join(root, 'libs/client');
const into = path.resolve(process.argv[2]);

mkdirSync(into, { recursive: true });
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
const types = spawn(process.execPath, [tsc, '-p', from, '--outDir', path.join(into, 'types')], { stdio: 'inherit' });
const checked = once(types, 'close');

await build({
  configFile: false,
  logLevel: 'warn',
  root: from,
  build: {
    outDir: into,
    emptyOutDir: false,
    target: 'es2022', // Node 20
    minify: 'oxc',
    lib: {
      entry: ['index', 'react', 'openfeature'].map((name) => path.join(from, 'src', `${name}.ts`)),
      formats: ['es'],
    },
    rolldownOptions: {
      external: [/^eventsource-parser$/, /^react$/, /^@openfeature[/]/],
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        minify: true,
        comments: false,
        // the core loads both modules, and one file is smaller than two
        codeSplitting: { groups: [{ name: 'shared', test: /[/](errors|pause)[.]ts$/ }] },
      },
    },
  },
});
copyFileSync(path.join(from, 'package.json'), path.join(into, 'package.json'));
// the build of the Docker image, which does not publish the package, has no texts
for (const text of [path.join(from, 'README.md'), path.join(root, 'LICENSE')].filter(existsSync))
  copyFileSync(text, path.join(into, path.basename(text)));
process.exitCode = (await checked)[0] ?? 1;
