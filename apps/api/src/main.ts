import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// V8 allocates objects that survive its first collections directly in its old generation. The events of a long history
// survive only the first collections, while the young generation is small. Afterwards V8 would fill the old generation
// with short-lived events, and reading a history would take up to twice as long (docs/reference/performance.md).
setFlagsFromString('--no-allocation-site-pretenuring');
// The option --enable-source-maps would cost a fifth of a second: with this option, pino reads the whole source map.
process.setSourceMapsEnabled(true);
// Each build makes a new `dist`, and therefore a new cache. Without the right to write there, Node compiles anew.
enableCompileCache(join(__dirname, '../../../../../.compiled'));
void import('./process/start.js').then(({ start }) => start());
