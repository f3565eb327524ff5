import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import { backUp } from '@charter/event-log';
import { DatabaseUnavailable } from '@charter/database';
import { verifierOf } from '@charter/integrity';
import type { AccountFact } from '@charter/identity';
import {
  erasuresFolder,
  resetBookmark,
  replayErasures,
  replayAccountChanges,
  openCertificate,
  openCharter,
} from '@charter/application';
import { organizationStream } from '@charter/organization';
import { parseSettings } from '@charter/settings';
import { replayAccountChangesAtStart } from '../../apps/api/src/process/restore-detection';
import { CommandLine } from '../cli/command-line';
import { founded, path } from '../support/requests/organizations';
import { PASSWORD, person, signedIn, accountEventsOf } from '../support/sign-in/people';
import { eventsOf, newFolder, type Served, serving, type Stores, until } from '../support/serving';
import { secrets } from '../support/secrets';

const environment = { RATE_LIMITS: 'off' };
const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Starts a service on a new folder. */
async function newService(): Promise<Served> {
  const folder = newFolder();
  folders.push(folder);
  return serving({ folder, environment });
}

/** Copies the tables while they are in use. */
async function copyOf(served: Served): Promise<string> {
  const copy = join(served.folder, `copy-${randomUUID()}.db`);
  await backUp(join(served.folder, 'documents.db'), copy);
  return copy;
}

/** Stops the service, replaces its tables by an older copy, and starts it again. */
async function restoredFrom(served: Served, copy: string): Promise<Served> {
  await served.stop();
  for (const end of ['', '-wal', '-shm']) rmSync(join(served.folder, `documents.db${end}`), { force: true });
  copyFileSync(copy, join(served.folder, 'documents.db'));
  return serving({ folder: served.folder, environment });
}

const stateOf = async ({ charter }: Served, id: string) => (await charter.database.people.accounts.byId(id))?.state;
const readiness = async (served: Served) => (await served.ask('GET', '/health/ready')).body.checks.erasures;

