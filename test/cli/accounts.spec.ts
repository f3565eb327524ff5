import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { StoredEvent } from '@charter/event-log';
import { verifyChain } from '@charter/integrity';
import { type Account, type KeyRecord, linkHash, newKey, newSession } from '@charter/identity';
import { type Charter, openCharter, SERVED_AT } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { testAccount } from '../../libs/database/src/people/people.testing';
import { commandLineContext } from '../../apps/cli/src/terminal/command-line-context';
import { CommandLine, ended } from './command-line';

const PASSWORD = 'tall trees in the wind';
const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };

/** The tests open the stores as the server does. The command line runs in another process. */
let charter: CommandLine;
let server: Charter;
beforeEach(async () => {
  charter = new CommandLine();
  server = await openCharter(parseSettings({ CHARTER_DATA: charter.data }), 'server');
});
afterEach(async () => {
  await server.close();
  charter.remove();
});

const create = (...more: readonly string[]) => charter.json('accounts', 'create', ...more);
const withPassword = async (password: string, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await charter.run(
    ['accounts', 'create', '--password-stdin', '--json', ...args],
    {},
    password,
  );
  return { code, stderr, answer: stdout === '' ? undefined : (JSON.parse(stdout) as Record<string, unknown>) };
};
const account = async (id: string) => (await server.database.people.accounts.byId(id))!;
const trailOf = async (id: string) => {
  const events: StoredEvent[] = [];
  for await (const event of server.log.readStream(`account-${id}`)) events.push(event);
  expect(await verifyChain(events)).toMatchObject({ ok: true });
  return events.map(({ type, data }) => [type, data]);
};
/** Stores an account. Without `more`, this account can sign in. */
async function insert(more: Partial<Account> = {}): Promise<Account> {
  const made = testAccount(more);
  await server.database.people.accounts.insert(made);
  return made;
}
const sessionOf = async ({ id }: Account) => {
  const { session } = newSession(id, 'password', 'Firefox', random, Date.now());
  await server.database.people.sessions.insert(session);
  return session.hash;
};
/** An API key that an operator has created. */
const keyOf = async ({ id }: Account) => {
  const { record } = newKey({ name: 'a spec', scopes: ['audit:read'], madeBy: id }, random, Date.now());
  expect(await server.database.keys.insert(record)).toBe(true);
  return record;
};
const isRevoked = async ({ prefix }: KeyRecord) => (await server.database.keys.find(prefix))!.revoked !== undefined;

