import {
  PASSWORD,
  browser,
  mailsOf,
  person,
  signedIn,
  storyOf,
  tokenIn,
  type Browser,
} from '../../support/sign-in/people';
import { founded, path } from '../../support/requests/organizations';
import { but } from '../../support/stores/faults';
import { paused, resumed, type Served, serving, type Stores } from '../../support/serving';

let served: Served;
let by: string;
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
  by = await served.key();
});
afterAll(() => served.close());

let next = 0;
const someone = () => `invited-${(next += 1)}@people.example`;
const accountOf = async (email: string) => (await served.charter.documents.people.accounts.byEmail(email))!;
/** An organization and its owner, signed in. */
async function home(): Promise<{ id: string; owner: Browser }> {
  const account = await person(served);
  return { id: await founded(served, { by, owner: account.id }), owner: await signedIn(served, account) };
}
const invite = (owner: Browser, id: string, email: string, role = 'member') =>
  owner.send('POST', path(id, '/members'), { email, role });
const invitationOf = async (email: string) => (await mailsOf(served, await accountOf(email))).at(-1)!;
const accept = async (token: string) => (await browser(served)).send('POST', '/reset', { token, password: PASSWORD });

describe('inviting', () => {
  it('makes an account that cannot sign in until its link has set a password', async () => {
    const { id, owner } = await home();
    const email = someone();
    const made = await invite(owner, id, ` ${email.toUpperCase()} `, 'admin');
    const account = await accountOf(email);
    expect([made.status, made.body.id]).toEqual([201, account.id]);
    expect(made.body.events).toEqual([{ type: 'MemberAdded', data: { member: account.id, role: 'admin' } }]);
    expect(account).toMatchObject({ state: 'invited', passwordHash: null, emailVerified: false });
    expect((await (await browser(served)).logIn(email)).status).toBe(401);
    const mail = await invitationOf(email);
    expect([mail.kind, mail.to]).toEqual(['invitation', email]);
    expect((await accept(tokenIn(mail))).status).toBe(204);
    const here = await browser(served);
    expect((await here.logIn(email)).status).toBe(204);
    expect((await here.send('PATCH', path(id), { name: 'Renamed' })).status).toBe(200);
    expect((await storyOf(served, account)).map(({ type }) => type)).toEqual([
      'AccountCreated',
      'Invited',
      'SignInFailed',
      'PasswordReset',
      'SignedIn',
    ]);
  });

  it('M5: one address fifty times at once is one account and one member', async () => {
    const { id, owner } = await home();
    const email = someone();
    const answers = await Promise.all(Array.from({ length: 50 }, () => invite(owner, id, email)));
    expect(new Set(answers.map(({ body }) => body.id as string)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.every(({ status }) => status < 300)).toBe(true);
  });

  it('somebody who has an account is simply added, and the answer looks the same', async () => {
    const { id, owner } = await home();
    const ada = await person(served);
    const [known, unknown] = [await invite(owner, id, ada.email!), await invite(owner, id, someone())];
    const shape = ({ status, body }: typeof known) => [
      status,
      Object.keys(body),
      body.events.map(({ type }: { type: string }) => type),
    ];
    expect(shape(known)).toEqual(shape(unknown));
    expect(known.body.id).toBe(ada.id);
    expect(await mailsOf(served, ada)).toEqual([]);
  });

  it('whoever may not add anybody, or has no room, makes no account', async () => {
    const { id, owner } = await home();
    const { owner: stranger } = await home();
    const plain = await person(served);
    await served.ask('POST', path(id, '/members'), { key: by, body: { user: plain.id, role: 'member' } });
    const email = someone();
    expect((await invite(stranger, id, email)).status).toBe(404);
    expect((await invite(await signedIn(served, plain), id, email)).status).toBe(403);
    await served.ask('PUT', path(id, '/limits'), { key: by, body: { users: 2 } });
    expect((await invite(owner, id, email)).body.type).toBe('/problems/limit-exceeded');
    expect(await served.charter.documents.people.accounts.byEmail(email)).toBeUndefined();
  });

  it('through the other door, with a key, it is the same', async () => {
    const { id } = await home();
    const email = someone();
    const answer = await served.ask('POST', path(id, '/members'), { key: by, body: { email, role: 'member' } });
    expect([answer.status, answer.body.id]).toEqual([201, (await accountOf(email)).id]);
    for (const body of [
      { role: 'member' },
      { email: 'nothing', role: 'member' },
      { email, user: answer.body.id, role: 'member' },
    ])
      expect([body, (await served.ask('POST', path(id, '/members'), { key: by, body })).status]).toEqual([body, 400]);
  });

  it('no address is in an event or a log line', async () => {
    const { id, owner } = await home();
    const email = someone();
    await invite(owner, id, email);
    const account = await accountOf(email);
    const events = [];
    for await (const event of served.charter.log.readStream(`organization-${id}`)) events.push(event.data);
    const everything = JSON.stringify([events, await storyOf(served, account), served.lines]);
    expect(everything).not.toContain(email);
  });
});

describe('an invitation is not lost', () => {
  it('where the outbox does not answer: it is 503, nothing is forgotten, and asking again sends it', async () => {
    let broken = false;
    const between = ({ documents, ...rest }: Stores): Stores => ({
      ...rest,
      documents: {
        ...documents,
        mails: but(documents.mails, {
          enqueue: (...mail) => (broken ? Promise.reject(new Error('no answer')) : documents.mails.enqueue(...mail)),
        }),
      },
    });
    const other = await serving({ environment: { RATE_LIMITS: 'off' }, between });
    const key = await other.key();
    const id = await founded(other, { by: key });
    const email = someone();
    const ask = () => other.ask('POST', path(id, '/members'), { key, body: { email, role: 'member' } });
    broken = true;
    const refused = await ask();
    expect([refused.status, refused.body.type]).toEqual([503, '/problems/unavailable']);
    broken = false;
    expect((await ask()).status).toBeLessThan(300);
    const waiting = await other.charter.documents.mails.list({ limit: 10 }); // on disk when the answer is there
    expect(waiting.map(({ kind, to }) => [kind, to])).toEqual([['invitation', email]]);
    await other.close();
  });

  it('and where nobody was added after all, no account and no address stay', async () => {
    const { id, owner } = await home();
    const email = someone();
    const stale = { headers: { 'If-Match': '"99"' } };
    const refused = await owner.send('POST', path(id, '/members'), { email, role: 'member' }, stale);
    expect(refused.status).toBe(412);
    expect(await served.charter.documents.people.accounts.byEmail(email)).toBeUndefined();
    expect((await invite(owner, id, email)).status).toBe(201);
    const kept = await accountOf(email);
    expect((await owner.send('POST', path(id, '/members'), { email, role: 'member' }, stale)).status).toBe(412);
    expect(await accountOf(email)).toEqual(kept); // who was known before stays
  });
});

describe('H10: an invitation is refused', () => {
  const invited = async () => {
    const { id, owner } = await home();
    const email = someone();
    await invite(owner, id, email);
    return { id, owner, account: await accountOf(email), token: tokenIn(await invitationOf(email)) };
  };
  const invalid = { status: 400, body: expect.objectContaining({ type: '/problems/reset-link-invalid' }) };

  it('when it was used', async () => {
    const { token } = await invited();
    expect((await accept(token)).status).toBe(204);
    expect(await accept(token)).toMatchObject(invalid);
  });

  it.each(['the member’s own route', 'a list of commands'])('after the member was removed, by %s', async (way) => {
    const { id, owner, account, token } = await invited();
    const answer =
      way === 'a list of commands'
        ? await owner.send('POST', path(id, '/commands'), {
            commands: [{ type: 'RemoveMember', data: { member: account.id } }],
          })
        : await owner.send('DELETE', path(id, `/members/${account.id}`));
    expect(answer.status).toBe(200);
    expect(await accept(token)).toMatchObject(invalid);
    await owner.send('POST', '/forgot', { email: account.email });
    expect((await mailsOf(served, account)).map(({ kind }) => kind)).toEqual(['invitation']); // and no new one comes
  });

  it('not after a removal from one organization, as long as another one still invites', async () => {
    const { id, owner, account, token } = await invited();
    const other = await home();
    await served.runtime.projection.whenProcessed(await served.charter.log.head(), { timeout: 5_000 });
    await paused(served);
    const added = { user: account.id, role: 'member' };
    expect((await other.owner.send('POST', path(other.id, '/members'), added)).status).toBe(201);
    expect((await owner.send('DELETE', path(id, `/members/${account.id}`))).status).toBe(200);
    await resumed(served);
    expect((await accept(token)).status).toBe(204);
  });

  it('after the account was erased', async () => {
    const { account, token } = await invited();
    const op = await signedIn(served, await person(served, { role: 'operator' }));
    const erased = await op.send('POST', `/api/v1/accounts/${account.id}/erase`, { password: PASSWORD });
    expect([erased.status, erased.body]).toEqual([
      200,
      expect.objectContaining({ kind: 'erasure', account: account.id }),
    ]);
    expect(await accept(token)).toMatchObject(invalid);
  });

  it('when a newer one was sent', async () => {
    const { id, owner, account, token } = await invited();
    expect((await invite(owner, id, account.email!)).status).toBe(200);
    const newer = tokenIn(await invitationOf(account.email!));
    expect(await accept(token)).toMatchObject(invalid);
    expect((await accept(newer)).status).toBe(204);
  });
});

describe('members with names', () => {
  it('are listed page by page, and whom nobody knows is an id', async () => {
    const { id, owner } = await home();
    const ada = await person(served, { name: 'Ada' });
    const unknown = '11111111-1111-4111-8111-111111111111';
    for (const user of [ada.id, unknown]) await owner.send('POST', path(id, '/members'), { user, role: 'member' });
    const all = await owner.get(path(id, '/members'));
    expect(all.headers.etag).toBeUndefined();
    expect(all.body.members).toHaveLength(3);
    expect(all.body.members).toContainEqual({ user: unknown, role: 'member', productUser: false });
    expect(all.body.members).toContainEqual({
      user: ada.id,
      role: 'member',
      productUser: false,
      name: 'Ada',
      username: null,
      email: ada.email,
      invited: false,
    });
    const first = (await owner.get(path(id, '/members?limit=2'))).body;
    const rest = (await owner.get(path(id, `/members?limit=2&cursor=${first.next}`))).body;
    expect([...first.members, ...rest.members]).toEqual(all.body.members);
    expect(rest.next).toBeNull();
  });
});
