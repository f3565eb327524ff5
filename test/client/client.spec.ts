import { randomUUID } from 'node:crypto';
import {
  type CharterOrganization,
  createCharter,
  type Feature,
  type FeatureName,
  Fatal,
  type Limit,
  NotReady,
  type ResourceName,
} from '@charter/client';
import { done, path } from '../support/requests/organizations';
import { keyId, type Served, serving, until } from '../support/serving';
import { clientOf, organizationOnSolo } from './charter-client';

let served: Served;
let all: string; // an API key with every scope
beforeAll(async () => {
  served = await serving();
  all = await served.key();
});
afterAll(() => served.close());

const readerKey = () => served.key({ scopes: ['flags:read', 'organizations:read'] });

const solo = () => organizationOnSolo(served, all);

const buyUsers = (id: string, quantity: number) =>
  done(served, all, id, ['POST', '/add-ons', { addOn: 'additionalUser', quantity }]);

describe('A client', () => {
  it('answers with the values and reasons of the entitlements', async () => {
    const id = await solo();
    const acme = clientOf({ url: served.url, key: await readerKey() }).organization(id);
    await acme.ready();
    const { body } = await served.ask('GET', path(id, '/entitlements'), { key: all });
    for (const [feature, { on, because }] of Object.entries<Feature>(body.features))
      expect([acme.can(feature as FeatureName), acme.why(feature as FeatureName)]).toEqual([on, because]);
    for (const [resource, { because, ...limit }] of Object.entries<Limit>(body.limits)) {
      const { limit: most, used, remaining, unlimited } = limit;
      expect(acme.limit(resource as ResourceName)).toEqual({ limit: most, used, remaining, unlimited });
      expect(acme.why(resource as ResourceName)).toEqual(because);
    }
    expect(acme.freshness.revision).toBe(body.revision);
  });

  it('sees a change without being asked', async () => {
    const id = await solo();
    const acme = clientOf({ url: served.url, key: await readerKey() }).organization(id);
    await acme.ready();
    expect(acme.limit('users').limit).toBe(1);
    await buyUsers(id, 1);
    await until(() => acme.limit('users').limit === 2);
  });

  it('knows its own write after `ask` with the revision of the receipt', async () => {
    const id = await solo();
    const charter = clientOf({ url: served.url, key: all, intervals: { poll: 60_000, reconnect: [50_000, 60_000] } });
    const acme = charter.organization(id);
    await acme.ready();
    const { body } = await charter.call('POST /api/v1/organizations/{id}/add-ons', {
      path: { id },
      body: { addOn: 'additionalUser', quantity: 1 },
    });
    expect(await acme.ask('users', { atLeast: body.revision })).toMatchObject({ limit: 2 });
    expect(acme.limit('users').limit).toBe(2);
    expect(await acme.ask('feedback')).toBe(acme.can('feedback'));
  });

  it('follows the changes of an organization after `ask` with a revision that the organization does not have', async () => {
    const id = await solo();
    const charter = clientOf({ url: served.url, key: all, intervals: { answer: 1_000, poll: 3_600_000 } });
    const acme = charter.organization(id);
    await acme.ready();
    await until(() => acme.freshness.state === 'fresh');
    await expect(acme.ask('users', { atLeast: 1_000_000 })).rejects.toThrow();
    expect(acme.limit('users').limit).toBe(1);
    await buyUsers(id, 1);
    await until(() => acme.limit('users').limit === 2);
    await until(() => acme.freshness.state === 'fresh');
    for (const atLeast of [NaN, Infinity, 1e15, 1_000_000.5])
      await expect(acme.ask('users', { atLeast })).rejects.toThrow();
    expect(acme.limit('users').limit).toBe(2);
  });

  it('returns the fallback without values, and throws `NotReady` without a fallback', async () => {
    const acme = clientOf({ url: 'http://127.0.0.1:1', key: all }).organization(randomUUID());
    expect(acme.can('feedback', true)).toBe(true);
    expect(() => acme.can('feedback')).toThrow(NotReady);
    expect(() => acme.limit('users')).toThrow(NotReady);
    expect(() => acme.why('users')).toThrow(NotReady);
    await expect(acme.ready({ timeoutMs: 50 })).rejects.toThrow(NotReady);
    expect(acme.freshness).toMatchObject({ state: 'stale', revision: undefined });
  });

  it('throws for an unknown name, even with a fallback', async () => {
    const acme = clientOf({ url: served.url, key: all }).organization(await solo());
    await acme.ready();
    expect(() => acme.can('feedbak' as FeatureName, true)).toThrow(TypeError);
    expect(() => acme.limit('constructor' as ResourceName)).toThrow(TypeError);
  });

  it('SD7: drops its values when Charter refuses the key, and sends fewer requests', async () => {
    const id = await solo();
    const key = await readerKey();
    let requests = 0;
    const counting: typeof fetch = (...request) => {
      requests += 1;
      return fetch(...request);
    };
    const charter = clientOf({ url: served.url, key, fetch: counting, intervals: { refused: 60_000 } });
    const acme = charter.organization(id);
    await acme.ready();
    await served.charter.database.keys.revoke(await keyId(served, key), served.clock.now());
    await until(() => acme.freshness.state === 'fatal');
    expect(() => acme.can('feedback')).toThrow(Fatal);
    expect(acme.can('feedback', false)).toBe(false);
    expect(charter.snapshot().organizations).toEqual([]);
    await expect(acme.ask('feedback')).rejects.toThrow(Fatal);
    expect(() => charter.organization(randomUUID()).can('feedback')).toThrow(Fatal);
    const before = requests;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(requests).toBe(before);
  });

  it('has no values of an organization that the key may not see', async () => {
    const key = await served.key({ scopes: ['organizations:read', 'flags:read'], organization: await solo() });
    const other = clientOf({ url: served.url, key }).organization(await solo());
    await expect(other.ready()).rejects.toThrow(Fatal);
  });

  it('starts without the server from a snapshot of the same server', async () => {
    const id = await solo();
    const charter = clientOf({ url: served.url, key: all });
    await charter.organization(id).ready();
    const snapshot = JSON.parse(JSON.stringify(charter.snapshot()));
    expect(snapshot).toMatchObject({ version: 1, url: served.url });
    expect(JSON.stringify(snapshot)).not.toContain(all);
    charter.close();

    const away = () => Promise.reject(new TypeError('fetch failed'));
    const later = clientOf({ url: served.url, key: all, snapshot, fetch: away }).organization(id);
    await later.ready({ timeoutMs: 0 });
    expect(later.limit('users').limit).toBe(1);
    expect(later.freshness.state).toBe('stale');
    const elsewhere = clientOf({ url: 'http://127.0.0.1:1', key: all, snapshot });
    expect(() => elsewhere.organization(id).can('feedback')).toThrow(NotReady);
    const old = { ...snapshot, organizations: [{ ...snapshot.organizations[0], at: '2020-01-01T00:00:00.000Z' }] };
    const tooOld = clientOf({ url: served.url, key: all, snapshot: old, fetch: away }).organization(id);
    expect(() => tooOld.can('feedback')).toThrow(NotReady);
  });

  it('refuses an API key in a browser', () => {
    const browser = globalThis as { window?: unknown };
    browser.window = {};
    try {
      expect(() => createCharter({ url: served.url, key: all })).toThrow(/use `ticket`/);
    } finally {
      delete browser.window;
    }
  });
});

