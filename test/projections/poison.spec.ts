import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@charter/database';
import { MemoryLog } from '@charter/event-log';
import { expectOneParked, poisons } from './poison';

const folder = mkdtempSync(join(tmpdir(), 'charter-poison-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each(poisons)('P1, P2, P4, P7, P8: an event with %s parks only its own organization', async (name, bad) => {
  const database = await openDatabase({ file: join(folder, `${name}.db`) });
  const log = new MemoryLog();
  await expectOneParked(log, database, bad);
  await database.close();
  await log.close();
});
