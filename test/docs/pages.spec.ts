import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { settingsFrom } from '@charter/wiring';
import { compiledOnce } from '../support/compiled';
import { commandsIn } from './commands';

const root = resolve(__dirname, '../..');
const run = promisify(execFile);
const pages = globSync('docs/**/*.md', { cwd: root }).sort();
const withCommands = pages.filter((page) => commandsIn(join(root, page)).length > 0);

describe('the documentation', () => {
  it.each(withCommands)(
    '%s shows commands that work, from an empty store on',
    async (page) => {
      const data = mkdtempSync(join(tmpdir(), 'charter-docs-'));
      const script = commandsIn(join(root, page))
        .map(({ commands }) => commands)
        .join('\n');
      const env = { ...process.env, ...compiledOnce, CHARTER_DATA: data };
      await run('bash', ['-euo', 'pipefail', '-c', `${npx}\n${script}`], { cwd: root, env });
      rmSync(data, { recursive: true });
    },
    240_000,
  );

  it('names every setting, and no other', () => {
    const named = [...read('docs/reference/settings.md').matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name!);
    const known = read('libs/wiring/src/environment.ts').split('const Environment = ')[1]!;
    expect(named).toEqual([...new Set(named)]);
    expect([...named].sort()).toEqual([...known.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name).sort());
    expect(settingsFrom({}).port).toBe(3000);
  });

  it.each(['README.md', 'CONTRIBUTING.md', ...pages])('%s links only to what is there', (page) => {
    const folder = join(root, page, '..');
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link!);
    for (const link of links) expect(() => readFileSync(join(folder, link))).not.toThrow();
  });
});

/** What npx finds here, without npx, which takes longer than all that it runs; `charter.spec.ts` and `readme.spec.ts` have it as it is. */
const npx = `npx() { local command=$1; shift; node_modules/.bin/"$command" "$@"; }`;

const read = (page: string) => readFileSync(join(root, page), 'utf8');
