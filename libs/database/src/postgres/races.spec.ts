import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { RebuildInProgress, Overtaken } from '@charter/projections';
import { newKey } from '@charter/identity';
import type { Client } from 'pg';
import { aLink, aSession, random, testAccount } from '../people/people.testing';
import type { Database } from '../database';
import { connectedTo, type TestDatabase, postgresTestDatabase, testNow } from '../database.testing';
import { countingView } from '../read-model/counting-view.testing';
import type { PostgresAddress } from './address';

/** Two processes, and a connection with an open transaction in place of a third process. */
let place: TestDatabase;
let here: Database;
let there: Database;
let third: Client;
beforeAll(async () => {
  place = await postgresTestDatabase();
  [here, there] = [await place.open(), await place.open()];
  third = await connectedTo((place.options as { server: PostgresAddress }).server);
});
afterAll(async () => {
  await Promise.all([here.close(), there.close(), third.end()]);
  await place.remove();
});

const insert = async (more: Parameters<typeof testAccount>[0] = {}) => {
  const account = testAccount(more);
  await here.people.accounts.insert(account);
  return account;
};

/**
 * Calls `ask` during a transaction of a third process, before this transaction commits. Checks that the answer waits
 * for the commit.
 */
async function duringTransaction<Answer>(
  statements: readonly [string, ...unknown[]][],
  ask: () => Promise<Answer>,
): Promise<Answer> {
  await third.query('begin');
  for (const [sql, ...parameters] of statements) await third.query(sql, parameters);
  const answer = ask();
  const first = await Promise.race([answer.then(() => 'answered'), pause(150, 'waiting')]);
  await third.query('commit');
  expect(first).toBe('waiting');
  return answer;
}

it('Two simultaneous erasures of an account wait for each other without a deadlock', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await insert();
    const erased = await Promise.all([here, there].map(({ people }) => people.accounts.erase(id, testNow)));
    expect(erased.filter(Boolean)).toHaveLength(1);
  }
  await third.query('select pg_stat_force_next_flush()');
  await pause(1_500); // PostgreSQL reports the statistics of other connections at most once a second
  const { rows } = await third.query('select deadlocks from pg_stat_database where datname = current_database()');
  expect(rows).toEqual([{ deadlocks: 0 }]);
});

const disabled = `update accounts set state = 'disabled', version = version + 1 where id = $1`;
const reset = `update accounts set password_hash = 'new', version = version + 1 where id = $1`;

