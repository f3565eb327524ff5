import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { printedBy, ready } from '../journeys/built-service';
import { freePort } from '../support/network/free-port.mjs';
import { killedAfterSpecs } from '../support/children';
import { compiledOnce } from '../support/compiled';
import { newFolder } from '../support/serving';

const main = resolve(__dirname, '../../dist/apps/api/apps/api/src/main.js');
const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('Q8: A stop during the welcome of the demo', () => {
  it('ends the process in order, and prints neither the welcome nor an error', async () => {
    const port = await freePort();
    const env = { PATH: process.env['PATH'], ...compiledOnce, CHARTER_DATA: folder, PORT: String(port) };
    const server = killedAfterSpecs(spawn(process.execPath, [main], { cwd: folder, env }));
    const printed = printedBy(server);
    await ready(server, port, printed);
    expect(printed()).not.toContain('Charter answers at'); // the welcome still derives the passwords of the demo
    const closed = once(server, 'close');
    server.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
    expect(printed()).not.toMatch(/Charter answers at|destroyed| {4}at |"level":[56]0/);
  }, 60_000);
});
