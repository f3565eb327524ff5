import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const settingsIn = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, unknown>;

describe('The build', () => {
  // Without `.swcrc`, Nest compiles for ES2021. ES2021 has no private fields, so SWC replaces each private field
  // by a WeakMap.
  it('has the same target in `.swcrc` as in `tsconfig.json`', () => {
    const { target } = settingsIn('tsconfig.json')['compilerOptions'] as { target: string };
    expect(settingsIn('.swcrc')).toMatchObject({ jsc: { target: target.toLowerCase() } });
  });

  it('keeps private fields', () => {
    const server = readFileSync(join(root, 'dist/apps/api/libs/event-log/src/sqlite/sqlite-log.js'), 'utf8');
    expect(server).toMatch(/#reader;/);
  });
});