describe('A client of two organizations', () => {
  /** A client that holds two organizations, and has the values of the first two of three. */
  const withTwo = async () => {
    const ids = await Promise.all([solo(), solo(), solo()]);
    const charter = clientOf({ url: served.url, key: all, organizations: 2 });
    const [one, two] = [charter.organization(ids[0]), charter.organization(ids[1])];
    await Promise.all([one.ready(), two.ready()]);
    const held = () =>
      charter
        .snapshot()
        .organizations.map(({ id }) => ids.indexOf(id) + 1)
        .sort();
    const readyThird = () => charter.organization(ids[2]).ready();
    return { charter, one, two, ids, held, readyThird };
  };

  it.each<[string, (first: CharterOrganization) => unknown]>([
    ['a call of `can`', (first) => first.can('feedback')],
    ['a call of `limit`', (first) => first.limit('users')],
    ['a call of `why`', (first) => first.why('users')],
    ['a call of `ready`', (first) => first.ready()],
    ['a call of `ask`', (first) => first.ask('feedback')],
  ])('keeps the organizations that the program used last: %s is a use', async (_use, use) => {
    const { one, two, held, readyThird } = await withTwo();
    two.can('feedback');
    await use(one);
    await readyThird();
    expect(held()).toEqual([1, 3]);
    expect(one.can('feedback')).toBe(true);
  });

  it('counts another call of `organization` as a use', async () => {
    const { charter, one, two, ids, held, readyThird } = await withTwo();
    two.can('feedback');
    expect(charter.organization(ids[0])).toBe(one);
    await readyThird();
    expect(held()).toEqual([1, 3]);
  });

  it('fetches the values of a dropped organization at its next use, and follows their changes again', async () => {
    const { charter, one, two, ids, held, readyThird } = await withTwo();
    await readyThird();
    expect(held()).toEqual([2, 3]);
    expect(one.freshness.revision).toBeUndefined();
    expect(one.can('feedback', false)).toBe(false);
    await one.ready();
    expect([held(), one.can('feedback')]).toEqual([[1, 3], true]);
    expect(charter.organization(ids[0])).toBe(one);
    expect(await two.ask('feedback')).toBe(true);
    expect(held()).toEqual([1, 2]);
    await done(served, all, ids[0], ['DELETE', '/plan/second']);
    await until(() => !one.can('feedback'));
  });

  it('has the same values in an old and a new object of a dropped organization', async () => {
    const { charter, one, two, ids, readyThird } = await withTwo();
    await readyThird();
    const again = charter.organization(ids[0]);
    await again.ready();
    expect(again.freshness.revision).toBe(one.freshness.revision);
    expect(one.can('feedback')).toBe(true);
    expect(two.freshness.revision).toBeUndefined();
  });

  it('does not drop an organization that has a subscriber or waits for an answer', async () => {
    const { charter, one, two, held, readyThird } = await withTwo();
    const unsubscribe = one.subscribe(() => undefined);
    const asked = two.ask('feedback');
    await readyThird();
    expect(await asked).toBe(true);
    expect(held()).toEqual([1, 2, 3]);
    unsubscribe();
    charter.organization(await solo());
    expect(held()).toEqual([3]);
  });
});

describe('Values without a server', () => {
  const lost = async (maxStale: Parameters<typeof createCharter>[0]['maxStale'] & object) => {
    const id = await solo();
    let isAway = false;
    const fetchUntil: typeof fetch = (...request) =>
      isAway ? Promise.reject(new TypeError('fetch failed')) : fetch(...request);
    const acme = clientOf({ url: served.url, key: all, maxStale, fetch: fetchUntil }).organization(id);
    await acme.ready();
    isAway = true;
    return acme;
  };

  it('stay by default', async () => {
    const acme = await lost({ ms: 300, then: 'last-known' });
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(acme.can('feedback')).toBe(true);
  });

  it('end after `maxStale` if the program chose `closed`', async () => {
    const acme = await lost({ ms: 300, then: 'closed' });
    expect(acme.can('feedback')).toBe(true);
    await until(() => acme.freshness.revision === undefined);
    expect(() => acme.can('feedback')).toThrow(NotReady);
    expect(acme.can('feedback', false)).toBe(false);
    expect(Date.now() - acme.freshness.since.getTime()).toBeGreaterThanOrEqual(300);
  });
});
