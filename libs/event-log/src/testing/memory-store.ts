import { randomUUID } from 'node:crypto';
import type { SerializedEvent } from '../serialized-event';
import type { StoredEvent } from '../port';

/** The shared data, in place of a file. Several logs on one store behave like several processes on one file. */
export type MemoryStore = Readonly<{
  id: string;
  rows: MemoryRow[];
  streams: Map<string, MemoryRow[]>;
  /** Called after every append. */
  wakers: Set<() => void>;
}>;

/** An event in memory. Data and metadata are text, so that each reader gets its own copy. */
export type MemoryRow = SerializedEvent &
  Readonly<{ stream: string; revision: bigint; position: string; created: Date }>;

export const memoryStore = (): MemoryStore => ({ id: randomUUID(), rows: [], streams: new Map(), wakers: new Set() });

/** A row as readers get it: parsed again each time, so that no two readers share an object. */
export const eventFromRow = ({ data, metadata, ...row }: MemoryRow): StoredEvent => ({
  ...row,
  data: JSON.parse(data) as unknown,
  ...(metadata !== null && { metadata: JSON.parse(metadata) as unknown }),
});
