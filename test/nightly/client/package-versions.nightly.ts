import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectRuns, expectTypes, installedClient, type PackedClient } from '../../client/packed-client';

// SD8: `npm` installs the package in an empty folder. In another folder, `npm` installs the supported versions of Node
// and TypeScript that the project does not use. Without a package registry, this spec fails; SPEC_OFFLINE=1 excludes
// it.

/** The oldest versions that the package supports. Node 20 supports `require` of ES modules since 20.19. */
const NODES = ['20.19.0', '22.12.0'];
const TYPESCRIPT = '5.9.2';

const platform = `node-${process.platform}-${process.arch}`;
const folder = mkdtempSync(join(tmpdir(), 'charter-versions-'));
let installed: PackedClient;
beforeAll(async () => {
  installed = await installedClient();
  const wanted = [
    ...NODES.map((version) => `node-${version}@npm:${platform}@${version}`),
    `typescript@npm:typescript@${TYPESCRIPT}`,
  ];
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--force'];
  execFileSync('npm', ['install', ...options, '--fetch-retries=1', ...wanted], { stdio: 'pipe', timeout: 240_000 });
}, 480_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
  installed.remove();
});

const nodeOf = (version: string) => join(folder, `node_modules/node-${version}/bin/node`);

it.each(NODES)('SD8: The installed package runs with Node %s, as an ES module and with `require`', async (version) => {
  expect(execFileSync(nodeOf(version), ['--version'], { encoding: 'utf8' })).toBe(`v${version}\n`);
  await expectRuns(installed, nodeOf(version));
});

it('SD8: The installed package runs with the Node of this project', () => expectRuns(installed, process.execPath));

it(`SD8: With TypeScript ${TYPESCRIPT}, a strict program that uses the installed package compiles, and wrong names are errors`, async () => {
  await expectTypes(installed, process.execPath, join(folder, 'node_modules/typescript/bin/tsc'));
}, 240_000);
