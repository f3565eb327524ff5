import { DatabaseUnavailable } from '@charter/database';
import { randomBytes, randomUUID } from 'node:crypto';
import { type Account, newSession, sessionHash } from '@charter/identity';

import { type Fault, type OwnProvider, type Spoilt, startOwnProvider } from '../../support/sign-in/own-provider';
import { mailsOf, person, SESSION, accountEventsOf } from '../../support/sign-in/people';
import { eventsIn, type Served } from '../../support/serving';
import { newHttpBrowser, type HttpBrowser } from '../../support/sign-in/http-browser';

/** A service whose people sign in at a provider: Google, or an organization's own provider. */
export type Stage = Readonly<{
  served: Served;
  /** The path that begins the sign-in. */
  start: string;
  callback: string;
  /**
   * The organization whose members sign in. If the provider belongs to an organization, this is the provider's
   * organization.
   */
  organization: string;
  key: string;
}>;
export type Way = Readonly<{
  shown: 'google' | 'sso';
  open: (provider: OwnProvider) => Promise<Stage>;
  /** Whether Charter accepts an email address that this provider has verified. */
  answersForAddresses: boolean;
}>;

const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };

/** Charter's origin, as a browser sees it. */
export const originOf = ({ runtime }: Served) => runtime.settings.publicUrl;

/** The id of the account to which the browser's session belongs; undefined when the browser is signed out. */
export async function signedInAs(served: Served, traveller: HttpBrowser): Promise<string | undefined> {
  const cookie = traveller.cookies(originOf(served)).get(SESSION);
  const found = cookie && (await served.charter.database.people.sessions.find(sessionHash(cookie)));
  return found ? found.account.id : undefined;
}

/** Adds an account as a member of the organization. */
export async function joined(
  { served, organization, key }: Pick<Stage, 'served' | 'organization' | 'key'>,
  { id }: Pick<Account, 'id'>,
): Promise<void> {
  const at = `/api/v1/organizations/${organization}/members`;
  const answer = await served.ask('POST', at, { key, body: { user: id, role: 'member' } });
  if (answer.status !== 201) throw new Error(answer.text);
}

