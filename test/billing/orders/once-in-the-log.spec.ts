import type { Database } from '@charter/database';
import { customer, selling, solo, stripeSends, teams } from '../sending';

describe('Message that was applied, but not marked as applied because the inbox failed', () => {
  it('changes nothing when it is sent again, because the repeated commands have the same ids', async () => {
    let isAway = false;
    const once = (inbox: Database['inbox']): Database['inbox'] => ({
      ...inbox,
      settle: async (...given) => {
        if (!isAway) return inbox.settle(...given);
        isAway = false;
        throw new Error('the tables are away');
      },
    });
    const served = await selling({
      between: (stores) => ({
        ...stores,
        database: { ...stores.database, inbox: once(stores.database.inbox) },
      }),
    });
    const acme = await customer(served);
    // A newer message is in force. So the state of the organization does not show whether the late message was
    // applied before. Only the id of the late message's command shows this.
    await stripeSends(served, acme.updated('evt_new', 600, 'active', [teams]));
    isAway = true;
    const old = acme.created('evt_old', 0, [solo]);
    expect((await stripeSends(served, old)).status).toBeGreaterThanOrEqual(500);
    expect((await stripeSends(served, old)).body).toMatchObject({ outcome: 'overtaken' });
    const events = (await acme.sold()).map(({ type, metadata }) => [type, metadata['causation']]);
    expect(events).toEqual([
      ['PlanAssigned', 'evt_new'],
      ['PlanAssigned', 'evt_old'],
    ]);
    await served.close();
  });
});
