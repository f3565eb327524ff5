import { acme, billingIn, now, other } from './inbox.testing';
import { databases } from '../database.testing';

describe.each(databases)("Payment providers' customers in %s", (_database, make) => {
  const on = billingIn(make);

  it('belong to one organization when two organizations claim them at once', async () => {
    const { customers } = on.database;
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => customers.claim('stripe', 'cus_1', n % 2 ? acme : other, now)),
    );
    expect(claims.filter((claim) => claim === 'new')).toHaveLength(1);
    expect(claims.filter((claim) => claim === 'known')).toHaveLength(9);
    expect(claims.filter((claim) => claim === 'taken')).toHaveLength(10);
    expect([acme, other]).toContain(await customers.organizationOf('stripe', 'cus_1'));
  });

  it('are released only by the organization that claimed them', async () => {
    const { customers } = on.database;
    await customers.claim('stripe', 'cus_2', acme, now);
    await customers.takeBack('stripe', 'cus_2', other);
    expect(await customers.organizationOf('stripe', 'cus_2')).toBe(acme);
    await customers.takeBack('stripe', 'cus_2', acme);
    expect(await customers.organizationOf('stripe', 'cus_2')).toBeUndefined();
    expect(await customers.claim('stripe', 'cus_2', other, now)).toBe('new');
  });

  it('are listed for their organization, and are separate for each provider', async () => {
    const { customers } = on.database;
    const third = 'aaaaaaaa-0000-4000-8000-000000000003';
    await customers.claim('stripe', 'cus_4', third, now);
    await customers.claim('stripe', 'cus_3', third, now);
    expect(await customers.claim('adyen', 'cus_3', acme, now)).toBe('new');
    expect(await customers.of(third)).toEqual([
      { provider: 'stripe', customer: 'cus_3' },
      { provider: 'stripe', customer: 'cus_4' },
    ]);
  });
});
