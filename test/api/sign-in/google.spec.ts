import { type Account, safeRedirect, sessionHash, signInToken } from '@charter/identity';
import { freePort } from '../../support/network/free-port.mjs';
import { type GoogleStandIn, startGoogleStandIn } from '../../support/sign-in/google-stand-in';
import { founded } from '../../support/requests/organizations';
import { type OwnProvider, startOwnProvider } from '../../support/sign-in/own-provider';
import { person, SESSION, signedIn } from '../../support/sign-in/people';
import { good, hostile } from '../../support/requests/redirects';
import { eventsIn, type Served, serving, until } from '../../support/serving';
import { newHttpBrowser, type HttpBrowser } from '../../support/sign-in/http-browser';
import { joined, originOf, signedInAs, signsInElsewhere, type Stage } from './sign-in-elsewhere.contract';

/** The settings that make Charter use our test provider as Google. */
const settingsOf = ({ issuer, client }: OwnProvider) => ({
  GOOGLE_CLIENT_ID: client.id,
  GOOGLE_CLIENT_SECRET: client.secret,
  GOOGLE_ISSUER_URL: issuer,
});

const open = async (provider: OwnProvider): Promise<Stage> => {
  const served = await serving({
    environment: { ...settingsOf(provider), REDIRECT_ORIGINS: 'https://help.example' },
  });
  const key = await served.key();
  const organization = await founded(served, { by: key });
  return { served, key, organization, start: '/auth/go', callback: '/auth/go/callback' };
};

describe('Sign-in with Google', () => {
  signsInElsewhere({ shown: 'google', answersForAddresses: true, open });
});