describe('Writes for an account that changes at the same time', () => {
  it('leave no session when the account is disabled', async () => {
    const { id } = await insert();
    const begun = await duringTransaction(
      [
        [disabled, id],
        ['delete from sessions where account = $1', id],
      ],
      () => here.people.sessions.insert(aSession(id).session),
    );
    expect(begun).toBe(false);
    expect(await there.people.sessions.listOf(id, '')).toEqual([]);
  });

  it('leave no session when the password is reset (C5)', async () => {
    const { id } = await insert();
    const begun = await duringTransaction(
      [
        [reset, id],
        ['delete from sessions where account = $1', id],
      ],
      () => here.people.sessions.insert(aSession(id).session, 0),
    );
    expect(begun).toBe(false);
    for (let round = 0; round < 15; round += 1) {
      const ada = await insert();
      await Promise.all([
        here.people.sessions.insert(aSession(ada.id).session, 0),
        there.people.accounts.change(ada.id, 0, { passwordHash: 'new' }, { sessions: true }),
        here.people.sessions.insert(aSession(ada.id).session, 0),
      ]);
      expect(await there.people.sessions.listOf(ada.id, '')).toEqual([]);
    }
  });

  it('leave no valid API key when the account that created the key is disabled (A16, J4)', async () => {
    const keyOf = (id: string) =>
      newKey({ name: 'k', scopes: ['organizations:read'], madeBy: id }, random, testNow).record;
    const { id } = await insert({ role: 'operator' });
    expect(await duringTransaction([[disabled, id]], () => here.keys.insert(keyOf(id)))).toBe(false);
    for (let round = 0; round < 15; round += 1) {
      const ada = await insert({ role: 'operator' });
      const record = keyOf(ada.id);
      const ends = { keys: '2026-11-21T10:00:00.000Z' };
      const [made] = await Promise.all([
        here.keys.insert(record),
        there.people.accounts.change(ada.id, 0, { state: 'disabled' }, ends),
      ]);
      expect((await here.keys.find(record.prefix))?.revoked).toBe(made ? ends.keys : undefined);
    }
  });

  it('leave no personal data when the person is erased (U6)', async () => {
    const erased = `update accounts set state = 'erased', email = null, version = version + 1 where id = $1`;
    const [ada, bob, cyd] = [await insert(), await insert(), await insert()];
    await duringTransaction([[erased, ada.id]], () =>
      here.people.accounts.link(ada.id, 'https://issuer.example', 'ada', testNow),
    );
    expect(await there.people.accounts.bySubject('https://issuer.example', 'ada')).toBeUndefined();
    await duringTransaction([[erased, bob.id]], () => here.people.links.replace(aLink(bob.id).link));
    const mail = { id: randomUUID(), kind: 'reset', to: 'cyd@example.com', language: 'en', sealed: null };
    await duringTransaction([[erased, cyd.id]], () =>
      here.mails.enqueue({ ...mail, account: cyd.id, expires: '2027-01-01T00:00:00.000Z' }, testNow),
    );
    expect(await place.ask(`select account from links where account = '${bob.id}'`)).toEqual([]);
    expect(await place.ask(`select account from account_subjects where account = '${ada.id}'`)).toEqual([]);
    expect(await there.mails.find(mail.id)).toBeUndefined();
  });

  it('store no former introduction of a person whose membership ends while the person is erased (U6)', async () => {
    const { id } = await insert();
    await here.people.introductions.add('o-1', id);
    const isErased = await duringTransaction(
      [
        ["delete from introductions where organization = 'o-1' and account = $1", id],
        ["insert into former_introductions (organization, account) values ('o-1', $1)", id],
      ],
      () => there.people.accounts.erase(id, testNow),
    );
    expect([isErased, await here.people.introductions.everAmong('o-1', [id])]).toEqual([true, new Set()]);
  });

  it('leave the account erased when a change and the erasure run at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await insert();
      await Promise.all([
        here.people.accounts.change(id, 0, { name: 'Newly Called' }),
        there.people.accounts.erase(id, testNow),
      ]);
      expect(await here.people.accounts.byId(id)).toMatchObject({ state: 'erased', name: null, email: null });
      expect(await place.ask(`select sought from accounts where id = '${id}'`)).toEqual([{ sought: '' }]);
    }
  });

  it('accept an email address that another account releases at the same time', async () => {
    const [ada, next] = [await insert(), testAccount()];
    const made = await duringTransaction(
      [[`update accounts set email = 'given@up.example' where id = $1`, ada.id]],
      () => there.people.accounts.insert({ ...next, email: ada.email }),
    );
    expect(made).toBe('made');
  });
});

describe('Link that is replaced while a request takes it', () => {
  it('is not taken by that request', async () => {
    const { id } = await insert();
    const [old, fresh] = [aLink(id).link, aLink(id).link];
    await here.people.links.replace(old);
    const taken = await duringTransaction([['update links set hash = $1 where hash = $2', fresh.hash, old.hash]], () =>
      here.people.links.take(old.hash),
    );
    expect(taken).toBe(false);
    expect(await there.people.links.find(fresh.hash)).toBeDefined();
  });
});

describe('Rate limit counters', () => {
  it('allow ten of two hundred simultaneous attempts on two processes with a limit of ten, and count all two hundred (A11)', async () => {
    const ask = (n: number) => [here, there][n % 2]!.attempts.count('guesses', 900, 10, testNow);
    const verdicts = await Promise.all(Array.from({ length: 200 }, (_, n) => ask(n)));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(10);
    expect(await place.ask(`select count from attempts where bucket = 'guesses'`)).toEqual([{ count: 200 }]);
  });
});

