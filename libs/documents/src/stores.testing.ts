import { type Postgres, postgres } from '../../../test/support/postgres';
import { openDocuments, type OpenOptions } from './open';
import { postgresAddress } from './postgres/address';
import type { Documents } from './stores';
import { folder } from './tally.testing';

/** A place for tables, which several processes may open. */
export type Place = Readonly<{
  open: (options?: { serving?: boolean }) => Promise<Documents>;
  options: OpenOptions;
  remove: () => Promise<void>;
}>;

/** Each kind of database, for `describe.each`: the same specs hold on all of them. */
export const databases = [
  ['SQLite', fileOfItsOwn],
  ['PostgreSQL', schemaOfItsOwn],
] as const satisfies [string, () => Promise<Place>][];

function fileOfItsOwn(): Promise<Place> {
  const { file, remove } = folder();
  return Promise.resolve(placeOf({ file: file() }, () => Promise.resolve(undefined).then(remove)));
}

async function schemaOfItsOwn(): Promise<Place> {
  const server: Postgres = await postgres();
  return placeOf({ server: postgresAddress(await server.fresh()) }, () => server.stop());
}

const placeOf = (options: OpenOptions, remove: () => Promise<void>): Place => ({
  options,
  open: (more = {}) => openDocuments({ ...options, ...more }),
  remove,
});
