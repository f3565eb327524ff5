import { DatabaseUnavailable } from '@charter/database';
import { newLink } from '@charter/identity';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { erasuresFolder } from '@charter/application';
import { LogError } from '@charter/event-log';
import {
  PASSWORD,
  browser,
  mailsOf,
  person,
  signedIn,
  accountEventsOf,
  tokenIn,
  type Browser,
} from '../../support/sign-in/people';
import { founded, path } from '../../support/requests/organizations';
import { withFaults } from '../../support/stores/faults';
import { everyEventIn, paused, resumed, type Served, serving, settled, type Stores } from '../../support/serving';

let served: Served;
let by: string;
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
  by = await served.key();
});
afterAll(() => served.close());

let next = 0;
const newAddress = () => `invited-${(next += 1)}@people.example`;
const accountOf = async (email: string) => (await served.charter.database.people.accounts.byEmail(email))!;
/** An organization and a browser in which its owner is signed in. */
async function home(): Promise<{ id: string; owner: Browser }> {
  const account = await person(served);
  return { id: await founded(served, { by, owner: account.id }), owner: await signedIn(served, account) };
}
const invite = (owner: Browser, id: string, email: string, role = 'member') =>
  owner.send('POST', path(id, '/members'), { email, role });
const invitationOf = async (email: string) => (await mailsOf(served, await accountOf(email))).at(-1)!;
const accept = async (token: string) => (await browser(served)).send('POST', '/reset', { token, password: PASSWORD });