describe('U8: Tables that a process compares with the log', () => {
  it('get the missing erasure before the first answer, and the readiness check reports this erasure', async () => {
    const before = await newService();
    const [ada, eve] = [await person(before, { name: 'Ada Lovelace' }), await person(before)];
    const copy = await copyOf(before);
    await before.charter.accounts.erase(ada.id, by(), before.runtime.commands);
    const after = await restoredFrom(before, copy);
    expect(await stateOf(after, ada.id)).toBe('erased');
    expect(await stateOf(after, eve.id)).toBe('active');
    expect(await readiness(after)).toEqual({ ok: true, appliedAtStart: 1, restored: false });
    await after.close();
  });

  it('that lack only one change do not count as an older copy, so no session ends', async () => {
    const before = await newService();
    const [ada, eve] = [await person(before), await person(before)];
    const here = await signedIn(before, ada);
    await signedIn(before, eve);
    await before.charter.trail.record({ account: eve.id }, { type: 'AccountDisabled', data: {} }, by());
    await before.stop();
    const after = await serving({ folder: before.folder, environment });
    expect(await stateOf(after, eve.id)).toBe('disabled');
    expect(after.entries()).toContainEqual(expect.objectContaining({ level: 40, disabled: 1, restored: false }));
    expect((await readiness(after)).restored).toBe(false);
    const me = await after.ask('GET', '/api/v1/me', { headers: { Cookie: here.cookieHeader() } });
    expect(me.status).toBe(200);
    await after.close();
  });

  it.each([
    { fact: { type: 'AccountDisabled', data: {} }, replayed: { disabled: 1 } },
    { fact: { type: 'PasswordChanged', data: { version: 99 } }, replayed: { passwordsDropped: 1 } },
  ] as const)(
    'get a missing $fact.type from the log even if another process renames the account at this moment',
    async ({ fact, replayed }) => {
      const served = await newService();
      const eve = await person(served);
      const { accounts } = served.charter.database.people;
      const { version } = (await accounts.byId(eve.id))!;
      const recorded = fact.type === 'PasswordChanged' ? { ...fact, data: { version } } : fact;
      await served.charter.trail.record({ account: eve.id }, recorded, by());
      const { change } = accounts;
      jest.spyOn(accounts, 'change').mockImplementationOnce(async (id, version, ...how) => {
        await change(id, version, { name: 'Eve' });
        return change(id, version, ...how);
      });
      expect(await replayAccountChanges(served.charter, Date.now() + 1_000)).toMatchObject(replayed);
      await served.close();
    },
  );

  it('get one missing change of an account from the log; several missing changes make them count as an older copy', async () => {
    const served = await newService();
    const ada = await signedIn(served, await person(served));
    const { sessions } = served.charter.database.people;
    const liveOf = async ({ id }: Readonly<{ id: string }>) => (await sessions.listOf(id, '')).length;
    const recordUnfinished = async (...facts: readonly ((session: string) => AccountFact)[]) => {
      const eves = await Promise.all(facts.map(() => person(served, { role: 'operator' })));
      for (const [index, factOf] of facts.entries()) {
        const eve = eves[index]!;
        for (let browsers = 0; browsers < 2; browsers += 1) await signedIn(served, eve);
        const at = new Date(Date.now() + 1_000).toISOString();
        const fact = factOf((await sessions.listOf(eve.id, ''))[0]!.id);
        await served.charter.trail.record({ account: eve.id }, fact, { ...by(), at });
      }
      const { restored } = await replayAccountChanges(served.charter, Date.now() + 2_000);
      const isIn = (await ada.get('/api/v1/me')).status;
      return [restored, isIn, ...(await Promise.all(eves.map(liveOf)))];
    };
    const ended: AccountFact = { type: 'SessionsEnded', data: {} };
    expect(await recordUnfinished(() => ended)).toEqual([false, 200, 0]);
    expect(await recordUnfinished(() => ({ type: 'SessionsEnded', data: { others: true } }))).toEqual([false, 200, 0]);
    expect(await recordUnfinished((session) => ({ type: 'SessionsEnded', data: { session } }))).toEqual([
      false,
      200,
      1,
    ]);
    expect(await recordUnfinished(() => ({ type: 'EmailChanged', data: {} }))).toEqual([false, 200, 0]);
    expect(await recordUnfinished(() => ({ type: 'RoleAssigned', data: { role: null } }))).toEqual([false, 200, 0]);
    expect(await recordUnfinished(() => ({ type: 'RoleAssigned', data: { role: 'operator' } }))).toEqual([
      false,
      200,
      0,
    ]);
    expect(await recordUnfinished(...Array.from({ length: 3 }, () => () => ended))).toEqual([true, 401, 0, 0, 0]);
    await served.close();
  });

  type Browser = Awaited<ReturnType<typeof signedIn>>;
  const changePassword = (here: Browser) =>
    here.send('PUT', '/api/v1/me/password', { current: PASSWORD, password: 'another long phrase' });
  const endOthers = (here: Browser) => here.send('POST', '/api/v1/me/sessions/end-others', { password: PASSWORD });
  it.each([
    { then: 'nothing else happened', act: () => undefined },
    { then: 'the person then ended the other sessions', act: endOthers },
    { then: 'the person then changed the password', act: changePassword },
  ])(
    'keep a session that began after a recorded end of sessions, although the clock was set back meanwhile, if $then (N8)',
    async ({ act }) => {
      const served = await newService();
      const hour = 3_600_000;
      const people = await Promise.all([1, 2, 3].map(() => person(served)));
      const ahead = { ...by(), at: new Date(Date.now() + hour).toISOString() };
      for (const { id } of people)
        await served.charter.trail.record({ account: id }, { type: 'SessionsEnded', data: {} }, ahead);
      const here = await Promise.all(people.map((one) => signedIn(served, one)));
      for (const one of here) await act(one);
      const { sessionsEnded, restored } = await replayAccountChanges(served.charter, Date.now() + 2 * hour);
      const answers = await Promise.all(here.map((one) => one.get('/api/v1/me')));
      expect([answers.map(({ status }) => status), sessionsEnded, restored]).toEqual([[200, 200, 200], 0, false]);
      await served.close();
    },
  );

  it('lose the sessions of an account without a password, if its sessions ended and it got a password after the backup', async () => {
    const served = await newService();
    const ada = await person(served);
    const here = await signedIn(served, ada);
    const { accounts } = served.charter.database.people;
    const { version } = (await accounts.byId(ada.id))!;
    await accounts.change(ada.id, version, { passwordHash: null }, {});
    const record = (fact: AccountFact) => served.charter.trail.record({ account: ada.id }, fact, by());
    await record({ type: 'SessionsEnded', data: {} });
    await record({ type: 'PasswordReset', data: { version: version + 1 } });
    await replayAccountChanges(served.charter, Date.now() + 1_000);
    expect((await here.get('/api/v1/me')).status).toBe(401);
    await served.close();
  });

  it('are compared with many sign-ins after an end of sessions in a time that grows only linearly', async () => {
    const served = await newService();
    const { trail, log } = served.charter;
    const ada = await person(served);
    const ahead = { ...by(), at: new Date(Date.now() + 3_600_000).toISOString() };
    await trail.record({ account: ada.id }, { type: 'SessionsEnded', data: {} }, ahead);
    await signedIn(served, ada);
    const stream = `account-${ada.id}`;
    const { type, data, metadata } = (await eventsOf(served, stream)).at(-1)!;
    const signIn = () => ({
      ...{ id: randomUUID(), type, metadata: metadata as object },
      data: { ...(data as object), session: randomUUID() },
    });
    for (let batch = 0; batch < 30; batch += 1)
      await log.append(stream, Array.from({ length: 1_000 }, signIn), { expected: 'any' });
    const before = performance.now();
    await replayAccountChanges(served.charter, Date.now() + 7_200_000);
    expect(performance.now() - before).toBeLessThan(2_500); // 100 ms on an idle machine; 10 s if it grows quadratically
    await served.close();
  });

  it.each([null, 'auditor'] as const)(
    'get a missing change of a role to %s at the next start, and each key that the person made with the old role is revoked (A16)',
    async (role) => {
      const before = await newService();
      const [eve, ada] = [await person(before, { role: 'operator' }), await person(before, { role: 'operator' })];
      const [key, other] = [await before.key({ madeBy: eve.id }), await before.key({ madeBy: ada.id })];
      await before.charter.trail.record({ account: eve.id }, { type: 'RoleAssigned', data: { role } }, by());
      await before.stop();
      const after = await serving({ folder: before.folder, environment });
      expect((await after.charter.database.people.accounts.byId(eve.id))!.role).toBe(role);
      const founding = (by: string) => after.ask('POST', '/api/v1/organizations', { key: by, body: { name: 'Acme' } });
      expect([(await founding(key)).status, (await founding(other)).status]).toEqual([401, 201]);
      await after.close();
    },
  );

  it('are compared with the newest events only later, because another process may still be handling these events', async () => {
    const served = await newService();
    const eve = await person(served);
    await served.charter.trail.record({ account: eve.id }, { type: 'AccountDisabled', data: {} }, by());
    const disabled = async (upTo: number) =>
      (await replayAccountChanges(served.charter, Date.now(), { upTo })).disabled;
    expect(await disabled(Date.now() - 15_000)).toBe(0);
    expect(await disabled(Date.now())).toBe(1);
    await served.close();
  });

  it('get no older change of a state or a role while a newer change may still be in progress', async () => {
    const served = await newService();
    const { accounts, database } = served.charter;
    const eve = await person(served, { role: 'operator' });
    const minutesAgo = { ...by(), at: new Date(Date.now() - 60_000).toISOString() };
    await accounts.disable(eve.id, minutesAgo);
    await accounts.assignRole(eve.id, null, minutesAgo);
    await accounts.enable(eve.id, by());
    await accounts.assignRole(eve.id, 'operator', by());
    for (const upTo of [Date.now() - 15_000, Date.now()])
      expect(await replayAccountChanges(served.charter, Date.now(), { upTo })).toMatchObject({
        disabled: 0,
        rolesTaken: 0,
      });
    expect(await database.people.accounts.byId(eve.id)).toMatchObject({ state: 'active', role: 'operator' });
    await served.close();
  });

  it('get missing erasures while the process runs, other missing changes at the next start, and all erasures after another restore', async () => {
    const served = await newService();
    const { charter } = served;
    const [ada, eve] = [await person(served), await person(served)];
    const record = (id: string, type: 'AccountDisabled' | 'AccountErased') =>
      charter.trail.record({ account: id }, { type, data: {} }, by());
    const states = async () =>
      Promise.all([ada, eve].map(async ({ id }) => (await charter.database.people.accounts.byId(id))!.state));
    const later = randomUUID();
    await record(eve.id, 'AccountDisabled');
    for (const id of [ada.id, later]) await record(id, 'AccountErased');
    const erasedNow = async () => (await replayErasures(charter, Date.now())).erased;
    expect([await erasedNow(), await states()]).toEqual([1, ['erased', 'active']]);
    expect([(await replayAccountChanges(charter, Date.now())).disabled, await states()]).toEqual([
      1,
      ['erased', 'disabled'],
    ]);
    await person(served, { id: later });
    await resetBookmark(charter.database.marks);
    expect([await erasedNow(), await erasedNow()]).toEqual([1, 0]);
    await served.close();
  });

  it('lose a password if a crash interrupted the change of the password, but keep the sessions of other accounts', async () => {
    const before = await newService();
    const [ada, eve] = [await person(before), await person(before)];
    const [hers, here] = [await signedIn(before, ada), await signedIn(before, eve)];
    const { version } = (await before.charter.database.people.accounts.byId(ada.id))!;
    const changed = { type: 'PasswordChanged', data: { version } } as const;
    await before.charter.trail.record({ account: ada.id }, changed, by());
    await before.stop();
    const after = await serving({ folder: before.folder, environment });
    expect((await after.charter.database.people.accounts.byId(ada.id))!.passwordHash).toBeNull();
    const isIn = async (one: typeof here) =>
      (await after.ask('GET', '/api/v1/me', { headers: { Cookie: one.cookieHeader() } })).status;
    expect([await isIn(hers), await isIn(here), (await readiness(after)).restored]).toEqual([401, 200, false]);
    await after.close();
  });

  it('count as an older copy if several erasures are missing', async () => {
    const before = await newService();
    const [ada, ...others] = [await person(before), await person(before), await person(before), await person(before)];
    const here = await signedIn(before, ada);
    const copy = await copyOf(before);
    for (const { id } of others) await before.charter.accounts.erase(id, by(), before.runtime.commands);
    const after = await restoredFrom(before, copy);
    expect(await readiness(after)).toEqual({ ok: true, appliedAtStart: 3, restored: true });
    const me = await after.ask('GET', '/api/v1/me', { headers: { Cookie: here.cookieHeader() } });
    expect(me.status).toBe(401);
    await after.close();
  });

  it('stay unchanged if they agree with the log, so no session ends', async () => {
    const before = await newService();
    const ada = await person(before);
    const here = await signedIn(before, ada);
    const erased = await person(before);
    await before.charter.accounts.erase(erased.id, by(), before.runtime.commands);
    expect(
      (await here.send('PUT', '/api/v1/me/password', { current: PASSWORD, password: `${PASSWORD} too` })).status,
    ).toBe(204);
    await before.stop();
    const after = await serving({ folder: before.folder, environment });
    expect(await readiness(after)).toEqual({ ok: true, appliedAtStart: 0, restored: false });
    const me = await after.ask('GET', '/api/v1/me', { headers: { Cookie: here.cookieHeader() } });
    expect(me.status).toBe(200);
    await after.close();
  });

  it('get a bookmark at the last event, so that the next start compares them only with later events', async () => {
    const before = await newService();
    const copy = await copyOf(before);
    for (let count = 0; count < 3; count += 1)
      await before.charter.accounts.erase((await person(before)).id, by(), before.runtime.commands);
    await before.stop();
    const after = await restoredFrom(before, copy);
    await after.stop();
    const again = await serving({ folder: before.folder, environment });
    const mark = JSON.parse((await again.charter.database.marks.get('people-follow'))!) as { position: string };
    expect(mark.position).toBe((await eventsOf(again, '')).at(-1)!.position);
    await again.close();
  });

  it('do not prevent the start of a process that cannot store its last handled position, for example on a full disk (R1)', async () => {
    const before = await newService();
    const ada = await person(before);
    await before.charter.accounts.disable(ada.id, by());
    await before.stop();
    const set = () => Promise.reject(new DatabaseUnavailable('database or disk is full'));
    const between = (stores: Stores): Stores => {
      const { database } = stores;
      return { ...stores, database: { ...database, marks: { ...database.marks, set } } };
    };
    const after = await serving({ folder: before.folder, environment, between });
    expect(await readiness(after)).toEqual({ ok: true, appliedAtStart: 0, restored: false });
    await after.close();
  });
});

