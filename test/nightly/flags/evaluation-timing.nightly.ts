import { randomUUID } from 'node:crypto';
import { done, founded } from '../../support/requests/organizations';
import { type Browser, person, signedIn } from '../../support/sign-in/people';
import { type Served, serving, settled } from '../../support/serving';
import { type Arms, type Client, clientOf, distinguishablePairs } from '../timing/timing';

const FLAGS = '/ofrep/v1/evaluate/flags';
const EACH = 50;

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
  const several = (make: () => Promise<string>) => Promise.all(Array.from({ length: EACH }, make));
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
  /** Measures requests about these organizations. */
  const armsOf = (headers: Readonly<Record<string, string>>): Arms => {
    const timed = (idAt: (turn: number) => string) => {
      let turn = 0;
      return () => {
        const body = { context: { targetingKey: idAt((turn += 1)) } };
        return client.took({ method: 'POST', path: `${FLAGS}${flag}`, headers, body }, 400);
      };
    };
    return {
      foreign: timed((turn) => foreign[turn % EACH]!),
      missing: timed(() => randomUUID()),
      'closed, of a former member': timed((turn) => closed[turn % EACH]!),
    };
  };

  it('takes equally long for a foreign, a missing and a closed organization, if a former member asks', async () => {
    const headers = { Cookie: former.cookieHeader(), 'X-XSRF-TOKEN': former.token() };
    expect(await distinguishablePairs(armsOf(headers))).toEqual([]);
  });

  it('takes equally long for a foreign, a missing and a closed organization, if an API key of another organization asks', async () => {
    expect(await distinguishablePairs(armsOf({ Authorization: `Bearer ${bound}` }))).toEqual([]);
  });
});
