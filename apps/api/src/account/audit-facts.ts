import { uuidv5 } from '@charter/event-log';
import { type AccountFact, NO_ACCOUNT } from '@charter/identity';
import type { Charter } from '@charter/application';
import type { DeferredContents } from '../process/work/deferred-contents';
import type { DeferredHandler } from '../process/work/deferred-work';

/**
 * Appends each deferred audit fact once to the audit stream of its account. Exception: the username or e-mail address
 * in a request may belong to no account. Equal audit facts about names without an account become one event with the
 * number of attempts. So requests with guessed names do not fill the event log.
 */
export const auditHandler = ({ trail }: Pick<Charter, 'trail'>): DeferredHandler<DeferredContents['audit']> => ({
  sameAs: ({ account, fact }) => (account === NO_ACCOUNT ? JSON.stringify(fact) : undefined),
  do: ({ account, fact, context }, { id, count }) => {
    const counted = account === NO_ACCOUNT ? { ...fact, data: { ...fact.data, attempts: count } } : fact;
    // Another process may repeat the command, so its id is derived from its content (`Envelope.command`).
    const command = uuidv5((count === 1 && context.command) || id, 'audit');
    return trail.record({ account }, counted as AccountFact, { ...context, command });
  },
});
