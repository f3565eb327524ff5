import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import type { FlagList } from '@charter/client';
import { type Client, ErrorCode, type EvaluationContext, OpenFeature } from '@openfeature/server-sdk';
import { type Provider, OpenFeature as WebOpenFeature } from '@openfeature/web-sdk';
import { OFREPApi } from 'ofrep-core-2';
import { done, founded } from '../support/requests/organizations';
import { type Served, serving, settled, until } from '../support/serving';
import {
  detailsOf,
  expectedFlags,
  type ExpectedFlag,
  expectedInnerFlags,
  expectProvided,
  otherValue,
  variedOrganizations,
} from './varied-organizations';

// V2, V3: OpenFeature's own packages, unchanged: its SDKs for servers, browsers and React with its OFREP providers, and
// `OFREPApi` of ofrep-core 2.3.0

let served: Served;
let all: string;
let key: string;
let organizations: readonly string[];
beforeAll(async () => {
  served = await serving();
  all = await served.key();
  key = await served.key({ scopes: ['flags:read'] });
  organizations = await variedOrganizations(served, all);
  await settled(served);
});
afterAll(() => served.close());
afterEach(() => OpenFeature.clearProviders());

async function provided(by = key): Promise<Client> {
  const headers: [string, string][] = [['Authorization', `Bearer ${by}`]];
  await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl: served.url, headers }));
  return OpenFeature.getClient();
}
/** Founds a closed and an open organization, each with a member and with a site that has its own switches. */
async function innerSubjects() {
  const subjects = [true, false].map(async (isClosed) => {
    const organization = await founded(served, { by: all, owner: randomUUID() });
    const [site, user] = [randomUUID(), randomUUID()];
    await done(
      served,
      all,
      organization,
      ['PUT', '/plan', { line: 'second', plan: 'teams' }],
      ['POST', '/commands', { commands: [{ type: 'AddSite', data: { site, hostname: 'shop.example' } }] }],
      ['PATCH', `/sites/${site}`, { features: { logo: false } }],
      ['POST', '/members', { user, role: 'admin' }],
      ...(isClosed ? [['POST', '/close', { reason: 'moved away' }] as const] : []),
    );
    const ofSite = { organization, kind: 'sites', id: site } as const;
    return isClosed ? [ofSite] : [ofSite, { organization, kind: 'users', id: user } as const];
  });
  return (await Promise.all(subjects)).flat();
}
type Value = ExpectedFlag['value'];

