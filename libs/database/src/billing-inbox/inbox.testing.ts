import type { Database } from '../database';
import type { TestDatabase } from '../database.testing';
import type { BillingInbox, NewMessage } from './billing-message';

export const acmeId = 'aaaaaaaa-0000-4000-8000-000000000001';
export const otherId = 'aaaaaaaa-0000-4000-8000-000000000002';
export const fact = { holds: [{ kind: 'plan', line: 'second', plan: 'solo' }] };

export const message = (id: string, more: Partial<NewMessage<unknown>> = {}): NewMessage<unknown> => ({
  provider: 'stripe',
  id,
  type: 'customer.subscription.updated',
  time: '2026-11-21T09:00:00.500Z',
  organization: null,
  customer: 'cus_1',
  subscription: 'sub_1',
  fact,
  raw: `{"id":"${id}"}`,
  ...more,
});

/** Opens a database for one `describe`. The billing tables are empty before each spec. */
export function billingIn(make: () => Promise<TestDatabase>) {
  const opened = {} as { place: TestDatabase; database: Database; inbox: BillingInbox };
  beforeAll(async () => {
    opened.place = await make();
  });
  beforeEach(async () => {
    opened.database = await opened.place.open();
    opened.inbox = opened.database.inbox;
  });
  afterEach(async () => {
    await opened.database.close();
    await opened.place.run('delete from billing_messages');
    await opened.place.run('delete from billing_customers');
  });
  afterAll(() => opened.place.remove());
  return opened;
}
