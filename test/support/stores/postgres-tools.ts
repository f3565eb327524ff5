import { spawn, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ended } from '../../cli/command-line';

/** Runs a tool of PostgreSQL, such as pg_dump. @throws with the tool's output, if it fails */
export async function postgresTool(name: string, ...words: readonly string[]): Promise<void> {
  const { code, stderr } = await ended(spawn(join(folder(), name), words, { stdio: ['ignore', 'ignore', 'pipe'] }));
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${stderr}`);
}

/** The folder of the tools. @throws with the way to install them */
function folder(): string {
  const named = spawnSync('sh', ['-c', 'command -v pg_dump'], { encoding: 'utf8' }).stdout.trim();
  const newest = globSync('/usr/lib/postgresql/*/bin/pg_dump').sort().at(-1);
  const path = newest ?? named;
  if (path === '') throw new Error('This spec needs pg_dump and pg_restore: on Debian, apt-get install -y postgresql.');
  return dirname(path);
}
