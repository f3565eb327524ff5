import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { ZERO_HASH, sealEvents } from '@charter/integrity';
import { tamper } from '../../support/stores/tampering';

const at = '2026-11-21T12:00:00.000Z';

/**
 * Replaces the events of a stream by other events with a valid hash chain. An attacker who can write to the database
 * file and knows the code of Charter can do this.
 */
export function rewritten(file: string, stream: string, length: number): void {
  const end = { revision: -1, hash: ZERO_HASH, at };
  const decided = Array.from({ length }, (_, index) => ({
    type: 'OrganizationRenamed',
    data: { name: `Evil ${index}` },
  }));
  const by = {
    actor: { kind: 'system', id: 'spec', powers: ['operator'] } as const,
    at: new Date().toISOString(),
    ...{ command: randomUUID(), correlation: randomUUID(), causation: randomUUID() },
  };
  const sealed = sealEvents(decided, stream, end, by);
  tamper(file, (database: DatabaseSync) => {
    const { id: number } = database.prepare('SELECT id FROM streams WHERE name = ?').get(stream) as { id: number };
    for (const { revision, id: event, type, data, metadata } of sealed) {
      const values = [
        Buffer.from(event.replaceAll('-', ''), 'hex'),
        type,
        JSON.stringify(data),
        JSON.stringify(metadata),
      ];
      const columns = 'event_id = ?, type = ?, data = CAST(? AS BLOB), metadata = CAST(? AS BLOB)';
      const sql = `UPDATE events SET ${columns} WHERE stream = ? AND revision = ?`;
      if (database.prepare(sql).run(...values, number, revision).changes > 0) continue;
      const insert = `INSERT INTO events (event_id, type, data, metadata, stream, revision, created)
        VALUES (?, ?, CAST(? AS BLOB), CAST(? AS BLOB), ?, ?, 0)`;
      database.prepare(insert).run(...values, number, revision);
    }
    database.prepare('UPDATE streams SET revision = max(revision, ?) WHERE id = ?').run(length - 1, number);
  });
}
