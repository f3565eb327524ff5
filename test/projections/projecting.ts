import type { ViewStore } from '@charter/database';
import type { EventLog, StoredEvent } from '@charter/event-log';
import { project, rebuild, verifyView } from '@charter/projections';
import type { OrganizationDraft } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { live } from './history';

export type Store = ViewStore<OrganizationDraft>;
/** Starts a projector that keeps the documents of the store up to date until the caller stops it. */
export const start = (log: EventLog, store: Store, batchMax = 1_000) =>
  project(log, store, organizationView, { alarm: () => undefined, pace: 0, batchMax });

/** Runs a projector until it has processed every event in the log, and stops it. */
export async function catchUp(log: EventLog, store: Store, batchMax?: number): Promise<void> {
  const projection = start(log, store, batchMax);
  await projection.whenProcessed(await log.head(), { timeout: 60_000 }).finally(() => projection.stop());
}

/**
 * Keeps a read model of random organizations up to date, then rebuilds it from the log, and checks that both are equal.
 */
export async function expectRebuiltEqual(
  { log, view }: Readonly<{ log: EventLog; view: Store }>,
  commands: number,
  organizations: number,
): Promise<void> {
  const projection = start(log, view);
  await live(log, commands, organizations);
  await projection.whenProcessed(await log.head(), { timeout: 60_000 }).finally(() => projection.stop());

  expect(Number(await log.head())).toBeGreaterThan(commands / 10);
  const liveHash = await hashOf(log, view);
  const { compared, edition } = await rebuild(log, view, organizationView);
  expect(compared).toMatchObject({ differences: 0, moving: 0 });
  expect((await view.live())!.id).toBe(edition);
  expect(await hashOf(log, view)).toBe(liveHash);
}

/** Checks that the documents are complete and equal a replay of all streams. Returns the hash of all documents. */
export async function hashOf(log: EventLog, store: Store): Promise<string> {
  const edition = (await store.live())!;
  const { ok, hash, replayHash, documents } = await verifyView(log, edition, organizationView);
  const streams = new Set((await allOf(log)).map(({ stream }) => stream));
  expect({ ok, hash, documents }).toEqual({ ok: true, hash: replayHash, documents: streams.size });
  expect((await edition.status()).checkpoint?.position).toBe(await log.head());
  return hash;
}

export async function allOf(log: EventLog): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of log.readAll()) events.push(event);
  return events;
}

/**
 * Appends a stored event to another log. The casts are safe, because data and metadata of every stored event are
 * objects.
 */
export async function appendAgain(log: EventLog, event: StoredEvent): Promise<void> {
  const { stream, id, type, data, metadata, revision } = event;
  await log.append(stream, [{ id, type, data: data as object, metadata: metadata as object }], {
    expected: revision === 0n ? 'no_stream' : revision - 1n,
  });
}
