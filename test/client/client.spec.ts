import { randomUUID } from 'node:crypto';
import {
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

  it('keeps the values of the organizations that the program used last', async () => {
    const [one, two, three] = await Promise.all([solo(), solo(), solo()]);
    const charter = clientOf({ url: served.url, key: all, organizations: 2 });
    const first = charter.organization(one);
    await Promise.all([first.ready(), charter.organization(two).ready()]);
    charter.organization(one);
    await charter.organization(three).ready();
    expect(charter.snapshot().organizations.map(({ id }) => id)).toEqual([one, three]);
    expect(first.can('feedback')).toBe(true);
  });

  it('refuses an API key in a browser', () => {
    const browser = globalThis as { window?: unknown };
    browser.window = {};
    try {
      expect(() => createCharter({ url: served.url, key: all })).toThrow(/must not be in a browser/);
    } finally {
      delete browser.window;
    }
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
