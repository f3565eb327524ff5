import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runningFacade } from '../facade/running';
import { secrets } from '../support/secrets';
import { CommandLine, ended, eventually } from './command-line';

const [here, there, back] = [new CommandLine(), new CommandLine(), new CommandLine()];
afterAll(() => [here, there, back].forEach((charter) => charter.remove()));

describe('charter export and import', () => {
  it('move the events of the demo to EventStoreDB and back without a change of an event or of the `head` that `verify` prints', async () => {
    const demo = here.start(['serve'], { PORT: '0', CHARTER_DEMO: 'on' });
    let output = '';
    for (const stream of [demo.stdout, demo.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    await eventually(() => /Charter answers at http/.test(output));
    demo.kill('SIGTERM');
    await ended(demo);
    const before = await here.verified();
    expect(before.events).toBeGreaterThan(20);
    const file = join(here.data, 'demo.jsonl');
    const { answer: written } = await here.json('export', '--all', '--out', file);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const facade = await runningFacade();
    const server = { ...secrets, EVENT_LOG: facade.url };
    const moved = await there.run(['import', file, '--json'], server);
    expect(JSON.parse(moved.stdout)).toEqual(written);
    expect((await there.run(['projections', 'rebuild'], server)).code).toBe(0);
    expect(await there.verified(server)).toMatchObject({ ...before });
    const second = join(here.data, 'back.jsonl');
    await there.run(['export', '--all', '--out', second], server);
    expect((await back.json('import', second)).answer).toEqual(written);
    await back.run(['projections', 'rebuild']);
    expect(await back.verified()).toMatchObject({ ...before });
    // The first and the last line of an export contain no event.
    const eventsIn = (name: string) => readFileSync(name, 'utf8').split('\n').slice(1, -2);
    expect(eventsIn(second)).toEqual(eventsIn(file));
    await facade.remove();
  }, 120_000);
});
