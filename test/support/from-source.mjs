// Lets a Node process load the repository's TypeScript sources without a build. Import this file first, and then load a
// source with `createRequire(import.meta.url)('./x.ts')`.
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const root = join(import.meta.dirname, '..', '..');
const swc = {
  swcrc: false,
  jsc: { target: 'es2023', parser: { syntax: 'typescript', decorators: true } },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

registerHooks({
  resolve: (name, context, next) => {
    const lib = /^@charter\/([a-z-]+)$/.exec(name)?.[1];
    if (lib) return next(join(root, 'libs', lib, 'src', 'index.ts'), context);
    if (name.startsWith('.') && (context.parentURL ?? '').endsWith('.ts')) {
      const path = join(dirname(fileURLToPath(context.parentURL)), name);
      const file = [`${path}.ts`, join(path, 'index.ts')].find(existsSync);
      if (file) return next(file, context);
    }
    return next(name, context);
  },
  load: (url, context, next) => {
    if (!url.endsWith('.ts')) return next(url, context);
    const file = fileURLToPath(url);
    const { code } = transformSync(readFileSync(file, 'utf8'), { ...swc, filename: file });
    return { format: 'commonjs', source: code, shortCircuit: true };
  },
});