describe("OpenFeature's server SDK with its OFREP provider", () => {
  it('has the value, the reason and `because` of every flag of twenty organizations', async () => {
    const client = await provided();
    for (const targetingKey of organizations) {
      const expected = await expectedFlags(served, all, targetingKey);
      expect(expected.size).toBe(27);
      await expectProvided(client, targetingKey, expected);
    }
  });

  it('returns the value, the reason and `because` of every flag of a site and of a member', async () => {
    const client = await provided();
    const seen = new Set<string>();
    for (const subject of await innerSubjects()) {
      const targetingKey = `${subject.organization}/${subject.kind}/${subject.id}`;
      const expected = await expectedInnerFlags(served, all, subject);
      expect(expected.size).toBe(subject.kind === 'sites' ? 10 : 2);
      await expectProvided(client, targetingKey, expected);
      for (const { reason } of expected.values()) seen.add(reason);
    }
    expect(seen).toEqual(new Set(['TARGETING_MATCH', 'STATIC', 'DISABLED']));
  });

  it('has the default and TYPE_MISMATCH, if the program expects another type', async () => {
    const client = await provided();
    for (const targetingKey of organizations.slice(3, 5))
      for (const [flag, { value }] of await expectedFlags(served, all, targetingKey))
        for (const wrong of [true, -1, 'x'].filter((one) => typeof one !== typeof value)) {
          const details = await detailsOf(client, flag, wrong, { targetingKey });
          expect([flag, details.value, details.errorCode]).toEqual([flag, wrong, ErrorCode.TYPE_MISMATCH]);
        }
  });

  it('has the default and the error of the protocol for an unknown flag, and for a context without a subject', async () => {
    const client = await provided();
    const targetingKey = organizations[0]!;
    const errorOf = async (flag: string, context: EvaluationContext) => {
      const { value, errorCode, errorMessage } = await client.getBooleanDetails(flag, true, context);
      return [value, errorCode, errorMessage !== ''];
    };
    expect(await errorOf('nothing', { targetingKey })).toEqual([true, ErrorCode.FLAG_NOT_FOUND, true]);
    expect(await errorOf('feedback', {})).toEqual([true, ErrorCode.TARGETING_KEY_MISSING, true]);
    for (const missing of ['acme', randomUUID(), `${targetingKey}/users/${randomUUID()}`])
      expect(await errorOf('feedback', { targetingKey: missing })).toEqual([true, ErrorCode.INVALID_CONTEXT, true]);
  });

  it('has the default and an error for a wrong API key, and for an API key without the scope', async () => {
    const targetingKey = organizations[0]!;
    for (const by of ['chk_wrong', await served.key({ scopes: ['audit:read'] })]) {
      const { value, errorCode } = await (await provided(by)).getBooleanDetails('feedback', true, { targetingKey });
      expect([value, errorCode]).toEqual([true, ErrorCode.GENERAL]);
    }
  });

  it('has the new value after a change of the context, and after a change of the organization', async () => {
    const client = await provided();
    const id = await founded(served, { by: all });
    const value = (targetingKey: string) =>
      client.getStringValue('plan.second', 'none', { targetingKey, plan: 'teams' });
    expect([await value(organizations[3]!), await value(organizations[4]!), await value(id)]).toEqual([
      'solo',
      'teams',
      '',
    ]);
    await done(served, all, id, ['PUT', '/plan', { line: 'second', plan: 'enterprise' }]);
    expect([await value(id), await value(organizations[3]!)]).toEqual(['enterprise', 'solo']);
  });

  it('has false for a feature of a closed organization, although the default is true', async () => {
    const client = await provided();
    const id = await founded(served, { by: all });
    await done(served, all, id, ['PUT', '/plan', { line: 'second', plan: 'enterprise' }]);
    const feedback = () => client.getBooleanDetails('feedback', true, { targetingKey: id });
    expect(await feedback()).toMatchObject({ value: true, reason: 'TARGETING_MATCH' });
    await done(served, all, id, ['POST', '/close', { reason: 'moved away' }]);
    expect(await feedback()).toMatchObject({ value: false, reason: 'DISABLED', variant: 'off' });
  });
});

