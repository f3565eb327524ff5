import { DatabaseUnavailable } from '@charter/database';
import type { Account } from '@charter/identity';
import {
  type Browser,
  browser,
  mailsOf,
  PASSWORD,
  person,
  SESSION,
  signedIn,
  accountEventsOf,
  tokenIn,
} from '../../support/sign-in/people';
import { paused, resumed, type Served, serving, until } from '../../support/serving';

const HOUR = 3_600_000;
const OTHER = 'another long phrase of mine';
let served: Served;
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
});
afterAll(() => served.close());
const isIn = async (here: Browser) => (await here.get('/api/v1/me')).status === 200;
/** Waits until the use of a session is stored, because the process stores it after the answer. */
const useIsRecorded = ({ id }: Account) =>
  until(
    async () =>
      (await served.charter.database.people.sessions.listOf(id, new Date(served.clock.now() - HOUR).toISOString()))
        .length > 0,
  );
const requestWith = (cookie: string) => served.ask('GET', '/api/v1/me', { headers: { Cookie: cookie } });

describe('C: Session', () => {
  it('C1: has a small, opaque cookie for this host only', async () => {
    const secure = await serving({ environment: { PUBLIC_URL: 'https://charter.example' } });
    const ada = await person(secure);
    const here = await browser(secure);
    const { headers } = await here.logIn(ada.email!);
    const line = headers['set-cookie']!.find((one) => one.startsWith('__Host-charter='))!;
    expect(line).toMatch(
      /^__Host-charter=[\w-]{43}; Max-Age=\d+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    await secure.close();
  });

  it('C3: begins with a new cookie and a new XSRF token, and the earlier cookie and token are then refused', async () => {
    const ada = await person(served);
    const here = await browser(served);
    const [before, token] = [here.cookies.get(SESSION)!, here.token()];
    await here.logIn(ada.email!);
    expect(here.cookies.get(SESSION)).not.toBe(before);
    expect(here.token()).not.toBe(token);
    expect((await requestWith(`${SESSION}=${before}`)).status).toBe(401);
    const first = here.cookies.get(SESSION)!;
    await here.logIn(ada.email!); // a second sign-in, with the cookies of the first session
    expect((await requestWith(`${SESSION}=${first}`)).status).toBe(401);
    expect(await isIn(here)).toBe(true);
  });

  it("C4, C14: is refused after sign-out, which also clears the browser's data", async () => {
    const here = await signedIn(served, await person(served));
    const cookie = `${SESSION}=${here.cookies.get(SESSION)}`;
    expect((await requestWith(cookie)).status).toBe(200);
    const left = await here.send('POST', '/logout');
    expect([left.status, left.headers['clear-site-data']]).toEqual([204, '"cache", "storage"']);
    expect((await requestWith(cookie)).status).toBe(401);
    expect((await here.send('POST', '/logout')).status).toBe(204);
  });

  it('ends at sign-out even if the sign-out cannot be recorded yet, and Charter then records the sign-out later', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    const cookie = here.cookies.get(SESSION);
    const { deferred } = served.charter.database;
    const failing = jest.spyOn(deferred, 'add').mockRejectedValueOnce(new DatabaseUnavailable('a spec'));
    expect((await here.send('POST', '/logout')).status).toBe(204);
    failing.mockRestore();
    expect(here.cookies.get(SESSION)).not.toBe(cookie);
    expect((await requestWith(`${SESSION}=${cookie}`)).status).toBe(401);
    expect((await accountEventsOf(served, ada)).map(({ type }) => type)).toEqual(['SignedIn', 'SignedOut']);
  });

  it('C6: ends after a day without use, and after thirty days at the latest', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    served.clock.advance(24 * HOUR - 5_000);
    expect(await isIn(here)).toBe(true);
    await useIsRecorded(ada);
    served.clock.advance(23 * HOUR);
    expect(await isIn(here)).toBe(true);
    await useIsRecorded(ada);
    served.clock.advance(24 * HOUR + 1_000);
    expect(await isIn(here)).toBe(false);

    const long = await signedIn(served, ada);
    for (let hours = 0; hours < 30 * 24 - 12; hours += 12) {
      served.clock.advance(12 * HOUR);
      expect([hours, await isIn(long)]).toEqual([hours, true]);
      await useIsRecorded(ada);
    }
    served.clock.advance(12 * HOUR - 5_000);
    expect(await isIn(long)).toBe(true);
    served.clock.advance(6_000);
    expect(await isIn(long)).toBe(false);
  });

  it('C8: cannot be taken over with the hash and the id that the database stores', async () => {
    const ada = await person(served);
    await signedIn(served, ada);
    const [session] = await served.charter.database.people.sessions.listOf(ada.id, '');
    for (const value of [session!.hash, session!.id])
      expect((await requestWith(`${SESSION}=${value}`)).status).toBe(401);
  });

  it('C9: is refused if its cookie is malformed', async () => {
    const good = (await signedIn(served, await person(served))).cookies.get(SESSION)!;
    const broken = [
      '',
      '"',
      'x',
      'x'.repeat(8_000),
      `"${good}"`,
      `${good}=`,
      `${good}x`,
      good.slice(1),
      'é'.repeat(43),
      '%00',
      `${good}%00`,
      `s:${good}`,
      encodeURIComponent(`{"id":"${good}"}`),
      '__proto__',
      'null',
      good.toUpperCase(),
      Array.from(good).reverse().join(''),
      `${good}.${'A'.repeat(43)}`, // a signed cookie, as an earlier release sent it
      `${good}%3D`,
      `../${good}`,
    ];
    for (const value of broken) {
      expect([value, (await requestWith(`${SESSION}=${value}`)).status]).toEqual([value, 401]);
      expect([value, (await served.ask('GET', '/', { headers: { Cookie: `${SESSION}=${value}` } })).status]).toEqual([
        value,
        200,
      ]);
    }
    for (const cookie of [
      `${SESSION}=${good}; ${SESSION}=${good}`,
      `__Host-${SESSION}=${good}`,
      `;;${SESSION}`,
      '=;=',
      `x${SESSION}=${good}`,
    ])
      expect([cookie, (await requestWith(cookie)).status]).toEqual([cookie, 401]);
  });

  it('C10: is read only from the cookie, and not from a query or another header', async () => {
    const good = (await signedIn(served, await person(served))).cookies.get(SESSION)!;
    expect((await served.ask('GET', `/api/v1/me?${SESSION}=${good}&session=${good}`)).status).toBe(401);
    expect((await served.ask('GET', '/api/v1/me', { headers: { Session: good, 'X-Session': good } })).status).toBe(401);
    expect((await served.ask('GET', '/api/v1/me', { key: good })).status).toBe(401);
  });

  it('C11: gets 503 with Retry-After while the process cannot read sessions', async () => {
    let silent = false;
    const broken = await serving({
      between: (stores) => {
        const { people } = stores.database;
        const find: typeof people.sessions.find = (hash) =>
          silent ? Promise.reject(new DatabaseUnavailable('silent')) : people.sessions.find(hash);
        return {
          ...stores,
          database: { ...stores.database, people: { ...people, sessions: { ...people.sessions, find } } },
        };
      },
    });
    const here = await signedIn(broken, await person(broken));
    silent = true;
    const answer = await here.get('/api/v1/me');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    await broken.close();
  });

  it('C13: gets only answers with `Cache-Control: no-store`', async () => {
    const here = await signedIn(served, await person(served, { role: 'auditor' }));
    for (const at of ['/api/v1/me', '/api/v1/me/sessions', '/api/v1/organizations', '/'])
      expect([at, (await here.get(at, { headers: { Accept: 'text/html' } })).headers['cache-control']]).toEqual([
        at,
        'no-store',
      ]);
  });
});

