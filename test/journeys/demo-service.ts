import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../support/network/free-port.mjs';
import { printedBy, ready, stopped } from './built-service';

const main = resolve(__dirname, '../../dist/apps/api/apps/api/src/main.js');

/** Starts the service in an empty folder, as `npm start` does. The port is the only setting. */
export async function startDemo() {
  const folder = mkdtempSync(join(tmpdir(), 'charter-demo-'));
  const port = await freePort();
  const service = spawn(process.execPath, [main], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: String(port) },
  });
  const printed = printedBy(service);
  await ready(service, port, printed);
  return {
    url: `http://localhost:${port}`,
    printed,
    close: async () => {
      await stopped(service);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The people that `npm start` printed. Each printed line contains a role, an e-mail address and a password. */
export const printedPeople = (printed: string) =>
  printed.split('\n').flatMap((line) => {
    const [, email, password] = /([\w.+-]+@[\w.-]+\.example)\s+(\S+)/.exec(line) ?? [];
    return email && password ? [{ line, email, password }] : [];
  });

export function printedPerson(printed: string, what: RegExp) {
  const found = printedPeople(printed).find(({ line }) => what.test(line));
  if (!found) throw new Error(`No person was printed for ${String(what)}: ${printed}`);
  return found;
}
