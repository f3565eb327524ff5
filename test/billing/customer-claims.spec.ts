import { randomUUID } from 'node:crypto';
import { LogError } from '@charter/event-log';
import { founded, path } from '../support/requests/organizations';
import { type Served, type Stores } from '../support/serving';
import { withFaults } from '../support/stores/faults';
import { selling } from './sending';

/** Runs once, after a claim is stored and before its request continues. */
let afterClaim: (() => Promise<unknown>) | undefined;
let isLogAway = false;
const between = ({ log, database, ...stores }: Stores): Stores => ({
  ...stores,
  log: withFaults(log, {
    append: (...given) => (isLogAway ? Promise.reject(new LogError('unavailable', 'away')) : log.append(...given)),
  }),
  database: {
    ...database,
    customers: {
      ...database.customers,
      claim: async (...given) => {
        const claim = await database.customers.claim(...given);
        const act = afterClaim;
        afterClaim = undefined;
        await act?.();
        return claim;
      },
    },
  },
});

let served: Served;
let key: string;
beforeAll(async () => {
  served = await selling({ between });
  key = await served.key();
});
afterAll(() => served.close());

const newAccount = () => ({ provider: 'stripe', customer: `cus_${randomUUID()}` });
const link = (organization: string, body: object, headers: Record<string, string> = {}) =>
  served.ask('PUT', path(organization, '/billing-account'), { key, body, headers });
const customersOf = (organization: string) => served.charter.database.customers.of(organization);

describe('Claim on a customer', () => {
  it('stays when a request is refused because another request has linked the customer to the same organization', async () => {
    const [there, account] = [await founded(served), newAccount()];
    let faster: number | undefined;
    afterClaim = async () => {
      faster = (await link(there, account, { 'If-Match': '"0"' })).status;
    };
    const slower = await link(there, account, { 'If-Match': '"0"' });
    expect([faster, slower.status]).toEqual([200, 412]);
    expect(await customersOf(there)).toEqual([account]);
  });

  it('ends when a request for a former customer of the organization is refused', async () => {
    const [there, other, former, newest] = [await founded(served), await founded(served), newAccount(), newAccount()];
    await link(there, former);
    await link(there, newest);
    expect((await link(there, former, { 'If-Match': '"0"' })).status).toBe(412);
    expect(await customersOf(there)).toEqual([newest]);
    expect((await link(other, former)).status).toBe(200);
  });

  it('on a former customer ends after a minute if the event log was unavailable', async () => {
    const [there, other, former] = [await founded(served), await founded(served), newAccount()];
    await link(there, former);
    await link(there, newAccount());
    isLogAway = true;
    expect((await link(there, former)).status).toBe(503);
    isLogAway = false;
    expect((await link(other, former)).body.type).toBe('/problems/customer-taken');
    served.clock.advance(61_000);
    expect((await link(other, former)).status).toBe(200);
  });

  it('ends after a minute if the event log was unavailable, so that another organization can link the customer', async () => {
    const [there, other, account] = [await founded(served), await founded(served), newAccount()];
    isLogAway = true;
    expect((await link(there, account)).status).toBe(503);
    isLogAway = false;
    expect((await link(other, account)).body.type).toBe('/problems/customer-taken');
    served.clock.advance(61_000);
    expect((await link(other, account)).status).toBe(200);
    expect([await customersOf(there), await customersOf(other)]).toEqual([[], [account]]);
    served.clock.advance(61_000);
    expect((await link(there, account)).body.type).toBe('/problems/customer-taken');
  });

  it('does not end while the organization repeats the request', async () => {
    const [there, other, account] = [await founded(served), await founded(served), newAccount()];
    isLogAway = true;
    await link(there, account);
    isLogAway = false;
    served.clock.advance(61_000);
    let early: string | undefined;
    afterClaim = async () => {
      early = (await link(other, account)).body.type as string;
    };
    expect((await link(there, account)).status).toBe(200);
    expect([early, await customersOf(there)]).toEqual(['/problems/customer-taken', [account]]);
  });
});
