import type { People } from '@charter/identity';
import type { Changes, Hot } from '../api-keys';
import type { Tables } from '../schema';
import { accountsIn } from './accounts';
import { holdingsOf } from './holdings';
import { newsOf } from './news';
import { linksIn } from './links';
import { secretsIn } from './secrets';
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
