import { createHash } from 'node:crypto';
import { createOutbox } from '../../apps/api/src/mail/outbox';
import type { Answer } from '../support/requests/http';
import { type Browser, browser, PASSWORD, person, SESSION, signedIn, tokenIn } from '../support/sign-in/people';
import { type Process, several, type Several, served } from '../support/network/processes';
import { until } from '../support/serving';

let all: Several;
let one: Process;
let other: Process;
beforeAll(async () => {
  all = await several({ TRUST_PROXY: '127.0.0.1' });
  [one, other] = await Promise.all([all.start(), all.start()]);
}, 120_000);
afterAll(() => all.end(), 60_000);

const OTHER = 'another long phrase of mine';
const cookieOf = (here: Browser) => `${SESSION}=${here.cookies.get(SESSION)}`;
/** The status of a process's answer to a request with this session cookie. */
const statusAt = async ({ ask }: Process, cookie: string) =>
  (await ask('GET', '/api/v1/me', { headers: { Cookie: cookie } })).status;
/** Sends a request of this browser to another process, as a proxy could. */
const elsewhere = ({ ask }: Process, here: Browser, method: string, path: string, body?: unknown) =>
  ask(method, path, { body, headers: { Cookie: here.cookieHeader(), 'X-XSRF-TOKEN': here.token() } });
/** Caches the session in both processes. */
const cachedEverywhere = async (cookie: string) => {
  for (const process of [one, other, one, other]) expect(await statusAt(process, cookie)).toBe(200);
};

describe('Session', () => {
  it('that began at one process is valid at the other process, with the same XSRF token', async () => {
    const here = await signedIn(one, await person(all));
    await cachedEverywhere(cookieOf(here));
    const named = await elsewhere(other, here, 'PATCH', '/api/v1/me', { name: 'Ada' });
    expect(named.status).toBe(200);
    const seen = await one.ask('GET', '/api/v1/me', { headers: { Cookie: cookieOf(here) } });
    expect(seen.body.name).toBe('Ada');
  });

  it('C3: can begin at one process with a page that the other process sent', async () => {
    const ada = await person(all);
    const here = await browser(one);
    const answer = await elsewhere(other, here, 'POST', '/login', { username: ada.email, password: PASSWORD });
    expect(answer.status).toBe(204);
  });

  it('C4: ends at every process at once after a sign-out', async () => {
    const here = await signedIn(one, await person(all));
    const cookie = cookieOf(here);
    await cachedEverywhere(cookie);
    expect((await elsewhere(other, here, 'POST', '/logout')).status).toBe(204);
    expect([await statusAt(one, cookie), await statusAt(other, cookie)]).toEqual([401, 401]);
  });

  it('C5: ends at every process after a change of the password; only the browser that made the change gets a new session', async () => {
    const ada = await person(all);
    const [here, there] = [await signedIn(one, ada), await signedIn(other, ada)];
    for (const cookie of [cookieOf(here), cookieOf(there)]) await cachedEverywhere(cookie);
    const changed = await here.send('PUT', '/api/v1/me/password', { current: PASSWORD, password: OTHER });
    expect(changed.status).toBeLessThan(300);
    expect([await statusAt(one, cookieOf(there)), await statusAt(other, cookieOf(there))]).toEqual([401, 401]);
    await cachedEverywhere(cookieOf(here));
  });

  it('C5: ends at both processes after a password reset; the link works once, even if both processes get it at the same time', async () => {
    const ada = await person(all);
    const here = await signedIn(one, ada);
    const cookie = cookieOf(here);
    await cachedEverywhere(cookie);
    const stranger = await browser(one);
    expect((await stranger.send('POST', '/forgot', { email: ada.email })).status).toBe(204);
    const token = await mailedToken(ada.id);
    const answers = await Promise.all(
      [one, other, one, other].map((process, index) =>
        elsewhere(process, stranger, 'POST', '/reset', { token, password: `${OTHER} ${index}` }),
      ),
    );
    // B6: of four concurrent requests with one link, exactly one succeeds
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400, 400, 400]);
    expect([await statusAt(one, cookie), await statusAt(other, cookie)]).toEqual([401, 401]);
    const won = answers.findIndex(({ status }) => status === 204);
    for (const process of [one, other]) await signedIn(process, ada, `${OTHER} ${won}`);
  });

  it("A16: ends at every process when one process disables its account, and the account's API keys stop working", async () => {
    const operator = await signedIn(one, await person(all, { role: 'operator' }));
    const dora = await person(all, { role: 'operator' });
    const sessions = [await signedIn(one, dora), await signedIn(other, dora), await signedIn(other, dora)];
    const made = await sessions[0]!.send('POST', '/api/v1/keys', {
      ...{ name: 'hers', scopes: ['organizations:read'], password: PASSWORD },
    });
    const key = made.body.key as string;
    const listing = (process: Process) => process.ask('GET', '/api/v1/organizations', { key });
    for (const here of sessions) await cachedEverywhere(cookieOf(here));
    for (const process of [one, other]) expect((await listing(process)).status).toBe(200);
    await all.charter.view.pause();
    try {
      const disabled = await operator.send('POST', `/api/v1/accounts/${dora.id}/disable`);
      expect(disabled.status).toBe(200);
      for (const process of [one, other]) {
        for (const here of sessions) expect(await statusAt(process, cookieOf(here))).toBe(401);
        expect((await listing(process)).status).toBe(401);
      }
    } finally {
      await all.charter.view.resume();
    }
  });
});