/** Defines the tests of group G in `acceptance.md` for one kind of provider: Google, or an organization's own. */
export function signsInElsewhere({ shown, open, answersForAddresses }: Way): void {
  let provider: OwnProvider;
  let stage: Stage;
  let served: Served;
  let origin: string;
  let member: Account;

  beforeAll(async () => {
    provider = await startOwnProvider();
    stage = await open(provider);
    served = stage.served;
    origin = originOf(served);
    member = await person(served);
    await joined(stage, member);
  });
  afterAll(async () => {
    await served.close();
    await provider.close();
  });
  beforeEach(() => {
    provider.recovers();
    provider.signsInAs({ sub: 's-member', email: member.email!, email_verified: true });
  });

  const failed = `/login?error=${shown}`;
  const account = '/login?error=account';
  const isOurs = (address: string) => address.startsWith(origin);
  const isSignedIn = (traveller: HttpBrowser) => traveller.cookies(origin).has(SESSION);
  const flowCookies = (traveller: HttpBrowser) =>
    [...traveller.cookies(origin).keys()].filter((name) => name.startsWith('charter-go'));

  /**
   * Goes to the provider and back, and stops before the request to the callback. Resolves with the URL of the callback.
   */
  const returning = (traveller = newHttpBrowser()) =>
    traveller.go(`${origin}${stage.start}`, (address) => address.startsWith(`${origin}${stage.callback}`));
  /** Runs the whole flow; resolves with the location to which the callback sends the browser. */
  const travelled = async (traveller = newHttpBrowser(), start = stage.start) => {
    const there = await traveller.get(`${origin}${start}`);
    const away = there.headers.location!;
    if (isOurs(new URL(away, origin).href)) return { traveller, location: away, answer: there };
    const back = await traveller.go(away, isOurs);
    const answer = await traveller.get(back);
    return { traveller, location: answer.headers.location, answer };
  };
  const whoIs = (traveller: HttpBrowser) => signedInAs(served, traveller);
  const refused = async (work: Promise<{ traveller: HttpBrowser; location: string | undefined }>, where = failed) => {
    const { traveller, location } = await work;
    expect([location, isSignedIn(traveller)]).toEqual([where, false]);
  };
  const factsOf = async (id: string) => {
    const types: string[] = [];
    for await (const { type } of served.charter.log.readStream(`account-${id}`)) types.push(type);
    return types;
  };

  it("a sign-in through the provider begins a session, and records the sign-in and the account's link to the provider", async () => {
    const { traveller, location, answer } = await travelled();
    expect([answer.status, location, await whoIs(traveller)]).toEqual([302, '/', member.id]);
    expect(await factsOf(member.id)).toEqual(['ProviderLinked', 'SignedIn']);
    expect(flowCookies(traveller)).toEqual([]);
  });

  describe('G1: Request to the provider', () => {
    it('asks for a code, with PKCE, state, nonce, our exact callback URL and three scopes', async () => {
      const { headers } = await newHttpBrowser().get(`${origin}${stage.start}`);
      const { searchParams: parameters, origin: where, pathname } = new URL(headers.location!);
      expect([where, pathname]).toEqual([provider.issuer, '/authorize']);
      expect(Object.fromEntries(parameters)).toMatchObject({
        response_type: 'code',
        client_id: provider.client.id,
        redirect_uri: `${origin}${stage.callback}`,
        scope: 'openid email profile',
        code_challenge_method: 'S256',
      });
      for (const name of ['state', 'nonce', 'code_challenge'])
        expect(Buffer.from(parameters.get(name)!, 'base64url').length).toBeGreaterThanOrEqual(32);
      expect([...parameters.keys()].sort().filter((name) => name !== 'prompt')).toEqual([
        'client_id',
        'code_challenge',
        'code_challenge_method',
        'nonce',
        'redirect_uri',
        'response_type',
        'scope',
        'state',
      ]);
    });

    it('has a new state, nonce and code challenge for each sign-in', async () => {
      const [one, other] = await Promise.all([0, 1].map(() => newHttpBrowser().get(`${origin}${stage.start}`)));
      for (const name of ['state', 'nonce', 'code_challenge'])
        expect(new URL(one!.headers.location!).searchParams.get(name)).not.toBe(
          new URL(other!.headers.location!).searchParams.get(name),
        );
    });

    it('comes with an HttpOnly cookie for its flow, which is valid for ten minutes', async () => {
      const { headers } = await newHttpBrowser().get(`${origin}${stage.start}`);
      const [cookie] = headers['set-cookie']!.filter((line) => line.startsWith('charter-go'));
      expect(cookie).toMatch(/^charter-go-[\da-f]{16}=v1\.[\w-]+; Max-Age=600; Path=\/; .*HttpOnly; SameSite=Lax$/);
    });
  });

  describe('G2: Parameter `state` of the callback', () => {
    const unchanged = async (work: () => Promise<{ location: string | undefined; traveller: HttpBrowser }>) => {
      const before = await eventsIn(served);
      await refused(work());
      expect(await eventsIn(served)).toBe(before);
    };
    const answered = async (traveller: HttpBrowser, address: string) => ({
      traveller,
      location: (await traveller.get(address)).headers.location,
    });
    const without = (address: string, ...names: string[]) => {
      const url = new URL(address);
      for (const name of names) url.searchParams.delete(name);
      return url.href;
    };

    it('is refused when it is missing', () =>
      unchanged(async () => {
        const traveller = newHttpBrowser();
        return answered(traveller, without(await returning(traveller), 'state'));
      }));
    it('is refused when it is wrong', () =>
      unchanged(async () => {
        const traveller = newHttpBrowser();
        const back = new URL(await returning(traveller));
        const state = back.searchParams.get('state')!;
        back.searchParams.set('state', `${state.startsWith('x') ? 'y' : 'x'}${state.slice(1)}`);
        return answered(traveller, back.href);
      }));
    it('is refused when the URL contains it twice', () =>
      unchanged(async () => {
        const traveller = newHttpBrowser();
        const back = await returning(traveller);
        return answered(traveller, `${back}&state=${new URL(back).searchParams.get('state')}`);
      }));
    it('is refused in another browser, which does not have the cookie of the flow', () =>
      unchanged(async () => answered(newHttpBrowser(), await returning())));
    it('is refused in another browser, which has begun its own sign-in', () =>
      unchanged(async () => {
        const traveller = newHttpBrowser();
        await returning(traveller);
        return answered(traveller, await returning());
      }));
    it('is refused when it is used again with another valid code and the same cookie', async () => {
      const traveller = newHttpBrowser();
      const away = (await traveller.get(`${origin}${stage.start}`)).headers.location!;
      const [first, second] = [await traveller.go(away, isOurs), await traveller.go(away, isOurs)];
      const twin = newHttpBrowser();
      for (const [name, value] of traveller.cookies(origin)) twin.cookies(origin).set(name, value);
      expect((await traveller.get(first)).headers.location).toBe('/');
      await unchanged(() => answered(twin, second));
    });
    it('is refused when it is older than ten minutes', async () => {
      const traveller = newHttpBrowser();
      const back = await returning(traveller);
      served.clock.advance(600_000);
      await unchanged(() => answered(traveller, back)).finally(() => served.clock.advance(-600_000));
    });
    it('is accepted by a process whose clock is 55 seconds behind, and is then refused until the flow ends', async () => {
      const traveller = newHttpBrowser();
      const away = (await traveller.get(`${origin}${stage.start}`)).headers.location!;
      const [first, second] = [await traveller.go(away, isOurs), await traveller.go(away, isOurs)];
      const twin = newHttpBrowser();
      for (const [name, value] of traveller.cookies(origin)) twin.cookies(origin).set(name, value);
      const at = async (ms: number, work: () => Promise<unknown>) => {
        served.clock.advance(ms);
        await work().finally(() => served.clock.advance(-ms));
      };
      await at(-55_000, async () => expect((await traveller.get(first)).headers.location).toBe('/'));
      await at(590_000, () => unchanged(() => answered(twin, second)));
    });
    it('is refused with a changed cookie', () =>
      unchanged(async () => {
        const traveller = newHttpBrowser();
        const back = await returning(traveller);
        const [name = ''] = flowCookies(traveller);
        const value = traveller.cookies(origin).get(name)!;
        traveller.cookies(origin).set(name, `${value.slice(0, -4)}AAAA`);
        return answered(traveller, back);
      }));
    it('is refused without an authorization code', () =>
      unchanged(async () => {
        const traveller = newHttpBrowser();
        return answered(traveller, without(await returning(traveller), 'code'));
      }));
    it('is refused when the parameter `iss` names another issuer than the configured one', () =>
      unchanged(async () => {
        const traveller = newHttpBrowser();
        const back = new URL(await returning(traveller));
        back.searchParams.set('iss', 'https://evil.example');
        return answered(traveller, back.href);
      }));
    it.each([
      '',
      '?',
      '?code=x',
      '?state=x',
      '?error=access_denied&state=x',
      '?error=server_error&error_description=<script>',
    ])('causes a refusal of the sign-in if it is missing or wrong in the query %j', (query) =>
      unchanged(() => answered(newHttpBrowser(), `${origin}${stage.callback}${query}`)),
    );
  });

  it('G3: an authorization code works once, and only for our client', async () => {
    const traveller = newHttpBrowser();
    const first = await returning(traveller);
    const code = new URL(first).searchParams.get('code')!;
    await traveller.get(first);
    for (const bad of [code, provider.foreignCode(), 'x'.repeat(2_000), '']) {
      const other = newHttpBrowser();
      const back = new URL(await returning(other));
      back.searchParams.set('code', bad);
      const { headers } = await other.get(back.href);
      expect([headers.location, isSignedIn(other)]).toEqual([failed, false]);
    }
  });

  const now = () => Math.floor(Date.now() / 1000);
  const spoilt: readonly (readonly [string, () => Spoilt])[] = [
    ['alg none', () => ({ algorithm: 'none' })],
    ['HS256 with the public key', () => ({ algorithm: 'HS256 with the public key' })],
    ['an unknown kid', () => ({ key: 'unknown' })],
    ['a known kid with a key of another provider', () => ({ key: 'of another provider' })],
    ['a foreign iss', () => ({ claims: { iss: 'https://evil.example' } })],
    ['a foreign aud', () => ({ claims: { aud: 'another-client' } })],
    [
      'several aud, and an azp that names another client',
      () => ({ claims: { aud: ['charter', 'another-client'], azp: 'another-client' } }),
    ],
    ['an exp in the past', () => ({ claims: { exp: now() - 120 } })],
    ['an iat in the future', () => ({ claims: { iat: now() + 600, exp: now() + 3600 } })],
    ['an iat of yesterday', () => ({ claims: { iat: now() - 86_400 } })],
    ['no nonce', () => ({ claims: { nonce: null } })],
    ['a wrong nonce', () => ({ claims: { nonce: 'wrong' } })],
    ['no sub', () => ({ claims: { sub: null } })],
    ['an empty sub', () => ({ claims: { sub: '' } })],
    ['a sub that is a number', () => ({ claims: { sub: 7 } })],
    ['no exp', () => ({ claims: { exp: null } })],
    ['no iat', () => ({ claims: { iat: null } })],
  ];
  it.each(spoilt)('G4: an ID token with %s is refused', async (_, spoil) => {
    provider.signsInAs({ sub: 's-member', email: member.email!, email_verified: true }, spoil());
    await refused(travelled());
  });

  it.each([['false'], [false], [null], [1]])(
    'G5: a token with email_verified %j creates no account, and links no account',
    async (email_verified) => {
      const known = await person(served);
      await joined(stage, known);
      const before = await eventsIn(served);
      const { accounts } = served.charter.database.people;
      const people = await accounts.list({ limit: 1_000 });
      provider.signsInAs({ sub: `s-${randomUUID()}`, email: known.email! }, { claims: { email_verified } });
      await refused(travelled());
      expect([await eventsIn(served), await accounts.list({ limit: 1_000 })]).toEqual([before, people]);
    },
  );

  describe('G6: Account of a person', () => {
    it('is found by the subject of the token, even if the provider now sends another address', async () => {
      const [one, other] = [await person(served), await person(served)];
      await joined(stage, one);
      await joined(stage, other);
      const sub = `s-${randomUUID()}`;
      provider.signsInAs({ sub, email: one.email!, email_verified: true });
      expect(await whoIs((await travelled()).traveller)).toBe(one.id);
      for (const claims of [{ email: other.email!, email_verified: true }, { email_verified: false }, {}]) {
        provider.signsInAs({ sub, ...claims });
        expect(await whoIs((await travelled()).traveller)).toBe(one.id);
      }
    });

    it('is found even if the provider sends the address in capital letters', async () => {
      const known = await person(served);
      await joined(stage, known);
      provider.signsInAs({ sub: `s-${randomUUID()}`, email: known.email!.toUpperCase(), email_verified: true });
      expect(await whoIs((await travelled()).traveller)).toBe(known.id);
    });
  });

  describe('G7: Account with an unverified address of another person', () => {
    it('loses its password and sessions when the owner of the address signs in with Google; through single sign-on, Charter refuses the owner', async () => {
      const claimed = await person(served);
      await joined(stage, claimed);
      const { accounts, sessions } = served.charter.database.people;
      expect(await accounts.change(claimed.id, claimed.version, { emailVerified: false })).toBe('changed');
      const { cookie, session } = newSession(claimed.id, 'password', '', random, served.clock.now());
      await sessions.insert(session);
      const attacker = async () =>
        (await served.ask('GET', '/api/v1/organizations', { headers: { cookie: `${SESSION}=${cookie}` } })).status;
      expect(await attacker()).toBe(200);

      const enqueue = jest.spyOn(served.charter.database.mails, 'enqueue');
      if (answersForAddresses) enqueue.mockRejectedValueOnce(new DatabaseUnavailable('no answer'));
      provider.signsInAs({ sub: `s-${randomUUID()}`, email: claimed.email!, email_verified: true });
      const { traveller, location } = await travelled();
      await served.runtime.backgroundWork.settled();
      enqueue.mockRestore();
      const after = (await accounts.byId(claimed.id))!;
      if (!answersForAddresses) {
        // Charter does not trust the addresses of this provider, and refuses the sign-in.
        expect([location, isSignedIn(traveller), after.emailVerified]).toEqual([account, false, false]);
        expect(await accountEventsOf(served, claimed)).toMatchObject([
          { type: 'SignInFailed', data: { method: 'sso', reason: 'unverified-email' } },
        ]);
        expect(await mailsOf(served, claimed)).toEqual([]);
        return;
      }
      expect([location, await whoIs(traveller)]).toEqual(['/', claimed.id]);
      expect(after).toMatchObject({ state: 'active', emailVerified: true, passwordHash: null });
      expect(await attacker()).toBe(401);
      expect(await accountEventsOf(served, claimed)).toMatchObject([
        { type: 'PasswordDropped', data: { method: 'google' } },
        { type: 'SessionsEnded', data: {} },
        { type: 'ProviderLinked' },
        { type: 'SignedIn' },
      ]);
      // the stored kind is one that a process of an earlier release can send
      expect(await mailsOf(served, claimed)).toMatchObject([
        { kind: 'password-changed', to: claimed.email, text: expect.stringMatching(/password .* was removed on/) },
      ]);
    });
  });

  describe('T3: Refusal', () => {
    const refusals = () => served.entries().filter(({ msg }) => msg === 'a sign-in through a provider was refused');

    it.each([
      ['without an account', 'unknown', async () => ({ id: undefined, email: `${randomUUID()}@people.example` })],
      ['with a disabled account', 'disabled', () => person(served, { state: 'disabled' })],
      ['without an organization', 'no-organization', () => person(served)],
    ] as const)(
      'of a person %s leaves one log entry, which names the reason, and the account if there is one',
      async (_, why, signingIn) => {
        const { id, email } = await signingIn();
        provider.signsInAs({ sub: `s-${randomUUID()}`, email: email!, email_verified: true });
        const before = refusals().length;
        const { answer } = await travelled();
        const [entry, ...more] = refusals().slice(before);
        expect(more).toEqual([]);
        expect(entry).toMatchObject({
          time: expect.stringMatching(/Z$/),
          request: answer.headers['request-id'],
          address: '127.0.0.1',
          method: shown,
          result: 'sign-in-refused',
          why,
        });
        expect([entry!['account'], entry!['organization']]).toEqual([
          id,
          shown === 'sso' ? stage.organization : undefined,
        ]);
      },
    );

    it("because of an address that the provider has not verified is recorded in the stream of this address's account", async () => {
      const known = await person(served);
      provider.signsInAs({ sub: `s-${randomUUID()}`, email: known.email!, email_verified: false });
      await refused(travelled());
      expect(await accountEventsOf(served, known)).toMatchObject([
        { type: 'SignInFailed', data: { method: shown, reason: 'unverified-email' } },
      ]);
    });

    it('after a failure of the provider leaves a log entry, which names the organization if the provider belongs to one', async () => {
      provider.failsAt('token', (response) => response.writeHead(500).end());
      const before = refusals().length;
      await refused(travelled());
      expect(refusals().slice(before)).toMatchObject([
        { result: 'sign-in-refused', ...(shown === 'sso' && { organization: stage.organization }) },
      ]);
    });
  });

  describe('G8: Verified identity without a usable account', () => {
    const people: readonly (readonly [string, () => Promise<Pick<Account, 'email'>>])[] = [
      ['is unknown', async () => ({ email: `${randomUUID()}@people.example` })],
      [
        'is disabled',
        async () => {
          const dora = await person(served, { state: 'disabled' });
          await joined(stage, dora);
          return dora;
        },
      ],
      ['is a member of no organization', () => person(served)],
      [
        'is erased',
        async () => {
          const erased = await person(served);
          await joined(stage, erased);
          await served.charter.database.people.accounts.erase(erased.id, Date.now());
          return erased;
        },
      ],
    ];
    it.each(people)(
      'leads to error=account, with an empty body and no session, when the person %s',
      async (_, identity) => {
        const { email } = await identity();
        provider.signsInAs({ sub: `s-${randomUUID()}`, email: email!, email_verified: true });
        const { traveller, location, answer } = await travelled();
        expect([answer.status, location, answer.text, isSignedIn(traveller)]).toEqual([302, account, '', false]);
      },
    );

    it('leads to error=account when the account was disabled after a sign-in', async () => {
      const dora = await person(served);
      await joined(stage, dora);
      provider.signsInAs({ sub: `s-${dora.id}`, email: dora.email!, email_verified: true });
      expect((await travelled()).location).toBe('/');
      const { accounts } = served.charter.database.people;
      await accounts.change(dora.id, dora.version, { state: 'disabled' });
      await refused(travelled(), account);
      expect((await factsOf(dora.id)).at(-1)).toBe('SignInFailed');
    });
  });

  describe('G9: Provider that fails', () => {
    const internal = 'http://127.0.0.1:1/internal';
    const faults: readonly (readonly [string, Fault])[] = [
      ['status 500', (response) => response.writeHead(500).end('Traceback (most recent call last)')],
      ['malformed JSON', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{]')],
      [
        'the JSON value null',
        (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('null'),
      ],
      [
        'an unexpected JSON object',
        (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":7}'),
      ],
      ['a redirect to an internal address', (response) => response.writeHead(302, { location: internal }).end()],
      ['a closed connection', (response) => response.destroy()],
      ['no answer for ten seconds', (response) => void setTimeout(() => response.end(), 10_000).unref()],
    ];
    const failsInTime = async () => {
      const begun = performance.now();
      const { traveller, location, answer } = await travelled();
      expect(performance.now() - begun).toBeLessThan(5_000);
      expect([location, answer.text, isSignedIn(traveller)]).toEqual([failed, '', false]);
    };
    it.each(faults)('at its token endpoint, with %s, makes the sign-in fail within 5 s', async (_, fault) => {
      provider.failsAt('token', fault);
      await failsInTime();
    });

    let hours = 0;
    /**
     * Runs the sign-in two hours later, when the cached metadata has expired. The provider issues the token at that
     * time, so only the fault can make the sign-in fail.
     */
    const later = async (work: () => Promise<unknown>) => {
      hours += 2;
      const ahead = hours * 3_600_000;
      served.clock.advance(ahead);
      const iat = Math.floor(served.clock.now() / 1000);
      provider.signsInAs(
        { sub: 's-member', email: member.email!, email_verified: true },
        { claims: { iat, exp: iat + 60 } },
      );
      await work().finally(() => served.clock.advance(-ahead));
    };
    it('signs the person in when it works again, two hours later', () =>
      later(async () => expect((await travelled()).location).toBe('/')));
    it.each(faults)('at its discovery endpoint, with %s, makes the sign-in fail within 5 s', (_, fault) =>
      later(async () => {
        provider.failsAt('discovery', fault);
        await failsInTime();
        expect(provider.requested.at(-1)).toBe('/.well-known/openid-configuration');
      }),
    );
    it.each(faults)('at its JWKS endpoint, with %s, makes the sign-in fail within 5 s (G11)', (_, fault) =>
      later(async () => {
        provider.failsAt('keys', fault);
        await failsInTime();
        expect(provider.requested.at(-1)).toBe('/keys');
      }),
    );

    it('that redirects with an error makes the sign-in fail; the description of the error is neither shown nor logged', async () => {
      const traveller = newHttpBrowser();
      const back = new URL(await returning(traveller));
      back.searchParams.delete('code');
      back.searchParams.set('error', 'server_error');
      back.searchParams.set('error_description', '<script>alert("words of the provider")</script>');
      const { headers, text } = await traveller.get(back.href);
      expect([headers.location, text]).toEqual([failed, '']);
      expect(served.lines.join('')).not.toContain('words of the provider');
    });
  });

  it('C11: while the process cannot read sessions, a sign-in fails, begins no session, and is not recorded', async () => {
    const ada = await person(served);
    await joined(stage, ada);
    provider.signsInAs({ sub: `s-${ada.id}`, email: ada.email!, email_verified: true });
    const { sessions } = served.charter.database.people;
    const find = jest.spyOn(sessions, 'find').mockRejectedValue(new Error('silent'));
    await refused(travelled().finally(() => find.mockRestore()));
    expect(await sessions.listOf(ada.id, '')).toEqual([]);
    expect(await factsOf(ada.id)).not.toContain('SignedIn');
    expect((await travelled()).location).toBe('/');
  });

  it('G12: two tabs of one browser can finish their flows, and the last flow decides which account is signed in', async () => {
    const [one, other] = [await person(served), await person(served)];
    await joined(stage, one);
    await joined(stage, other);
    const traveller = newHttpBrowser();
    const first = await returning(traveller);
    const second = await returning(traveller);
    expect(flowCookies(traveller)).toHaveLength(2);

    provider.signsInAs({ sub: `s-${other.id}`, email: other.email!, email_verified: true });
    expect((await traveller.get(second)).headers.location).toBe('/');
    expect(await whoIs(traveller)).toBe(other.id);
    provider.signsInAs({ sub: `s-${one.id}`, email: one.email!, email_verified: true });
    expect((await traveller.get(first)).headers.location).toBe('/');
    expect(await whoIs(traveller)).toBe(one.id);
  });

  it('G12: the code of one tab does not finish the flow of the other tab', async () => {
    const traveller = newHttpBrowser();
    const first = new URL(await returning(traveller));
    const second = new URL(await returning(traveller));
    second.searchParams.set('code', first.searchParams.get('code')!);
    const { headers } = await traveller.get(second.href);
    expect([headers.location, isSignedIn(traveller)]).toEqual([failed, false]);
  });

  it('a browser has at most four unfinished flows', async () => {
    const traveller = newHttpBrowser();
    for (let tab = 0; tab < 7; tab += 1) await traveller.get(`${origin}${stage.start}`);
    expect(flowCookies(traveller)).toHaveLength(4);
    const { location } = await travelled(traveller);
    expect(location).toBe('/');
  });

  it('a sign-in through the provider leaves no e-mail address, `sub`, code, `state` or client secret in log lines or account events', async () => {
    const traveller = newHttpBrowser();
    const back = await returning(traveller);
    await traveller.get(back);
    const { searchParams } = new URL(back);
    const events: string[] = [];
    for await (const event of served.charter.log.readStream(`account-${member.id}`))
      events.push(JSON.stringify(event.data));
    const written = [...served.lines, ...events].join('\n');
    for (const secret of [
      member.email!,
      's-member',
      searchParams.get('code')!,
      searchParams.get('state')!,
      provider.client.secret,
    ])
      expect(written).not.toContain(secret);
  });
}
