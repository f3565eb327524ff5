import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// If objects from one place in the code survive collections, V8 allocates later objects from that place in its old
// generation. The events of a long history survive while the young generation is small. Without this flag, V8 fills the
// old generation with short-lived events. Reading a history then takes up to twice as long
// (docs/reference/performance.md).
setFlagsFromString('--no-allocation-site-pretenuring');
// The option --enable-source-maps would cost a fifth of a second: with this option, pino reads the whole source map.
process.setSourceMapsEnabled(true);
// Each build makes a new `dist`, and therefore a new cache. Without the right to write there, Node compiles anew.
enableCompileCache(join(__dirname, '../../../../../.compiled'));
void import('./process/start.js').then(({ start }) => start());
