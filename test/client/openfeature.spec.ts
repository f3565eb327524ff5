import { randomUUID } from 'node:crypto';
import { type Client, ErrorCode, OpenFeature, ProviderEvents, ProviderStatus } from '@openfeature/server-sdk';
import type { CharterOptions, Feature, Limit } from '@charter/client';
import { CharterFlagProvider } from '../../libs/client/src/openfeature';
import { tcpProxy } from '../support/network/tcp-proxy';
import { done, founded, path } from '../support/requests/organizations';
import { keyId, type Served, serving, settled, until } from '../support/serving';
import { clientOf, organizationOnSolo } from './charter-client';

let served: Served;
let key: string;
let id: string;
beforeAll(async () => {
  served = await serving();
  key = await served.key();
  id = await organizationOnSolo(served, key);
  await settled(served);
});
afterAll(() => served.close());
afterEach(() => OpenFeature.clearProviders());

async function flags(options: Partial<CharterOptions> = {}, readyWithinMs = 10_000) {
  const charter = clientOf({ url: served.url, key, ...options });
  await OpenFeature.setProviderAndWait(new CharterFlagProvider(charter, readyWithinMs));
  return { charter, client: OpenFeature.getClient() };
}

/** The events of a provider from now on, in their order. */
function eventsOf(client: Client): ProviderEvents[] {
  const seen: ProviderEvents[] = [];
  const { Ready, Stale, Error: Failed, ConfigurationChanged } = ProviderEvents;
  for (const event of [Ready, Stale, Failed, ConfigurationChanged]) client.addHandler(event, () => seen.push(event));
  seen.length = 0; // the SDK calls a new handler at once if the provider already is in this state
  return seen;
}

const assignSolo = (organization: string) =>
  done(served, key, organization, ['PUT', '/plan', { line: 'second', plan: 'solo' }]);

