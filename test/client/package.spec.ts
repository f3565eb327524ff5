import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPage, expectRuns, type PackedClient, packedClient } from './packed-client';

let packed: PackedClient;
beforeAll(async () => void (packed = await packedClient()), 240_000);
afterAll(() => packed.remove());

/** A program that prints how much the memory grows for each failed request, in bytes. */
const failing = `
import { createCharter } from '@charter/client';
const charter = createCharter({ url: 'http://x', key: 'x', fetch: async () => new Response('{}', { status: 500 }) });
const acme = charter.organization('7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90');
async function usedAfter(count) {
  for (let request = 0; request < count; request += 1) await acme.ask('feedback').catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 100));
  gc();
  await new Promise((resolve) => setTimeout(resolve, 100)); // Node now removes the entries of collected objects
  gc();
  return process.memoryUsage().heapUsed;
}
await usedAfter(5_000);
const before = await usedAfter(5_000);
console.log(((await usedAfter(20_000)) - before) / 20_000);
charter.close();
`;

/**
 * A program that uses the client while a module of the package is missing, and again after the module is back. The
 * program prints both results.
 */
const incomplete = `
import { renameSync } from 'node:fs';
import { createCharter } from '@charter/client';
const part = 'node_modules/@charter/client/server-source.js';
const fetch = async () => new Response('', { status: 401 });
const charter = createCharter({ url: 'http://x', key: 'x', fetch });
const asked = () => charter.organization('7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90').ask('feedback').catch(({ name }) => name);
renameSync(part, 'away.js');
const before = await asked();
renameSync('away.js', part);
console.log(before, await asked());
charter.close();
`;

describe('SD8: The package @charter/client', () => {
  it('contains modules, types and texts, and no other file', () => {
    const files = readdirSync(join(packed.folder, 'node_modules/@charter/client'), {
      recursive: true,
      encoding: 'utf8',
    });
    const others = files.filter((file) => !/^[\w-]+\.js$|^types(\/(browser|requests))?(\/[\w-]+\.d\.ts)?$/.test(file));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(files).toEqual(expect.arrayContaining(['index.js', 'react.js', 'openfeature.js', 'types/index.d.ts']));
  });

  it('runs as an ES module and with `require`', () => expectRuns(packed, process.execPath));

  it('SD6: does not need more memory after many failed requests', async () => {
    writeFileSync(join(packed.folder, 'failing.mjs'), failing);
    const { stdout } = await packed.run(process.execPath, '--expose-gc', 'failing.mjs');
    expect(Number(stdout)).toBeLessThan(20);
  });

  it('loads a module again after a failed load', async () => {
    writeFileSync(join(packed.folder, 'incomplete.mjs'), incomplete);
    expect((await packed.run(process.execPath, 'incomplete.mjs')).stdout).toBe('Error UnexpectedAnswer\n');
  });

  it('can be built into a page by Vite, with the code for browser tabs and for API keys in separate files', async () => {
    const page = `import { createCharter } from '@charter/client'; createCharter({ url: '/', ticket: () => fetch('/t') });`;
    await buildPage(packed, page);
    const scripts = readdirSync(join(packed.folder, 'dist/assets'));
    for (const part of ['tab-source-', 'server-source-'])
      expect([part, scripts.filter((name) => name.startsWith(part)).length]).toEqual([part, 1]);
  }, 120_000);
});
