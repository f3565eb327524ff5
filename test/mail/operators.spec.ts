import { randomBytes, randomUUID } from 'node:crypto';
import { type PlatformRole, newSession, sessionHash, xsrfToken } from '@charter/identity';
import type { MailRequest } from '../../apps/api/src/mail/outbox';
import { linkFor } from '../../apps/api/src/sign-in/links';
import { sessionCookieName } from '../../apps/api/src/http/input/cookies';
import type { Answer } from '../support/requests/http';
import { mailServer, type MailServer } from '../support/sign-in/mail-server';
import { person } from '../support/sign-in/people';
import { type Served, serving, until } from '../support/serving';

let server: MailServer;
let served: Served;
let operator: Client;
beforeAll(async () => {
  server = await mailServer();
  served = await serving({ environment: { SMTP_URL: server.url } });
  operator = await signedIn('operator');
});
afterAll(async () => {
  await served.close();
  await server.close();
});

type Client = (method: string, path: string) => Promise<Answer>;

/** A client with the session of a new account. The client sends the same headers as our pages. */
async function signedIn(role: PlatformRole | null): Promise<Client> {
  const account = await person(served, { role, password: null });
  const random = { bytes: randomBytes, uuid: randomUUID };
  const { cookie, session } = newSession(account.id, 'password', 'a spec', random, served.clock.now());
  await served.charter.database.people.sessions.insert(session);
  const token = xsrfToken(served.charter.keyFor('xsrf'), sessionHash(cookie), random);
  const headers = {
    Cookie: `${sessionCookieName(served.charter.settings)}=${cookie}; XSRF-TOKEN=${token}`,
    'X-XSRF-TOKEN': token,
  };
  return (method, path) => served.ask(method, path, { headers });
}

const send = async (change: Partial<MailRequest> = {}) => {
  const wanted = {
    kind: 'reset',
    to: 'ada@example.com',
    language: null,
    link: await linkFor(served.runtime, 'reset', randomUUID(), 'ada@example.com'),
    ...change,
  } as const;
  await served.runtime.mails.send(wanted);
  const [mail] = await served.charter.database.mails.list({ limit: 1 });
  return mail!.id;
};
const stateOf = async (id: string) => (await served.charter.database.mails.find(id))?.state;
async function givenUp(change: Partial<MailRequest> = {}): Promise<string> {
  server.behave('refuses-address');
  const id = await send(change);
  await until(async () => (await stateOf(id)) === 'failed');
  server.behave('takes');
  return id;
}

describe('Operator', () => {
  it('sees the failed mails with the reasons of the failures, but not the content of the mails', async () => {
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
    expect(text).not.toMatch(/reset\/|sealed/);
  });

  it('can make Charter send a failed mail once more', async () => {
    const id = await givenUp();
    const before = server.received.length;
    const { status, body } = await operator('POST', `/api/v1/mails/${id}/retry`);
    expect([status, body.state, body.attempts]).toEqual([200, 'waiting', 0]);
    await until(async () => (await stateOf(id)) === 'sent');
    expect(server.received).toHaveLength(before + 1);
    const entries = served.entries().filter(({ result }) => result === 'mail-retried');
    expect(entries).toEqual([
      expect.objectContaining({ mail: id, actor: { kind: 'account', id: expect.any(String) } }),
    ]);
    const again = await operator('POST', `/api/v1/mails/${id}/retry`);
    expect([again.status, again.body.type]).toEqual([404, '/problems/no-such-mail']);
    expect((await operator('POST', `/api/v1/mails/${randomUUID()}/retry`)).status).toBe(404);
    expect((await operator('POST', '/api/v1/mails/1/retry')).status).toBe(400);
  });

  it('cannot retry a mail whose link was replaced', async () => {
    const account = randomUUID();
    const link = () => linkFor(served.runtime, 'invitation', account, 'ada@example.com');
    const id = await givenUp({ kind: 'invitation', account, link: await link() });
    await link();
    const answer = await operator('POST', `/api/v1/mails/${id}/retry`);
    expect([answer.status, answer.body.type]).toEqual([409, '/problems/link-expired']);
    expect(await stateOf(id)).toBe('failed');
  });

  it('cannot retry a mail with an expired link, but can retry a late notice', async () => {
    const [reset, notice] = [await givenUp(), await givenUp({ kind: 'password-changed' })];
    served.clock.advance(60 * 60_000);
    const expired = await operator('POST', `/api/v1/mails/${reset}/retry`);
    expect([expired.status, expired.body.type]).toEqual([409, '/problems/link-expired']);
    served.clock.advance(22 * 60 * 60_000);
    expect((await operator('POST', `/api/v1/mails/${notice}/retry`)).status).toBe(200);
    await until(async () => (await stateOf(notice)) === 'sent');
  });

  it('reads the list of mails page by page', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await operator('GET', `/api/v1/mails?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...(body.mails as { id: string }[]).map(({ id }) => id));
      cursor = body.next as string;
    } while (cursor);
    const all = await served.charter.database.mails.list({ limit: 100 });
    expect(all.length).toBeGreaterThan(3);
    expect(seen).toEqual(all.map(({ id }) => id));
    for (const bad of ['?state=lost', '?limit=0', '?cursor=x', '?cursor=WyJ4IiwieSJd', '?to=ada'])
      expect([bad, (await operator('GET', `/api/v1/mails${bad}`)).status]).toEqual([bad, 400]);
  });

  it.each(['auditor', null] as const)('is the only role with access: a person of role %s is refused', async (role) => {
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
