import { done } from '../../support/requests/organizations';
import type { Served } from '../../support/serving';
import { type Customer, customer, selling, stripeSends, teams } from '../sending';

describe('a message about an organization that is closed', () => {
  let served: Served;
  let acme: Customer;
  beforeAll(async () => {
    served = await selling();
    acme = await customer(served);
    await done(served, acme.key, acme.organization, ['POST', '/close', { reason: 'over' }]);
  });
  afterAll(() => served.close());
  const kept = (id: string) => served.charter.documents.inbox.find({ provider: 'stripe', id });

  it('counts, and its text is forgotten once it is settled', async () => {
    expect((await stripeSends(served, acme.deleted('evt_last', 900, [teams]))).body.outcome).toBe('applied');
    expect(await kept('evt_last')).toMatchObject({ state: 'applied', raw: null, fact: { id: 'evt_last' } });
  });

  it('keeps its text while it waits, until somebody dismisses it', async () => {
    const strange = { id: 'si_strange', product: 'prod_NobodyKnows', price: 'price_NobodyKnows' };
    await stripeSends(served, acme.updated('evt_strange', 60, 'active', [strange]));
    expect((await kept('evt_strange'))?.raw).not.toBeNull();
    const named = { provider: 'stripe', id: 'evt_strange' };
    await served.runtime.billing.dismiss(named, 'over', () => Promise.resolve());
    expect(await kept('evt_strange')).toMatchObject({ state: 'dismissed', raw: null });
  });
});