describe('Invitation', () => {
  it('makes an account that cannot sign in until the invited person sets a password with the mailed link', async () => {
    const { id, owner } = await home();
    const email = newAddress();
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
    expect((await accountEventsOf(served, account)).map(({ type }) => type)).toEqual([
      'AccountCreated',
      'Invited',
      'SignInFailed',
      'PasswordReset',
      'SignedIn', // by the link
      'SignedIn', // by the password
    ]);
  });

  it('M5: makes one account and one member when it is sent fifty times at once', async () => {
    const { id, owner } = await home();
    const email = newAddress();
    const answers = await Promise.all(Array.from({ length: 50 }, () => invite(owner, id, email)));
    expect(new Set(answers.map(({ body }) => body.id as string)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.every(({ status }) => status < 300)).toBe(true);
  });

  it('adds a person who already has an account without sending a mail, and gives an answer of the same shape', async () => {
    const { id, owner } = await home();
    const ada = await person(served);
    const [known, unknown] = [await invite(owner, id, ada.email!), await invite(owner, id, newAddress())];
    const shape = ({ status, body }: typeof known) => [
      status,
      Object.keys(body),
      body.events.map(({ type }: { type: string }) => type),
    ];
    expect(shape(known)).toEqual(shape(unknown));
    expect(known.body.id).toBe(ada.id);
    expect(await mailsOf(served, ada)).toEqual([]);
  });

  it('makes no account when the caller may not add members, or when no seat is free', async () => {
    const { id, owner } = await home();
    const { owner: stranger } = await home();
    const plain = await person(served);
    await served.ask('POST', path(id, '/members'), { key: by, body: { user: plain.id, role: 'member' } });
    const email = newAddress();
    expect((await invite(stranger, id, email)).status).toBe(404);
    expect((await invite(await signedIn(served, plain), id, email)).status).toBe(403);
    await served.ask('PUT', path(id, '/limits'), { key: by, body: { users: 2 } });
    expect((await invite(owner, id, email)).body.type).toBe('/problems/limit-exceeded');
    expect(await served.charter.database.people.accounts.byEmail(email)).toBeUndefined();
  });

  it('also works with an API key, and is refused with 400 if its body is malformed', async () => {
    const { id } = await home();
    const email = newAddress();
    const answer = await served.ask('POST', path(id, '/members'), { key: by, body: { email, role: 'member' } });
    expect([answer.status, answer.body.id]).toEqual([201, (await accountOf(email)).id]);
    for (const body of [
      { role: 'member' },
      { email: 'nothing', role: 'member' },
      { email, user: answer.body.id, role: 'member' },
    ])
      expect([body, (await served.ask('POST', path(id, '/members'), { key: by, body })).status]).toEqual([body, 400]);
  });

  it('leaves the e-mail address in no event and no log line', async () => {
    const { id, owner } = await home();
    const email = newAddress();
    await invite(owner, id, email);
    const account = await accountOf(email);
    const events = [];
    for await (const event of served.charter.log.readStream(`organization-${id}`)) events.push(event.data);
    const everything = JSON.stringify([events, await accountEventsOf(served, account), served.lines]);
    expect(everything).not.toContain(email);
  });
});

describe('Invitation that could not be finished', () => {
  const parts = { outbox: 'the outbox', history: 'the history of accounts', accounts: 'the table of accounts' };
  let broken: string | undefined;
  const between = ({ database, log, catalogue }: Stores): Stores => {
    const fail = () => Promise.reject(new LogError('unavailable', 'no answer'));
    const { mails, people } = database;
    return {
      catalogue,
      log: withFaults(log, {
        append: (stream, ...more) =>
          broken === parts.history && stream.startsWith('account-') ? fail() : log.append(stream, ...more),
      }),
      database: {
        ...database,
        mails: withFaults(mails, {
          enqueue: (...mail) => (broken === parts.outbox ? fail() : mails.enqueue(...mail)),
        }),
        people: {
          ...people,
          accounts: withFaults(people.accounts, {
            byEmail: (email) => (broken === parts.accounts ? fail() : people.accounts.byEmail(email)),
          }),
        },
      },
    };
  };

  it.each(Object.values(parts))(
    'counts once against the limits, although the caller repeats it while %s fails',
    async (part) => {
      const other = await serving({ between });
      const owner = await person(other);
      const id = await founded(other, { by: await other.key(), owner: owner.id });
      const browser = await signedIn(other, owner);
      const email = newAddress();
      const ask = async () => (await browser.send('POST', path(id, '/members'), { email, role: 'member' })).status;
      broken = part;
      const statuses = [];
      for (let round = 0; round < 12; round += 1) statuses.push(await ask());
      broken = undefined;
      expect(new Set(statuses)).toEqual(new Set([503]));
      expect(await ask()).toBeLessThan(300);
      const waiting = await other.charter.database.mails.list({ limit: 10 });
      expect(waiting.map(({ kind, to }) => [kind, to])).toEqual([['invitation', email]]);
      await other.close();
    },
  );

  it('is answered with 503 while the outbox fails; a repeated request then puts the mail in the outbox', async () => {
    const other = await serving({ environment: { RATE_LIMITS: 'off' }, between });
    const key = await other.key();
    const id = await founded(other, { by: key });
    const email = newAddress();
    const ask = () => other.ask('POST', path(id, '/members'), { key, body: { email, role: 'member' } });
    broken = parts.outbox;
    const refused = await ask();
    expect([refused.status, refused.body.type]).toEqual([503, '/problems/unavailable']);
    broken = undefined;
    expect((await ask()).status).toBeLessThan(300);
    // Charter has stored the mail before its answer
    const waiting = await other.charter.database.mails.list({ limit: 10 });
    expect(waiting.map(({ kind, to }) => [kind, to])).toEqual([['invitation', email]]);
    await other.close();
  });

  it.each(['the Nest route', 'the fast path'])(
    'with a stale If-Match looks up, creates and erases no account, on %s',
    async (route) => {
      const { id, owner } = await home();
      const known = await person(served);
      const email = newAddress();
      const stale = { headers: { 'If-Match': '"99"' } };
      const ask = (address: string) => {
        const body = { email: address, role: 'member' };
        return route === 'the fast path'
          ? served.ask('POST', path(id, '/members'), { key: by, body, ...stale })
          : owner.send('POST', path(id, '/members'), body, stale);
      };
      const { accounts } = served.charter.database.people;
      const work = () => [
        jest.spyOn(accounts, 'byEmail'),
        jest.spyOn(accounts, 'insert'),
        jest.spyOn(served.charter.database.attempts, 'count'),
        jest.spyOn(served.charter.accounts, 'erase'),
      ];
      const before = await everyEventIn(served);
      const spies = work();
      const answers = [await ask(known.email!), await ask(email)];
      const calls = spies.map((spy) => spy.mock.calls.length);
      spies.forEach((spy) => spy.mockRestore());
      expect(answers.map(({ status, body }) => [status, body.type, body.revision])).toEqual(
        Array(2).fill([412, '/problems/stale', 1]),
      );
      expect(calls).toEqual([0, 0, 0, 0]);
      expect(await everyEventIn(served)).toBe(before);
      expect(existsSync(erasuresFolder(served.folder))).toBe(false);
      expect((await invite(owner, id, email)).status).toBe(201);
    },
  );

  it('succeeds when it is repeated with the same If-Match, although the first request has changed the revision', async () => {
    const other = await serving({ between });
    const key = await other.key();
    const id = await founded(other, { by: key });
    const headers = { 'If-Match': '"0"', 'Idempotency-Key': 'one-invitation' };
    const body = { email: newAddress(), role: 'member' };
    const ask = () => other.ask('POST', path(id, '/members'), { key, body, headers });
    broken = parts.outbox;
    expect((await ask()).status).toBe(503);
    broken = undefined;
    const answer = await ask();
    expect([answer.status, answer.body.revision, answer.body.events.length]).toEqual([201, 1, 1]);
    expect(await other.charter.database.mails.list({ limit: 10 })).toHaveLength(1);
    await other.close();
  });
});

describe('Invitation of a new address while another request changes the organization', () => {
  it('is refused with 412, counts against the limits, and leaves no account, even if the purge of the deleted data fails', async () => {
    const change = { of: (): Promise<unknown> => Promise.resolve() };
    const between = ({ database, ...rest }: Stores): Stores => {
      const { accounts } = database.people;
      const insert: typeof accounts.insert = async (...given) => {
        await change.of();
        return accounts.insert(...given);
      };
      return {
        ...rest,
        database: {
          ...database,
          people: { ...database.people, accounts: withFaults(accounts, { insert }) },
          purgeErased: () => Promise.resolve({ outcome: 'failed', remains: 'A reader holds the file.' }),
        },
      };
    };
    const other = await serving({ between });
    const key = await other.key();
    const account = await person(other);
    const id = await founded(other, { by: key, owner: account.id });
    const owner = await signedIn(other, account);
    let renamed = 0;
    change.of = async () => {
      const name = `Renamed ${(renamed += 1)}`;
      expect((await other.ask('PATCH', path(id), { key, body: { name } })).status).toBe(200);
    };
    const statuses = [];
    for (let round = 0; round < 11; round += 1) {
      const sent = { email: newAddress(), role: 'member' };
      const answer = await owner.send('POST', path(id, '/members'), sent, {
        headers: { 'If-Match': `"${renamed + 1}"` },
      });
      statuses.push(answer.status);
      expect(await other.charter.database.people.accounts.byEmail(sent.email)).toBeUndefined();
    }
    expect(statuses).toEqual([...Array<number>(10).fill(412), 429]);
    await other.close();
  });

  it('is refused with 412, and keeps the account if another organization invites the address meanwhile', async () => {
    const [{ id, owner }, other] = [await home(), await home()];
    const email = newAddress();
    const { accounts, database } = served.charter;
    const [{ erase }, { insert }] = [accounts, database.people.accounts];
    const inserting = jest.spyOn(database.people.accounts, 'insert').mockImplementationOnce(async (account) => {
      expect((await owner.send('PATCH', path(id), { name: 'Renamed' })).status).toBe(200);
      return insert(account);
    });
    const erasing = jest.spyOn(accounts, 'erase').mockImplementationOnce(async (...given) => {
      expect((await invite(other.owner, other.id, email)).status).toBe(201);
      return erase(...given);
    });
    const body = { email, role: 'member' };
    const { status } = await owner.send('POST', path(id, '/members'), body, { headers: { 'If-Match': '"1"' } });
    for (const spy of [inserting, erasing]) {
      expect(spy).toHaveBeenCalled();
      spy.mockRestore();
    }
    const { members } = (await other.owner.get(path(other.id, '/members?sort=role'))).body;
    expect([status, members]).toMatchObject([412, [{ role: 'owner' }, { email, invited: true }]]);
  });
});

describe('H10: Link of an invitation', () => {
  const invited = async () => {
    const { id, owner } = await home();
    const email = newAddress();
    await invite(owner, id, email);
    return { id, owner, account: await accountOf(email), token: tokenIn(await invitationOf(email)) };
  };
  const invalid = { status: 400, body: expect.objectContaining({ type: '/problems/reset-link-invalid' }) };

  it('is refused after its use', async () => {
    const { token } = await invited();
    expect((await accept(token)).status).toBe(204);
    expect(await accept(token)).toMatchObject(invalid);
  });

  it.each(['the member’s own route', 'a list of commands'])(
    'is refused after the member was removed by %s',
    async (way) => {
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
      // `POST /forgot` has sent no mail: the only mail is the invitation.
      expect((await mailsOf(served, account)).map(({ kind }) => kind)).toEqual(['invitation']);
    },
  );

  it('is refused after the removal of the member, also if the tables failed after the removal', async () => {
    const { id, owner, account, token } = await invited();
    const fails = jest.spyOn(served.charter.database.people.links, 'dropAll');
    fails.mockRejectedValueOnce(new DatabaseUnavailable('no answer'));
    expect((await owner.send('DELETE', path(id, `/members/${account.id}`))).status).toBe(503);
    fails.mockRestore();
    expect(await (await browser(served)).send('POST', '/invitation', { token })).toMatchObject(invalid);
    expect(await accept(token)).toMatchObject(invalid);
  });

  it('is refused if the member is removed while Charter makes the link of `POST /forgot`', async () => {
    const { id, owner, account } = await invited();
    const { links } = served.charter.database.people;
    const { replace } = links;
    const meanwhile = jest.spyOn(links, 'replace').mockImplementationOnce(async (link) => {
      expect((await owner.send('DELETE', path(id, `/members/${account.id}`))).status).toBe(200);
      await replace(link);
    });
    await owner.send('POST', '/forgot', { email: account.email });
    const mail = (await mailsOf(served, account)).at(-1)!;
    meanwhile.mockRestore();
    expect(mail.kind).toBe('reset');
    expect(await accept(tokenIn(mail))).toMatchObject(invalid);
  });

  it('is refused after a second request to remove the member, if the tables failed after the first removal', async () => {
    const { id, owner, account, token } = await invited();
    const { links } = served.charter.database.people;
    const fails = jest.spyOn(links, 'dropAll').mockRejectedValueOnce(new DatabaseUnavailable('no answer'));
    const remove = () => owner.send('DELETE', path(id, `/members/${account.id}`));
    expect((await remove()).status).toBe(503);
    fails.mockRestore();
    expect((await remove()).body.type).toBe('/problems/no-such-member');
    expect(await accept(token)).toMatchObject(invalid);
  });

  it('is refused after a second request to remove the member with the old revision, if the tables failed after the first removal', async () => {
    const { id, owner, account, token } = await invited();
    const fails = jest.spyOn(served.charter.database.people.links, 'dropAll');
    fails.mockRejectedValueOnce(new DatabaseUnavailable('no answer'));
    const headers = { 'If-Match': '"2"' };
    const remove = () => owner.send('DELETE', path(id, `/members/${account.id}`), undefined, { headers });
    expect((await remove()).status).toBe(503);
    fails.mockRestore();
    expect((await remove()).status).toBe(412);
    expect(await accept(token)).toMatchObject(invalid);
  });

  it('stays valid, and other members still see the person, if a refused list of commands contains the removal twice', async () => {
    const { id, owner, account, token } = await invited();
    const remove = { type: 'RemoveMember', data: { member: account.id } };
    const refused = await owner.send('POST', path(id, '/commands'), { commands: [remove, remove] });
    expect(refused.body.type).toBe('/problems/no-such-member');
    const { introductions } = served.charter.database.people;
    expect([...(await introductions.among(id, [account.id]))]).toEqual([account.id]);
    expect((await accept(token)).status).toBe(204);
  });

  it('stays valid if a caller without permission, or of another organization, wants to remove the person', async () => {
    const { id, account, token } = await invited();
    const stranger = await signedIn(served, await person(served));
    const other = await home();
    expect((await stranger.send('DELETE', path(id, `/members/${account.id}`))).status).toBe(404);
    expect((await other.owner.send('DELETE', path(other.id, `/members/${account.id}`))).status).toBe(404);
    // An account of the command line is no member, and its link was printed.
    const printed = await person(served, { state: 'invited' });
    const { link } = newLink(
      'invitation',
      printed.id,
      null,
      { bytes: randomBytes, uuid: randomUUID },
      served.clock.now(),
    );
    await served.charter.database.people.links.replace(link);
    for (const organization of [id, other.id, randomUUID()])
      await other.owner.send('DELETE', path(organization, `/members/${printed.id}`));
    expect(await served.charter.database.people.links.find(link.hash)).toBeDefined();
    expect((await accept(token)).status).toBe(204);
  });

  it('is refused and not mailed if the member is removed during the invitation', async () => {
    const { id, owner } = await home();
    const email = newAddress();
    const { links } = served.charter.database.people;
    const { replace } = links;
    let token = '';
    const meanwhile = jest.spyOn(links, 'replace').mockImplementationOnce(async (link) => {
      const { id: member } = await accountOf(email);
      expect((await owner.send('DELETE', path(id, `/members/${member}`))).status).toBe(200);
      await replace(link);
      token = link.hash;
    });
    await invite(owner, id, email);
    meanwhile.mockRestore();
    expect(await links.find(token)).toBeUndefined();
    expect(await mailsOf(served, await accountOf(email))).toEqual([]);
  });

  it('still works after one organization removes the member, if another organization has added the account', async () => {
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

  it('is refused after the account was erased', async () => {
    const { account, token } = await invited();
    const op = await signedIn(served, await person(served, { role: 'operator' }));
    const erased = await op.send('POST', `/api/v1/accounts/${account.id}/erase`, { password: PASSWORD });
    expect([erased.status, erased.body]).toEqual([
      200,
      expect.objectContaining({ kind: 'erasure', account: account.id }),
    ]);
    expect(await accept(token)).toMatchObject(invalid);
  });

  it('is refused after a newer invitation was sent', async () => {
    const { id, owner, account, token } = await invited();
    expect((await invite(owner, id, account.email!)).status).toBe(200);
    const newer = tokenIn(await invitationOf(account.email!));
    expect(await accept(token)).toMatchObject(invalid);
    expect((await accept(newer)).status).toBe(204);
  });
});

describe('List of members', () => {
  const membersOf = async (by: Browser, id: string) =>
    (await by.get(path(id, '/members?limit=100'))).body.members as readonly Record<string, unknown>[];
  const entryOf = async (by: Browser, id: string, user: string) =>
    (await membersOf(by, id)).find((member) => member['user'] === user);
  const add = async (by: Browser, id: string, user: string) =>
    expect((await by.send('POST', path(id, '/members'), { user, role: 'member' })).status).toBe(201);
  const acceptMembership = (by: Browser, id: string) => by.send('POST', `/api/v1/me/organizations/${id}/accept`);
  const acceptedBy = async (by: Browser) => {
    const { organizations } = (await by.get('/api/v1/me')).body as {
      organizations: readonly { id: string; accepted: boolean }[];
    };
    return new Map(organizations.map(({ id, accepted }) => [id, accepted]));
  };
  const keyed = (by: Browser, method: string, to: string, body?: object) => {
    const headers = { 'Idempotency-Key': 'earlier' };
    return () => by.send(method, to, body, { headers });
  };
  /** Sends a request that the service executes, but whose answer it cannot store. */
  const answerLost = async (send: () => ReturnType<Browser['send']>) => {
    const lost = jest.spyOn(served.charter.database.receipts, 'answer').mockRejectedValueOnce(new Error('dead'));
    expect((await send()).status).toBe(500);
    lost.mockRestore();
  };
  const onlyId = (user: string) => ({ user, role: 'member', productUser: false, since, roleSince: since });
  const since = { event: expect.any(Number) as number, at: expect.any(String) as string };

  it('is divided into pages, and shows names; a member without an account has only an id', async () => {
    const { id, owner } = await home();
    const ada = await person(served, { name: 'Ada' });
    const unknown = '11111111-1111-4111-8111-111111111111';
    await invite(owner, id, ada.email!);
    await add(owner, id, unknown);
    const all = await owner.get(path(id, '/members'));
    expect(all.headers.etag).toBeUndefined();
    expect(all.body.members).toHaveLength(3);
    expect(all.body.members).toContainEqual(onlyId(unknown));
    expect(all.body.members).toContainEqual({
      ...onlyId(ada.id),
      ...{ name: 'Ada', username: null, email: ada.email, invited: false },
    });
    const first = (await owner.get(path(id, '/members?limit=2'))).body;
    const rest = (await owner.get(path(id, `/members?limit=2&cursor=${first.next}`))).body;
    expect([...first.members, ...rest.members]).toEqual(all.body.members);
    expect(rest.next).toBeNull();
  });

  it('H13: shows only the id of an account that was added by id, until the person accepts the membership', async () => {
    const [{ id, owner }, other] = [await home(), await home()];
    const ada = await person(served, { name: 'Ada' });
    await add(owner, id, ada.id);
    await add(other.owner, other.id, ada.id);
    const here = await signedIn(served, ada);
    for (const read of ['/api/v1/organizations', path(id), path(id, '/entitlements'), path(id, '/members')])
      expect([read, (await here.get(read)).status]).toEqual([read, 200]);
    expect(await entryOf(owner, id, ada.id)).toEqual(onlyId(ada.id));
    await settled(served);
    expect(await acceptedBy(here)).toEqual(new Map([id, other.id].map((one) => [one, false])));

    expect((await acceptMembership(here, id)).status).toBe(204);
    expect((await acceptMembership(here, id)).status).toBe(204);
    expect(await entryOf(owner, id, ada.id)).toMatchObject({ name: 'Ada', email: ada.email });
    expect(await entryOf(other.owner, other.id, ada.id)).toEqual(onlyId(ada.id));
    expect(await acceptedBy(here)).toEqual(
      new Map([
        [id, true],
        [other.id, false],
      ]),
    );
  });

  it('H13: shows only the id of a person who tried to accept the membership before being added by id', async () => {
    const { id, owner } = await home();
    const ada = await person(served, { name: 'Ada' });
    const refused = await acceptMembership(await signedIn(served, ada), id);
    expect([refused.status, refused.body.type]).toEqual([404, '/problems/no-such-organization']);
    await add(owner, id, ada.id);
    expect(await entryOf(owner, id, ada.id)).toEqual(onlyId(ada.id));
  });

  it('H13: shows only the id of a member who was removed and is added again by id', async () => {
    const { id, owner } = await home();
    const ada = await person(served, { name: 'Ada' });
    await invite(owner, id, ada.email!);
    expect(await entryOf(owner, id, ada.id)).toMatchObject({ name: 'Ada' });
    expect((await owner.send('DELETE', path(id, `/members/${ada.id}`))).status).toBe(200);
    await add(owner, id, ada.id);
    expect(await entryOf(owner, id, ada.id)).toEqual(onlyId(ada.id));
  });

  it('H13: still shows the name of a member who was invited again, although the earlier removal is repeated', async () => {
    const { id, owner } = await home();
    const ada = await person(served, { name: 'Ada' });
    await invite(owner, id, ada.email!);
    const remove = keyed(owner, 'DELETE', path(id, `/members/${ada.id}`));
    await answerLost(remove);
    await invite(owner, id, ada.email!);
    expect((await remove()).status).toBe(200);
    expect(await entryOf(owner, id, ada.id)).toMatchObject({ name: 'Ada' });
  });

  it('H13: shows only the id of a removed member who is added by id, although the earlier invitation is repeated', async () => {
    const { id, owner } = await home();
    const ada = await person(served, { name: 'Ada' });
    const inviteAda = keyed(owner, 'POST', path(id, '/members'), { email: ada.email, role: 'member' });
    await answerLost(inviteAda);
    expect((await owner.send('DELETE', path(id, `/members/${ada.id}`))).status).toBe(200);
    expect((await inviteAda()).status).toBe(201);
    await add(owner, id, ada.id);
    expect(await entryOf(owner, id, ada.id)).toEqual(onlyId(ada.id));
  });

  it('H13: shows only the id of an account that another organization has invited', async () => {
    const [{ owner, id }, other] = [await home(), await home()];
    const email = newAddress();
    await invite(owner, id, email);
    const account = await accountOf(email);
    await add(other.owner, other.id, account.id);
    expect(await entryOf(owner, id, account.id)).toMatchObject({ email, invited: true });
    expect(await entryOf(other.owner, other.id, account.id)).toEqual(onlyId(account.id));
  });

  it.each(['operator', 'auditor'] as const)('H13: never shows the name of an %s', async (role) => {
    const { id, owner } = await home();
    const staff = await person(served, { name: 'Otto', role });
    await add(owner, id, staff.id);
    expect((await acceptMembership(await signedIn(served, staff), id)).status).toBe(204);
    await invite(owner, id, staff.email!);
    expect(await entryOf(owner, id, staff.id)).toEqual(onlyId(staff.id));
  });
});
