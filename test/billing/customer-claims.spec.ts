import { randomUUID } from 'node:crypto';
import { founded, path } from '../support/requests/organizations';
import { type Served, type Stores } from '../support/serving';
import { selling } from './sending';

/** Runs once, after a claim is stored and before its request continues. */
let afterClaim: (() => Promise<unknown>) | undefined;
const between = ({ database, ...stores }: Stores): Stores => ({
  ...stores,
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
});
