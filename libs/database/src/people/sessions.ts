import { momentAt } from '@charter/decider';
import type { SessionStore } from '@charter/identity';
import { lockRows } from '../dialect';
import type { Schema, Tables } from '../schema/schema';
import type { AccountChanges } from './account-changes';
import { accountFromRow, sessionFromRow } from './rows';

/** The store of sessions in a table. */
export function sessionsIn(tables: Tables, { announce, stamp }: AccountChanges): SessionStore {
  const endThose = (account: string, which: { id?: string; except?: string | undefined }) =>
    announce(
      async (within) => {
        let query = within.deleteFrom('sessions').where('account', '=', account);
        if (which.id !== undefined) query = query.where('id', '=', which.id);
        if (which.except !== undefined) query = query.where('id', '!=', which.except);
        return Number((await query.executeTakeFirst()).numDeletedRows);
      },
      (ended) => ended > 0,
    );

  return {
    ...(stamp && { stamp }),
    insert: async (session, version) => {
      const { id, hash, account, method, organization, agent, began, used } = session;
      const owner = tables
        .selectFrom('accounts')
        .select(({ val, ref }) => [
          val(id).as('id'),
          val(hash).as('hash'),
          ref('accounts.id').as('account'),
          val(method).as('method'),
          val(organization).as('organization'),
          val(agent).as('agent'),
          val(began).as('began'),
          val(used).as('used'),
        ])
        .where('accounts.id', '=', account)
        .where('accounts.state', '=', 'active');
      const { numInsertedOrUpdatedRows } = await tables
        .insertInto('sessions')
        .columns(['id', 'hash', 'account', 'method', 'organization', 'agent', 'began', 'used'])
        .expression(lockRows(tables, version === undefined ? owner : owner.where('accounts.version', '=', version)))
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },
    find: async (hash) => {
      const row = await tables
        .selectFrom('sessions as s')
        .innerJoin('accounts as a', 'a.id', 's.account')
        .selectAll('a')
        .select([
          's.id as session',
          's.hash',
          's.account',
          's.method',
          's.organization',
          's.agent',
          's.began',
          's.used',
        ])
        .where('s.hash', '=', hash)
        .where('a.state', '=', 'active')
        .executeTakeFirst();
      return row && both(row);
    },
    touch: async (id, now) => {
      await tables
        .updateTable('sessions')
        .set({ used: momentAt(now) })
        .where('id', '=', id)
        .where('used', '<=', momentAt(now - MINUTE))
        .execute();
    },
    listOf: async (account, usedSince) => {
      const rows = await tables
        .selectFrom('sessions')
        .selectAll()
        .where('account', '=', account)
        .where('used', '>=', usedSince)
        .orderBy('began', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(sessionFromRow);
    },
    end: async (id, account) => (await endThose(account, { id })) > 0,
    endThose: async (ids) =>
      ids.length === 0
        ? 0
        : announce(
            async (within) => {
              const query = within.deleteFrom('sessions').where('id', 'in', ids);
              return Number((await query.executeTakeFirst()).numDeletedRows);
            },
            (ended) => ended > 0,
          ),
    endAll: (account, except) => endThose(account, { except }),
    sweep: async ({ usedBefore, beganBefore }) => {
      const { numDeletedRows } = await tables
        .deleteFrom('sessions')
        .where(({ or, eb }) => or([eb('used', '<=', usedBefore), eb('began', '<=', beganBefore)]))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

type Both = Schema['accounts'] & Omit<Schema['sessions'], 'id'> & { session: string };

const both = (row: Both) => ({ session: sessionFromRow({ ...row, id: row.session }), account: accountFromRow(row) });

const MINUTE = 60_000;
