import type { Database } from '@charter/database';
import { customer, selling, solo, stripeSends, teams } from '../sending';

describe('a message that was told, and whose inbox was away before that could be written down', () => {
  it('comes again and says the same under the same ids, so that nothing happens a second time', async () => {
    let isAway = false;
    const once = (inbox: Database['inbox']): Database['inbox'] => ({
      ...inbox,
      settle: async (...asked) => {
        if (!isAway) return inbox.settle(...asked);
        isAway = false;
        throw new Error('the tables are away');
      },
    });
    const served = await selling({
      between: (stores) => ({
        ...stores,
        documents: { ...stores.documents, inbox: once(stores.documents.inbox) },
      }),
    });
    const acme = await customer(served);
    // A newer one is known: what is told late ends at once, which the domain alone does not know again.
    await stripeSends(served, acme.updated('evt_new', 600, 'active', [teams]));
    isAway = true;
    const old = acme.created('evt_old', 0, [solo]);
    expect((await stripeSends(served, old)).status).toBeGreaterThanOrEqual(500);
    expect((await stripeSends(served, old)).body).toMatchObject({ outcome: 'overtaken' });
    const told = (await acme.sold()).map(({ type, metadata }) => [type, metadata['causation']]);
    expect(told).toEqual([
      ['PlanAssigned', 'evt_new'],
      ['PlanAssigned', 'evt_old'],
    ]);
    await served.close();
  });
});
