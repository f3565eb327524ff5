// node test/history/check-golden.mjs: compares the answers that today's code gives for the golden histories with the
// sealed answers. Prints the sealed values that changed, and the corrections that are not needed. The script runs the
// sources, so it needs no build.
import '../support/from-source.mjs';
import { createRequire } from 'node:module';

const { contradictions } = createRequire(import.meta.url)('./golden.ts');
const found = contradictions();
console.log(JSON.stringify(found, null, 2));
process.exitCode = found.changed.length + found.needless.length > 0 ? 1 : 0;
