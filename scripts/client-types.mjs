// Reads an OpenAPI document from the standard input, and prints its TypeScript types. `npm run client:types` stores the
// output.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createClient } from '@hey-api/openapi-ts';
import { format, resolveConfig } from 'prettier';

const folder = await mkdtemp(path.join(tmpdir(), 'client-types-'));
await createClient({
  input: JSON.parse(await text(process.stdin)),
  output: folder,
  plugins: ['@hey-api/typescript'],
  logs: { level: 'silent' },
});
const types = await readFile(path.join(folder, 'types.gen.ts'), 'utf8');
await rm(folder, { recursive: true });
const options = await resolveConfig(path.join(import.meta.dirname, 'client-types.ts'));
process.stdout.write(await format(types, { ...options, parser: 'typescript' }));
