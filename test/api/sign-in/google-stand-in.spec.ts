import { createHash, randomUUID } from 'node:crypto';
import { createAccount } from '../../../apps/api/src/demo/demo-people';
import { demoPeopleIn } from '../../../apps/api/src/demo/demo';
import type { GoogleStandIn } from '../../../apps/api/src/demo/google/google-stand-in';
import { newHttpBrowser } from '../../support/sign-in/http-browser';
import { accountEventsOf } from '../../support/sign-in/people';
import { type Served, serving } from '../../support/serving';
import { originOf, signedInAs } from './sign-in-elsewhere.contract';

const opened: Served[] = [];
/** A demo for the tests that change neither an account nor the clock. */
let shared: Served;
beforeAll(async () => {
  shared = await demo();
  opened.splice(0);
}, 60_000);
afterAll(() => shared.close());
afterEach(async () => {
  for (const served of opened.splice(0)) await served.close();
});

/** A service over the store of a demo, with the demo's people. An empty setting counts as absent. */
async function demo(environment: Readonly<Record<string, string>> = {}): Promise<Served> {
  const first = await serving();
  const { charter, folder, clock } = first;
  await charter.database.marks.set('demo', 'on');
  for (const one of demoPeopleIn(await charter.log.identity())) await createAccount(charter, one, null, clock.now());
  await first.stop();
  const served = await serving({ folder, environment: { CHARTER_DEMO: '', ...environment } });
  opened.push(served);
  return served;
}

const operatorOf = async ({ charter }: Served) =>
  demoPeopleIn(await charter.log.identity()).find(({ role }) => role === 'operator')!;

/** A browser that pressed the button, and the address of the stand-in's page to which Charter sent this browser. */
async function atStandIn(served: Served, traveller = newHttpBrowser()) {
  const { headers } = await traveller.get(`${originOf(served)}/auth/go/`);
  return { traveller, address: new URL(headers.location!) };
}

/** The address of a person on the stand-in's page. */
const choiceOf = (address: URL, person: string) => `${address.origin}/dev/google/as/${person}${address.search}`;

describe('The demo’s stand-in for Google', () => {
  it('says what it is, and names each of the demo’s people', async () => {
    const served = shared;
    const { traveller, address } = await atStandIn(served);
    expect(address.href).toMatch(`${originOf(served)}/dev/google?`);
    const { status, text, headers } = await traveller.get(address.href);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('stand-in for Google. It needs no password.');
    for (const { name, email, id } of demoPeopleIn(await served.charter.log.identity()))
      for (const shown of [name, email, `/dev/google/as/${id}?`]) expect(text).toContain(shown);
    expect(text).not.toMatch(/<script|<style| style=/);
  });

  it('signs in the chosen person through the real flow, and a second time with the linked account', async () => {
    const served = shared;
    const { id } = await operatorOf(served);
    for (let times = 0; times < 2; times += 1) {
      const { traveller, address } = await atStandIn(served);
      const { headers } = await traveller.get(choiceOf(address, id));
      expect(headers.location).toMatch(`${originOf(served)}/auth/go/callback?`);
      expect((await traveller.get(headers.location!)).headers.location).toBe('/');
      expect(await signedInAs(served, traveller)).toBe(id);
    }
    const linked = (await accountEventsOf(served, { id })).filter(({ type }) => type === 'ProviderLinked');
    expect(linked).toHaveLength(1);
  });

  it('returns to the sign-in page after Cancel', async () => {
    const served = shared;
    const { traveller, address } = await atStandIn(served);
    const { text } = await traveller.get(address.href);
    const cancel = /<a href="([^"]+)">Cancel/.exec(text)![1]!.replaceAll('&#38;', '&');
    expect(cancel).toContain('error=access_denied');
    expect((await traveller.get(cancel)).headers.location).toBe('/login?error=google');
    expect(await signedInAs(served, traveller)).toBeUndefined();
  });

  it('makes /health/ready report Google as `ok`', async () => {
    const served = shared;
    const { text } = await served.ask('GET', '/health/ready');
    expect(JSON.parse(text)).toMatchObject({ google: 'ok' });
  });
});

