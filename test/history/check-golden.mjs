// node test/history/check-golden.mjs: compares today's answers for the golden histories with their releases'
// answers. Prints the sealed values that changed, and the corrections that cover no change.
// Reads the sources; needs no build.
import '../support/from-source.mjs';
import { createRequire } from 'node:module';

const { contradictions } = createRequire(import.meta.url)('./golden.ts');
const found = contradictions();
console.log(JSON.stringify(found, null, 2));
process.exitCode = found.changed.length + found.needless.length > 0 ? 1 : 0;