describe('OFREPApi of ofrep-core 2.3.0', () => {
  const api = (by = key) => new OFREPApi({ baseUrl: served.url, headers: [['X-API-Key', by]] });

  it('accepts the bulk answer of twenty organizations, and 304 to its ETag', async () => {
    for (const targetingKey of organizations) {
      const { httpStatus, value, httpResponse } = await api().postBulkEvaluateFlags({ context: { targetingKey } });
      expect([httpStatus, httpResponse!.headers.get('etag')]).toEqual([200, expect.stringMatching(/^"/)]);
      const received = (value as FlagList).flags.map(({ key: name, value: its, variant, reason, metadata }) => [
        name,
        { value: its, variant, reason, because: metadata['because'] },
      ]);
      expect(Object.fromEntries(received)).toEqual(Object.fromEntries(await expectedFlags(served, all, targetingKey)));
      const again = await api().postBulkEvaluateFlags({ context: { targetingKey } }, httpResponse!.headers.get('etag'));
      expect([again.httpStatus, again.value]).toEqual([304, undefined]);
    }
  });

  it('accepts the answer for one flag, and the errors of the protocol', async () => {
    const [, , , targetingKey = ''] = organizations;
    const one = (flag: string, context: EvaluationContext) => api().postEvaluateFlag(flag, { context });
    expect(await one('plan.second', { targetingKey })).toMatchObject({
      httpStatus: 200,
      value: { value: 'solo', variant: 'solo' },
    });
    expect(await one('nothing', { targetingKey })).toMatchObject({
      httpStatus: 404,
      value: { errorCode: 'FLAG_NOT_FOUND', key: 'nothing' },
    });
    expect(await one('feedback', {})).toMatchObject({ httpStatus: 400, value: { errorCode: 'TARGETING_KEY_MISSING' } });
    expect(await one('feedback', { targetingKey: 'x' })).toMatchObject({
      httpStatus: 400,
      value: { errorCode: 'INVALID_CONTEXT' },
    });
    await expect(api('chk_wrong').postEvaluateFlag('feedback', { context: { targetingKey } })).rejects.toMatchObject({
      response: { status: 401 },
    });
  });
});

describe("OpenFeature's web SDK with its OFREP provider in jsdom", () => {
  const { JSDOM } = createRequire(require.resolve('jest-environment-jsdom'))('jsdom');
  const { window } = new JSDOM('<main></main>', { url: 'https://shop.example/' });
  const globals = { window, document: window.document, localStorage: window.localStorage };
  beforeAll(() => {
    for (const [name, value] of Object.entries(globals))
      Object.defineProperty(globalThis, name, { value, configurable: true });
  });
  afterEach(() => WebOpenFeature.clearProviders());
  afterAll(() => {
    for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name);
  });
  const provider = (more = {}) =>
    new OFREPWebProvider({ baseUrl: served.url, headers: [['X-API-Key', key]], ...more }) as Provider;

  it('has the value, the reason and `because` of every flag, while the context changes twenty times', async () => {
    await WebOpenFeature.setProviderAndWait(provider(), { targetingKey: organizations[19]! });
    const client = WebOpenFeature.getClient();
    const detailsFor = (flag: string, fallback: Value) => {
      if (typeof fallback === 'boolean') return client.getBooleanDetails(flag, fallback);
      if (typeof fallback === 'number') return client.getNumberDetails(flag, fallback);
      return client.getStringDetails(flag, fallback);
    };
    for (const targetingKey of organizations) {
      await WebOpenFeature.setContext({ targetingKey });
      for (const [flag, { because, ...flagDetails }] of await expectedFlags(served, all, targetingKey)) {
        const { value, variant, reason, flagMetadata } = detailsFor(flag, otherValue(flagDetails.value));
        expect([flag, { value, variant, reason }, flagMetadata['because']]).toEqual([flag, flagDetails, because]);
        const wrong = typeof flagDetails.value === 'string' ? true : 'x';
        expect([flag, detailsFor(flag, wrong).errorCode]).toEqual([flag, ErrorCode.TYPE_MISMATCH]);
      }
    }
    expect(detailsFor('nothing', true)).toMatchObject({ value: true, errorCode: ErrorCode.FLAG_NOT_FOUND });
  });

  it('returns the flags of a site and of a member, and no flag of the previous subject', async () => {
    const client = WebOpenFeature.getClient();
    const [first, ...subjects] = await innerSubjects();
    await WebOpenFeature.setProviderAndWait(provider(), { targetingKey: first!.organization });
    expect(client.getBooleanDetails('feedback', true)).toMatchObject({ value: false, reason: 'DISABLED' });
    for (const subject of subjects) {
      await WebOpenFeature.setContext({ targetingKey: `${subject.organization}/${subject.kind}/${subject.id}` });
      for (const [flag, { because, ...known }] of await expectedInnerFlags(served, all, subject)) {
        const { value, variant, reason, flagMetadata } =
          typeof known.value === 'string'
            ? client.getStringDetails(flag, 'nothing')
            : client.getBooleanDetails(flag, !known.value);
        expect([flag, { value, variant, reason }, flagMetadata['because']]).toEqual([flag, known, because]);
      }
      expect(client.getBooleanDetails('feedback', true).errorCode).toBe(ErrorCode.FLAG_NOT_FOUND);
    }
  });

  it('fails permanently if Charter refuses the API key', async () => {
    const refused = provider({ headers: [['X-API-Key', 'chk_wrong']] });
    const context = { targetingKey: organizations[0]! };
    await expect(WebOpenFeature.setProviderAndWait(refused, context)).rejects.toMatchObject({ code: 'PROVIDER_FATAL' });
  });

  it('renders a React component again, when a flag of its organization changes', async () => {
    // without the types of React: they would change the types of the browser in the specs that use Playwright
    const { act, createElement } = jest.requireActual('react');
    const { createRoot } = jest.requireActual('react-dom/client');
    const { OpenFeatureProvider, useBooleanFlagValue } = jest.requireActual('@openfeature/react-sdk');
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
    const id = await founded(served, { by: all });
    await WebOpenFeature.setProviderAndWait(provider({ pollInterval: 50 }), { targetingKey: id });
    const Shown = () => (useBooleanFlagValue('feedback', false) ? 'on' : 'off');
    const main = window.document.querySelector('main');
    const react = createRoot(main);
    await act(() => react.render(createElement(OpenFeatureProvider, {}, createElement(Shown))));
    expect(main.textContent).toBe('off');
    await done(served, all, id, ['PUT', '/plan', { line: 'second', plan: 'teams' }]);
    // React renders at the end of an `act`, and the provider names the changed flag after it answers the new value
    const rendered = async () => {
      await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
      return main.textContent;
    };
    await until(async () => (await rendered()) === 'on');
    await act(() => react.unmount());
  });
});