describe('Two processes', () => {
  it('J4: refuse an API key as soon as one process revokes the key, even if no process projects', async () => {
    const operator = await signedIn(one, await person(all, { role: 'operator' }));
    const key = await all.key();
    const id = (await all.charter.database.keys.find(key.slice(0, 'chk_'.length + 12)))!.id;
    const listing = (process: Process) => process.ask('GET', '/api/v1/organizations', { key });
    for (const process of [one, other, one, other]) expect((await listing(process)).status).toBe(200);
    await all.charter.view.pause();
    try {
      expect((await operator.send('DELETE', `/api/v1/keys/${id}`)).status).toBeLessThan(300);
      expect([(await listing(one)).status, (await listing(other)).status]).toEqual([401, 401]);
    } finally {
      await all.charter.view.resume();
    }
  });

  it('A11: verify exactly ten of 200 concurrent wrong guesses', async () => {
    const ada = await person(all);
    const browsers = await Promise.all([one, other].map((process) => browser(process)));
    const guess = async (index: number): Promise<Answer> => {
      const answer = await browsers[index % 2]!.logIn(ada.email!, `a wrong guess, number ${index}`);
      return answer.status === 503 ? guess(index) : answer; // the process was busy, and has verified nothing
    };
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => guess(index)));
    expect(counted(answers)).toEqual({ verified: 10, throttled: 190, refused: 0 });
    // Charter then also refuses the right password.
    for (const here of browsers) expect((await here.logIn(ada.email!)).status).toBe(429);
  }, 60_000);

  it('J9: share one count of the wrong API keys from a client address', async () => {
    const wrong = (index: number) =>
      [one, other][index % 2]!.ask('GET', '/api/v1/organizations', {
        key: `chk_${createHash('sha256').update(String(index)).digest('hex').slice(0, 44)}`,
        headers: { 'X-Forwarded-For': '192.0.2.77' },
      });
    const { verified, throttled, refused } = counted(
      await Promise.all(Array.from({ length: 80 }, (_, index) => wrong(index))),
    );
    expect([verified + refused >= 60, verified <= 60]).toEqual([true, true]);
    if (refused === 0) expect([verified, throttled]).toEqual([60, 20]);
  });
});

/** Three numbers of attempts: verified and failed, throttled, and refused by a busy process. */
function counted(answers: readonly Answer[]) {
  const of = (status: number) => answers.filter((answer) => answer.status === status).length;
  return { verified: of(401), throttled: of(429), refused: of(503) };
}

/** The token of the newest link that was mailed to an account. */
async function mailedToken(account: string): Promise<string> {
  const { charter } = served(all, one);
  const { mails } = charter.database;
  const outbox = createOutbox(mails, {
    settings: charter.settings,
    keyFor: charter.keyFor,
    present: charter.database.now!,
    inviterName: () => Promise.resolve(undefined),
  });
  let token = '';
  await until(async () => {
    const [mail] = (await mails.list({ limit: 20 })).filter((one) => one.account === account);
    if (mail) token = tokenIn({ kind: mail.kind, to: mail.to, text: (await outbox.open(mail)).text });
    return token !== '';
  }, 20_000);
  return token;
}
