import type { EditionChange, ParkedStream } from '@charter/projections';
import { type CompiledQuery, sql } from 'kysely';
import type { Tables } from '../schema/schema';
import type { EditionKey } from './edition-key';

/** The queries that store newly parked streams and delete the rows of unparked streams. */
export const writeParked = (
  tables: Tables,
  key: EditionKey,
  { parked, unparked, answered }: EditionChange<unknown>,
): CompiledQuery[] => [
  ...[...(parked ?? [])].map(([stream, { revision, type, position, error, attempts, since }]) => {
    const wait = { revision, type, position, error, attempts, since };
    // Subtracts the releases that the projector had read before it retried the stream. A release during the retry thus
    // leads to another retry.
    const released = sql<number>`parked.released - ${answered?.get(stream) ?? 0}`;
    return tables
      .insertInto('parked')
      .values({ ...key, stream, ...wait, released: 0 })
      .onConflict((same) => same.columns(['view', 'edition', 'stream']).doUpdateSet({ ...wait, released }))
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

/** Copies the columns of a parked stream, except `view`, `edition`, `stream` and `released`. */
export const parkedFrom = ({ revision, type, position, error, attempts, since }: ParkedStream): ParkedStream => ({
  revision,
  type,
  position,
  error,
  attempts,
  since,
});