describe('A certificate that cannot be written, for example on a full disk (R1)', () => {
  it('does not prevent the start, and is written as soon as the disk has room', async () => {
    const before = await newService();
    const ada = await person(before);
    await before.charter.accounts.erase(ada.id, by(), before.runtime.commands);
    await before.stop();
    const folder = erasuresFolder(before.folder);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, ''); // a file in the place of the folder

    const after = await serving({ folder: before.folder, environment });
    expect((await after.ask('GET', '/health/ready')).status).toBe(200);
    expect((await replayErasures(after.runtime, Date.now())).purgeFailed).toMatch(/erasures cannot be written/);
    rmSync(folder);
    expect(await replayErasures(after.runtime, Date.now())).toEqual({ erased: 0, purgeFailed: null });
    expect(readdirSync(folder)).toEqual([`${ada.id}.erasure`]);
    await after.close();
  });

  it('makes the erasure say that the account is erased without a certificate', async () => {
    const served = await newService();
    const ada = await person(served);
    const folder = erasuresFolder(served.folder);
    writeFileSync(folder, '');
    const erase = () => served.charter.accounts.erase(ada.id, by(), served.runtime.commands);
    await expect(erase()).rejects.toThrow(
      /^The account is erased, but there is no certificate yet\. .*erasures cannot be/,
    );
    expect(await stateOf(served, ada.id)).toBe('erased');
    rmSync(folder);
    expect(await erase()).toMatchObject({ account: { state: 'erased' }, remains: null });
    expect(readdirSync(folder)).toEqual([`${ada.id}.erasure`]);
    await served.close();
  });
});

