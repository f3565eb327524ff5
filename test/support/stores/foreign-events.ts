import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sealEvents, ZERO_HASH } from '@charter/integrity';
import { operator } from '../../../libs/organization/src/testing/organization.testing';
import { eventsOf, type Served } from '../serving';

/**
 * Appends an event as another writer or a newer release does: with a valid hash, at the end of its stream, with any
 * type and data.
 */
export async function appendForeign(
  served: Served,
  stream: string,
  event: Readonly<{ type: string; data: object }>,
  schema = 1,
): Promise<void> {
  const last = (await eventsOf(served, stream)).at(-1);
  const { at, hash } = (last?.metadata ?? firstOf(served)) as { at: string; hash: string };
  const revision = Number(last?.revision ?? -1);
  const command = randomUUID();
  const by = { actor: operator, at, command, correlation: command, causation: command };
  const sealed = sealEvents([event], stream, { revision, at, hash }, by, { [event.type]: schema });
  await served.charter.log.append(
    stream,
    sealed.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
    { expected: revision < 0 ? 'no_stream' : BigInt(revision) },
  );
}

const firstOf = ({ clock }: Served) => ({ at: new Date(clock.now()).toISOString(), hash: ZERO_HASH });

/**
 * Writes an event with any content into the file of the event log, at the end of a stream, as a faulty tool could do.
 * The service may run at the same time.
 */
export function insertForeign(
  folder: string,
  stream: string,
  { type, data, metadata }: Readonly<{ type: string; data: string; metadata?: string | null }>,
): void {
  const file = new DatabaseSync(join(folder, 'events.db'), { timeout: 2_000 });
  file.exec('BEGIN IMMEDIATE');
  file.prepare('INSERT INTO streams (name, revision) VALUES (?, -1) ON CONFLICT DO NOTHING').run(stream);
  file.prepare('UPDATE streams SET revision = revision + 1 WHERE name = ?').run(stream);
  file
    .prepare(
      `INSERT INTO events (stream, revision, event_id, type, data, metadata, created)
       SELECT id, revision, ?, ?, ?, ?, ? FROM streams WHERE name = ?`,
    )
    .run(randomBytes(16), type, Buffer.from(data), bytesOrNull(metadata), Date.now(), stream);
  file.exec('COMMIT');
  file.close();
}

const bytesOrNull = (text: string | null | undefined) => (typeof text === 'string' ? Buffer.from(text) : null);
