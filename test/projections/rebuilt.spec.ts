import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectRebuiltEqual } from './projecting';

const folder = mkdtempSync(join(tmpdir(), 'charter-rebuilt-'));
afterAll(() => rmSync(folder, { recursive: true }));

it(
  'O1: After 200,000 random commands to 1,000 organizations, the live documents equal a rebuild from the log',
  () => expectRebuiltEqual(folder, 200_000, 1_000),
  180_000,
);