describe('U4: Restored tables', () => {
  it('accept no session that began before the restore', async () => {
    const before = await newService();
    const [here, there] = [await signedIn(before, await person(before)), await signedIn(before, await person(before))];
    const copy = await copyOf(before);
    const [left, live] = [here.cookieHeader(), there.cookieHeader()];
    await here.send('POST', '/logout');
    await until(async () => (await eventsOf(before, 'account-')).some(({ type }) => type === 'SignedOut'));
    const after = await restoredFrom(before, copy);
    for (const Cookie of [left, live])
      expect((await after.ask('GET', '/api/v1/me', { headers: { Cookie } })).status).toBe(401);
    await after.close();
  });

  it('lose each role, key and password that was removed or changed after the backup, and get no role from after the backup', async () => {
    const before = await newService();
    const [op, aud, eve, ada] = [
      await person(before, { role: 'operator' }),
      await person(before, { role: 'operator' }),
      await person(before),
      await person(before),
    ];
    const key = await before.key();
    const here = await signedIn(before, ada);
    const copy = await copyOf(before);
    await before.charter.accounts.assignRole(op.id, null, by());
    await before.charter.accounts.assignRole(aud.id, 'auditor', by());
    await before.charter.accounts.assignRole(eve.id, 'operator', by());
    const { id } = (await before.charter.database.keys.list()).at(-1)!;
    await before.charter.trail.record({ key: id }, { type: 'KeyRevoked', data: {} }, by());
    await before.charter.database.keys.revoke(id, Date.now());
    await here.send('PUT', '/api/v1/me/password', { current: PASSWORD, password: 'another long phrase' });
    const after = await restoredFrom(before, copy);
    const { accounts } = after.charter.database.people;
    const roles = await Promise.all([op, aud, eve].map(async (one) => (await accounts.byId(one.id))!.role));
    expect(roles).toEqual([null, 'auditor', null]);
    expect((await after.ask('GET', '/api/v1/organizations', { key })).status).toBe(401);
    expect((await accounts.byId(ada.id))!.passwordHash).toBeNull();
    expect((await accounts.byId(eve.id))!.passwordHash).not.toBeNull();
    await after.close();
  });

  it('lose a password that was changed after the backup, but keep the sessions of other accounts if only this change is missing', async () => {
    const before = await newService();
    const [ada, eve] = [await person(before), await person(before)];
    const hers = await signedIn(before, eve);
    const copy = await copyOf(before);
    const here = await signedIn(before, ada);
    const change = { current: PASSWORD, password: 'another long phrase' };
    expect((await here.send('PUT', '/api/v1/me/password', change)).status).toBe(204);
    const after = await restoredFrom(before, copy);
    expect((await after.charter.database.people.accounts.byId(ada.id))!.passwordHash).toBeNull();
    expect((await readiness(after)).restored).toBe(false);
    expect((await after.ask('GET', '/api/v1/me', { headers: { Cookie: hers.cookieHeader() } })).status).toBe(200);
    await after.close();
  });

  it('lead to disabled accounts with revoked API keys, if the e-mail address was changed after the backup', async () => {
    const before = await newService();
    const ada = await person(before, { role: 'operator' });
    const key = await before.key({ madeBy: ada.id });
    const eve = await signedIn(before, await person(before));
    const copy = await copyOf(before);
    await before.charter.trail.record({ account: ada.id }, { type: 'EmailChanged', data: {} }, by());
    await eve.send('POST', '/logout'); // a second missing change, so that the tables count as an older copy
    await until(async () => (await eventsOf(before, 'account-')).some(({ type }) => type === 'SignedOut'));
    const after = await restoredFrom(before, copy);
    expect(await stateOf(after, ada.id)).toBe('disabled');
    expect((await after.ask('GET', '/api/v1/organizations', { key })).status).toBe(401);
    await after.close();
  });

  it('contain waiting mails, which the process marks as failed instead of sending them', async () => {
    const before = await newService();
    const ada = await person(before);
    await (await signedIn(before, ada)).send('POST', '/forgot', { email: ada.email });
    await before.runtime.backgroundWork.settled();
    const eve = await signedIn(before, await person(before));
    const copy = await copyOf(before);
    await eve.send('POST', '/logout');
    await before.runtime.backgroundWork.settled();
    const after = await restoredFrom(before, copy);
    const mails = await after.charter.database.mails.list({ limit: 10 });
    expect(mails.map(({ state, error }) => [state, error])).toEqual([['failed', 'restored']]);
    await after.close();
  });
});

