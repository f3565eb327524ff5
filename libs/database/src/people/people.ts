import type { People } from '@charter/identity';
import type { Changes, Hot } from '../api-keys/api-keys';
import type { Tables } from '../schema/schema';
import { accountsIn } from './accounts';
import { holdingsOf } from './owned-records';
import { newsOf } from './account-changes';
import { linksIn } from './links';
import { secretsIn } from './sealed-secrets';
import { sessionsIn } from './sessions';

/** Everything that is known about people, in tables. */
export function peopleIn(tables: Tables, hot?: Hot, keyChanges: Changes = { count: 0 }): People {
  const news = newsOf(tables, hot);
  return {
    holdingsOf: (account) => holdingsOf(tables, account),
    accounts: accountsIn(tables, news.tell, keyChanges),
    sessions: sessionsIn(tables, news),
    links: linksIn(tables),
    secrets: secretsIn(tables),
  };
}
