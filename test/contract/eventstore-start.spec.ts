import { EventStoreDBClient } from '@eventstore/db-client';
import { type EventLog, EventStoreLog, eventStoreAddress, StoreRefused } from '@charter/event-log';
import { type Facade, runningFacade } from '../facade/running';
import { freePort } from '../support/network/free-port.mjs';
import { failureOf, noted } from './event-log/under-test';

let facade: Facade;
beforeAll(async () => void (facade = await runningFacade()), 60_000);

const opened = (url = facade.url, warn: (sentence: string) => void = () => undefined): Promise<EventLog> =>
  EventStoreLog.open({ address: eventStoreAddress(url), warn, startWithin: 500 });

/** The sentence with which a start is refused. */
async function refusal(url?: string): Promise<string> {
  const error = await failureOf(opened(url));
  if (!(error instanceof StoreRefused)) throw error;
  return error.message;
}

describe('An event store is refused at the start', () => {
  it('when its release is too old to report that a subscription has caught up', async () => {
    await facade.order('set', { version: '22.10.4' });
    expect(await refusal()).toMatch(/22\.10\.4.*23\.10/);
    await facade.order('set', { version: '24.10.0.1234' });
    await (await opened()).close();
    await facade.order('set', { version: '23.10.8' });
  });

  it.each([
    ['MemDb', /memory/],
    ['UnsafeDisableFlushToDisk', /flush/],
  ])('when its options say %s', async (name, why) => {
    await facade.order('set', { options: [{ name, value: 'True' }] });
    expect(await refusal()).toMatch(why);
    await facade.order('set', { options: [{ name, value: 'False' }] });
    await (await opened()).close();
  });

  it('when it does not let this user read all events', async () => {
    await facade.order('deny', true);
    expect(await refusal()).toMatch(/right to read \$all/);
    await facade.order('deny', false);
  });

  it('when the metadata of a stream of Charter limits the number of its events', async () => {
    const log = await opened();
    const stream = 'organization-77777777-7777-4777-8777-777777777777';
    await log.append(stream, [noted(0)], { expected: 'no_stream' });
    const outside = EventStoreDBClient.connectionString(facade.url);
    await outside.setStreamMetadata(stream, { maxCount: 5 });
    expect(await refusal()).toMatch(/organization-7.*\$maxCount/);
    await outside.setStreamMetadata(stream, {});
    await (await opened()).close();
    await outside.dispose();
    await log.close();
  });

  it('when the client cannot reach it within the time limit for the start', async () => {
    const port = await freePort();
    const begun = performance.now();
    expect(await refusal(`esdb://127.0.0.1:${port}?tls=false`)).toMatch(
      new RegExp(`127.0.0.1:${port}.*cannot be reached`),
    );
    expect(performance.now() - begun).toBeGreaterThan(450);
  });

  it('when the name of its host has no address', async () => {
    expect(await refusal('esdb://ada:secret@events.invalid:2113')).toMatch(
      /events\.invalid:2113 cannot be reached \(Name resolution failed\): check host/,
    );
  });

  it('at once when it does not speak TLS', async () => {
    const url = facade.url.replace('esdb://127.0.0.1', 'esdb://ada:secret@localhost').replace('tls=false', 'tls=true');
    const begun = performance.now();
    const why = await refusal(url);
    expect(why).toMatch(/TLS/);
    expect(why).not.toMatch(/secret/);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it('when the file of the certificate cannot be read', async () => {
    const url = 'esdb://ada:secret@localhost?tlsCAFile=%2Fnowhere%2Fca.pem';
    expect(await refusal(url)).toMatch(/tlsCAFile.*\/nowhere\/ca\.pem/);
  });
});

describe('An event store whose options Charter cannot read', () => {
  it('is accepted with a warning', async () => {
    await facade.order('set', { options: 'an unknown format' });
    const warnings: string[] = [];
    await (await opened(facade.url, (sentence) => warnings.push(sentence))).close();
    expect(warnings).toEqual([expect.stringMatching(/cannot check whether/)]);
    await facade.order('set', { options: [] });
  });
});

describe('The identity of a store', () => {
  it('is the same for three clients that open a new store at the same time, and after a restart', async () => {
    await facade.exchange();
    const logs = await Promise.all([opened(), opened(), opened()]);
    const ids = await Promise.all(logs.map((log) => log.identity()));
    expect(new Set(ids).size).toBe(1);
    await facade.restart();
    const again = await opened();
    expect(await again.identity()).toBe(ids[0]);
    await Promise.all([...logs, again].map((log) => log.close()));
  });
});
