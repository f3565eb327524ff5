import type { People } from '@charter/identity';
import type { ChangeCounter, SyncDatabase } from '../api-keys/api-keys';
import type { Tables } from '../schema/schema';
import { accountsIn } from './accounts';
import { holdingsOf } from './owned-records';
import { accountChangesIn } from './account-changes';
import { introductionsIn } from './introductions';
import { linksIn } from './links';
import { secretsIn } from './sealed-secrets';
import { sessionsIn } from './sessions';

/**
 * The stores of accounts, sessions, links and secrets, in tables. The erasure of an account searches the messages of
 * payment providers over `background`.
 */
export function peopleIn(
  tables: Tables,
  syncReads?: SyncDatabase,
  keyChanges: ChangeCounter = { count: 0 },
  polled?: () => string | undefined,
  background: Tables = tables,
): People {
  const news = accountChangesIn(tables, syncReads, polled);
  return {
    holdingsOf: (account) => holdingsOf(tables, account),
    accounts: accountsIn(tables, news.announce, keyChanges, background),
    sessions: sessionsIn(tables, news),
    links: linksIn(tables),
    introductions: introductionsIn(tables),
    secrets: secretsIn(tables),
  };
}
