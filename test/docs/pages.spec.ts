import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseSettings } from '@charter/settings';
import { killedAfterSpecs } from '../support/children';
import { compiledOnce } from '../support/compiled';
import { isNight } from '../support/at-night';
import { commandsIn } from './commands';

const root = resolve(__dirname, '../..');
const run = promisify(execFile);
const pages = globSync('docs/**/*.md', { cwd: root }).sort();
/**
 * The pages with the most `charter` commands; each command starts a process. In `npm test`, specs in `test/cli` and
 * `test/history` run most of these commands.
 */
const NIGHTLY_PAGES = [
  'docs/how-to/audit-an-organization.md',
  'docs/how-to/operate-projections.md',
  'docs/reference/command-line.md',
];
const withCommands = pages.filter(
  (page) => commandsIn(join(root, page)).length > 0 && (isNight || !NIGHTLY_PAGES.includes(page)),
);

describe('The documentation', () => {
  it.each(withCommands)(
    '%s shows commands that work, beginning with an empty store',
    async (page) => {
      const folder = mkdtempSync(join(tmpdir(), 'charter-docs-'));
      const data = join(folder, 'data');
      mkdirSync(data);
      const script = commandsIn(join(root, page))
        .map(({ commands }) => commands)
        .join('\n');
      // TMPDIR: the spec also removes the temporary folders of the commands
      const env = { ...process.env, ...compiledOnce, CHARTER_DATA: data, TMPDIR: folder };
      const served = script.includes(ADDRESS) ? await serve(env) : undefined;
      const there = { ...env, ...(served && { PORT: served.port }) };
      await run('bash', ['-euo', 'pipefail', '-c', `${curl}\n${script}`], { cwd: root, env: there }).finally(
        served?.stop,
      );
      rmSync(folder, { recursive: true });
    },
    240_000,
  );

  it.each(['README.md', ...pages])('%s contains no command with a fixed port of Charter', (page) => {
    const blocks = [...read(page).matchAll(/^ *```(?:sh|bash)\n([\s\S]*?)^ *```$/gm)].map(([, text]) => text!);
    expect(blocks.filter((text) => text.includes('localhost:3000'))).toEqual([]);
  });

  it('creates no account twice except the first one, so that a reader can follow all pages in one store', () => {
    const created = ['README.md', ...pages].flatMap((page) =>
      [...read(page).matchAll(/accounts create --email (?!you@)(\S+@example\.com)/g)].map(([, email]) => email),
    );
    expect(created).toEqual([...new Set(created)]);
    expect(created.length).toBeGreaterThan(3);
  });

  it('names in settings.md every setting, and no other', () => {
    const named = [...read('docs/reference/settings.md').matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name!);
    const known = read('libs/settings/src/environment.ts').split('const Environment = ')[1]!;
    expect(named).toEqual([...new Set(named)]);
    expect([...named].sort()).toEqual([...known.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name).sort());
    expect(parseSettings({}).port).toBe(3000);
  });

  it.each(['README.md', 'CONTRIBUTING.md', ...pages])('%s links only to files that exist', (page) => {
    const folder = join(root, page, '..');
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link!);
    for (const link of links) expect(() => readFileSync(join(folder, link))).not.toThrow();
  });
});

/** Makes curl fail when a request is refused, so that the test of the page fails. */
const curl = `curl() { command curl --fail-with-body "$@"; }`;

/** The address of Charter in the commands of the pages. The test sets `PORT` to the port of its own server. */
const ADDRESS = 'http://localhost:${PORT:-3000}';

/** Runs a service on a free port until the returned `stop` is called. */
async function serve(env: NodeJS.ProcessEnv) {
  const server = killedAfterSpecs(
    spawn(process.execPath, ['bin/charter.mjs', 'serve'], {
      ...{ cwd: root, env: { ...env, PORT: '0', CHARTER_DEMO: 'off' }, stdio: ['ignore', 'pipe', 'inherit'] },
    }),
  );
  const stop = async () => {
    server.kill('SIGTERM');
    await once(server, 'exit');
  };
  let printed = '';
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    const [, url] = /"url":"([^"]+)"/.exec(printed) ?? [];
    if (url !== undefined) {
      server.stdout.resume();
      return { port: new URL(url).port, stop };
    }
  }
  throw new Error(`It did not serve: ${printed}`);
}

const read = (page: string) => readFileSync(join(root, page), 'utf8');