describe('Account without a password', () => {
  it('gets a link to set a password; the link works for 60 minutes and is stored only as a hash', async () => {
    const before = Date.now();
    const { code, answer } = await create(
      '--email',
      ' Ada@Example.com',
      '--username',
      'Countess',
      '--role',
      'operator',
    );
    expect({ code, names: Object.keys(answer).sort() }).toEqual({ code: 0, names: ['id', 'link'] });
    expect(await account(answer.id)).toMatchObject({
      state: 'invited',
      email: 'ada@example.com',
      emailVerified: false,
      username: 'countess',
      name: null,
      role: 'operator',
      passwordHash: null,
    });
    const [, token = ''] = /^http:\/\/localhost:3000\/invitation\/([\w-]{43})$/.exec(answer.link) ?? [];
    const link = (await server.database.people.links.find(linkHash(token)))!;
    expect(link).toMatchObject({ account: answer.id, purpose: 'invitation', email: null });
    const validity = Date.parse(link.expires) - before;
    expect(validity).toBeGreaterThanOrEqual(7 * 24 * 60 * 60_000);
    expect(validity).toBeLessThan(7 * 24 * 60 * 60_000 + 60_000);
    expect(textOfStores()).not.toContain(token);
    expect(await trailOf(answer.id)).toEqual([
      ['AccountCreated', { by: 'command-line' }],
      ['RoleAssigned', { role: 'operator' }],
    ]);
  });

  it('gets no role if the event log cannot record the role', async () => {
    const lock = new DatabaseSync(charter.events);
    lock.exec('BEGIN IMMEDIATE');
    const { code, answer } = await create('--email', 'ada@example.com', '--role', 'operator');
    lock.close();
    expect({ code, answer }).toMatchObject({ code: 1, answer: { type: '/problems/unavailable', status: 503 } });
    const given = (await charter.json('accounts', 'set-role', 'ada@example.com', 'operator')).answer;
    expect(given).toMatchObject({ role: 'operator' });
    expect(await trailOf(given.id)).toEqual([['RoleAssigned', { role: 'operator' }]]);
  });

  it('gets a link that begins with PUBLIC_URL, and the output says how long the link is valid', async () => {
    const settings = { PUBLIC_URL: 'https://charter.example.com' };
    const { stdout } = await charter.run(['accounts', 'create', '--email', 'ada@example.com'], settings);
    expect(stdout).toMatch(/^link +https:\/\/charter\.example\.com\/invitation\/[\w-]{43}$/m);
    expect(stdout).toContain('once, within 7 days');
  });

  it('gets a note about the folder if no server has used the stores yet', async () => {
    const noted = async (email: string) => (await charter.run(['accounts', 'create', '--email', email])).stdout;
    expect(await noted('ada@example.com')).toContain(`No server has used these stores (${charter.data}) yet.`);
    await server.database.marks.set(SERVED_AT, 'http://localhost:3000');
    expect(await noted('bob@example.com')).not.toContain('No server');
  });

  it('gets another link on request, which replaces the first link', async () => {
    const first = (await create('--email', 'ada@example.com')).answer;
    const { answer } = await charter.json('accounts', 'link', 'ada@example.com');
    expect(answer).toEqual({ id: first.id, link: expect.stringContaining('/invitation/') });
    const find = (link: string) => server.database.people.links.find(linkHash(link.split('/').at(-1)!));
    expect(await find(first.link)).toBeUndefined();
    expect(await find(answer.link)).toMatchObject({ account: first.id, purpose: 'invitation' });
    const { id } = await insert();
    const { stdout } = await charter.run(['accounts', 'link', id]);
    expect(stdout).toContain('once, within 60 minutes');
    expect(await find(/\S+\/reset\/[\w-]{43}/.exec(stdout)![0])).toMatchObject({ purpose: 'reset' });
    expect(await trailOf(id)).toEqual([['PasswordResetRequested', {}]]);
  });
});

describe('Account with a password from stdin', () => {
  it.each([
    ['followed by a line break', `${PASSWORD}\n`, PASSWORD],
    ['not followed by a line break', PASSWORD, PASSWORD],
    ['followed by a line break of Windows', `${PASSWORD}\r\n`, PASSWORD],
    ['with spaces at its ends', `  ${PASSWORD} \n`, `  ${PASSWORD} `],
  ])('is active and has exactly the typed password, when this password is %s', async (_how, line, password) => {
    const { code, answer } = await withPassword(line, '--email', 'ada@example.com');
    expect({ code, names: Object.keys(answer!) }).toEqual({ code: 0, names: ['id'] });
    const { state, passwordHash } = await account(answer!['id'] as string);
    expect(state).toBe('active');
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await server.passwords.verify(passwordHash, password)).toBe(true);
    expect(textOfStores()).not.toContain(PASSWORD);
  });

  it.each([
    ['too-short', 'elevenchars'],
    ['too-short', ''],
    ['too-long', 'xyz '.repeat(33)],
    ['common', 'unbelievable'],
    ['personal', 'ada@example.com'],
    ['personal', 'Pulse-Pulse-Pulse!'],
    ['personal', 'AdaLovelace1815'],
  ])('is refused with a password that is %s: %j', async (because, password) => {
    const { code, answer } = await withPassword(password, '--email', 'ada@example.com', '--name', 'Ada Lovelace');
    expect({ code, answer }).toMatchObject({ code: 1, answer: { type: '/problems/password-refused', because } });
    expect((await server.database.people.accounts.list({ limit: 1 })).accounts).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'is not created if %s ends the command before the password',
    async (signal) => {
      const child = charter.start(['accounts', 'create', '--password-stdin', '--email', 'ada@example.com']);
      await once(child, 'spawn');
      await pause(1_500); // the command has then opened the stores and waits for the password
      child.kill(signal);
      expect(await ended(child)).toEqual({ code: null, signal, stdout: '', stderr: '' });
      expect((await server.database.people.accounts.list({ limit: 1 })).accounts).toEqual([]);
    },
  );

  it('is refused with a password of two lines', async () => {
    const { code, answer } = await withPassword(`${PASSWORD}\n${PASSWORD}\n`, '--email', 'ada@example.com');
    expect({ code, answer }).toMatchObject({ code: 1, answer: { type: '/problems/password-refused' } });
  });
});

