import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runningFacade } from '../facade/running';
import { secrets } from '../support/secrets';
import { CommandLine } from './command-line';

const lines: CommandLine[] = [];
function commandLine() {
  const line = new CommandLine();
  lines.push(line);
  return line;
}
afterAll(() => lines.forEach((line) => line.remove()));

const headOf = async (charter: CommandLine, settings = {}) =>
  JSON.parse((await charter.run(['verify', '--all', '--json'], settings)).stdout) as { head: string; events: number };

describe('charter export and import', () => {
  it('move a whole log into EventStoreDB and back, with the same heads', async () => {
    const [here, there, back] = [commandLine(), commandLine(), commandLine()];
    for (const name of ['Acme', 'Blue', 'Core']) await here.found(name, 'teams', 'solo', 'enterprise');
    const before = await headOf(here);
    expect(before.events).toBe(12);
    const first = join(here.data, 'first.jsonl');
    const written = await here.json('export', '--all', '--out', first);
    expect(written).toMatchObject({ code: 0, answer: { ok: true, events: 12, streams: 3 } });
    expect(statSync(first).mode & 0o777).toBe(0o600);

    const facade = await runningFacade();
    const server = { ...secrets, EVENT_LOG: facade.url };
    const moved = await there.run(['import', first, '--json'], server);
    expect(JSON.parse(moved.stdout)).toEqual(written.answer);
    const rebuilt = await there.run(['projections', 'rebuild', '--json'], server);
    expect(rebuilt.code).toBe(0);
    expect(await headOf(there, server)).toMatchObject({ ok: true, ...before });

    const second = join(here.data, 'second.jsonl');
    await there.run(['export', '--all', '--out', second], server);
    expect((await back.json('import', second)).answer).toEqual(written.answer);
    expect((await back.json('import', second)).answer).toEqual(written.answer); // again changes nothing
    await back.run(['projections', 'rebuild']);
    expect(await headOf(back)).toMatchObject({ ok: true, ...before });
    const eventsIn = (file: string) => readFileSync(file, 'utf8').split('\n').slice(1);
    expect(eventsIn(second)).toEqual(eventsIn(first));
    await facade.remove();
  }, 120_000);

  it('write over no file, and take none that is not whole', async () => {
    const [here, there] = [commandLine(), commandLine()];
    await here.found('Acme', 'teams');
    const file = join(here.data, 'out.jsonl');
    await here.json('export', '--all', '--out', file);
    expect(await here.json('export', '--all', '--out', file)).toMatchObject({ code: 1, answer: { status: 409 } });

    writeFileSync(file, readFileSync(file, 'utf8').replace('Acme', 'Evil'));
    const refused = await there.json('import', file);
    expect(refused).toMatchObject({ code: 1, answer: { status: 422, type: '/problems/not-carried' } });
    expect(existsSync(there.documents)).toBe(true); // the stores are there,
    expect((await there.inside(async ({ log }) => log.head())).endsWith('000')).toBe(true); // and nothing is in them
    expect((await there.json('import', 'nowhere.jsonl')).code).toBe(1);
  }, 60_000);

  it('say when the log holds more than the file', async () => {
    const [here, there] = [commandLine(), commandLine()];
    await here.found('Acme', 'teams');
    await there.found('Blue', 'teams');
    const file = join(here.data, 'out.jsonl');
    await here.json('export', '--all', '--out', file);
    expect(await there.json('import', file)).toMatchObject({ code: 1, answer: { ok: false, events: 4 } });
  }, 60_000);
});
