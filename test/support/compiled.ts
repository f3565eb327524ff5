import { resolve } from 'node:path';

/** Settings for child processes: what Node has compiled once is not compiled for each of them. */
export const compiledOnce = { NODE_COMPILE_CACHE: resolve(__dirname, '../../node_modules/.cache/compiled') };
