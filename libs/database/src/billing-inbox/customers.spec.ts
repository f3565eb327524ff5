import { acmeId, billingIn, otherId } from './inbox.testing';
import { databases, testNow } from '../database.testing';

describe.each(databases)("Payment providers' customers in %s", (_database, make) => {
  const on = billingIn(make);

  it('belong to only one organization when two organizations claim the same customer at the same time', async () => {
    const { customers } = on.database;
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => customers.claim('stripe', 'cus_1', n % 2 ? acmeId : otherId, testNow)),
    );
    expect(claims.filter((claim) => claim === 'new')).toHaveLength(1);
    expect(claims.filter((claim) => claim === 'known')).toHaveLength(9);
    expect(claims.filter((claim) => claim === 'taken')).toHaveLength(10);
    expect([acmeId, otherId]).toContain(await customers.organizationOf('stripe', 'cus_1'));
  });

  it('are released only by the organization that claimed them', async () => {
    const { customers } = on.database;
    await customers.claim('stripe', 'cus_2', acmeId, testNow);
    await customers.takeBack('stripe', 'cus_2', otherId);
    expect(await customers.organizationOf('stripe', 'cus_2')).toBe(acmeId);
    await customers.takeBack('stripe', 'cus_2', acmeId, testNow - 1);
    expect(await customers.claim('stripe', 'cus_2', acmeId, testNow + 1)).toBe('known');
    await customers.takeBack('stripe', 'cus_2', acmeId, testNow);
    expect(await customers.organizationOf('stripe', 'cus_2')).toBe(acmeId);
    await customers.takeBack('stripe', 'cus_2', acmeId, testNow + 1);
    expect(await customers.organizationOf('stripe', 'cus_2')).toBeUndefined();
    expect(await customers.claim('stripe', 'cus_2', otherId, testNow)).toBe('new');
  });

  it('are listed for their organization, and are separate for each provider', async () => {
    const { customers } = on.database;
    const third = 'aaaaaaaa-0000-4000-8000-000000000003';
    await customers.claim('stripe', 'cus_4', third, testNow);
    await customers.claim('stripe', 'cus_3', third, testNow);
    expect(await customers.claim('adyen', 'cus_3', acmeId, testNow)).toBe('new');
    expect(await customers.of(third)).toEqual([
      { provider: 'stripe', customer: 'cus_3' },
      { provider: 'stripe', customer: 'cus_4' },
    ]);
  });
});
