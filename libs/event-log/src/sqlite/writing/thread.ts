import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Starts a file of this folder as a thread. In specs, Node loads the TypeScript file itself, without a compiler. */
export function thread(name: 'writer' | 'checkpointer', workerData: { file: string }): Worker {
  const ending = extname(__filename);
  return new Worker(join(__dirname, name + ending), {
    workerData,
    ...(ending === '.ts' && { execArgv: asTypeScript }),
  });
}

/**
 * Node removes the types by itself, but cannot resolve an import without a file extension. The hook adds the extension
 * to imports.
 */
const asTypeScript = [
  '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
  '--import',
  `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module';
    registerHooks({ resolve: (path, context, next) => next(path.startsWith('.') ? path + '.ts' : path, context) });
  `)}`,
];