describe('Idempotency records', () => {
  it('give each idempotency key to one claim when two processes claim the same keys in opposite orders (L1, L4)', async () => {
    for (let round = 0; round < 10; round += 1) {
      const keys = Array.from({ length: 40 }, (_, n) => `${round}-${n}`);
      const claims = await Promise.all([
        ...keys.map((key) => here.receipts.claim(key, 'b')),
        ...keys.toReversed().map((key) => there.receipts.claim(key, 'b')),
      ]);
      expect(claims.filter(({ kind }) => kind === 'new')).toHaveLength(40);
      const answer = (body: string) => ({ status: 201, headers: {}, body });
      const given = await Promise.all([
        ...keys.map((key) => here.receipts.answer(key, answer('here'))),
        ...keys.toReversed().map((key) => there.receipts.answer(key, answer('there'))),
      ]);
      expect(given.filter(Boolean)).toHaveLength(40); // each key has an answer from one of the processes
    }
  });

  it('apply simultaneous changes of one idempotency key in the order of the calls', async () => {
    const { claim, answer, withdraw, recordUnknownOutcome } = here.receipts;
    await claim('twice', 'b');
    const given = { status: 201, headers: {}, body: 'é"\\{}' };
    const changed = [recordUnknownOutcome('twice'), answer('twice', given), answer('twice', { ...given, status: 409 })];
    expect((await Promise.all(changed)).slice(1)).toEqual([true, false]);
    await withdraw('twice');
    expect(await there.receipts.claim('twice', 'b')).toEqual({ kind: 'answered', answer: given });
  });
});

describe('Editions', () => {
  const view = countingView();
  const at = (position: number) => ({ store: 's', position: String(position).padStart(20, '0') });
  const unbegun = { checkpoint: undefined, commits: 0 };
  const nothing = { documents: new Map(), rows: new Map() };

  it('are begun by only one process when two processes begin a rebuild at the same time', async () => {
    const begun = await Promise.allSettled([here.view(view).begin(), there.view(view).begin()]);
    const refused = begun.filter((each) => each.status === 'rejected');
    expect(refused.map(({ reason }) => reason as unknown)).toEqual([expect.any(RebuildInProgress)]);
    const open = await place.ask(`select count(*) as n from editions where ended is null`);
    expect(open).toEqual([{ n: 1 }]);
  });

  it('do not become live when the live edition commits at the same time', async () => {
    const store = here.view({ ...view, name: 'moving' });
    const live = await store.begin();
    await live.commit({ from: unbegun, to: at(5), ...nothing });
    await store.activate(live);
    const next = await store.begin();
    await next.commit({ from: unbegun, to: at(5), ...nothing });
    const further = `update editions set position = '${at(6).position}', commits = commits + 1 where view = 'moving' and edition = ${live.id}`;
    expect(await duringTransaction([[further]], () => there.view({ ...view, name: 'moving' }).activate(next))).toBe(
      false,
    );
    expect((await store.live())!.id).toBe(live.id);
  });

  it('begin and become live without a deadlock when two processes rebuild at the same time', async () => {
    const stores = [here, there].map((each) => each.view({ ...view, name: 'rebuilding' }));
    const rebuild = async (n: number) => {
      const edition = await stores[n % 2]!.begin({ takeOver: true });
      await edition.commit({ from: unbegun, to: at(n), ...nothing });
      await stores[n % 2]!.activate(edition);
    };
    const rebuilds = await Promise.allSettled(Array.from({ length: 24 }, (_, n) => rebuild(n + 1)));
    const reasons = rebuilds.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(reasons.filter((why) => !(why instanceof Overtaken))).toEqual([]);
    const open = await place.ask(`select count(*) as n from editions where view = 'rebuilding' and ended is null`);
    expect((open[0] as { n: number }).n).toBeLessThanOrEqual(2);
    await stores[0]!.dropRetired();
  });

  it('accept only one of two simultaneous commits that start from the same position', async () => {
    const store = here.view({ ...view, name: 'committing' });
    const edition = await store.begin();
    const by = (total: number) => ({
      ...nothing,
      documents: new Map([['tally-a', { state: { ...view.initial(), total }, revision: 0, at: '' }]]),
    });
    const commits = await Promise.allSettled([
      edition.commit({ from: unbegun, to: at(1), ...by(1) }),
      edition.commit({ from: unbegun, to: at(1), ...by(2) }),
    ]);
    expect(commits.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((commits.find((each) => each.status === 'rejected') as { reason: unknown }).reason).toBeInstanceOf(
      Overtaken,
    );
    const total = commits.findIndex(({ status }) => status === 'fulfilled') + 1;
    expect((await edition.get('tally-a'))?.state.total).toBe(total);
  });
});
