import type { Change, Parked } from '@charter/event-log';
import type { CompiledQuery } from 'kysely';
import type { EditionKey } from './edition';
import type { Tables } from './schema';

/** Streams that wait from now on, and those that wait no longer. */
export const writeParked = (
  tables: Tables,
  key: EditionKey,
  { parked, unparked }: Change<unknown>,
): CompiledQuery[] => [
  ...[...(parked ?? [])].map(([stream, { revision, error, attempts, since }]) => {
    const wait = { revision, error, attempts, since, released: 0 };
    return tables
      .insertInto('parked')
      .values({ ...key, stream, ...wait })
      .onConflict((same) => same.columns(['view', 'edition', 'stream']).doUpdateSet(wait))
      .compile();
  }),
  ...(unparked ?? []).map((stream) =>
    tables
      .deleteFrom('parked')
      .where('view', '=', key.view)
      .where('edition', '=', key.edition)
      .where('stream', '=', stream)
      .compile(),
  ),
];

/** A row has more columns than callers are told of. */
export const parkedFrom = ({ revision, error, attempts, since }: Parked): Parked => ({
  revision,
  error,
  attempts,
  since,
});
