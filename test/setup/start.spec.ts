import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { openCharter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { CommandLine, eventually } from '../cli/command-line';
import { printedBy, stopped } from '../journeys/built-service';

let charter: CommandLine;
let taken: Server;
let port: string;
beforeAll(async () => {
  charter = new CommandLine();
  taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  port = String((taken.address() as AddressInfo).port);
});
afterAll(() => {
  taken.close();
  charter.remove();
});

/** The settings for the data folder of a stopped server. `happened` changes the folder after the stop. */
async function leftBehind(happened: (folder: string) => void): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(charter.data, 'store-'));
  await (await openCharter(parseSettings({ CHARTER_DATA: folder }), 'server')).close();
  happened(folder);
  return { CHARTER_DATA: folder };
}
const changed = (name: string, sql: string) =>
  leftBehind((folder) => {
    const database = new DatabaseSync(join(folder, name));
    database.exec(sql);
    database.close();
  });
const overwritten = (name: string) =>
  leftBehind((folder) => {
    for (const trace of ['-wal', '-shm']) rmSync(join(folder, `${name}${trace}`), { force: true });
    writeFileSync(join(folder, name), Buffer.alloc(9_000, 'x'));
    chmodSync(join(folder, name), 0o600);
  });

describe('A server that cannot start', () => {
  it.each([
    ['a damaged event log', () => overwritten('events.db'), 'events.db is damaged'],
    ['damaged tables', () => overwritten('documents.db'), 'documents.db is damaged'],
    ['an event log of a newer version', () => changed('events.db', 'PRAGMA user_version = 2'), 'newer than layout 1'],
    [
      'tables of a newer version',
      () => changed('documents.db', `INSERT INTO kysely_migration VALUES ('999-more', '2027')`),
      'from a newer version',
    ],
    ['a data folder inside a device', () => ({ CHARTER_DATA: '/dev/null/x' }), 'cannot be written'],
    ['a port that is taken', () => ({ PORT: port }), 'is in use by another program'],
    ['a port for metrics that is taken', () => ({ METRICS_PORT: port }), 'is in use by another program'],
    ['an address of another machine', () => ({ HOST: '192.0.2.1' }), 'is not an address of this machine'],
    ['a wrong setting', () => ({ TRUST_PROXY: 'everyone' }), 'TRUST_PROXY: must be IP addresses'],
    ['a catalogue that is not JSON', () => ({ CATALOGUE_FILE: __filename }), 'line 1: is not JSON'],
  ])('names %s in one sentence', async (_, made, sentence) => {
    const settings = { PORT: '0', CHARTER_DEMO: 'off', LOG_LEVEL: 'silent', ...(await made()) };
    const { code, stderr } = await charter.run(['serve'], settings);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^[^\n]+\.\n$/) });
    expect(stderr).toContain(sentence);
  });

  it('names the stores that another server uses, in one sentence', async () => {
    const settings = await leftBehind(() => undefined);
    const other = await openCharter(parseSettings(settings), 'server');
    const { code, stderr } = await charter.run(['serve'], { PORT: '0', ...settings });
    await other.close();
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^[^\n]+another server[^\n]+\.\n$/) });
  });
});

describe('A server without accounts', () => {
  it('logs a command that creates the first operator in the stores of this server', async () => {
    const folder = join(charter.data, "a folder's data");
    const script = `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/apps/api/apps/cli/src/main.js')}" "$@"\n`;
    writeFileSync(join(charter.data, 'charter'), script, { mode: 0o755 });
    const server = charter.start(['serve'], { PORT: '0', CHARTER_DEMO: 'off', CHARTER_DATA: folder });
    const printed = printedBy(server);
    await eventually(() => /There are no accounts yet.*\n/.test(printed()));
    const { msg } = JSON.parse(/^.*There are no accounts yet.*$/m.exec(printed())![0]) as { msg: string };
    const command = /: ((?:CHARTER_DATA=.*)?\.\/charter .*)$/.exec(msg)![1]!;
    await promisify(execFile)('sh', ['-c', command], { cwd: charter.data, env: { PATH: process.env['PATH'] } });
    const listed = await charter.run(['accounts', 'list'], { CHARTER_DATA: folder });
    await stopped(server);
    expect(listed.stdout).toContain('you@example.com');
  });
});
