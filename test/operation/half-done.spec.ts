import { DatabaseUnavailable } from '@charter/database';
import type { Account } from '@charter/identity';
import { linkFor } from '../../apps/api/src/sign-in/links';
import { withFaults } from '../support/stores/faults';
import type { Answer } from '../support/requests/http';
import { done, founded } from '../support/requests/organizations';
import {
  type Browser,
  browser,
  mailsOf,
  PASSWORD,
  person,
  SESSION,
  signedIn,
  accountEventsOf,
} from '../support/sign-in/people';
import { type Served, serving, settled, type Stores } from '../support/serving';

const NEW_PASSWORD = 'a whole new password 42';

/** For each of these parts of the stores: whether its calls fail at present. */
const nothing = {
  log: false,
  beginning: false,
  ending: false,
  outbox: false,
  taking: false,
  dropping: false,
  deferring: false,
};
const silent = { ...nothing };
const fails = () => Promise.reject(new DatabaseUnavailable('silent'));
const between = ({ catalogue, log, database }: Stores): Stores => {
  const { people, mails, attempts, deferred } = database;
  const { sessions, links } = people;
  return {
    catalogue,
    log: withFaults(log, { append: (...given) => (silent.log ? fails() : log.append(...given)) }),
    database: {
      ...database,
      attempts: withFaults(attempts, {
        takeBack: (...given) => (silent.taking ? fails() : attempts.takeBack(...given)),
      }),
      deferred: withFaults(deferred, {
        // the entry is stored, but the answer to this write is lost
        add: (...given) => deferred.add(...given).then(() => (silent.deferring ? fails() : undefined)),
      }),
      mails: withFaults(mails, { enqueue: (...given) => (silent.outbox ? fails() : mails.enqueue(...given)) }),
      people: {
        ...people,
        links: withFaults(links, { dropAll: (...given) => (silent.dropping ? fails() : links.dropAll(...given)) }),
        sessions: withFaults(sessions, {
          insert: (...given) => (silent.beginning ? fails() : sessions.insert(...given)),
          end: (...given) => (silent.ending ? fails() : sessions.end(...given)),
        }),
      },
    },
  };
};

let served: Served;
beforeAll(async () => {
  served = await serving({ between });
});
afterEach(() => Object.assign(silent, nothing));
afterAll(() => served.close());

const isIn = async (here: Browser) => (await here.get('/api/v1/me')).status === 200;
const sessionsOf = ({ id }: Account) => served.charter.database.people.sessions.listOf(id, '');
const eventTypesOf = async (account: Account) => (await accountEventsOf(served, account)).map(({ type }) => type);
const givesSession = ({ headers }: Answer) =>
  (headers['set-cookie'] ?? []).some((line) => line.startsWith(`${SESSION}=`));

describe('Service that cannot append to the event log', () => {
  it('signs no browser in, and keeps the sessions of other browsers', async () => {
    const ada = await person(served);
    const [fresh, again, other] = [await browser(served), await signedIn(served, ada), await signedIn(served, ada)];
    silent.log = true;
    for (const one of [fresh, again]) {
      const answer = await one.logIn(ada.email!);
      expect([answer.status >= 500, givesSession(answer)]).toEqual([true, false]);
    }
    silent.log = false;
    expect([await isIn(fresh), await isIn(again), await isIn(other)]).toEqual([false, false, true]);
    expect(await sessionsOf(ada)).toHaveLength(1);
    expect(await eventTypesOf(ada)).toEqual(['SignedIn', 'SignedIn']); // of the browsers "again" and "other"
    await again.get('/'); // this visit replaces the cookie of the ended session
    expect((await again.logIn(ada.email!)).status).toBe(204);
  });

  it('refuses a password reset, and keeps the link valid', async () => {
    const ada = await person(served);
    const there = await signedIn(served, ada);
    const here = await browser(served);
    const token = (await linkFor(served.runtime, 'reset', ada.id, ada.email)).split('/').at(-1)!;
    const reset = () => here.send('POST', '/reset', { token, password: NEW_PASSWORD });
    silent.log = true;
    expect((await reset()).status).toBeGreaterThanOrEqual(500);
    silent.log = false;
    expect([await isIn(there), await mailsOf(served, ada)]).toEqual([true, []]);
    expect((await (await browser(served)).logIn(ada.email!, NEW_PASSWORD)).status).toBe(401);

    expect((await reset()).status).toBe(204);
    expect(await isIn(there)).toBe(false);
    expect(await eventTypesOf(ada)).toContain('PasswordReset');
    expect((await mailsOf(served, ada)).map(({ kind }) => kind)).toEqual(['password-changed']);
  });

  it('ends a session at its sign-out, and records the sign-out later', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    silent.log = true;
    const left = await here.send('POST', '/logout');
    expect([left.status, givesSession(left)]).toEqual([204, true]);
    expect(await sessionsOf(ada)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    silent.log = false;
    expect(await eventTypesOf(ada)).toEqual(['SignedIn', 'SignedOut']);
  });

  it('records a sign-out once, although the answer to the write of the record was lost', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    silent.deferring = true;
    expect((await here.send('POST', '/logout')).status).toBe(204);
    silent.deferring = false;
    expect(await eventTypesOf(ada)).toEqual(['SignedIn', 'SignedOut']);
  });

  it('refuses to end another session of the account', async () => {
    const ada = await person(served);
    const [here, there] = [await signedIn(served, ada), await signedIn(served, ada)];
    const { sessions } = (await there.get('/api/v1/me/sessions')).body as {
      sessions: { id: string; current: boolean }[];
    };
    const theirs = sessions.find(({ current }) => current)!.id;
    silent.log = true;
    expect((await here.send('DELETE', `/api/v1/me/sessions/${theirs}`)).status).toBeGreaterThanOrEqual(500);
    expect(
      (await here.send('POST', '/api/v1/me/sessions/end-others', { password: PASSWORD })).status,
    ).toBeGreaterThanOrEqual(500);
    silent.log = false;
    expect(await isIn(there)).toBe(true);
  });
});