describe('U4: Restored backup', () => {
  it('sends no waiting mail and accepts no session, but keeps passwords and API keys', async () => {
    const before = await newService();
    const ada = await person(before);
    const [here, key] = [await signedIn(before, ada), await before.key()];
    const change = { current: PASSWORD, password: 'another long phrase' };
    expect((await here.send('PUT', '/api/v1/me/password', change)).status).toBe(204);
    await here.send('POST', '/forgot', { email: ada.email });
    await before.runtime.backgroundWork.settled();
    const [line, folder] = [new CommandLine(), join(before.folder, 'backup')];
    expect((await line.run(['backup', folder], { CHARTER_DATA: before.folder })).code).toBe(0);
    await before.stop();

    // after a command, and after a crash at the start, the folder still counts as a backup
    const { code } = await line.run(['organization', 'found', '--name', 'Acme'], { CHARTER_DATA: folder });
    expect(code).toBe(0);
    await (await openCharter(parseSettings({ CHARTER_DATA: folder }), 'server')).close();
    const after = await serving({ folder, environment });
    const { mails, people } = after.charter.database;
    const errors = (await mails.list({ limit: 10 })).map(({ state, error }) => `${state} ${error}`);
    expect(errors).toEqual(['failed restored', 'failed restored']);
    const me = await after.ask('GET', '/api/v1/me', { headers: { Cookie: here.cookieHeader() } });
    const { status } = await after.ask('GET', '/api/v1/organizations', { key });
    expect([me.status, status, (await readiness(after)).restored]).toEqual([401, 200, true]);
    expect((await people.accounts.byId(ada.id))!.passwordHash).not.toBeNull();
    await after.stop();
    const again = await serving({ folder, environment });
    expect((await readiness(again)).restored).toBe(false);
    await again.close();
    line.remove();
  });

  it('is no reason to end sessions if both stores are on servers and only the folder comes from the backup', async () => {
    const served = await newService();
    const here = await signedIn(served, await person(served));
    writeFileSync(join(served.folder, 'backup.json'), JSON.stringify({ files: {} }));
    const onServers = {
      EVENT_LOG: 'esdb://127.0.0.1:1?tls=false',
      DOCUMENTS: 'postgres://charter:secret@127.0.0.1:1/charter',
    };
    const settings = parseSettings({ ...secrets, ...onServers, CHARTER_DATA: served.folder });
    const { logger } = served.runtime;
    const { restored } = await replayAccountChangesAtStart({ ...served.charter, settings }, logger, Date.now());
    expect([restored, (await here.get('/api/v1/me')).status]).toEqual([false, 200]);
    await served.close();
  });
});

