// node test/history/add-golden.mjs NAME < events.jsonl: keeps these events for ever, and what they are folded to today.
// Lines as `charter history ID --json` prints them, or as EventLog stores them; needs a build (npm run build). Never changes
// a file that is there.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import typescript from 'typescript';

registerHooks({
  resolve: (name, context, next) => {
    const lib = /^@charter\/([a-z-]+)$/.exec(name)?.[1];
    return next(lib ? resolve(`dist/apps/api/libs/${lib}/src/index.js`) : name, context);
  },
  load: (url, context, next) => {
    if (!url.endsWith('.ts')) return next(url, context);
    const compilerOptions = { module: typescript.ModuleKind.CommonJS, esModuleInterop: true };
    const { outputText } = typescript.transpileModule(readFileSync(fileURLToPath(url), 'utf8'), { compilerOptions });
    return { format: 'commonjs', source: outputText, shortCircuit: true };
  },
});
const { folder, folded, entitled } = createRequire(import.meta.url)('./golden.ts');

const [name] = process.argv.slice(2);
if (!/^[a-z0-9-]+$/.test(name ?? '')) throw new Error('Name it, such as schema-2.');
const file = (kind) => join(folder, `${name}.${kind}`);
if (existsSync(file('jsonl'))) throw new Error(`${file('jsonl')} is there already: what was released is final.`);

const lines = readFileSync(0, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const kept = lines.map(({ stream, revision, id, type, data, metadata }) =>
  JSON.stringify({ stream, revision, id, type, data, metadata }),
);
writeFileSync(file('jsonl'), `${kept.join('\n')}\n`, { flag: 'wx' });
const options = { ...(await resolveConfig(file('folded.json'))), parser: 'json' };
const write = async (kind, value) =>
  writeFileSync(file(kind), await format(JSON.stringify(value, null, 2), options), { flag: 'wx' });
await write('folded.json', folded(name));
await write('entitled.json', entitled(name));

const seal = join(folder, 'golden.sha256');
const sums = readdirSync(folder)
  .filter((each) => each.startsWith(`${name}.`))
  .map(
    (each) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, each)))
        .digest('hex')}  ${each}\n`,
  );
writeFileSync(seal, [existsSync(seal) ? readFileSync(seal, 'utf8') : '', ...sums].join(''));
const line = `'${name}': '${createHash('sha256').update(sums.toSorted().join('')).digest('hex')}',`;
console.log(`Add to \`released\` in test/history/golden.spec.ts, and change none there:\n  ${line}`);
