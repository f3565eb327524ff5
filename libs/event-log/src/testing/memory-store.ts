import { randomUUID } from 'node:crypto';
import type { SerializedEvent } from '../serialized-event';
import type { StoredEvent } from '../port';

/** What would lie on a disk. Several logs on one store are like several processes on one file. */
export type MemoryStore = Readonly<{
  id: string;
  rows: MemoryRow[];
  streams: Map<string, MemoryRow[]>;
  /** Called after every append. */
  wakers: Set<() => void>;
}>;

/** An event as it lies in memory: its text, so that whoever reads it gets a copy. */
export type MemoryRow = SerializedEvent &
  Readonly<{ stream: string; revision: bigint; position: string; created: Date }>;

export const memoryStore = (): MemoryStore => ({ id: randomUUID(), rows: [], streams: new Map(), wakers: new Set() });

/** A row as readers get it: parsed anew, shared with nobody. */
export const eventFromRow = ({ data, metadata, ...row }: MemoryRow): StoredEvent => ({
  ...row,
  data: JSON.parse(data) as unknown,
  ...(metadata !== null && { metadata: JSON.parse(metadata) as unknown }),
});