describe('U6: Certificate of an erasure', () => {
  it('contains the ids of account and actor, the moment and a signature, and is stored in the data folder', async () => {
    const served = await newService();
    const operator = await person(served, { role: 'operator' });
    const ada = await person(served, { name: 'Ada Lovelace', username: 'countess' });
    const here = await signedIn(served, operator);
    const { status, body } = await here.send('POST', `/api/v1/accounts/${ada.id}/erase`, { password: PASSWORD });
    const recorded = (await accountEventsOf(served, ada)).at(-1)!;
    const [event] = (await eventsOf(served, `account-${ada.id}`)).slice(-1);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      kind: 'erasure',
      account: ada.id,
      erased: recorded.metadata['at'],
      by: { kind: 'account', id: operator.id },
      event: event!.id,
    });
    const key = (await served.ask('GET', '/.well-known/charter-checkpoint-key')).text.trim();
    expect(openCertificate(body.certificate, verifierOf(key))).toEqual({
      store: await served.charter.log.identity(),
      account: ada.id,
      erased: body.erased,
      by: body.by,
      event: body.event,
    });
    const stored = readFileSync(join(erasuresFolder(served.folder), `${ada.id}.erasure`), 'utf8');
    expect(stored).toBe(body.certificate);
    for (const word of ['Ada', 'Lovelace', 'countess', ada.email!]) expect(stored).not.toContain(word);
    const again = await here.send('POST', `/api/v1/accounts/${ada.id}/erase`, { password: PASSWORD });
    expect(again.body.certificate).toBe(body.certificate);
    await served.close();
  });

  it('is in the answer when a person closes their own account', async () => {
    const served = await newService();
    const ada = await person(served);
    const { body } = await (await signedIn(served, ada)).send('POST', '/api/v1/me/close', { password: PASSWORD });
    const erasure = openCertificate(body.certificate, verifierOf(served.charter.signer.verifierKey));
    expect(erasure).toMatchObject({ account: ada.id, by: { kind: 'account', id: ada.id } });
    expect(readdirSync(erasuresFolder(served.folder))).toEqual([`${ada.id}.erasure`]);
    await served.close();
  });

  it('is stored by the next process if a process crashes during the erasure', async () => {
    const before = await newService();
    const [ada, eve] = [await person(before), await person(before)];
    const record = ({ charter }: Served, account: string) =>
      charter.trail.record({ account }, { type: 'AccountErased', data: {} }, by());
    const stored = ({ id }: typeof ada) => readFileSync(join(erasuresFolder(before.folder), `${id}.erasure`), 'utf8');
    await record(before, ada.id);
    await before.stop();
    const after = await serving({ folder: before.folder, environment });
    expect(stored(ada)).toBe(await after.charter.certificates.of(ada.id));
    await record(after, eve.id);
    await replayErasures(after.charter, Date.now());
    expect(stored(eve)).toBe(await after.charter.certificates.of(eve.id));
    await after.close();
  });

  it('is not made if Charter refuses the erasure', async () => {
    const served = await newService();
    const ada = await person(served);
    await founded(served, { owner: ada.id });
    await expect(served.charter.accounts.erase(ada.id, by(), served.runtime.commands)).rejects.toThrow();
    expect(await served.charter.certificates.of(ada.id)).toBeUndefined();
    expect(existsSync(erasuresFolder(served.folder))).toBe(false);
    await served.close();
  });
});

