import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Delivery, EventLog, StoredEvent } from '@charter/event-log';
import { verifyChain } from '@charter/integrity';
import { verifyView } from '@charter/projections';
import { organizationStream } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { founded, path } from '../support/requests/organizations';
import { appendForeign } from '../support/stores/foreign-events';
import { eventsOf, newFolder, type Served, serving, settled, until } from '../support/serving';

/**
 * Events of a newer release: a type that this release does not have, and a new shape of a type that this release has.
 */
const newerEvents = [
  ['an event type that this release does not have', { type: 'OrganizationRetitled', data: { title: 'Later' } }, 1],
  [
    'a newer shape of an event type that this release has',
    { type: 'OrganizationRenamed', data: { name: { en: 'Later' } } },
    2,
  ],
] as const;

describe('P6: Rollback of a newer release', () => {
  let folder: string;
  beforeEach(() => (folder = newFolder()));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each(newerEvents)(
    'refuses to change an organization with %s; when the newer release runs again, no event is lost',
    async (...about) => {
      const [, event, schema] = about;
      const newer = await serving({ folder, between: (stores) => ({ ...stores, log: upcasting(stores.log) }) });
      const key = await newer.key();
      const [touched, well] = [await founded(newer, { by: key }), await founded(newer, { by: key })];
      await appendForeign(newer, organizationStream(touched), event, schema);
      await settled(newer);
      expect(await ask(newer, key, touched)).toMatchObject({ status: 200, body: { name: 'Later' } });
      await newer.stop();
      const written = (served: Served) => eventsOf(served, organizationStream(touched));

      const older = await serving({ folder });
      const before = await written(older);
      // the read model still has the document that the newer release stored
      expect(await ask(older, key, touched)).toMatchObject({ status: 200, body: { name: 'Later' } });
      expect(await rename(older, key, touched)).toMatchObject(unreadable);
      expect(await written(older)).toEqual(before);
      expect((await rename(older, key, well)).status).toBe(200);
      // appends an event as a newer release that still runs would append it
      await appendForeign(older, organizationStream(touched), event, schema);
      await until(async () => Number((await older.ask('GET', '/health/ready')).body.checks.projection.parked) === 1);
      expect(await ask(older, key, touched)).toMatchObject(unreadable);
      expect((await rename(older, key, well)).status).toBe(200); // the older release can change other organizations
      await older.stop();

      const again = await serving({ folder, between: (stores) => ({ ...stores, log: upcasting(stores.log) }) });
      expect(await ask(again, key, touched)).toMatchObject({ status: 200, body: { name: 'Later' } });
      expect((await rename(again, key, touched)).status).toBe(200);
      await until(async () => Number((await again.ask('GET', '/health/ready')).body.checks.projection.parked) === 0);
      await settled(again);
      expect((await written(again)).slice(0, before.length)).toEqual(before.map(upcast));
      expect(await verifyView(again.charter.log, (await again.charter.view.live())!, organizationView)).toMatchObject({
        ok: true,
        different: 0,
      });
      await again.stop();

      const stored = await serving({ folder });
      expect(await verifyChain(await written(stored))).toMatchObject({ ok: true, events: before.length + 2 });
      await stored.stop();
    },
  );
});

const unreadable = { status: 500, body: { type: '/problems/unreadable-history', revision: 1 } };

const ask = (served: Served, key: string, id: string) => served.ask('GET', path(id), { key });
const rename = (served: Served, key: string, id: string) =>
  served.ask('PATCH', path(id), { key, body: { name: `Named ${randomUUID()}` } });

/**
 * Converts an event of the newer release to the shape of this release. The tests simulate the newer release by adding
 * this upcast to the current release.
 */
function upcast(event: StoredEvent): StoredEvent {
  const { type, data, metadata } = event as StoredEvent & { data: { name: { en: string }; title: string } };
  const known = { ...event, type: 'OrganizationRenamed', metadata: { ...(metadata as object), schema: 1 } };
  if (type === 'OrganizationRetitled') return { ...known, data: { name: data.title } };
  return (metadata as { schema: number }).schema === 2 ? { ...known, data: { name: data.name.en } } : event;
}

function upcasting(log: EventLog): EventLog {
  const events = async function* (from: AsyncIterable<StoredEvent>) {
    for await (const event of from) yield upcast(event);
  };
  const deliveries = async function* (from: AsyncIterable<Delivery>): AsyncIterable<Delivery> {
    for await (const each of from) yield each.kind === 'event' ? { ...each, event: upcast(each.event) } : each;
  };
  const reading: Partial<EventLog> = {
    readStream: (...given) => events(log.readStream(...given)),
    readAll: (...given) => events(log.readAll(...given)),
    subscribe: (...given) => deliveries(log.subscribe(...given)),
  };
  return new Proxy(log, {
    get: (target, name) => {
      const own = reading[name as keyof EventLog] ?? (Reflect.get(target, name, target) as unknown);
      return typeof own === 'function' ? (own as (...given: unknown[]) => unknown).bind(target) : own;
    },
  });
}
