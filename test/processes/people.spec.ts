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
/** What a session is good for at a process, at the very next request. */
const statusAt = async ({ ask }: Process, cookie: string) =>
  (await ask('GET', '/api/v1/me', { headers: { Cookie: cookie } })).status;
/** The same browser, going to another process: a proxy sends it there. */
const elsewhere = ({ ask }: Process, here: Browser, method: string, path: string, body?: unknown) =>
  ask(method, path, { body, headers: { Cookie: here.cookieHeader(), 'X-XSRF-TOKEN': here.token() } });
/** Known wherever processes remember. */
const wellKnown = async (cookie: string) => {
  for (const process of [one, other, one, other]) expect(await statusAt(process, cookie)).toBe(200);
};

describe('a session', () => {
  it('that began at one process is good at the other, with its token', async () => {
    const here = await signedIn(one, await person(all));
    await wellKnown(cookieOf(here));
    const named = await elsewhere(other, here, 'PATCH', '/api/v1/me', { name: 'Ada' });
    expect(named.status).toBe(200);
    const seen = await one.ask('GET', '/api/v1/me', { headers: { Cookie: cookieOf(here) } });
    expect(seen.body.name).toBe('Ada');
  });

  it('C3: may be signed into at one process from the page of the other', async () => {
    const ada = await person(all);
    const here = await browser(one);
    const answer = await elsewhere(other, here, 'POST', '/login', { username: ada.email, password: PASSWORD });
    expect(answer.status).toBe(204);
  });

  it('C4: that was left at one is dead at the other at once', async () => {
    const here = await signedIn(one, await person(all));
    const cookie = cookieOf(here);
    await wellKnown(cookie);
    expect((await elsewhere(other, here, 'POST', '/logout')).status).toBe(204);
    expect([await statusAt(one, cookie), await statusAt(other, cookie)]).toEqual([401, 401]);
  });

  it('C5: of somebody who takes a new password at one ends at the other, and goes on under a new cookie', async () => {
    const ada = await person(all);
    const [here, there] = [await signedIn(one, ada), await signedIn(other, ada)];
    for (const cookie of [cookieOf(here), cookieOf(there)]) await wellKnown(cookie);
    const changed = await here.send('PUT', '/api/v1/me/password', { current: PASSWORD, password: OTHER });
    expect(changed.status).toBeLessThan(300);
    expect([await statusAt(one, cookieOf(there)), await statusAt(other, cookieOf(there))]).toEqual([401, 401]);
    await wellKnown(cookieOf(here));
  });

  it('C5: ends everywhere with a reset, whose link was asked for at one and redeemed at the other', async () => {
    const ada = await person(all);
    const here = await signedIn(one, ada);
    const cookie = cookieOf(here);
    await wellKnown(cookie);
    const stranger = await browser(one);
    expect((await stranger.send('POST', '/forgot', { email: ada.email })).status).toBe(204);
    const token = await mailedToken(ada.id);
    const answers = await Promise.all(
      [one, other, one, other].map((process, index) =>
        elsewhere(process, stranger, 'POST', '/reset', { token, password: `${OTHER} ${index}` }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400, 400, 400]); // B6: once, whoever is asked
    expect([await statusAt(one, cookie), await statusAt(other, cookie)]).toEqual([401, 401]);
    const won = answers.findIndex(({ status }) => status === 204);
    for (const process of [one, other]) await signedIn(process, ada, `${OTHER} ${won}`);
  });

  it('A16: of somebody who is disabled at one is dead at the other, and so are their keys', async () => {
    const operator = await signedIn(one, await person(all, { role: 'operator' }));
    const dora = await person(all, { role: 'operator' });
    const sessions = [await signedIn(one, dora), await signedIn(other, dora), await signedIn(other, dora)];
    const made = await sessions[0]!.send('POST', '/api/v1/keys', {
      ...{ name: 'hers', scopes: ['organizations:read'], password: PASSWORD },
    });
    const key = made.body.key as string;
    const listing = (process: Process) => process.ask('GET', '/api/v1/organizations', { key });
    for (const here of sessions) await wellKnown(cookieOf(here));
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

it('J4: a key that is revoked anywhere is dead everywhere at once, while nobody projects', async () => {
  const operator = await signedIn(one, await person(all, { role: 'operator' }));
  const key = await all.key();
  const id = (await all.charter.documents.keys.find(key.slice(0, 'chk_'.length + 12)))!.id;
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

it('A11: of 60 wrong guesses at two processes at once, exactly ten are looked at', async () => {
  const ada = await person(all);
  const browsers = await Promise.all([one, other].map((process) => browser(process)));
  const guess = (index: number) => browsers[index % 2]!.logIn(ada.email!, `a wrong guess, number ${index}`);
  const { looked, stopped, unheard } = counted(
    await Promise.all(Array.from({ length: 60 }, (_, index) => guess(index))),
  );
  expect([looked + unheard >= 10, looked <= 10]).toEqual([true, true]);
  expect(looked + stopped + unheard).toBe(60);
  if (unheard === 0) expect([looked, stopped]).toEqual([10, 50]);
  for (const here of browsers) expect((await here.logIn(ada.email!)).status).toBe(429); // the right one, too
}, 60_000);

it('J9: wrong keys are counted together', async () => {
  const wrong = (index: number) =>
    [one, other][index % 2]!.ask('GET', '/api/v1/organizations', {
      key: `chk_${createHash('sha256').update(String(index)).digest('hex').slice(0, 44)}`,
      headers: { 'X-Forwarded-For': '192.0.2.77' },
    });
  const { looked, stopped, unheard } = counted(
    await Promise.all(Array.from({ length: 80 }, (_, index) => wrong(index))),
  );
  expect([looked + unheard >= 60, looked <= 60]).toEqual([true, true]);
  if (unheard === 0) expect([looked, stopped]).toEqual([60, 20]);
});

/** Attempts that were verified and failed; that were not even looked at; and that a busy machine had no time for. */
function counted(answers: readonly Answer[]) {
  const of = (status: number) => answers.filter((answer) => answer.status === status).length;
  return { looked: of(401), stopped: of(429), unheard: of(503) };
}

/** The token of the newest link that an account was mailed. */
async function mailedToken(account: string): Promise<string> {
  const { charter } = served(all, one);
  const { mails } = charter.documents;
  const outbox = createOutbox(mails, {
    settings: charter.settings,
    keyFor: charter.keyFor,
    present: charter.documents.now!,
  });
  let token = '';
  await until(async () => {
    const [mail] = (await mails.list({ limit: 20 })).filter((one) => one.account === account);
    if (mail) token = tokenIn({ kind: mail.kind, to: mail.to, text: outbox.open(mail).text });
    return token !== '';
  }, 20_000);
  return token;
}
