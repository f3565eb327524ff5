import { randomUUID } from 'node:crypto';
import { ErrorCode, OpenFeature, ProviderEvents } from '@openfeature/server-sdk';
import type { Feature, Limit } from '@charter/client';
import { CharterFlagProvider } from '../../libs/client/src/openfeature';
import { done, path } from '../support/requests/organizations';
import { type Served, serving, settled, until } from '../support/serving';
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

async function flags(url = served.url, readyWithinMs = 10_000) {
  const charter = clientOf({ url, key });
  await OpenFeature.setProviderAndWait(new CharterFlagProvider(charter, readyWithinMs));
  return { charter, client: OpenFeature.getClient() };
}

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

  it('has the same variants and reasons as the evaluation over OFREP', async () => {
    const { client } = await flags();
    const { body } = await served.ask('POST', '/ofrep/v1/evaluate/flags', {
      key,
      body: { context: { targetingKey: id } },
    });
    for (const { key: flag, value, variant, reason } of body.flags) {
      if (typeof value === 'string') continue; // the client has no texts
      const details =
        typeof value === 'boolean'
          ? await client.getBooleanDetails(flag, !value, { targetingKey: id })
          : await client.getNumberDetails(flag, -1, { targetingKey: id });
      expect(details).toMatchObject({ flagKey: flag, value, variant, reason });
    }
  });

  it('answers the default of the code for an unknown flag, a missing subject, and an organization without values', async () => {
    const { client } = await flags();
    const details = (flag: string, targetingKey?: string) =>
      client.getBooleanDetails(flag, true, targetingKey === undefined ? {} : { targetingKey });
    expect(await details('feedbak', id)).toMatchObject({ value: true, errorCode: ErrorCode.FLAG_NOT_FOUND });
    expect(await details('feedback')).toMatchObject({ value: true, errorCode: ErrorCode.TARGETING_KEY_MISSING });
    expect(await details('feedback', randomUUID())).toMatchObject({ value: true, errorCode: ErrorCode.PROVIDER_FATAL });
    const { client: away } = await flags('http://127.0.0.1:1', 300);
    expect(await away.getBooleanDetails('feedback', true, { targetingKey: id })).toMatchObject({
      ...{ value: true, errorCode: ErrorCode.PROVIDER_NOT_READY },
    });
  });

  it('announces which flags have changed', async () => {
    const { client } = await flags();
    const changed: string[] = [];
    client.addHandler(ProviderEvents.ConfigurationChanged, (event) => changed.push(...(event?.flagsChanged ?? [])));
    await client.getBooleanValue('feedback', false, { targetingKey: id });
    changed.length = 0;
    await done(served, key, id, ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 1 }]);
    await until(() => changed.includes('limit.users'));
    expect(changed).not.toContain('feedback');
  });
});
