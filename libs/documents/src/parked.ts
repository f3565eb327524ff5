import type { Change, Parked } from '@charter/event-log';
import type { EditionKey } from './edition';
import type { Within } from './schema';

/** Streams that wait from now on, and those that wait no longer. */
export async function writeParked(
  within: Within,
  key: EditionKey,
  { parked, unparked }: Change<unknown>,
): Promise<void> {
  for (const [stream, { revision, error, attempts, since }] of parked ?? []) {
    const wait = { revision, error, attempts, since, released: 0 };
    await within
      .insertInto('parked')
      .values({ ...key, stream, ...wait })
      .onConflict((same) => same.columns(['view', 'edition', 'stream']).doUpdateSet(wait))
      .execute();
  }
  for (const stream of unparked ?? []) {
    const { view, edition } = key;
    await within
      .deleteFrom('parked')
      .where('view', '=', view)
      .where('edition', '=', edition)
      .where('stream', '=', stream)
      .execute();
  }
}

/** A row has more columns than callers are told of. */
export const parkedFrom = ({ revision, error, attempts, since }: Parked): Parked => ({
  revision,
  error,
  attempts,
  since,
});