describe('C5: Account', () => {
  /** Three browsers of one account; the first browser makes the change. */
  const three = async (fields = {}) => {
    const ada = await person(served, fields);
    return {
      ada,
      browsers: [await signedIn(served, ada), await signedIn(served, ada), await signedIn(served, ada)] as const,
    };
  };
  const confirmedBy = async (here: Browser, ada: Account, email: string) => {
    expect((await here.send('PATCH', '/api/v1/me', { email, password: PASSWORD })).status).toBe(200);
    const mail = (await mailsOf(served, ada)).at(-1)!;
    expect([mail.kind, mail.to]).toEqual(['confirm-email', email]);
    return tokenIn(mail);
  };

  it('loses its other sessions when one browser changes its password; this browser gets a new cookie', async () => {
    const {
      ada,
      browsers: [here, ...others],
    } = await three();
    const before = here.cookies.get(SESSION)!;
    expect((await here.send('PUT', '/api/v1/me/password', { current: PASSWORD, password: OTHER })).status).toBe(204);
    expect(await isIn(here)).toBe(true);
    expect((await requestWith(`${SESSION}=${before}`)).status).toBe(401);
    for (const other of others) expect(await isIn(other)).toBe(false);
    expect((await mailsOf(served, ada)).at(-1)).toMatchObject({ kind: 'password-changed', to: ada.email });
    expect((await (await browser(served)).logIn(ada.email!, OTHER)).status).toBe(204);
  });

  it('gets a new address only when the mailed link is confirmed, and the previous address gets a notice', async () => {
    const {
      ada,
      browsers: [here, ...others],
    } = await three();
    const email = `new-${ada.id}@people.example`;
    const token = await confirmedBy(here, ada, email);
    expect((await here.get('/api/v1/me')).body.email).toBe(ada.email);
    expect((await here.send('POST', '/email/confirm', { token })).status).toBe(204);
    expect((await here.get('/api/v1/me')).body.email).toBe(email);
    for (const other of others) expect(await isIn(other)).toBe(false);
    expect((await mailsOf(served, ada)).at(-1)).toMatchObject({ kind: 'email-changed', to: ada.email });
    expect((await here.send('POST', '/email/confirm', { token })).body.type).toBe('/problems/reset-link-invalid');
  });

  it('no longer accepts a reset link that was mailed before its address changed (B7)', async () => {
    const {
      ada,
      browsers: [here],
    } = await three();
    await here.send('POST', '/forgot', { email: ada.email });
    const reset = tokenIn((await mailsOf(served, ada)).at(-1)!);
    const token = await confirmedBy(here, ada, `later-${ada.id}@people.example`);
    // the link of a password reset does not confirm an address
    expect((await here.send('POST', '/email/confirm', { token: reset })).status).toBe(400);
    expect((await here.send('POST', '/email/confirm', { token })).status).toBe(204);
    expect((await here.send('POST', '/reset', { token: reset, password: OTHER })).status).toBe(400);
  });

  it('cannot get the address of another account: the answer is the usual one, and the mail contains no link', async () => {
    const eve = await person(served);
    const {
      ada,
      browsers: [here],
    } = await three();
    expect((await here.send('PATCH', '/api/v1/me', { email: eve.email, password: PASSWORD })).status).toBe(200);
    const [mail] = await mailsOf(served, ada);
    expect(mail!.to).toBe(eve.email);
    expect(mail!.text).not.toContain('http');
  });

  it('loses all sessions when its role changes', async () => {
    const { ada, browsers } = await three();
    const op = await signedIn(served, await person(served, { role: 'operator' }));
    expect(
      (await op.send('PUT', `/api/v1/accounts/${ada.id}/role`, { role: 'auditor', password: PASSWORD })).status,
    ).toBe(200);
    for (const one of browsers) expect(await isIn(one)).toBe(false);
    expect((await (await signedIn(served, ada)).get('/api/v1/me')).body.role).toBe('auditor');
  });

  it('is not changed by the routes that need the password, if the password is wrong', async () => {
    const {
      ada,
      browsers: [here],
    } = await three({ role: 'operator' });
    const wrong = 'not the password at all';
    const requests: readonly (readonly [string, string, object])[] = [
      ['PUT', '/api/v1/me/password', { current: wrong, password: OTHER }],
      ['PATCH', '/api/v1/me', { email: 'x@people.example', password: wrong }],
      ['POST', '/api/v1/me/sessions/end-others', { password: wrong }],
      ['POST', '/api/v1/me/close', { password: wrong }],
      ['POST', '/api/v1/keys', { name: 'x', scopes: ['flags:read'], password: wrong }],
      ['PUT', `/api/v1/accounts/${ada.id}/role`, { role: null, password: wrong }],
      ['POST', `/api/v1/accounts/${ada.id}/erase`, { password: wrong }],
    ];
    const keys = (await served.charter.database.keys.list()).length;
    for (const [method, at, body] of requests) {
      const answer = await here.send(method, at, body);
      expect([at, answer.status, answer.body.type]).toEqual([at, 403, '/problems/wrong-password']);
    }
    expect(await served.charter.database.people.accounts.byId(ada.id)).toEqual(ada);
    expect((await served.charter.database.keys.list()).length).toBe(keys);
    expect((await accountEventsOf(served, ada)).filter(({ type }) => type === 'SignInFailed')).toHaveLength(
      requests.length,
    );
  });

  it('is not changed without a password, and the answer says that the account has none', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    await served.charter.database.people.accounts.change(ada.id, ada.version, { passwordHash: null });
    const { status, body } = await here.send('POST', '/api/v1/me/close', { password: PASSWORD });
    expect([status, body]).toEqual([
      403,
      expect.objectContaining({ type: '/problems/wrong-password', why: 'no-password' }),
    ]);
  });
});