describe("The provider for OpenFeature's server SDK", () => {
  it('has the values of the entitlements, and the number of OFREP for an unlimited amount', async () => {
    const { client } = await flags();
    const { body } = await served.ask('GET', path(id, '/entitlements'), { key });
    for (const [feature, { on }] of Object.entries<Feature>(body.features))
      expect([feature, await client.getBooleanValue(feature, !on, { targetingKey: id })]).toEqual([feature, on]);
    for (const [resource, { limit, remaining }] of Object.entries<Limit>(body.limits)) {
      const number = (flag: string) => client.getNumberValue(`${flag}.${resource}`, -1, { targetingKey: id });
      expect([await number('limit'), await number('remaining')]).toEqual([
        limit ?? 2_147_483_647,
        remaining ?? 2_147_483_647,
      ]);
    }
  });

  it.each<[string, () => Promise<string>]>([
    ['with a plan', async () => id],
    ['without a plan', () => founded(served, { by: key })],
    [
      'that is closed',
      async () => {
        const closed = await organizationOnSolo(served, key);
        await done(served, key, closed, ['POST', '/close', { reason: 'a spec' }]);
        return closed;
      },
    ],
  ])('has the same variants and reasons as the evaluation over OFREP for an organization %s', async (_what, made) => {
    const targetingKey = await made();
    await settled(served);
    const { client } = await flags();
    const { body } = await served.ask('POST', '/ofrep/v1/evaluate/flags', { key, body: { context: { targetingKey } } });
    for (const { key: flag, value, variant, reason } of body.flags) {
      if (typeof value === 'string') continue; // the client has no texts
      const details =
        typeof value === 'boolean'
          ? await client.getBooleanDetails(flag, !value, { targetingKey })
          : await client.getNumberDetails(flag, -1, { targetingKey });
      expect(details).toMatchObject({ flagKey: flag, value, variant, reason });
    }
  });

  it('answers the default of the code for an unknown flag, a missing subject, and an organization without values', async () => {
    const { client } = await flags();
    const details = (flag: string, targetingKey?: string) =>
      client.getBooleanDetails(flag, true, targetingKey === undefined ? {} : { targetingKey });
    expect(await details('feedbak', id)).toMatchObject({ value: true, errorCode: ErrorCode.FLAG_NOT_FOUND });
    expect(await details('feedback')).toMatchObject({ value: true, errorCode: ErrorCode.TARGETING_KEY_MISSING });
    expect(await details('feedback', randomUUID())).toMatchObject({
      value: true,
      errorCode: ErrorCode.INVALID_CONTEXT,
    });
    const { client: away } = await flags({ url: 'http://127.0.0.1:1' }, 300);
    expect(await away.getBooleanDetails('feedback', true, { targetingKey: id })).toMatchObject({
      ...{ value: true, errorCode: ErrorCode.PROVIDER_NOT_READY },
    });
  });

  it('answers `TYPE_MISMATCH` for a flag of another type, as the providers of OFREP do', async () => {
    const { client } = await flags();
    const context = { targetingKey: id };
    const mismatch = { reason: 'ERROR', errorCode: ErrorCode.TYPE_MISMATCH };
    const unknown = { reason: 'ERROR', errorCode: ErrorCode.FLAG_NOT_FOUND };
    for (const flag of ['limit.users', 'remaining.users'])
      expect(await client.getBooleanDetails(flag, true, context)).toMatchObject({ value: true, ...mismatch });
    expect(await client.getNumberDetails('feedback', 7, context)).toMatchObject({ value: 7, ...mismatch });
    for (const flag of ['feedback', 'limit.users']) {
      expect(await client.getStringDetails(flag, 'text', context)).toMatchObject({ value: 'text', ...mismatch });
      expect(await client.getObjectDetails(flag, true, context)).toMatchObject({ value: true, ...mismatch });
    }
    for (const flag of ['users', 'limit.feedback', 'plan.first', 'limit'])
      expect(await client.getStringDetails(flag, 'text', context)).toMatchObject({ value: 'text', ...unknown });
    expect(await client.getNumberDetails('limit.feedback', 7, context)).toMatchObject({ value: 7, ...unknown });
  });

  it('announces which flags have changed', async () => {
    const { client } = await flags();
    const changed: string[] = [];
    client.addHandler(ProviderEvents.ConfigurationChanged, (event) => changed.push(...(event?.flagsChanged ?? [])));
    await client.getBooleanValue('feedback', false, { targetingKey: id });
    changed.length = 0;
    await done(served, key, id, ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 1 }]);
    await until(() => changed.includes('limit.users'));
    expect(changed.toSorted()).toEqual(['limit.users', 'remaining.users']);
    changed.length = 0;
    await done(served, key, id, ['PUT', '/product', { enabled: false }]);
    await until(() => changed.includes('feedback'));
    const { body } = await served.ask('GET', path(id, '/entitlements'), { key });
    const known = Object.keys(body.features).concat(
      Object.keys(body.limits).flatMap((name) => [`limit.${name}`, `remaining.${name}`]),
    );
    expect(changed.filter((flag) => !known.includes(flag))).toEqual([]);
    await done(served, key, id, ['PUT', '/product', { enabled: true }]);
  });

  it('announces the changes of an organization that the client has dropped and fetched again', async () => {
    const { client, charter } = await flags({ organizations: 2 });
    const ids = await Promise.all([1, 2, 3].map(() => founded(served, { by: key })));
    const isOn = (organization: string) => client.getBooleanValue('feedback', false, { targetingKey: organization });
    for (const organization of [...ids, ids[0]!]) await isOn(organization);
    expect(
      charter
        .snapshot()
        .organizations.map((held) => held.id)
        .sort(),
    ).toEqual([ids[0], ids[2]].sort());
    const changed: string[] = [];
    client.addHandler(ProviderEvents.ConfigurationChanged, (event) => changed.push(...(event?.flagsChanged ?? [])));
    await assignSolo(ids[1]!); // the client does not hold this organization
    await assignSolo(ids[0]!);
    await until(() => changed.includes('feedback'));
    expect(changed.filter((flag) => flag === 'feedback')).toHaveLength(1);
    expect(await isOn(ids[0]!)).toBe(true);
  });

  it('does not announce that the client has dropped an organization', async () => {
    const { client } = await flags({ organizations: 1 });
    const other = await founded(served, { by: key });
    await client.getBooleanValue('feedback', false, { targetingKey: id });
    const events = eventsOf(client);
    await client.getBooleanValue('feedback', false, { targetingKey: other });
    const changes = events.filter((event) => event === ProviderEvents.ConfigurationChanged);
    expect(changes).toHaveLength(1); // the first values of the other organization
  });

  it('stays ready after an evaluation for an organization that does not exist', async () => {
    const { client, charter } = await flags();
    await client.getBooleanValue('feedback', false, { targetingKey: id });
    await until(() => charter.organization(id).freshness.state === 'fresh');
    const events = eventsOf(client);
    await client.getBooleanValue('feedback', false, { targetingKey: randomUUID() });
    expect([events, client.providerStatus]).toEqual([[], ProviderStatus.READY]);
    expect(await client.getBooleanValue('feedback', false, { targetingKey: id })).toBe(true);
  });

  it('is stale while the stream is broken, and then ready again', async () => {
    const proxy = await tcpProxy(Number(new URL(served.url).port));
    const { client, charter } = await flags({ url: `http://127.0.0.1:${proxy.port}` });
    await client.getBooleanValue('feedback', false, { targetingKey: id });
    await until(() => charter.organization(id).freshness.state === 'fresh');
    const events = eventsOf(client);
    await proxy.refuse();
    await until(() => events.length > 0);
    expect([events, client.providerStatus]).toEqual([[ProviderEvents.Stale], ProviderStatus.STALE]);
    expect(await client.getBooleanValue('feedback', false, { targetingKey: id })).toBe(true);
    await proxy.mend();
    await until(() => events.length > 1);
    expect([events[1], client.providerStatus]).toEqual([ProviderEvents.Ready, ProviderStatus.READY]);
    await proxy.close();
  });

  it('fails when Charter refuses the key, and then returns the default of the program', async () => {
    const revoked = await served.key({ scopes: ['flags:read', 'organizations:read'] });
    const { client, charter } = await flags({ key: revoked });
    await client.getBooleanValue('feedback', false, { targetingKey: id });
    await until(() => charter.organization(id).freshness.state === 'fresh');
    const events = eventsOf(client);
    await served.charter.database.keys.revoke(await keyId(served, revoked), served.clock.now());
    await until(() => events.includes(ProviderEvents.Error), 15_000);
    expect(client.providerStatus).toBe(ProviderStatus.ERROR);
    expect(await client.getBooleanDetails('feedback', false, { targetingKey: id })).toMatchObject({
      ...{ value: false, errorCode: ErrorCode.PROVIDER_FATAL },
    });
  }, 40_000);

  it('fails for a key without the scope of the stream, even if the answer with the values arrives after the refusal', async () => {
    const scoped = await served.key({ scopes: ['organizations:read'] });
    const slow: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if ((input as string).includes('/entitlements')) await new Promise((resolve) => setTimeout(resolve, 500));
      return answer;
    };
    const { client, charter } = await flags({ key: scoped, fetch: slow, intervals: { refused: 60_000 } });
    const changed: string[] = [];
    charter.subscribe((keys) => changed.push(...keys));
    const details = () => client.getBooleanDetails('feedback', false, { targetingKey: id });
    expect(await details()).toMatchObject({ errorCode: ErrorCode.PROVIDER_FATAL });
    await new Promise((resolve) => setTimeout(resolve, 800)); // the answer with the values arrives
    expect([await details(), changed]).toMatchObject([{ errorCode: ErrorCode.PROVIDER_FATAL }, []]);
  });

  it('serves only the clients of its own OpenFeature domain', async () => {
    const charter = clientOf({ url: served.url, key });
    await OpenFeature.setProviderAndWait('billing', new CharterFlagProvider(charter));
    const [ours, others] = [OpenFeature.getClient('billing'), OpenFeature.getClient('another domain')];
    const events = [eventsOf(ours), eventsOf(others)];
    expect(await ours.getBooleanValue('feedback', false, { targetingKey: id })).toBe(true);
    expect(await others.getBooleanDetails('feedback', false, { targetingKey: id })).toMatchObject({ value: false });
    expect(events.map((seen) => seen.includes(ProviderEvents.ConfigurationChanged))).toEqual([true, false]);
  });
});
