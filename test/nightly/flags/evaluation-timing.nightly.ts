import { randomUUID } from 'node:crypto';
import { done, founded } from '../../support/requests/organizations';
import { type Browser, person, signedIn } from '../../support/sign-in/people';
import { type Served, serving, settled } from '../../support/serving';
import { type Arms, type Client, clientOf, distinguishablePairs } from '../timing/timing';

const FLAGS = '/ofrep/v1/evaluate/flags';
const ORGANIZATIONS = 50;

let served: Served;
let all: string;
let client: Client;
let former: Browser;
let bound: string;
let foreign: readonly string[];
let closed: readonly string[];
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
  client = clientOf(served.url);
  all = await served.key();
  const several = (make: () => Promise<string>) => Promise.all(Array.from({ length: ORGANIZATIONS }, make));
  foreign = await several(() => founded(served, { by: all }));
  const account = await person(served);
  closed = await several(async () => {
    const id = await founded(served, { by: all });
    const member = `/members/${account.id}`;
    await done(
      served,
      all,
      id,
      ['POST', '/members', { user: account.id, role: 'admin' }],
      ['DELETE', member],
      ['POST', '/close', { reason: 'moved away' }],
    );
    return id;
  });
  await settled(served);
  former = await signedIn(served, account);
  bound = await served.key({ scopes: ['flags:read'], organization: await founded(served, { by: all }) });
}, 120_000);
afterAll(async () => {
  await client.close();
  await served.close();
});

// V7
describe.each(['', '/feedback', '/unknown'])('The refusal of POST /ofrep/v1/evaluate/flags%s', (flag) => {
  /** Returns functions that measure requests about each kind of organization. */
  const armsOf = (headers: Readonly<Record<string, string>>): Arms => {
    const timed = (idAt: (index: number) => string) => {
      let index = 0;
      return () => {
        const body = { context: { targetingKey: idAt((index += 1)) } };
        return client.took({ method: 'POST', path: `${FLAGS}${flag}`, headers, body }, 400);
      };
    };
    return {
      foreign: timed((index) => foreign[index % ORGANIZATIONS]!),
      missing: timed(() => randomUUID()),
      'closed, of a former member': timed((index) => closed[index % ORGANIZATIONS]!),
    };
  };

  it('takes the same time for a foreign, a missing and a closed organization if a former member sends the request', async () => {
    const headers = { Cookie: former.cookieHeader(), 'X-XSRF-TOKEN': former.token() };
    expect(await distinguishablePairs(armsOf(headers))).toEqual([]);
  });

  it('takes the same time for a foreign, a missing and a closed organization if the API key belongs to another organization', async () => {
    expect(await distinguishablePairs(armsOf({ Authorization: `Bearer ${bound}` }))).toEqual([]);
  });
});