describe('U10: Closed organization', () => {
  const stored = { expected: undefined, sealed: 'sealed', mark: 'mark' };

  /** Stores the data that a closing must delete: a secret, and the text of a billing message. */
  async function storeDataOf({ charter: { database } }: Served, organization: string): Promise<void> {
    await database.people.secrets.compareAndSet(`sso:${organization}`, stored);
    await database.inbox.receive(
      {
        ...{ provider: 'stripe', id: `evt-${organization}`, type: 'a.b', time: new Date().toISOString() },
        ...{ organization, customer: null, subscription: null, fact: { kept: true }, raw: '{"name":"Ada"}' },
      },
      Date.now(),
    );
  }
  const storedDataOf = async ({ charter: { database } }: Served, organization: string) => [
    await database.people.secrets.get(`sso:${organization}`),
    (await database.inbox.find({ provider: 'stripe', id: `evt-${organization}` }))!.raw,
  ];

  it('keeps its events, but loses the raw texts of billing messages and the secret of its identity provider', async () => {
    const served = await newService();
    const key = await served.key();
    const [id, other] = [await founded(served, { by: key }), await founded(served, { by: key })];
    for (const organization of [id, other]) await storeDataOf(served, organization);
    const closed = await served.ask('POST', path(id, '/close'), { key, body: { reason: 'moved away' } });
    expect(closed.status).toBe(200);
    expect(await storedDataOf(served, id)).toEqual([undefined, null]);
    expect(await storedDataOf(served, other)).toEqual(['sealed', '{"name":"Ada"}']);
    const { inbox } = served.charter.database;
    expect((await inbox.find({ provider: 'stripe', id: `evt-${id}` }))!.fact).toEqual({ kept: true });
    expect((await served.ask('GET', path(id), { key })).status).toBe(200);
    await served.close();
  });

  it('loses the same data again after a restore of tables that are older than the closing', async () => {
    const before = await newService();
    const key = await before.key();
    const [id, other] = [await founded(before, { by: key }), await founded(before, { by: key })];
    for (const organization of [id, other]) await storeDataOf(before, organization);
    const copy = await copyOf(before);
    await before.ask('POST', path(id, '/close'), { key, body: { reason: 'moved away' } });
    const after = await restoredFrom(before, copy);
    await until(async () => (await storedDataOf(after, id)).every((value) => value == null));
    expect(await storedDataOf(after, other)).toEqual(['sealed', '{"name":"Ada"}']);
    await after.close();
  });

  it('loses the same data before it is reopened, if the process crashed after the closing', async () => {
    const served = await newService();
    const key = await served.key();
    const id = await founded(served, { by: key });
    const { inbox, people } = served.charter.database;
    await people.secrets.compareAndSet(`sso:${id}`, stored);
    const receives = async (event: string) => {
      const message = { provider: 'stripe', id: event, type: 'a.b', time: new Date().toISOString(), raw: '{}' };
      await inbox.receive({ ...message, organization: id, customer: null, subscription: null, fact: {} }, Date.now());
    };
    await receives('evt-before');
    await closeAndCrash(served, id);
    while (new Date().toISOString() <= (await closedAt(served, id))) await nextTick();
    await receives('evt-after');
    const reopened = await served.ask('POST', path(id, '/reopen'), { key, body: { reason: 'came back' } });
    expect(reopened.status).toBe(200);
    expect(await people.secrets.get(`sso:${id}`)).toBeUndefined();
    const rawOf = async (event: string) => (await inbox.find({ provider: 'stripe', id: event }))!.raw;
    expect([await rawOf('evt-before'), await rawOf('evt-after')]).toEqual([null, '{}']);
    await served.close();
  });

  it('keeps its data after a crash if a caller without permission tries to reopen it', async () => {
    const served = await newService();
    const [ada, eve] = [await person(served), await person(served)];
    const id = await founded(served, { owner: ada.id });
    await storeDataOf(served, id);
    await closeAndCrash(served, id);
    const reopen = { type: 'ReopenOrganization', data: { reason: 'came back' } };
    for (const [account, status] of [
      [ada, 403],
      [eve, 404],
    ] as const) {
      const browser = await signedIn(served, account);
      expect((await browser.send('POST', path(id, '/reopen'), reopen.data)).status).toBe(status);
      expect((await browser.send('POST', path(id, '/commands'), { commands: [reopen] })).status).toBe(status);
    }
    expect(await storedDataOf(served, id)).toEqual(['sealed', '{"name":"Ada"}']);
    await served.close();
  });
});

/** Closes an organization like a process that crashes right after the append. */
const closeAndCrash = ({ charter }: Served, id: string) =>
  charter.organizations.execute(
    organizationStream(id),
    { type: 'CloseOrganization', data: { reason: 'moved away' } },
    { ...by(), command: randomUUID(), causation: randomUUID() },
  );

const closedAt = ({ charter }: Served, id: string) =>
  charter.organizations.query(organizationStream(id), ({ state }) => state.closed!.at);

function by() {
  const actor = { kind: 'system', id: 'spec', powers: ['operator'] } as const;
  return { actor, at: new Date().toISOString(), correlation: randomUUID() };
}