describe('Token of the sign-in page for the sign-in with Google', () => {
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
    provider.signsInAs({ sub: 's-1', email: member.email!, email_verified: true });
  });
  afterAll(async () => {
    await served.close();
    await provider.close();
  });

  /** A browser that has opened the sign-in page, and the page's token for the sign-in with Google. */
  const onPage = async (redirect: string, traveller = newHttpBrowser()) => {
    await traveller.get(`${origin}/`);
    const session = sessionHash(traveller.cookies(origin).get(SESSION)!);
    const target = safeRedirect(redirect, { publicUrl: origin, origins: ['https://help.example'] });
    return { traveller, token: signInToken(served.charter.keyFor('sign-in'), session, target, served.clock.now()) };
  };
  const isOurs = (address: string) => address.startsWith(origin);
  const start = async (traveller: HttpBrowser, token: string) =>
    (await traveller.get(`${origin}/auth/go/${token}`)).headers.location;
  const end = async (traveller: HttpBrowser, away: string, spoil: (back: URL) => void = () => undefined) => {
    const back = new URL(await traveller.go(away, isOurs));
    spoil(back);
    return (await traveller.get(back.href)).headers.location!;
  };

  it.each(good.map((redirect) => [redirect]))('E3: leads to the valid target %j', async (redirect) => {
    const { traveller, token } = await onPage(redirect);
    const location = await end(traveller, (await start(traveller, token))!);
    expect(location).toBe(redirect.replace('/a/b/../c', '/a/c'));
    expect(await signedInAs(served, traveller)).toBe(member.id);
  });

  it.each(Array.from(hostile('APP'), (redirect, index) => [index, redirect] as const))(
    'E3: leads to our own origin for hostile value %i, %j',
    async (index) => {
      const { traveller, token } = await onPage(hostile(origin)[index]!);
      const location = await end(traveller, (await start(traveller, token))!);
      const [once, twice] = [new URL(location, origin), new URL(new URL(location, origin).href, origin)];
      expect([once.origin, twice.origin, location]).toEqual([origin, origin, '/']);
      expect(await signedInAs(served, traveller)).toBe(member.id);
    },
  );

  it('E3: leads to a URL whose origin is in REDIRECT_ORIGINS; a similar origin leads to /', async () => {
    for (const [redirect, reached] of [
      ['https://help.example/a?b', 'https://help.example/a?b'],
      ['http://help.example/', '/'],
      ['https://help.example.evil.example/', '/'],
      ['https://help.example:8443/', '/'],
    ] as const) {
      const { traveller, token } = await onPage(redirect);
      expect(await end(traveller, (await start(traveller, token))!)).toBe(reached);
    }
  });

  it('E3: keeps its target, whatever parameters the provider returns', async () => {
    const { traveller, token } = await onPage('/sites');
    const location = await end(traveller, (await start(traveller, token))!, ({ searchParams }) => {
      for (const name of ['redirect', 'redirect_uri', 'next', 'return_to', 'url'])
        searchParams.set(name, '//evil.example');
    });
    expect(location).toBe('/sites');
  });

  describe('G10', () => {
    it('may be absent: the browser then goes to the provider, and after the sign-in to /', async () => {
      const traveller = newHttpBrowser();
      for (const address of ['/auth/go', '/auth/go/']) {
        const { headers } = await traveller.get(`${origin}${address}`);
        expect(headers.location).toMatch(new RegExp(`^${provider.issuer}/authorize\\?`));
        expect(await end(traveller, headers.location!)).toBe('/');
      }
    });

    it.each([
      ['unknown', 'unknown'],
      ['a text in the form of a token', `${'x'.repeat(100)}.${'y'.repeat(43)}`],
      ['10 kB', 'x'.repeat(10_240)],
      ['../', '../'],
      ['../../evil.example', '../../evil.example'],
      ['%2f%2fevil.example', '%2f%2fevil.example'],
      ['%2e%2e%2fcallback', '%2e%2e%2fcallback'],
      ['%', '%'],
      ['%zz', '%zz'],
      ['%00', '%00'],
      ['<script>alert(1)</script>', '<script>alert(1)</script>'],
      ['%3Cscript%3Ealert(1)%3C/script%3E', '%3Cscript%3Ealert(1)%3C/script%3E'],
      ['callback/x', 'callback/x'],
      ['//evil.example', '//evil.example'],
      ['x?code=1&state=2', 'x?code=1&state=2'],
      ['?code=1&state=2', '?code=1&state=2'],
      ['?error=access_denied', '?error=access_denied'],
    ])('leads to the sign-in page and writes no event for the value %j', async (_, token) => {
      const { traveller } = await onPage('/');
      const before = await eventsIn(served);
      const answer = await served.ask('GET', `/auth/go/${token}`, {
        headers: { cookie: `${SESSION}=${traveller.cookies(origin).get(SESSION)}` },
      });
      expect([answer.status, answer.headers.location, answer.text]).toEqual([302, '/login?error=google', '']);
      expect(await eventsIn(served)).toBe(before);
    });

    it('leads to the sign-in page when it is used a second time', async () => {
      const { traveller, token } = await onPage('/sites');
      expect(await start(traveller, token)).toContain(provider.issuer);
      expect(await start(traveller, token)).toBe('/login?error=google');
    });

    it('leads to the sign-in page in another browser, or in a browser without a cookie', async () => {
      const { token } = await onPage('/sites');
      const { traveller: other } = await onPage('/');
      expect(await start(other, token)).toBe('/login?error=google');
      expect(await start(newHttpBrowser(), token)).toBe('/login?error=google');
    });

    it('leads to the sign-in page after its expiry', async () => {
      const { traveller, token } = await onPage('/sites');
      served.clock.advance(12 * 3_600_000);
      const location = await start(traveller, token).finally(() => served.clock.advance(-12 * 3_600_000));
      expect(location).toBe('/login?error=google');
    });

    it('is in no log line and no redirect', async () => {
      const { traveller, token } = await onPage('/sites');
      const answer = await traveller.get(`${origin}/auth/go/${token}`);
      await start(traveller, token);
      expect(answer.headers['referrer-policy']).toBe('no-referrer');
      expect(answer.headers.location).not.toContain(token);
      expect(served.lines.join('\n')).not.toContain(token);
      expect(served.lines.join('\n')).toContain('token-used');
    });
  });
});