describe('A request to the page of the stand-in', () => {
  it.each([
    ['another callback', { redirect_uri: 'https://evil.example/auth/go/callback' }],
    ['a callback below the right callback', { redirect_uri: 'ORIGIN/auth/go/callback/..//evil.example' }],
    ['the right callback with a query', { redirect_uri: 'ORIGIN/auth/go/callback?next=//evil.example' }],
    ['another client', { client_id: 'other' }],
    ['another kind of answer', { response_type: 'token' }],
    ['another scope', { scope: 'profile email' }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['no challenge', { code_challenge: undefined }],
    ['no state', { state: undefined }],
    ['no nonce', { nonce: undefined }],
  ])('answers 400 and does not redirect, with %s', async (_what, changes) => {
    const served = shared;
    const { id } = await operatorOf(served);
    const { traveller, address } = await atStandIn(served);
    for (const [name, value] of Object.entries(changes))
      if (value === undefined) address.searchParams.delete(name);
      else address.searchParams.set(name, value.replace('ORIGIN', address.origin));
    for (const at of [address.href, choiceOf(address, id)]) {
      const { status, headers } = await traveller.get(at);
      expect([status, headers.location]).toEqual([400, undefined]);
    }
  });

  it('answers 400 if a parameter stands twice', async () => {
    const served = shared;
    const { traveller, address } = await atStandIn(served);
    address.searchParams.append('redirect_uri', 'https://evil.example/');
    expect((await traveller.get(address.href)).status).toBe(400);
  });

  it('answers 404 for an account that is not one of the demo’s people', async () => {
    const served = shared;
    const { traveller, address } = await atStandIn(served);
    for (const person of [randomUUID(), '..', '%00'])
      expect([person, (await traveller.get(choiceOf(address, person))).status]).toEqual([person, 404]);
  });

  it('shows names and parameters as plain text', async () => {
    const served = await demo();
    const { id } = await operatorOf(served);
    const { accounts } = served.charter.database.people;
    await accounts.change(id, 0, { name: '<img src=x onerror=alert(1)>' });
    const { traveller, address } = await atStandIn(served);
    address.searchParams.set('state', '"><script>alert(1)</script>');
    expect((await traveller.get(address.href)).text).not.toMatch(/<script|<img/);
  });

  it.each([
    ['is disabled', { state: 'disabled' }],
    ['has an unverified address', { emailVerified: false }],
  ] as const)('leaves out a person whose account %s, and offers no code for this person', async (_what, change) => {
    const served = await demo();
    const { id, name } = await operatorOf(served);
    await served.charter.database.people.accounts.change(id, 0, change);
    const { traveller, address } = await atStandIn(served);
    expect((await traveller.get(address.href)).text).not.toContain(name);
    expect((await traveller.get(choiceOf(address, id))).status).toBe(404);
  });

  it('answers 404 through a proxy and under a foreign host name', async () => {
    const served = shared;
    const { id } = await operatorOf(served);
    const { address } = await atStandIn(served);
    for (const path of [`/dev/google${address.search}`, `/dev/google/as/${id}${address.search}`])
      for (const header of [{ 'X-Forwarded-For': '127.0.0.1' }, { Forwarded: 'for=x' }, { Host: 'evil.example' }])
        expect((await served.ask('GET', path, { headers: header })).status).toBe(404);
  });
});

describe('A code of the stand-in', () => {
  const verifier = 'v'.repeat(43);

  /** The stand-in, a code for the operator, and the form with which the server redeems this code. */
  async function withCode(served = shared) {
    const standIn = served.runtime.googleStandIn!;
    const { id } = await operatorOf(served);
    const request = standIn.readRequest({
      ...{ client_id: standIn.client.id, redirect_uri: `${originOf(served)}/auth/go/callback` },
      ...{ response_type: 'code', scope: 'openid', state: 's', nonce: 'n' },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })!;
    const code = new URL((await standIn.allow(request, id))!).searchParams.get('code')!;
    const form = {
      ...{ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: request.redirect_uri },
      ...{ client_id: standIn.client.id, client_secret: standIn.client.secret },
    };
    return { served, standIn, form, id };
  }
  const redeem = async (standIn: GoogleStandIn, form: Record<string, string>) => {
    const answer = await standIn.ask(`${standIn.issuer()}/token`, { method: 'POST', body: new URLSearchParams(form) });
    return [answer.status, ((await answer.json()) as { error?: string }).error];
  };

  it('works once', async () => {
    const { standIn, form } = await withCode();
    expect(await redeem(standIn, form)).toEqual([200, undefined]);
    expect(await redeem(standIn, form)).toEqual([400, 'invalid_grant']);
  });

  it.each([
    ['another callback', { redirect_uri: 'https://evil.example/' }, 400, 'invalid_grant'],
    ['another verifier', { code_verifier: 'w'.repeat(43) }, 400, 'invalid_grant'],
    ['another client', { client_id: 'other' }, 401, 'invalid_client'],
    ['another secret', { client_secret: 'other' }, 401, 'invalid_client'],
    ['another kind of grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['a forged signature', { code: 'eyJhbGciOiJub25lIn0.e30.' }, 400, 'invalid_grant'],
  ])('does not work with %s', async (_what, changes, status, error) => {
    const { standIn, form } = await withCode();
    expect(await redeem(standIn, { ...form, ...changes })).toEqual([status, error]);
  });

  it('does not work after a minute', async () => {
    const { served, standIn, form } = await withCode(await demo());
    served.clock.advance(61_000);
    expect(await redeem(standIn, form)).toEqual([400, 'invalid_grant']);
  });

  it('does not work after its person’s account was disabled', async () => {
    const { served, standIn, form, id } = await withCode(await demo());
    await served.charter.database.people.accounts.change(id, 0, { state: 'disabled' });
    expect(await redeem(standIn, form)).toEqual([400, 'invalid_grant']);
  });

  it('works only in the installation that made it, and only with the secret of this installation', async () => {
    const { standIn, form } = await withCode();
    const other = await withCode(await demo());
    const { client_id, client_secret } = other.form;
    expect(await redeem(other.standIn, form)).toEqual([401, 'invalid_client']);
    expect(await redeem(other.standIn, { ...form, client_id, client_secret })).toEqual([400, 'invalid_grant']);
    expect(await redeem(standIn, form)).toEqual([200, undefined]);
  });

  it('signs in no person in a browser that did not begin the sign-in, and does not work a second time', async () => {
    const served = shared;
    const { id } = await operatorOf(served);
    const { traveller, address } = await atStandIn(served);
    const back = (await traveller.get(choiceOf(address, id))).headers.location!;
    const { traveller: other } = await atStandIn(served);
    for (const browser of [newHttpBrowser(), other]) {
      expect((await browser.get(back)).headers.location).toBe('/login?error=google');
      expect(await signedInAs(served, browser)).toBeUndefined();
    }
    await traveller.get(back);
    expect((await traveller.get(back)).headers.location).toBe('/login?error=google');
  });

  it('cannot be redeemed over HTTP', async () => {
    const { served, form } = await withCode();
    for (const path of ['/dev/google/token', '/dev/google/certs', '/dev/google/.well-known/openid-configuration'])
      for (const method of ['GET', 'POST']) expect((await served.ask(method, path, { body: form })).status).toBe(404);
  });
});

describe('No stand-in for Google runs', () => {
  const client = { GOOGLE_CLIENT_ID: 'real', GOOGLE_CLIENT_SECRET: 'real', GOOGLE_ISSUER_URL: 'http://127.0.0.1:9' };
  it.each([
    ['if the settings name a client at Google', client],
    ['if the demo is off', { CHARTER_DEMO: 'off' }],
    ['with a public address', { PUBLIC_URL: 'https://charter.example' }],
    ['if the server listens on every address', { HOST: '0.0.0.0' }],
  ])('%s', async (_when, environment) => {
    const served = await demo(environment);
    expect(served.runtime.googleStandIn).toBeUndefined();
    const { id } = await operatorOf(served);
    for (const path of ['/dev/google', `/dev/google/as/${id}`])
      expect((await served.ask('GET', path)).status).toBe(404);
    expect((await served.ask('GET', '/auth/go/')).headers.location).toBe('/login?error=google');
  });

  it('in a store that is not a demo', async () => {
    const served = await serving({ environment: { CHARTER_DEMO: '' } });
    opened.push(served);
    expect(served.runtime.googleStandIn).toBeUndefined();
  });
});
