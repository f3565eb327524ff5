// node test/history/add-golden.mjs NAME < events.jsonl: stores these events together with the answers that today's code
// gives, and seals both. `golden-commands.mjs` and `charter history ID --json` print lines of this format. The script
// runs the sources, so it needs no build, and cannot seal the answers of an old build. The script never changes an
// existing file.
import '../support/from-source.mjs';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

const { folder, valuesOf } = createRequire(import.meta.url)('./golden.ts');

const [name] = process.argv.slice(2);
if (!/^[a-z0-9-]+$/.test(name ?? ''))
  throw new Error('Name the history after its newest schema and its subject, such as schema-1-country.');
const files = Object.fromEntries(['jsonl', 'values.json', 'sha256'].map((kind) => [kind, `${name}.${kind}`]));
const there = Object.values(files).find((file) => existsSync(join(folder, file)));
if (there) throw new Error(`${there} is there already, and a sealed history is final. Choose another name.`);

const lines = readFileSync(0, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
  .map(({ stream, revision, id, type, data, metadata }) =>
    JSON.stringify({ stream, revision, id, type, data, metadata }),
  );
const write = (file, text) => writeFileSync(join(folder, file), text, { flag: 'wx' });
const sumOf = (file) =>
  createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');

try {
  write(files.jsonl, `${lines.join('\n')}\n`);
  const options = { ...(await resolveConfig(join(folder, files['values.json']))), parser: 'json' };
  write(files['values.json'], await format(JSON.stringify(valuesOf(name), null, 2), options));
  const sealed = [files.jsonl, files['values.json']];
  write(files.sha256, sealed.map((file) => `${sumOf(file)}  ${file}\n`).join(''));
} catch (error) {
  // all of these files are from this run, so the script may remove them
  for (const file of Object.values(files)) rmSync(join(folder, file), { force: true });
  throw error;
}
console.log(`Commit ${Object.values(files).join(', ')} in ${folder}. After the commit, never change them.`);