describe('charter accounts', () => {
  it('refuses a new account with the e-mail address or the username of another account', async () => {
    await insert({ email: 'ada@example.com', username: 'countess' });
    const email = await create('--email', 'ADA@example.com');
    expect(email).toMatchObject({ code: 1, answer: { type: '/problems/email-taken', status: 409 } });
    const name = await create('--email', 'eve@example.com', '--username', 'COUNTESS');
    expect(name).toMatchObject({ code: 1, answer: { type: '/problems/username-taken', status: 409 } });
  });

  it.each([
    ['e-mail address', 'email-taken', (n: number) => ['--email', 'ada@example.com', '--username', `countess${n}`]],
    ['username', 'username-taken', (n: number) => ['--email', `ada${n}@example.com`, '--username', 'countess']],
  ] as const)(
    'creates one account if four processes create accounts with the same %s at once',
    async (_, type, args) => {
      const answers = await Promise.all([1, 2, 3, 4].map((n) => create(...args(n))));
      const made = answers.filter(({ code }) => code === 0);
      expect(made).toHaveLength(1);
      for (const refused of answers.filter((answer) => answer !== made[0]))
        expect(refused).toMatchObject({ code: 1, answer: { type: `/problems/${type}`, status: 409 } });
      const { accounts } = await server.database.people.accounts.list({ limit: 10 });
      expect(accounts.map(({ id }) => id)).toEqual([made[0]!.answer['id']]);
    },
  );

  it.each([
    ['no address', ['create']],
    ['two addresses', ['create', '--email', 'ada@example.com,eve@example.com']],
    ['a username with an @', ['create', '--email', 'ada@example.com', '--username', 'ada@example.com']],
    ['an unknown role', ['create', '--email', 'ada@example.com', '--role', 'owner']],
    ['an unknown role in set-role', ['set-role', 'ada@example.com', 'admin']],
    ['a password on the command line', ['create', '--email', 'ada@example.com', '--password', PASSWORD]],
    ['erasing without --yes', ['erase', 'ada@example.com']],
  ])('prints an error with a hint and changes nothing for a call with %s', async (_what, args) => {
    const { id } = await insert({ email: 'ada@example.com' });
    const { code, stdout, stderr } = await charter.run(['accounts', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .+\nAdd --help .+\n$/);
    expect(await account(id)).toMatchObject({ state: 'active', role: null });
  });

  it('lists accounts in the order of their e-mail addresses, without passwords', async () => {
    expect((await charter.run(['accounts', 'list'])).stdout).toContain('charter accounts create');
    const bob = await insert({ email: 'bob@example.com', name: 'Bob' });
    const ada = await insert({ email: 'ada&co@example.com', username: 'countess', role: 'auditor', state: 'disabled' });
    const shown = [ada, bob].map(({ id, email, username, name, role, state, created }) => {
      return { id, email, username, name, role, state, created };
    });
    expect((await charter.json('accounts', 'list')).answer).toEqual({ accounts: shown, next: null });
    const first = (await charter.json('accounts', 'list', '--limit', '1')).answer;
    expect(first.accounts).toEqual([shown[0]]);
    const { stdout } = await charter.run(['accounts', 'list', '--limit', '1']);
    expect(stdout).toMatch(/^There are more: --cursor 'ada&co@example\.com'$/m);
    const second = (await charter.json('accounts', 'list', '--cursor', first.next)).answer;
    expect(second).toEqual({ accounts: [shown[1]], next: null });
    expect((await charter.json('accounts', 'list', '--q', 'COUNT')).answer.accounts).toEqual([shown[0]]);
  });
});

describe('Account named by id, e-mail address or username', () => {
  it('can be disabled and enabled; disabling ends its sessions and links at once', async () => {
    const ada = await insert({ username: 'countess' });
    const [first, second] = [await sessionOf(ada), await sessionOf(ada)];
    const { link } = (await charter.json('accounts', 'link', ada.id)).answer;
    const { sessions, links } = server.database.people;
    expect(await sessions.find(first)).toBeDefined();

    const disabled = await charter.json('accounts', 'disable', ada.id);
    expect(disabled).toEqual({ code: 0, answer: { id: ada.id, state: 'disabled', role: null } });
    expect([await sessions.find(first), await sessions.find(second)]).toEqual([undefined, undefined]);
    expect(await links.find(linkHash(link.split('/').at(-1)))).toBeUndefined();
    expect(await charter.json('accounts', 'disable', ada.id)).toEqual(disabled);
    const refused = await charter.json('accounts', 'link', ada.id);
    expect(refused).toMatchObject({ code: 1, answer: { type: '/problems/account-disabled' } });

    const enabled = await charter.json('accounts', 'enable', ada.id);
    expect(enabled).toEqual({ code: 0, answer: { id: ada.id, state: 'active', role: null } });
    expect(await sessions.find(first)).toBeUndefined();
    expect(await trailOf(ada.id)).toEqual([
      ['PasswordResetRequested', {}],
      ['AccountDisabled', {}],
      ['AccountEnabled', {}],
    ]);
  });

  it("can get a role and lose it; each change ends the account's sessions, and the loss also revokes the API keys of the account", async () => {
    const ada = await insert({ username: 'countess' });
    const session = await sessionOf(ada);
    const given = await charter.json('accounts', 'set-role', ada.email!.toUpperCase(), 'operator');
    expect(given).toEqual({ code: 0, answer: { id: ada.id, state: 'active', role: 'operator' } });
    expect(await server.database.people.sessions.find(session)).toBeUndefined();
    expect(await charter.json('accounts', 'set-role', ada.email!.toUpperCase(), 'operator')).toEqual(given);
    const later = await sessionOf(ada);
    const [hers, foreign] = [await keyOf(ada), await keyOf(await insert({ role: 'operator' }))];
    const taken = await charter.json('accounts', 'set-role', ada.email!.toUpperCase(), 'none');
    expect(taken.answer).toEqual({ id: ada.id, state: 'active', role: null });
    expect([await isRevoked(hers), await isRevoked(foreign)]).toEqual([true, false]);
    expect(await server.database.people.sessions.find(later)).toBeUndefined();
    expect(await trailOf(ada.id)).toEqual([
      ['RoleAssigned', { role: 'operator' }],
      ['RoleAssigned', { role: null }],
    ]);
  });

  it('can be erased, and the event store then contains no e-mail address, username or name of the person', async () => {
    const ada = await insert({ username: 'countess', name: 'Ada Lovelace' });
    const session = await sessionOf(ada);
    const { code, answer } = await charter.json('accounts', 'erase', 'Countess', '--yes');
    const certificate = expect.stringContaining(`account ${ada.id}`) as string;
    expect({ code, answer }).toEqual({
      code: 0,
      answer: { id: ada.id, state: 'erased', role: null, certificate, remains: null },
    });
    expect(await account(ada.id)).toMatchObject({ email: null, username: null, name: null, passwordHash: null });
    expect(await server.database.people.sessions.find(session)).toBeUndefined();
    expect((await charter.json('accounts', 'list')).answer.accounts).toEqual([]);
    expect(await trailOf(ada.id)).toEqual([['AccountErased', {}]]);
    for (const word of [ada.email!, 'countess', 'Lovelace']) expect(textOf(charter.events)).not.toContain(word);

    expect((await charter.json('accounts', 'erase', ada.id, '--yes')).answer).toEqual(answer);
    for (const act of [
      ['disable', ada.id],
      ['enable', ada.id],
      ['set-role', ada.id, 'auditor'],
      ['link', ada.id],
    ]) {
      const after = await charter.json('accounts', ...act);
      expect(after).toMatchObject({ code: 1, answer: { type: '/problems/no-such-account' } });
    }
    expect(await trailOf(ada.id)).toHaveLength(1);
  });
});

describe('Commands about accounts and keys', () => {
  it('erase the last owner of an organization only after the organization is closed, even without a read model', async () => {
    const ada = await insert();
    const { id } = (await charter.json('organization', 'found', '--name', 'Acme', '--owner', ada.id)).answer as {
      id: string;
    };
    const { code, answer } = await charter.json('accounts', 'erase', ada.id, '--yes');
    expect([code, answer.type, answer.organizations]).toEqual([1, '/problems/last-owner', [{ id, name: 'Acme' }]]);
    expect(answer.detail).toBe(
      `The account is the only owner of Acme (${id}). Name another owner first, or close the organization.`,
    );
    expect((await account(ada.id)).state).toBe('active');
    await server.organizations.execute(
      `organization-${id}`,
      { type: 'CloseOrganization', data: { reason: 'moved away' } },
      commandLineContext(),
    );
    expect((await charter.json('accounts', 'erase', ada.id, '--yes')).code).toBe(0);
  });

  it('erase nothing if the certificate cannot be written', async () => {
    const { id } = await insert();
    const file = join(charter.data, 'no-such-folder', 'certificate');
    const { code, answer } = await charter.json('accounts', 'erase', id, '--yes', '--certificate', file);
    expect([code, answer.type]).toEqual([1, '/problems/not-writable']);
    expect((await server.database.people.accounts.byId(id))?.state).not.toBe('erased');
  });

  it('name the file of the certificate after an erasure', async () => {
    const { id } = await insert();
    const file = join(charter.data, 'certificate');
    const { stdout } = await charter.run(['accounts', 'erase', id, '--yes', '--certificate', file]);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(`The certificate is written to ${file}.`);
  });

  it('give an enabled account the state `invited` if the person never accepted the invitation', async () => {
    const { answer } = await create('--email', 'ada@example.com');
    await charter.json('accounts', 'disable', answer.id);
    expect((await charter.json('accounts', 'enable', answer.id)).answer.state).toBe('invited');
    const google = await insert({ passwordHash: null, state: 'disabled' });
    expect((await charter.json('accounts', 'enable', google.id)).answer.state).toBe('active');
  });

  it('answer 404 for an unknown account', async () => {
    for (const who of [randomUUID(), 'unknown@example.com', 'unknown', '@', '?'])
      expect(await charter.json('accounts', 'disable', who)).toMatchObject({ code: 1, answer: { status: 404 } });
  });

  it('name the command line as the actor of their events', async () => {
    const { id } = await insert();
    await charter.json('accounts', 'disable', id);
    for await (const { metadata } of server.log.readStream(`account-${id}`))
      expect(metadata).toMatchObject({ actor: { kind: 'system', id: 'command-line' } });
  });

  it('write an event for the creation and for the revocation of an API key', async () => {
    const { answer } = await charter.json('keys', 'create', '--name', 'ci', '--scopes', 'flags:read,audit:read');
    await charter.json('keys', 'revoke', answer.id);
    await charter.json('keys', 'revoke', answer.id);
    const events: StoredEvent[] = [];
    for await (const event of server.log.readStream(`key-${answer.id}`)) events.push(event);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['KeyCreated', { scopes: ['audit:read', 'flags:read'] }],
      ['KeyRevoked', {}],
    ]);
    expect(await verifyChain(events)).toMatchObject({ ok: true, events: 2 });
  });

  it('create and revoke no API key if the event log cannot record it', async () => {
    const options = ['--name', 'ci', '--scopes', 'flags:read'];
    const { answer } = await charter.json('keys', 'create', ...options);
    const lock = new DatabaseSync(charter.events);
    lock.exec('BEGIN IMMEDIATE');
    const refused = { code: 1, answer: { type: '/problems/unavailable' } };
    const both = [charter.json('keys', 'revoke', answer.id), charter.json('keys', 'create', ...options)];
    expect(await Promise.all(both)).toMatchObject([refused, refused]);
    lock.close();
    const keys = await server.database.keys.list();
    expect(keys.map(({ id, revoked }) => ({ id, revoked }))).toEqual([{ id: answer.id, revoked: undefined }]);
    await charter.json('keys', 'revoke', answer.id);
    const events: string[] = [];
    for await (const { type } of server.log.readStream(`key-${answer.id}`)) events.push(type);
    expect(events).toEqual(['KeyCreated', 'KeyRevoked']);
  });
});

const textOf = (file: string) =>
  [file, `${file}-wal`].map((name) => (existsSync(name) ? readFileSync(name, 'latin1') : '')).join('');
const textOfStores = () => textOf(charter.events) + textOf(charter.documents);
