import { sql } from 'kysely';
import { Kysely } from 'kysely';
import { connectedTo, postgresTestDatabase } from '../database.testing';
import type { Schema } from '../schema/schema';
import { postgresDialect } from './dialect';
import { poolOf } from './pool';

/** Milliseconds, as for projections. */
const patience = { max: 1, statement: 30_000, acquire: 5_000, synchronousCommit: 'on' };

it('lets other processes go on soon when a process freezes within a transaction', async () => {
  const place = await postgresTestDatabase();
  await (await place.open()).close();
  const { server } = place.options as Extract<typeof place.options, { server: unknown }>;
  const tables = new Kysely<Schema>({ dialect: postgresDialect(poolOf(server, patience)) });
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
  // Well within the time in which another one has to have taken over.
  await neighbour.query(`set statement_timeout = '9s'`);
  await neighbour.query(write);
  thawed.resolve(undefined);
  await expect(frozen).rejects.toThrow();
  await neighbour.end();
  await tables.destroy();
  await place.remove();
}, 40_000);
