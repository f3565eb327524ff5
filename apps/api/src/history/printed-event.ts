import type { StoredEvent } from '@charter/event-log';
import type { StoredEventAnswer } from './history.answers';

/** An event in lists and feeds. It has all its metadata, so that a reader can compute its hash (`api.md`, Shapes). */
export const printedEvent = ({
  id,
  type,
  stream,
  revision,
  position,
  data,
  metadata,
}: StoredEvent): StoredEventAnswer => ({
  id,
  type,
  stream,
  revision: Number(revision),
  position,
  data: data as StoredEventAnswer['data'], // the append has checked that both have the form that Charter writes
  metadata: metadata as StoredEventAnswer['metadata'],
});
