import { momentAt } from '@charter/decider';
import type { Account, AccountStore, IdentifierConflict } from '@charter/identity';
import { sql } from 'kysely';
import { type ChangeCounter, revokeKeysOf } from '../api-keys/api-keys';
import type { Tables, DatabaseTransaction } from '../schema/schema';
import { DatabaseUnavailable } from '../unavailable';
import { unlessErased } from './unless-erased';
import { eraseAccountIn, forgetMentions } from './erasure';
import type { AnnounceChange } from './account-changes';
import {
  accountFromRow,
  accountColumns,
  accountRow,
  preferenceColumnsOf,
  searchTextOf,
  normalizeSearchText,
} from './rows';

/**
 * The store of accounts in a table. Unique indexes prevent two accounts with the same identifier, even if two processes
 * write at the same time.
 */
export function accountsIn(
  tables: Tables,
  announce: AnnounceChange,
  keyChanges: ChangeCounter,
  background: Tables,
): AccountStore {
  const found = async (column: 'id' | 'email' | 'username', value: string) => {
    const row = await tables.selectFrom('accounts').selectAll().where(column, '=', value).executeTakeFirst();
    return row && accountFromRow(row);
  };

  return {
    insert: async (account) => {
      // The insert fails if another account has the same email address, username or id.
      const { id, email, username } = account;
      let isUncertain = false;
      for (let tries = 1; ; tries += 1) {
        try {
          await tables.insertInto('accounts').values(accountRow(account)).execute();
          return 'made';
        } catch (why) {
          // The database may have stored the account before its answer was lost.
          isUncertain ||= why instanceof DatabaseUnavailable;
          if (isUncertain && (await found('id', id))) return 'made';
          const taken = await takenBy(tables, { email, username });
          if (taken) return taken;
          // If no account has the identifier now, another account has just released the identifier, so the insert is
          // repeated.
          if (tries === 3) throw why;
        }
      }
    },
    byId: (id) => found('id', id),
    byIds: async (ids) => {
      if (ids.length === 0) return [];
      return (await tables.selectFrom('accounts').selectAll().where('id', 'in', ids).execute()).map(accountFromRow);
    },
    byEmail: (email) => found('email', email),
    byUsername: (username) => found('username', username),
    change: async (id, version, change, ending) => {
      const known = await found('id', id);
      if (known?.version !== version || known.state === 'erased') return 'stale';
      try {
        const changed = {
          ...accountColumns(change),
          sought: searchTextOf({ ...known, ...change }),
          version: version + 1,
        };
        const done = await announce(
          async (within) => {
            const { numUpdatedRows } = await within
              .updateTable('accounts')
              .set(changed)
              .where('id', '=', id)
              .where('version', '=', version)
              .executeTakeFirst();
            if (numUpdatedRows === 1n && ending?.sessions) await endSessions(within, id);
            if (numUpdatedRows === 1n && ending?.links) await dropLinks(within, id);
            if (numUpdatedRows === 1n && ending?.keys) await revokeKeysOf(within, id, ending.keys);
            return numUpdatedRows === 1n;
          },
          (done) => done,
        );
        keyChanges.count += 1;
        return done ? 'changed' : 'stale';
      } catch (why) {
        return (await takenBy(tables, { id, ...change })) ?? failed(why);
      }
    },
    prefer: (id, preferences) =>
      announce(
        async (within) => {
          const query = within.updateTable('accounts').set(preferenceColumnsOf(preferences)).where('id', '=', id);
          const { numUpdatedRows } = await query.where('state', '!=', 'erased').executeTakeFirst();
          return numUpdatedRows === 1n;
        },
        (done) => done,
      ),
    rehash: async (id, former, passwordHash) => {
      await announce(
        async (within) => {
          const query = within.updateTable('accounts').set({ password_hash: passwordHash }).where('id', '=', id);
          return (await query.where('password_hash', '=', former).executeTakeFirst()).numUpdatedRows === 1n;
        },
        (done) => done,
      );
    },
    list: (query) => listOf(tables, query),
    existed: async () => (await tables.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined,
    bySubject: async (issuer, subject) => {
      const row = await tables
        .selectFrom('account_subjects as s')
        .innerJoin('accounts as a', 'a.id', 's.account')
        .selectAll('a')
        .where('s.issuer', '=', issuer)
        .where('s.subject', '=', subject)
        .executeTakeFirst();
      return row && accountFromRow(row);
    },
    link: async (id, issuer, subject, now) => {
      await unlessErased(tables, id, (within) =>
        within
          .insertInto('account_subjects')
          .values({ issuer, subject, account: id, linked: momentAt(now) })
          .onConflict((same) => same.columns(['issuer', 'subject']).doNothing())
          .execute(),
      );
    },
    erase: async (id, now) => {
      await forgetMentions(background, id);
      const done = await announce(
        (within) => eraseAccountIn(within, id, now),
        (erased) => erased,
      );
      keyChanges.count += 1;
      return done;
    },
  };
}

type Identifiers = Partial<Pick<Account, 'id' | 'email' | 'username'>>;

/**
 * Finds the email address or username that another account already has. Runs after the table has refused the write: a
 * check before the write could miss an account that takes the identifier meanwhile.
 */
async function takenBy(
  tables: Tables,
  { id = '', email, username }: Identifiers,
): Promise<IdentifierConflict | undefined> {
  const others = tables.selectFrom('accounts').select('id').where('id', '!=', id);
  if (email != null && (await others.where('email', '=', email).executeTakeFirst())) return 'email-taken';
  if (username != null && (await others.where('username', '=', username).executeTakeFirst())) return 'username-taken';
  return undefined;
}

async function listOf(tables: Tables, { q, after, limit }: Parameters<AccountStore['list']>[0]) {
  let query = tables.selectFrom('accounts').selectAll().where('email', 'is not', null);
  if (q) query = query.where(sql<boolean>`sought like ${`%${literally(normalizeSearchText(q))}%`} escape '\\'`);
  if (after !== undefined) query = query.where('email', '>', after);
  const rows = await query
    .orderBy('email')
    .limit(limit + 1)
    .execute();
  const accounts = rows.slice(0, limit).map(accountFromRow);
  return { accounts, next: rows.length > limit ? (accounts.at(-1)?.email ?? undefined) : undefined };
}

const endSessions = (within: DatabaseTransaction, account: string) =>
  within.deleteFrom('sessions').where('account', '=', account).execute();

const dropLinks = (within: DatabaseTransaction, account: string) =>
  within.deleteFrom('links').where('account', '=', account).execute();

/** Escapes the wildcards of LIKE, so that LIKE compares the text literally. */
const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&');

const failed = (why: unknown): never => {
  throw why;
};
