import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@charter/database';
import { MemoryLog } from '@charter/event-log';
import { organizationView } from '@charter/organization-view';
import { expectRebuiltEqual } from './projecting';

const folder = mkdtempSync(join(tmpdir(), 'charter-rebuilt-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('O1: After 200,000 commands to 1,000 organizations, the live documents equal a rebuild from the log', async () => {
  // The log is in memory, to use less of the processor. The nightly spec uses the embedded log.
  const log = new MemoryLog();
  const database = await openDatabase({ file: join(folder, 'documents.db') });
  await expectRebuiltEqual({ log, view: database.view(organizationView) }, 200_000, 1_000);
  await database.close();
  await log.close();
}, 180_000);
