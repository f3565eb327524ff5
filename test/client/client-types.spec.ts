import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serving } from '../support/serving';

const root = join(__dirname, '../..');
const file = join(root, 'libs/client/src/types.ts');

it("The client's types equal the OpenAPI document; if not, run `npm run client:types`", async () => {
  const served = await serving();
  const { text } = await served.ask('GET', '/api/openapi.json');
  await served.close();
  const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/client-types.mjs'], {
    ...{ cwd: root, input: text, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  });
  if (status !== 0) throw new Error(stderr);
  if (process.env['CLIENT_TYPES'] === 'write') writeFileSync(file, stdout);
  expect(readFileSync(file, 'utf8')).toBe(stdout);
});
