import { resolve } from 'node:path';

/** Settings for child processes: they share Node's compile cache, so that each of them starts faster. */
export const compiledOnce = { NODE_COMPILE_CACHE: resolve(__dirname, '../../node_modules/.cache/compiled') };
