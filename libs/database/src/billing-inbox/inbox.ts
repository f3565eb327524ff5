import { momentAt } from '@charter/decider';
import {
  aboutOrganization,
  forgetMention,
  forgetRawText,
  listedMessages,
  messageFromRow,
  factFromRow,
  unsettledMessages,
  withFacts,
} from './inbox-rows';
import { inboxWrites } from './inbox-writes';
import type { Tables } from '../schema/schema';
import { type BillingInbox, openStates, type OpenState } from './billing-message';

export function billingInboxIn(tables: Tables): BillingInbox {
  const write = inboxWrites(tables);
  const find: BillingInbox['find'] = async ({ provider, id }) => {
    const known = tables.selectFrom('billing_messages').selectAll();
    const row = await known.where('provider', '=', provider).where('id', '=', id).executeTakeFirst();
    return row && messageFromRow(row);
  };
  return {
    find,
    receive: async ({ fact, ...message }, now) => {
      const fresh = { state: 'received', reason: null, detail: null, attempts: 0, settled: null } as const;
      const row = { ...message, ...fresh, fact: fact === null ? null : JSON.stringify(fact), received: momentAt(now) };
      const isNew = await write({ received: row });
      return { isNew, message: isNew ? messageFromRow(row) : (await find(message))! };
    },
    storeFact: (named, { organization, customer, subscription, fact }, before) =>
      write({
        named,
        to: { organization, customer, subscription, fact: JSON.stringify(fact) },
        factBefore: before === null ? null : JSON.stringify(before),
      }),
    attempt: async (named) => {
      await write({ named, to: 'tried once more' });
    },
    settle: (named, { state, reason = null, detail = null, forgets = state === 'ignored' }, now) =>
      write({
        named,
        to: {
          state,
          reason,
          detail,
          settled: state === 'received' ? null : momentAt(now),
          ...(forgets && { raw: null }),
        },
        from: openStates,
      }),
    ofSubscription: async (provider, subscription) => {
      const its = withFacts(tables).where('provider', '=', provider).where('subscription', '=', subscription);
      return (await its.execute()).map((row) => factFromRow(row));
    },
    ofOrganization: async (organization) =>
      (await aboutOrganization(tables, organization).execute()).map((row) => factFromRow(row)),
    unsettled: async (receivedBefore, limit, behind) =>
      (await unsettledMessages(tables, momentAt(receivedBefore), limit, behind).execute()).map((row) =>
        messageFromRow(row),
      ),
    list: async (query) => (await listedMessages(tables, query).execute()).map((row) => messageFromRow(row)),
    countOpen: async () => {
      const counted = await tables
        .selectFrom('billing_messages')
        .select(['state', ({ fn }) => fn.countAll().as('count')])
        .where('state', 'in', openStates)
        .groupBy('state')
        .execute();
      const countOf = (wanted: OpenState) => Number(counted.find(({ state }) => state === wanted)?.count ?? 0);
      return { received: countOf('received'), quarantined: countOf('quarantined') };
    },
    forget: async (whose) => {
      let forgotten = 0;
      for (const statement of forgetRawText(tables, whose))
        forgotten += Number((await statement.executeTakeFirst()).numUpdatedRows);
      return forgotten;
    },
    forgetMention: (text) => forgetMention(tables, text),
  };
}
