import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectRuns, expectTypes, type PackedClient, packedClient } from '../../client/packed-client';

// SD8: the supported versions of Node and TypeScript that the project itself does not use. `npm` installs
// them in a new folder.

/** The oldest versions that the package supports. Node 20 supports `require` of ES modules since 20.19. */
const NODES = ['20.19.0', '22.12.0'];
const TYPESCRIPT = '5.9.2';

const platform = `node-${process.platform}-${process.arch}`;
const folder = mkdtempSync(join(tmpdir(), 'charter-versions-'));
let packed: PackedClient;
let missing: string | undefined;
beforeAll(async () => {
  packed = await packedClient();
  const wanted = [
    ...NODES.map((version) => `node-${version}@npm:${platform}@${version}`),
    `typescript@npm:typescript@${TYPESCRIPT}`,
  ];
  try {
    const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--force'];
    execFileSync('npm', ['install', ...options, '--fetch-retries=1', ...wanted], { stdio: 'pipe', timeout: 240_000 });
  } catch (error) {
    missing = String((error as { stderr?: Buffer }).stderr ?? error);
  }
}, 480_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
  packed.remove();
});

const nodeOf = (version: string) => join(folder, `node_modules/node-${version}/bin/node`);

/** Returns whether npm could install the versions. Prints the reason if it could not. */
function areInstalled(): boolean {
  if (missing !== undefined) process.stdout.write(`SD8 is not checked, because npm could not install:\n${missing}\n`);
  return missing === undefined;
}

it.each(NODES)('SD8: The package runs with Node %s, as an ES module and with `require`', async (version) => {
  if (!areInstalled()) return;
  expect(execFileSync(nodeOf(version), ['--version'], { encoding: 'utf8' })).toBe(`v${version}\n`);
  await expectRuns(packed, nodeOf(version));
});

it(`SD8: The package has types for strict programs with TypeScript ${TYPESCRIPT}`, async () => {
  if (!areInstalled()) return;
  await expectTypes(packed, process.execPath, join(folder, 'node_modules/typescript/bin/tsc'));
});