describe('C7: Own sessions', () => {
  it('can be listed and ended by the signed-in person, but not ended by another person', async () => {
    const ada = await person(served);
    const [here, other, third] = [
      await signedIn(served, ada),
      await signedIn(served, ada),
      await signedIn(served, ada),
    ];
    const eve = await signedIn(served, await person(served));
    const { sessions } = (await here.get('/api/v1/me/sessions')).body as {
      sessions: { id: string; current: boolean }[];
    };
    expect(sessions.map(({ current }) => current).filter(Boolean)).toHaveLength(1);
    const theirs = (await other.get('/api/v1/me/sessions')).body.sessions.find(
      (one: { current: boolean }) => one.current,
    ).id;
    expect((await eve.send('DELETE', `/api/v1/me/sessions/${theirs}`)).status).toBe(404);
    expect((await here.send('DELETE', `/api/v1/me/sessions/${theirs}`)).status).toBe(204);
    expect([await isIn(here), await isIn(other), await isIn(third)]).toEqual([true, false, true]);
    expect((await here.send('POST', '/api/v1/me/sessions/end-others', { password: PASSWORD })).status).toBe(204);
    expect([await isIn(here), await isIn(third), await isIn(eve)]).toEqual([true, false, true]);
    expect(JSON.stringify(sessions)).not.toMatch(/hash/);
  });

  it('end when an operator ends the sessions of the account', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    const op = await signedIn(served, await person(served, { role: 'operator' }));
    expect((await op.send('DELETE', `/api/v1/accounts/${ada.id}/sessions`)).status).toBe(204);
    expect(await isIn(here)).toBe(false);
  });
});

