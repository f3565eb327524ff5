import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventLog } from '@charter/event-log';
import { runningFacade } from '../facade/running';
import { secrets } from '../support/secrets';
import { openedLog } from '../facade/eventstore-target';
import { CommandLine, ended, eventually, found } from './command-line';

const lines: CommandLine[] = [];
function commandLine() {
  const line = new CommandLine();
  lines.push(line);
  return line;
}
afterAll(() => lines.forEach((line) => line.remove()));

describe('charter export and import', () => {
  it('overwrite no file, and refuse to import a damaged file', async () => {
    const [here, there] = [commandLine(), commandLine()];
    await here.found('Acme', 'teams');
    const file = join(here.data, 'out.jsonl');
    await here.json('export', '--all', '--out', file);
    expect(await here.json('export', '--all', '--out', file)).toMatchObject({ code: 1, answer: { status: 409 } });

    writeFileSync(file, readFileSync(file, 'utf8').replace('Acme', 'Evil'));
    const refused = await there.json('import', file);
    expect(refused).toMatchObject({ code: 1, answer: { status: 422, type: '/problems/not-carried' } });
    expect(existsSync(there.documents)).toBe(true); // the first start creates the stores
    expect((await there.inside(async ({ log }) => log.head())).endsWith('000')).toBe(true); // the stores are empty
    expect((await there.json('import', 'nowhere.jsonl')).code).toBe(1);
  }, 60_000);

  it('write one whole file if two exports write the same file at once', async () => {
    const here = commandLine();
    await here.found('Acme', 'teams');
    const file = join(here.data, 'out.jsonl');
    writeFileSync(`${file}.partial`, 'of an earlier release');
    const both = await Promise.all([1, 2].map(() => here.json('export', '--all', '--out', file)));
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(both.find(({ code }) => code === 1)!.answer).toMatchObject({ type: '/problems/file-exists' });
    expect((await here.run(['verify', file])).code).toBe(0);
    expect(
      readdirSync(here.data)
        .filter((name) => name.startsWith('out.jsonl'))
        .sort(),
    ).toEqual(['out.jsonl', 'out.jsonl.partial']);
  });

  it('print the checksum of a whole log under another name than the head of a verification', async () => {
    const [here, there] = [commandLine(), commandLine()];
    const id = await here.found('Acme', 'teams');
    const [log, one] = [join(here.data, 'log.jsonl'), join(here.data, 'one.ndjson')];
    const said = async (line: CommandLine, ...args: string[]) => (await line.run(args)).stdout;
    expect(await said(here, 'export', '--all', '--out', log)).toMatch(/^2 events of 1 stream, checksum [0-9a-f]{64}: /);
    expect(await said(here, 'verify', log)).toMatch(/^Verified: 2 events of 1 stream, checksum [0-9a-f]{64}\./);
    expect(await said(there, 'import', log)).toMatch(/^2 events of 1 stream, checksum [0-9a-f]{64}: /);
    expect(await said(here, 'export', id, '--out', one)).toMatch(/^2 events of 1 stream, head [0-9a-f]{64}: /);
    expect(await said(here, 'verify', one)).toMatch(/^Verified: 2 events of 1 stream, head [0-9a-f]{64}\./);
  });

  it('print no control characters of a file that another program wrote', async () => {
    const here = commandLine();
    await here.found('Acme', 'teams');
    const file = join(here.data, 'out.jsonl');
    await here.json('export', '--all', '--out', file);
    const [head, ...rest] = readFileSync(file, 'utf8').split('\n');
    const [event, ...more] = rest.map((line) =>
      line.replace('"organization-', '"organization-\\u001b[2J\\u009b1m\\n3 events: imported.'),
    );
    writeFileSync(file, [head, event, ...more].join('\n'));
    for (const command of [['verify'], ['import'], ['verify', '--json'], ['import', '--json', '--verbose']]) {
      const { code, stdout, stderr } = await here.run([...command, file]);
      expect(code).toBe(1);
      expect(stdout + stderr).toMatch(command.includes('--json') ? /\\u009b/ : /\ufffd/);
      expect(stdout + stderr).not.toMatch(/^3 events/m);
      // eslint-disable-next-line no-control-regex -- the printed text must not contain these characters
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }
  });

  it('refuse to import into stores with other events, and leave these stores unchanged', async () => {
    const [here, there] = [commandLine(), commandLine()];
    await here.found('Acme', 'teams');
    await there.found('Blue', 'teams');
    const file = join(here.data, 'out.jsonl');
    await here.json('export', '--all', '--out', file);
    const before = await there.verified();
    const refused = await there.json('import', file);
    expect(refused).toMatchObject({ code: 1, answer: { status: 422, type: '/problems/not-carried' } });
    expect(refused.answer.detail).toMatch(/already contains other events/);
    expect(await there.verified()).toEqual(before);
  }, 60_000);

  it('complete an import whose process was killed twice', async () => {
    const [here, there] = [commandLine(), commandLine()];
    await here.inside(async (charter) => {
      for (let index = 0; index < 30; index += 1) await found(charter, `Acme ${index}`, 'teams', 'solo');
    });
    const file = join(here.data, 'out.jsonl');
    const { answer: written } = await here.json('export', '--all', '--out', file);
    const facade = await runningFacade();
    const server = { ...secrets, EVENT_LOG: facade.url };
    const log = await openedLog(facade.url, 'beside');
    await facade.order('order', 'late', { ms: 100, times: 1e9 });

    let before = '';
    for (let time = 0; time < 2; time += 1) {
      const child = there.start(['import', file], server);
      await eventually(async () => (await log.head()) > before && (await countOf(log)) > time * 8 + 4);
      child.kill('SIGKILL');
      await ended(child);
      before = await log.head();
      expect(await countOf(log)).toBeLessThan(written.events as number);
    }
    await facade.order('order', 'late', { times: 0 });
    const rest = await there.run(['import', file], server);
    expect(rest.stdout).toMatch(/90 events of 30 streams.*imported and verified; earlier runs imported \d+ events/);
    const again = await there.run(['import', file, '--json'], server);
    expect(JSON.parse(again.stdout)).toEqual(written);
    await log.close();
    await facade.remove();
  }, 120_000);
});

async function countOf(log: EventLog): Promise<number> {
  let count = 0;
  for await (const { stream } of log.readAll()) if (stream !== 'charter-store') count += 1;
  return count;
}