describe('Service in which a part of a request fails', () => {
  it('answers 503 to a sign-out that fails, and the browser keeps its cookie', async () => {
    const here = await signedIn(served, await person(served));
    silent.ending = true;
    const answer = await here.send('POST', '/logout');
    expect([answer.status, givesSession(answer)]).toEqual([503, false]);
    silent.ending = false;
    expect(await isIn(here)).toBe(true);
    expect((await here.send('POST', '/logout')).status).toBe(204);
  });

  it('changes a password even if the mail about the change cannot be stored at once', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    silent.outbox = true;
    const changed = await here.send('PUT', '/api/v1/me/password', { current: PASSWORD, password: NEW_PASSWORD });
    await new Promise((resolve) => setTimeout(resolve, 50));
    silent.outbox = false;
    expect([changed.status, await isIn(here)]).toEqual([204, true]);
    expect((await mailsOf(served, ada)).map(({ kind }) => kind)).toEqual(['password-changed']);
  });

  it('changes a password even if no new session can begin; the person must then sign in again', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    silent.beginning = true;
    const changed = await here.send('PUT', '/api/v1/me/password', { current: PASSWORD, password: NEW_PASSWORD });
    silent.beginning = false;
    expect([changed.status, givesSession(changed), await isIn(here)]).toEqual([204, false, false]);
    await here.get('/'); // replaces the cookie of the ended session
    expect((await here.logIn(ada.email!, NEW_PASSWORD)).status).toBe(204);
  });

  it('accepts a sign-in and a reset even if the counter of attempts cannot be reduced afterwards', async () => {
    const ada = await person(served);
    silent.taking = true;
    const here = await browser(served);
    const token = (await linkFor(served.runtime, 'reset', ada.id, ada.email)).split('/').at(-1)!;
    expect((await here.send('POST', '/reset', { token, password: NEW_PASSWORD })).status).toBe(204);
    expect((await here.logIn(ada.email!, NEW_PASSWORD)).status).toBe(204);
  });

  it('puts the mail about a password change into the outbox before the answer is sent', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    // the spec discards background work
    const add = jest.spyOn(served.runtime.backgroundWork, 'add').mockReturnValue(false);
    await here.send('PUT', '/api/v1/me/password', { current: PASSWORD, password: NEW_PASSWORD });
    add.mockRestore();
    expect((await mailsOf(served, ada)).map(({ kind }) => kind)).toEqual(['password-changed']);
  });

  it('executes the removal of a member only once, even if the invitation cannot be withdrawn', async () => {
    const key = await served.key();
    const organization = await founded(served, { by: key });
    const ada = await person(served, { state: 'invited', password: null });
    const members = `/api/v1/organizations/${organization}/members`;
    await done(served, key, organization, ['POST', '/members', { user: ada.id, role: 'member' }]);
    const executed = jest.spyOn(served.runtime.counts, 'executed');
    silent.dropping = true;
    await served.ask('DELETE', `${members}/${ada.id}`, { key });
    const outcomes = executed.mock.calls.map(([, outcome]) => outcome);
    executed.mockRestore();
    expect(outcomes).toEqual(['accepted']);
  });

  it('answers on the Nest route if the fast path fails while it makes an answer', async () => {
    const key = await served.key();
    const organization = await founded(served, { by: key });
    const ada = await person(served);
    await done(served, key, organization, ['POST', '/members', { user: ada.id, role: 'member' }]);
    await settled(served);
    const here = await signedIn(served, ada);
    const ask = () => here.get(`/api/v1/organizations/${organization}/entitlements/users`);
    const first = await ask();
    const { projection, organizations } = served.runtime;
    const spies = { now: jest.spyOn(projection, 'now'), query: jest.spyOn(organizations, 'query') };
    const { query } = organizations;
    spies.query.mockImplementationOnce(async (...given) => {
      const answer = await query(...given);
      spies.now.mockImplementationOnce(() => {
        throw new Error('silent'); // the fast path fails after it has read the role, while it makes the answer
      });
      return answer;
    });
    const second = await ask();
    expect(spies.now.mock.results.map(({ type }) => type)).toContain('throw');
    for (const spy of Object.values(spies)) spy.mockRestore();
    expect([second.status, second.body]).toEqual([200, first.body]);
  });
});
