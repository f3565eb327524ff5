import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { printedBy, ready } from '../../journeys/built-service';
import { freePort } from '../../support/network/free-port.mjs';

let folder: string;
let npm: ChildProcess | undefined;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'charter-ctrl-c-'))));
afterEach(() => {
  if (npm?.exitCode === null && npm.signalCode === null) process.kill(-npm.pid!, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Runs `npm start` as a process group of its own, as a shell in a terminal does. Resolves when the server is ready. */
async function started() {
  const port = await freePort();
  npm = spawn('npm', ['start'], {
    cwd: resolve(__dirname, '../../..'),
    env: { PATH: process.env['PATH'], HOME: folder, CHARTER_DATA: folder, CHARTER_DEMO: 'off', PORT: String(port) },
    detached: true,
  });
  const printed = printedBy(npm);
  await ready(npm, port, printed);
  return { group: npm, printed };
}

/** The names of the leases in the store, which a running server holds or an ended server has not released. */
function leases(): readonly string[] {
  const tables = new DatabaseSync(join(folder, 'documents.db'), { readOnly: true });
  const rows = tables.prepare('SELECT name FROM leases').all() as unknown as { name: string }[];
  tables.close();
  return rows.map(({ name }) => name);
}

describe('Q8: Ctrl+C in the terminal of `npm start`', () => {
  it.each([1, 2, 3])(
    'makes the server complete all steps of its stop, although npm forwards a second signal (attempt %d)',
    async () => {
      const { group, printed } = await started();
      const exit = once(group, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
      const held = leases();
      const begun = performance.now();
      process.kill(-group.pid!, 'SIGINT');
      expect([await exit, leases()]).toEqual([[0, null], []]);
      expect(held).toContain('projections');
      expect(performance.now() - begun).toBeLessThan(15_000);
      expect(printed()).toContain(`"msg":"Charter answers at `);
      expect(printed()).not.toContain('a step of the shutdown failed');
    },
  );
});
