import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportStream } from '@charter/integrity';
import { organizationStream } from '@charter/organization';
import { signWholeLog } from '@charter/application';
import { times } from '../../nightly/length';
import { CommandLine } from '../../cli/command-line';
import { seed } from '../../projections/seed';
import { brokenIn, chanceFrom, damagedFile, damagedStore, damages, flawIn } from './tampering';

const at = '2026-11-21T12:00:00.000Z';
const TIMES = times(10, 100);

let stores: CommandLine;
let id: string;
let file: string;
beforeAll(async () => {
  stores = new CommandLine();
  await stores.found('Borg', 'teams', 'solo');
  id = await stores.found('Acme', ...Array.from({ length: 20 }, (_, index) => (index % 2 ? 'solo' : 'teams')));
  await stores.found('Last');
  file = join(stores.data, 'acme.ndjson');
  await stores.inside(async (charter) => {
    let text = '';
    for await (const line of exportStream(charter.log, organizationStream(id), charter.signer, at)) text += `${line}\n`;
    writeFileSync(file, text);
    await signWholeLog(charter, { at });
  });
});
afterAll(() => stores.remove());

// acceptance.md I8
describe.each(damages)('Damage: an event that was %s', (damage) => {
  it(`verify finds the damage in the stores, at ${TIMES} random places`, async () => {
    const chance = chanceFrom(seed);
    for (let time = 0; time < TIMES; time += 1) {
      const { at: places, broken } = await damagedStore(stores.data, id, damage, chance);
      expect(broken.map((one) => one.organization ?? id)).toContain(id);
      expect(places).toContain(broken.find((one) => (one.organization ?? id) === id)!.at);
    }
  });

  it(`verify finds the damage in an exported file, at ${TIMES} random places, and names the line`, async () => {
    const chance = chanceFrom(seed + 1);
    for (let time = 0; time < TIMES; time += 1) {
      const { lines, flaw } = await damagedFile(file, damage, chance);
      expect(flaw).toBeDefined();
      if (lines.length > 0) expect(lines).toContain(flaw!.line);
      expect(flaw!.reason).not.toBe('');
    }
  });
});

it('verify accepts stores without damage', async () => {
  expect(await brokenIn(stores.data)).toEqual([]);
});

it('verify accepts an exported file without damage', async () => {
  expect(await flawIn(readFileSync(file))).toBeUndefined();
});
