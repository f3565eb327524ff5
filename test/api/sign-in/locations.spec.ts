import { readSignInToken, sessionHash } from '@charter/identity';
import { done, founded } from '../../support/requests/organizations';
import { type OwnProvider, startOwnProvider } from '../../support/sign-in/own-provider';
import { type Browser, browser, person, SESSION, signedIn } from '../../support/sign-in/people';
import { hostile } from '../../support/requests/redirects';
import { type Served, serving } from '../../support/serving';

let provider: OwnProvider;
let served: Served;
let origin: string;
let organization: string;
let signedInBrowser: Browser;
beforeAll(async () => {
  provider = await startOwnProvider();
  served = await serving();
  origin = served.runtime.settings.publicUrl;
  const key = await served.key();
  organization = await founded(served, { by: key });
  const { issuer, client } = provider;
  const body = { issuer, clientId: client.id, clientSecret: client.secret };
  await done(served, key, organization, ['PUT', '/single-sign-on', body]);
  signedInBrowser = await signedIn(served, await person(served));
});
afterAll(async () => {
  await served.close();
  await provider.close();
});

/**
 * The origins to which a header Location leads in three readings: as a URL, as this URL after it is printed and
 * parsed again, and as a path of Charter's origin.
 */
const ends = (location: string) => {
  const once = new URL(location, origin);
  return [once.origin, new URL(once.href, origin).origin, new URL(once.pathname + once.search, origin).origin];
};
const ours = () => [origin, origin, origin];

describe('E4: Redirect', () => {
  it.each(hostile('APP').map((_, index) => [index]))(
    'stays at our origin for hostile value %i in the query or in the path',
    async (index) => {
      const value = hostile(origin)[index]!;
      const sent = encodeURIComponent(value);
      const page = await browser(served);
      for (const by of [page, signedInBrowser])
        for (const at of [
          `/?redirect=${sent}`,
          `/login?redirect=${sent}`,
          `/forgot?redirect=${sent}`,
          `/org/1?redirect=${sent}`,
          `/org/${sent}`,
          `/me/${sent}`,
          `/${sent}`,
          `/auth/go/${sent}`,
          `/auth/go/callback?redirect=${sent}&state=x&code=y`,
          `/auth/sso/${sent}`,
          `/auth/sso/callback?redirect=${sent}`,
          `/api/docs?${sent}`,
        ]) {
          const { status, headers, text } = await by.get(at, { headers: { Accept: 'text/html' } });
          expect([at, status < 500]).toEqual([at, true]);
          if (headers.location !== undefined) expect([at, ...ends(headers.location)]).toEqual([at, ...ours()]);
          const token = /<meta name="charter-google-token" content="([^"]+)"/.exec(text)?.[1];
          if (token === undefined) continue;
          const session = sessionHash(by.cookies.get(SESSION)!);
          const read = readSignInToken(served.charter.keyFor('sign-in'), session, token, served.clock.now());
          expect([at, ...ends(read!.redirect)]).toEqual([at, ...ours()]);
        }
    },
  );

  it('is found in the sign-in page by the pattern of the tests above', async () => {
    const { text } = await (await browser(served)).get('/?redirect=/sites', { headers: { Accept: 'text/html' } });
    expect(text).toMatch(/<meta name="charter-google-token" content="[^"]{40,}"/);
  });

  it('stays at our origin even for a path that a browser could read as another host', async () => {
    for (const at of [
      '//evil.example',
      '//evil.example/%2e%2e',
      '/\\evil.example',
      '/org//evil.example',
      '/.//evil.example',
    ])
      for (const by of [await browser(served), signedInBrowser]) {
        const { status, headers } = await by.get(at, { headers: { Accept: 'text/html' } });
        expect([at, status < 500]).toEqual([at, true]);
        if (headers.location !== undefined) expect([at, ...ends(headers.location)]).toEqual([at, ...ours()]);
      }
  });

  it('of single sign-on leads only to the configured provider', async () => {
    for (const value of hostile(origin)) {
      const at = `/auth/sso/${organization}?redirect=${encodeURIComponent(value)}&issuer=https://evil.example&redirect_uri=https://evil.example`;
      const { headers } = await (await browser(served)).get(at);
      const there = new URL(headers.location!);
      expect([there.origin, new URL(there.searchParams.get('redirect_uri')!).origin]).toEqual([
        provider.issuer,
        origin,
      ]);
      expect(decodeURIComponent(there.href)).not.toContain('evil');
    }
  });
});
