import { randomUUID } from 'node:crypto';
import type { SerializedEvent } from '../serialized-event';
import type { StoredEvent } from '../port';

/** The data of a log in memory. Several logs over one `MemoryStore` behave like several processes on one file. */
export type MemoryStore = Readonly<{
  id: string;
  rows: MemoryRow[];
  streams: Map<string, MemoryRow[]>;
  /** The store calls these functions after every append. */
  wakers: Set<() => void>;
}>;

/** An event in memory. Data and metadata are JSON text, so that each reader gets its own copy. */
export type MemoryRow = SerializedEvent &
  Readonly<{ stream: string; revision: bigint; position: string; created: Date }>;

export const memoryStore = (): MemoryStore => ({ id: randomUUID(), rows: [], streams: new Map(), wakers: new Set() });

/**
 * Converts a row to the event that a reader gets. Parses the JSON text anew each time, so that no two readers share an
 * object.
 */
export const eventFromRow = ({ data, metadata, ...row }: MemoryRow): StoredEvent => ({
  ...row,
  data: JSON.parse(data) as unknown,
  ...(metadata !== null && { metadata: JSON.parse(metadata) as unknown }),
});
