import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// The option --enable-source-maps would cost a fifth of a second: with this option, pino reads the whole source map.
process.setSourceMapsEnabled(true);
// Each build makes a new `dist`, and therefore a new cache. Without the right to write there, Node compiles anew.
enableCompileCache(join(__dirname, '../../../../../.compiled'));
void import('./process/start.js').then(({ start }) => start());
