import type { StoredEvent } from '@charter/event-log';

/** An event as lists and streams show it, its metadata whole, so that anyone can compute its hash (`api.md`, Shapes). */
export const printedEvent = ({ id, type, stream, revision, position, data, metadata }: StoredEvent) => ({
  id,
  type,
  stream,
  revision: Number(revision),
  position,
  data,
  metadata,
});