describe('G11: Service', () => {
  it('redirects each sign-in with error=google if it has no settings for Google', async () => {
    const served = await serving();
    for (const address of ['/auth/go', '/auth/go/x', '/auth/go/callback?code=x&state=y'])
      expect((await served.ask('GET', address)).headers.location).toBe('/login?error=google');
    await served.close();
  });

  it('starts while its provider is unreachable, and redirects with error=google', async () => {
    const environment = { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y', GOOGLE_ISSUER_URL: 'http://127.0.0.1:9' };
    const served = await serving({ environment });
    expect((await served.ask('GET', '/auth/go')).headers.location).toBe('/login?error=google');
    await served.close();
  });

  it('R9: is ready while its provider is unreachable, names the provider in its health report, and recovers when the provider answers again', async () => {
    const away = await startOwnProvider();
    away.failsAt('discovery', (response) => response.destroy());
    const served = await serving({ environment: settingsOf(away) });
    const ready = async () => (await served.ask('GET', '/health/ready')).body;
    await until(async () => (await ready()).google === 'failing');
    await until(async () => (await ready()).status === 'ready'); // the first readiness check of the provider may fail
    expect(await ready()).toMatchObject({ status: 'ready', google: 'failing' });
    await signedIn(served, await person(served));
    expect((await served.ask('GET', '/auth/go')).headers.location).toBe('/login?error=google');

    away.recovers();
    expect((await served.ask('GET', '/auth/go')).headers.location).toContain(`${away.issuer}/authorize`);
    expect(await ready()).toMatchObject({ status: 'ready', google: 'ok' });
    expect(served.entries().filter(({ msg }) => /^Google /.test(String(msg)))).toHaveLength(2);
    await served.close();
    await away.close();
  });

  it('with a wrong client secret signs no person in', async () => {
    const provider = await startOwnProvider();
    const environment = { ...settingsOf(provider), GOOGLE_CLIENT_SECRET: 'wrong' };
    const served = await serving({ environment });
    const traveller = newHttpBrowser();
    const back = await traveller.go(`${originOf(served)}/auth/go`, (at) => at.includes('/auth/go/callback'));
    expect((await traveller.get(back)).headers.location).toBe('/login?error=google');
    await served.close();
    await provider.close();
  });
});

describe('Sign-in with the stand-in for Google', () => {
  let google: GoogleStandIn;
  let served: Served;
  let origin: string;

  beforeAll(async () => {
    // The stand-in needs the callback URL of the service to start, and the service needs the issuer's URL to start. So
    // the test chooses the port first.
    const port = await freePort();
    origin = `http://localhost:${port}`;
    google = await startGoogleStandIn({
      clientId: 'charter',
      clientSecret: 'stand-in-secret',
      redirectUris: [`${origin}/auth/go/callback`],
      accounts: [{ sub: '1001', email: 'gina@people.example', email_verified: true, name: 'Gina' }],
    });
    served = await serving({
      environment: {
        PORT: String(port),
        PUBLIC_URL: origin,
        GOOGLE_CLIENT_ID: 'charter',
        GOOGLE_CLIENT_SECRET: 'stand-in-secret',
        GOOGLE_ISSUER_URL: google.issuer,
      },
    });
  });
  afterAll(async () => {
    await served.close();
    await google.close();
  });

  const isBack = (address: string) => address.startsWith(`${origin}/auth/go/callback`);

  it('accepts the invitation of an invited person, without a password', async () => {
    const gina = await person(served, {
      email: 'gina@people.example',
      state: 'invited',
      emailVerified: false,
      password: null,
    });
    const key = await served.key();
    await joined({ served, key, organization: await founded(served, { by: key }) }, gina);
    const traveller = newHttpBrowser();
    const back = await traveller.go(`${origin}/auth/go`, isBack);
    expect((await traveller.get(back)).headers.location).toBe('/');
    expect(await signedInAs(served, traveller)).toBe(gina.id);
    expect(await served.charter.database.people.accounts.byId(gina.id)).toMatchObject({
      state: 'active',
      emailVerified: true,
      passwordHash: null,
    });
  });

  it('fails when the person presses Cancel', async () => {
    google.signInAs(null);
    const traveller = newHttpBrowser();
    const back = await traveller.go(`${origin}/auth/go`, isBack);
    expect(new URL(back).searchParams.get('error')).toBe('access_denied');
    expect((await traveller.get(back)).headers.location).toBe('/login?error=google');
    expect(await signedInAs(served, traveller)).toBeUndefined();
  });
});