describe('Own account', () => {
  it('shows the signed-in person and their organizations from the streams, not from the read model', async () => {
    const ada = await person(served, { name: 'Ada', username: 'ada-me' });
    const key = await served.key();
    const made = await served.ask('POST', '/api/v1/organizations', { key, body: { name: 'Acme', owner: ada.id } });
    await served.runtime.projection.whenProcessed(await served.charter.log.head(), { timeout: 5_000 });
    const here = await signedIn(served, ada);
    const me = (await here.get('/api/v1/me')).body;
    expect(me).toMatchObject({
      id: ada.id,
      name: 'Ada',
      username: 'ada-me',
      email: ada.email,
      role: null,
      organizations: [{ id: made.body.id, name: 'Acme', role: 'owner' }],
    });
    expect(JSON.stringify(me)).not.toMatch(/argon|hash/i);
    await paused(served);
    await served.charter.organizations.execute(
      `organization-${made.body.id}`,
      { type: 'RenameOrganization', data: { name: 'Acme Two' } },
      {
        actor: { kind: 'system', id: 'spec', powers: ['operator'] },
        at: new Date(served.clock.now()).toISOString(),
        command: crypto.randomUUID(),
        correlation: 'x',
        causation: 'x',
      },
    );
    expect((await here.get('/api/v1/me')).body.organizations[0].name).toBe('Acme Two');
    await resumed(served);
  });

  it('lists its events, the newest first, page by page', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    await here.send('PATCH', '/api/v1/me', { name: 'Ada Byron' });
    await here.send('PATCH', '/api/v1/me', { name: 'Ada Lovelace' });
    const first = (await here.get('/api/v1/me/activity?limit=2')).body;
    const second = (await here.get(`/api/v1/me/activity?limit=2&cursor=${first.next}`)).body;
    expect([...first.events, ...second.events].map(({ type }: { type: string }) => type)).toEqual([
      'NamesChanged',
      'NamesChanged',
      'SignedIn',
    ]);
    expect(second.next).toBeNull();
    expect(JSON.stringify(first)).not.toMatch(/Ada Byron|Ada Lovelace/); // a cursor contains no space
  });

  it('is erased when the person closes it, unless an organization would lose its last owner', async () => {
    const ada = await person(served, { name: 'Ada Canary' });
    const made = await served.ask('POST', '/api/v1/organizations', {
      key: await served.key(),
      body: { name: 'Acme', owner: ada.id },
    });
    await served.runtime.projection.whenProcessed(await served.charter.log.head(), { timeout: 5_000 });
    const here = await signedIn(served, ada);
    const refused = await here.send('POST', '/api/v1/me/close', { password: PASSWORD });
    expect([refused.status, refused.body.type, refused.body.organizations]).toEqual([
      409,
      '/problems/last-owner',
      [{ id: made.body.id, name: 'Acme' }],
    ]);
    const eve = await person(served);
    await here.send('POST', `/api/v1/organizations/${made.body.id}/members`, { user: eve.id, role: 'owner' });
    expect((await here.send('POST', '/api/v1/me/close', { password: PASSWORD })).status).toBe(200);
    expect(await isIn(here)).toBe(false);
    expect((await (await browser(served)).logIn(ada.email!)).status).toBe(401);
    const listed = await (await signedIn(served, eve)).get(`/api/v1/organizations/${made.body.id}/members`);
    expect(listed.body.members.map(({ user }: { user: string }) => user)).toEqual([eve.id]);
  });
});
