import type { Delivery, EventLog } from '@charter/event-log';
import { type Facade, runningFacade } from '../facade/running';
import { openedLog } from '../facade/eventstore-target';
import { several } from '../support/network/processes';
import { retried, subscribedTo } from './event-log/over-facade';
import { family, noted } from './event-log/under-test';

/** While a filter has matched nothing, this release reports the position -1 as an unsigned number. */
const release = '24.2.0';

describe('A subscription whose filter has matched no event yet', () => {
  let facade: Facade;
  let log: EventLog;
  beforeAll(async () => {
    facade = await runningFacade({ release });
    log = await openedLog(facade.url);
  }, 60_000);
  afterAll(() => log.close());

  it.each([
    ['with the position -1 as an unsigned number', '24.2.0', 0],
    ['with a position beyond the end of the log', '23.10.8', 1],
  ])('delivers no checkpoint %s', async (_, version, times) => {
    await facade.order('set', { version });
    if (times > 0) await facade.order('order', 'beyond', { times });
    const subscription = subscribedTo(log, { after: 'start', streamPrefixes: [family()] });
    const received: Delivery[] = [];
    while (received.at(-1)?.kind !== 'caught-up') received.push(await subscription.next());
    const { position } = await log.append(family(), [noted('another stream')], { expected: 'no_stream' });
    const reached = () => received.flatMap((one) => (one.kind === 'checkpoint' ? [one.position] : []));
    while (!reached().some((one) => one >= position)) received.push(await subscription.next());
    expect(reached().filter((one) => one > position)).toEqual([]);
    await subscription.end();
  });
});

describe('An empty store on a server that reports the position -1', () => {
  it('serves a process that starts after another process, and two processes that start at the same time', async () => {
    const all = await several({}, { release });
    for (let start = 0; start < 2; start += 1) {
      const first = await all.start();
      await retried(async () => expect((await first.health()).status).toBe(200));
      await first.stop();
    }
    const both = await Promise.all([all.start(), all.start()]);
    for (const { health } of both) expect((await health()).status).toBe(200);
    await all.end();
  }, 120_000);
});
