import { sql } from 'kysely';
import { Kysely } from 'kysely';
import { connectedTo, postgresTestDatabase } from '../database.testing';
import type { Schema } from '../schema/schema';
import { postgresDialect } from './dialect';
import { poolOf } from './pool';

/** The settings of the connections for projections; times in milliseconds. */
const settings = { max: 1, statement: 30_000, acquire: 5_000, synchronousCommit: 'on' };

it('a transaction of a frozen process releases its locks within nine seconds', async () => {
  const place = await postgresTestDatabase();
  await (await place.open()).close();
  const { server } = place.options as Extract<typeof place.options, { server: unknown }>;
  const tables = new Kysely<Schema>({ dialect: postgresDialect(poolOf(server, settings)) });
  const neighbour = await connectedTo(server);
  const thawed = Promise.withResolvers<undefined>();
  const held = Promise.withResolvers<undefined>();
  const write = `insert into marks (name, value) values ('row', 'mine') on conflict (name) do update set value = 'mine'`;
  const frozen = tables.transaction().execute(async (within) => {
    await sql.raw(write).execute(within);
    held.resolve(undefined);
    await thawed.promise;
    await sql.raw(write).execute(within);
  });
  frozen.catch(() => undefined);
  await held.promise;
  // The limit is less than ten seconds, because another process has to take over within ten seconds.
  await neighbour.query(`set statement_timeout = '9s'`);
  await neighbour.query(write);
  thawed.resolve(undefined);
  await expect(frozen).rejects.toThrow();
  await neighbour.end();
  await tables.destroy();
  await place.remove();
}, 40_000);
