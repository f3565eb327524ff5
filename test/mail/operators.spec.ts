import { randomBytes, randomUUID } from 'node:crypto';
import { type PlatformRole, newSession, sessionHash, xsrfToken } from '@charter/identity';
import type { MailRequest } from '../../apps/api/src/mail/outbox';
import { sessionCookieName } from '../../apps/api/src/http/input/cookies';
import type { Answer } from '../support/requests/http';
import { mailServer, type MailServer } from '../support/sign-in/mail-server';
import { person } from '../support/sign-in/people';
import { type Served, serving, until } from '../support/serving';

let server: MailServer;
let served: Served;
let operator: Asking;
beforeAll(async () => {
  server = await mailServer();
  served = await serving({ environment: { SMTP_URL: server.url } });
  operator = await signedIn('operator');
});
afterAll(async () => {
  await served.close();
  await server.close();
});

type Asking = (method: string, path: string) => Promise<Answer>;

/** Someone with a session, who asks as our pages do. */
async function signedIn(role: PlatformRole | null): Promise<Asking> {
  const account = await person(served, { role, password: null });
  const random = { bytes: randomBytes, uuid: randomUUID };
  const { cookie, session } = newSession(account.id, 'password', 'a spec', random, served.clock.now());
  await served.charter.documents.people.sessions.insert(session);
  const token = xsrfToken(served.charter.keyFor('xsrf'), sessionHash(cookie), random);
  const headers = {
    Cookie: `${sessionCookieName(served.charter.settings)}=${cookie}; XSRF-TOKEN=${token}`,
    'X-XSRF-TOKEN': token,
  };
  return (method, path) => served.ask(method, path, { headers });
}

const send = async (change: Partial<MailRequest> = {}) => {
  const wish = {
    kind: 'reset',
    to: 'ada@example.com',
    language: null,
    link: '/reset/secret-token',
    ...change,
  } as const;
  await served.runtime.mails.send(wish);
  const [mail] = await served.charter.documents.mails.list({ limit: 1 });
  return mail!.id;
};
const stateOf = async (id: string) => (await served.charter.documents.mails.find(id))?.state;
async function givenUp(change: Partial<MailRequest> = {}): Promise<string> {
  server.behave('refuses-address');
  const id = await send(change);
  await until(async () => (await stateOf(id)) === 'failed');
  server.behave('takes');
  return id;
}

describe('operators', () => {
  it('see which mails failed and why, and never what they say', async () => {
    const id = await givenUp();
    const { status, body, text } = await operator('GET', '/api/v1/mails?state=failed');
    expect(status).toBe(200);
    expect(body.mails[0]).toEqual({
      id,
      kind: 'reset',
      account: null,
      to: 'ada@example.com',
      language: 'en',
      made: expect.any(String),
      state: 'failed',
      attempts: 1,
      next: null,
      error: 'EENVELOPE 550',
      expires: expect.any(String),
      settled: expect.any(String),
    });
    expect(text).not.toMatch(/secret-token|sealed/);
  });

  it('try one again that was given up, once', async () => {
    const id = await givenUp();
    const before = server.received.length;
    const { status, body } = await operator('POST', `/api/v1/mails/${id}/retry`);
    expect([status, body.state, body.attempts]).toEqual([200, 'waiting', 0]);
    await until(async () => (await stateOf(id)) === 'sent');
    expect(server.received).toHaveLength(before + 1);
    const told = served.entries().filter(({ result }) => result === 'mail-retried');
    expect(told).toEqual([expect.objectContaining({ mail: id, actor: { kind: 'account', id: expect.any(String) } })]);
    const again = await operator('POST', `/api/v1/mails/${id}/retry`);
    expect([again.status, again.body.type]).toEqual([404, '/problems/no-such-mail']);
    expect((await operator('POST', `/api/v1/mails/${randomUUID()}/retry`)).status).toBe(404);
    expect((await operator('POST', '/api/v1/mails/1/retry')).status).toBe(400);
  });

  it('do not send a link that is dead; what only tells of something can be sent later', async () => {
    const [reset, notice] = [await givenUp(), await givenUp({ kind: 'password-changed' })];
    served.clock.advance(60 * 60_000);
    const dead = await operator('POST', `/api/v1/mails/${reset}/retry`);
    expect([dead.status, dead.body.type]).toEqual([409, '/problems/link-expired']);
    served.clock.advance(22 * 60 * 60_000);
    expect((await operator('POST', `/api/v1/mails/${notice}/retry`)).status).toBe(200);
    await until(async () => (await stateOf(notice)) === 'sent');
  });

  it('turn the pages of the list', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await operator('GET', `/api/v1/mails?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...(body.mails as { id: string }[]).map(({ id }) => id));
      cursor = body.next as string;
    } while (cursor);
    const all = await served.charter.documents.mails.list({ limit: 100 });
    expect(all.length).toBeGreaterThan(3);
    expect(seen).toEqual(all.map(({ id }) => id));
    for (const bad of ['?state=lost', '?limit=0', '?cursor=x', '?cursor=WyJ4IiwieSJd', '?to=ada'])
      expect([bad, (await operator('GET', `/api/v1/mails${bad}`)).status]).toEqual([bad, 400]);
  });

  it.each(['auditor', null] as const)('are the only ones: a person of role %s is refused', async (role) => {
    const id = await givenUp();
    const other = await signedIn(role);
    for (const [method, path] of [
      ['GET', '/api/v1/mails'],
      ['GET', '/api/v1/mails?limit=0'],
      ['POST', `/api/v1/mails/${id}/retry`],
      ['POST', '/api/v1/mails/1/retry'],
    ] as const) {
      const { status, body } = await other(method, path);
      expect([status, body.type]).toEqual([403, '/problems/not-allowed']);
    }
    expect(await stateOf(id)).toBe('failed');
  });
});
