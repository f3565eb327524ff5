import type { NotedChange } from '../stamps/note-change';
import { type PolledStamps, polledStamps } from '../stamps/polled-stamps';
import type { PostgresAddress } from './address';
import { type PoolOptions, preparedStatement } from './pool';

const noted = ['keys', 'people', 'introductions'] as const satisfies readonly NotedChange[];

/**
 * One row for each noted change, and one row for each view. Each commit of the projector to a view changes
 * `commits`, and an activation changes `live`.
 */
const text = `select name, value from marks where name in (${noted.map((name) => `'${name}'`).join(', ')})
union all select 'view ' || v.name, v.live || '.' || e.commits
from views v join editions e on e.view = v.name and e.edition = v.live`;

/**
 * Reads the stamps of a PostgreSQL server on a separate connection, so that the query never waits for other
 * requests.
 */
export function serverStamps(
  address: PostgresAddress,
  options: Omit<PoolOptions, 'max'>,
): PolledStamps & Readonly<{ end: () => Promise<void> }> {
  const statement = preparedStatement(address, options, { name: 'charter-stamps', text });
  const stamps = polledStamps(async () => {
    const read = new Map((await statement.run()) as readonly (readonly [string, string])[]);
    // A change of an account can revoke the account's keys, and is noted only as a change of people.
    return new Map([...read, ['keys', `${read.get('keys')} ${read.get('people')}`]]);
  });
  return { ...stamps, end: statement.end };
}
