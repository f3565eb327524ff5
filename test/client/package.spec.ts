import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectRuns, expectTypes, type PackedClient, packedClient } from './packed-client';

const root = join(__dirname, '../..');
let packed: PackedClient;
beforeAll(async () => void (packed = await packedClient()), 240_000);
afterAll(() => packed.remove());

describe('SD8: The package @charter/client', () => {
  it('contains modules, types and texts, and no other file', () => {
    const files = readdirSync(join(packed.folder, 'node_modules/@charter/client'), {
      recursive: true,
      encoding: 'utf8',
    });
    const others = files.filter((file) => !/^[\w-]+\.js$|^types(\/browser)?(\/[\w-]+\.d\.ts)?$/.test(file));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(files).toEqual(expect.arrayContaining(['index.js', 'react.js', 'openfeature.js', 'types/index.d.ts']));
  });

  it('has types for a strict program, and refuses wrong names', async () => {
    await expectTypes(packed, process.execPath, join(root, 'node_modules/typescript/bin/tsc'));
  }, 240_000);

  it('runs as an ES module and with `require`', () => expectRuns(packed, process.execPath));

  it('can be built into a page by Vite, with the code for browser tabs and for API keys in separate files', async () => {
    const page = `import { createCharter } from '@charter/client'; createCharter({ url: '/', ticket: () => fetch('/t') });`;
    writeFileSync(join(packed.folder, 'page.js'), page);
    writeFileSync(join(packed.folder, 'index.html'), '<script type="module" src="/page.js"></script>');
    await packed.run(process.execPath, join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error');
    const scripts = readdirSync(join(packed.folder, 'dist/assets'));
    for (const part of ['tab-source-', 'server-source-'])
      expect([part, scripts.filter((name) => name.startsWith(part)).length]).toEqual([part, 1]);
  }, 120_000);
});
