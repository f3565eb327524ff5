import { randomUUID } from 'node:crypto';
import type { Account } from '@charter/identity';
import type { Answer } from '../../support/requests/http';
import {
  type Browser,
  browser,
  mailsOf,
  PASSWORD,
  person,
  SESSION,
  signedIn,
  accountEventsOf,
  comparable,
  tokenIn,
} from '../../support/sign-in/people';
import { type Served, serving } from '../../support/serving';

const NEW_PASSWORD = 'a whole new password 42';
const MINUTE = 60_000;

let served: Served;
beforeAll(async () => {
  served = await serving({ environment: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => served.close());

let next = 0;
const fresh = () => browser(served, `198.51.${(next += 1) >> 8}.${next & 255}`);
const forgot = async (email: unknown, here?: Browser) => (here ?? (await fresh())).send('POST', '/forgot', { email });
const reset = async (token: string, password = NEW_PASSWORD, here?: Browser) =>
  (here ?? (await fresh())).send('POST', '/reset', { token, password });
const sent = async (account: Account) => (await mailsOf(served, account)).filter(({ kind }) => kind === 'reset');
/** Requests a reset link for the account, and resolves with the token in its mail. */
async function tokenFor(account: Account): Promise<string> {
  await forgot(account.email);
  return tokenIn((await sent(account)).at(-1)!);
}
const invalid = { status: 400, type: '/problems/reset-link-invalid' };
const problemOf = ({ status, body }: Answer) => ({ status, type: body?.type as string | undefined });

describe('B: Request for a reset link', () => {
  it('B1: gets the same answer for an account in any state, and for an unknown address', async () => {
    const people = {
      active: await person(served),
      google: await person(served, { password: null }),
      disabled: await person(served, { state: 'disabled' }),
      invited: await person(served, { state: 'invited', password: null }),
    };
    const first = comparable(await forgot(people.active.email));
    expect(first.status).toBe(204);
    for (const email of [...Object.values(people).map((one) => one.email), 'unknown@b1.example', 'no address', ''])
      expect([email, comparable(await forgot(email))]).toEqual([email, first]);
    expect([await sent(people.active), await sent(people.google)].map(({ length }) => length)).toEqual([2, 1]);
    expect([await sent(people.disabled), await sent(people.invited)].map(({ length }) => length)).toEqual([0, 0]);
  });

  it.each([
    ['is disabled', { state: 'disabled' }],
    ['has another address', { email: `${randomUUID()}@people.example` }],
  ] as const)('B7: causes no mail if the account %s before the link is stored', async (_, change) => {
    const { accounts, links } = served.charter.database.people;
    const ada = await person(served);
    const replace = links.replace.bind(links);
    const late = jest.spyOn(links, 'replace').mockImplementationOnce(async (link) => {
      expect(await accounts.change(ada.id, ada.version, change, { links: true })).toBe('changed');
      return replace(link);
    });
    await forgot(ada.email);
    expect(await sent(ada)).toEqual([]);
    late.mockRestore();
  });

  it('B1: is answered before the service looks up the account', async () => {
    const { accounts } = served.charter.database.people;
    const ada = await person(served);
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const lookup = jest.spyOn(accounts, 'byEmail').mockImplementationOnce(async () => {
      await gate;
      return ada;
    });
    expect((await forgot(ada.email)).status).toBe(204);
    release();
    expect(await sent(ada)).toHaveLength(1);
    lookup.mockRestore();
  });

  it('B3: causes at most three mails to an account in 15 minutes, always with the same answer', async () => {
    const ada = await person(served);
    const answers = await Promise.all(Array.from({ length: 50 }, () => forgot(ada.email)));
    expect(new Set(answers.map((answer) => JSON.stringify(comparable(answer)))).size).toBe(1);
    expect(await sent(ada)).toHaveLength(3);
    served.clock.advance(15 * MINUTE);
    await forgot(ada.email);
    expect(await sent(ada)).toHaveLength(4);
  });

  it('B3: causes its mail although the outbox has failed once, even if it is the last allowed mail in 15 minutes', async () => {
    const ada = await person(served);
    for (let round = 0; round < 2; round += 1) await forgot(ada.email);
    expect(await sent(ada)).toHaveLength(2);
    const enqueue = jest.spyOn(served.charter.database.mails, 'enqueue').mockRejectedValueOnce(new Error('busy'));
    await forgot(ada.email);
    expect(await sent(ada)).toHaveLength(3);
    enqueue.mockRestore();
  });

  it.each([
    ['client address', () => '203.0.113.20', '203.0.113.21'],
    ['/64 network of IPv6', (index: number) => `2001:db8:9:1:${index.toString(16)}::1`, '2001:db8:9:2::1'],
  ])('B3: causes at most twenty mails an hour from one %s', async (_, address, elsewhere) => {
    const people = await Promise.all(Array.from({ length: 24 }, () => person(served, { password: null })));
    for (const [index, { email }] of people.entries())
      expect((await forgot(email, await browser(served, address(index)))).status).toBe(204);
    expect((await Promise.all(people.map(sent))).flat()).toHaveLength(20);
    const other = await person(served);
    await forgot(other.email, await browser(served, elsewhere));
    expect(await sent(other)).toHaveLength(1);
  });

  it('B4: must contain exactly one address, as a text; the mail goes to the stored address', async () => {
    const ada = await person(served, { email: 'ada@b4.example' });
    const strange = [['ada@b4.example'], [ada.email, 'eve@evil.example'], { email: ada.email }, 7, null, true];
    for (const email of strange) expect([email, (await forgot(email)).status]).toEqual([email, 400]);
    const here = await fresh();
    for (const body of [{}, [], 'ada@b4.example', { email: ada.email, to: 'eve@evil.example' }])
      expect([body, (await here.send('POST', '/forgot', body)).status]).toEqual([body, 400]);
    expect(await sent(ada)).toEqual([]);
    for (const email of [
      ' ADA@b4.example',
      'ada@b4.example\r\nBcc: eve@evil.example',
      'ada@b4.example,eve@evil.example',
    ])
      await forgot(email);
    expect((await sent(ada)).map(({ to }) => to)).toEqual(['ada@b4.example']);
  });

  it('B9: causes a mail with a link to the public origin, even if the request names another host', async () => {
    const ada = await person(served);
    const here = await fresh();
    const headers = {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      Forwarded: 'host=evil.example;proto=https',
      'X-Forwarded-Proto': 'https',
    };
    await here.send('POST', '/forgot', { email: ada.email }, { headers });
    const [mail] = await sent(ada);
    expect(mail!.text).toContain(`${served.runtime.settings.publicUrl}/reset/`);
    expect(mail!.text).not.toContain('evil.example');
  });

  it('B12: leaves the account unchanged, even if it is sent a hundred times', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    for (let round = 0; round < 100; round += 1) await forgot(ada.email);
    await served.runtime.backgroundWork.settled();
    expect(await served.charter.database.people.accounts.byId(ada.id)).toEqual(ada);
    expect((await here.get('/api/v1/organizations')).status).toBe(200);
    expect((await (await fresh()).logIn(ada.email!)).status).toBe(204);
  });
});

describe('B: Reset link', () => {
  it('B6: works once, and then only the new password works', async () => {
    const ada = await person(served);
    const token = await tokenFor(ada);
    expect((await reset(token)).status).toBe(204);
    expect(problemOf(await reset(token, `${NEW_PASSWORD} 2`))).toEqual(invalid);
    expect((await (await fresh()).logIn(ada.email!, NEW_PASSWORD)).status).toBe(204);
    expect((await (await fresh()).logIn(ada.email!, PASSWORD)).status).toBe(401);
  });

  it('B6: works for exactly one of twenty concurrent requests', async () => {
    const ada = await person(served);
    const token = await tokenFor(ada);
    const choices = Array.from({ length: 20 }, (_, index) => `choice of number ${index}`);
    const browsers = await Promise.all(choices.map(fresh));
    const answers = await Promise.all(choices.map((choice, index) => reset(token, choice, browsers[index])));
    const winners = choices.filter((_, index) => answers[index]!.status === 204);
    expect(winners).toHaveLength(1);
    expect((await (await fresh()).logIn(ada.email!, winners[0])).status).toBe(204);
    const losers = answers.filter(({ status }) => status !== 204).map(problemOf);
    expect(losers).toEqual(Array(19).fill(invalid));
  });

  it('B7: is valid for an hour', async () => {
    const ada = await person(served);
    const early = await tokenFor(ada);
    served.clock.advance(60 * MINUTE - 5_000);
    expect((await reset(early)).status).toBe(204);
    const late = await tokenFor(ada);
    served.clock.advance(60 * MINUTE + 1_000);
    expect(problemOf(await reset(late))).toEqual(invalid);
  });

  it.each([
    ['a newer request for a link', (account: Account) => tokenFor(account)],
    [
      'the account was disabled',
      async ({ id, version }: Account) => {
        await served.charter.database.people.accounts.change(id, version, { state: 'disabled' });
      },
    ],
    ['the account was erased', ({ id }: Account) => served.charter.database.people.accounts.erase(id, 0)],
  ])('B7: is refused after %s', async (_, happen) => {
    const ada = await person(served);
    const token = await tokenFor(ada);
    await happen(ada);
    expect(problemOf(await reset(token))).toEqual(invalid);
  });

  it('B8: stays valid when its page is opened five times', async () => {
    const token = await tokenFor(await person(served));
    const here = await fresh();
    for (let round = 0; round < 5; round += 1) {
      expect((await here.get(`/reset/${token}`)).headers['set-cookie']).toBeUndefined();
      await served.ask('HEAD', `/reset/${token}`);
    }
    expect((await reset(token)).status).toBe(204);
  });

  it('B11: ends all sessions, signs no browser in, and mails a notice without password or link', async () => {
    const ada = await person(served);
    const others = [];
    for (let round = 0; round < 20; round += 1) others.push(await signedIn(served, ada));
    const here = await fresh();
    const token = await tokenFor(ada);
    const before = here.cookies.get(SESSION);
    expect((await reset(token, NEW_PASSWORD, here)).status).toBe(204);
    expect(here.cookies.get(SESSION)).toBe(before);
    for (const other of [...others, here]) expect((await other.get('/api/v1/organizations')).status).toBe(401);
    const notice = (await mailsOf(served, ada)).at(-1)!;
    expect([notice.kind, notice.to]).toEqual(['password-changed', ada.email]);
    expect(notice.text).not.toContain(NEW_PASSWORD);
    expect(notice.text).not.toContain(token);
    expect((await accountEventsOf(served, ada)).map(({ type }) => type).slice(-2)).toEqual([
      'PasswordResetRequested',
      'PasswordReset',
    ]);
  });

  it.each([
    ['address', () => '203.0.113.30'],
    ['/64 network of IPv6', (index: number) => `2001:db8:9:3:${index.toString(16)}::1`],
  ])('B13: is throttled after ten guesses in a minute from one %s, each with the same answer', async (_, address) => {
    const [ada, eve] = [await person(served), await person(served)];
    const [hers] = [await tokenFor(ada)];
    const answers = [];
    for (const token of [...Array.from({ length: 9 }, () => randomUUID()), 'x'.repeat(43)])
      answers.push(await reset(token, NEW_PASSWORD, await browser(served, address(answers.length))));
    const here = await browser(served, address(10));
    expect(new Set(answers.map((answer) => JSON.stringify(comparable(answer)))).size).toBe(1);
    expect(problemOf(answers[0]!)).toEqual(invalid);
    const throttled = await reset(hers, NEW_PASSWORD, here);
    expect([throttled.status, Number(throttled.headers['retry-after']) > 0]).toEqual([429, true]);
    const extra = await (
      await fresh()
    ).send('POST', '/reset', { token: hers, password: NEW_PASSWORD, account: eve.id });
    expect(extra.status).toBe(400);
    expect((await reset(hers)).status).toBe(204);
    expect((await (await fresh()).logIn(eve.email!, NEW_PASSWORD)).status).toBe(401);
  });

  it('A6: refuses a weak password with the reason, and stays valid', async () => {
    const ada = await person(served, { email: 'ada.lovelace@a6.example', name: 'Ada Lovelace' });
    const token = await tokenFor(ada);
    const refusals: readonly (readonly [string, string])[] = [
      ['elevenchars', 'too-short'],
      ['x'.repeat(129), 'too-long'],
      ['passwordpassword', 'common'],
      ['ada.lovelace@a6.example', 'personal'],
    ];
    for (const [password, because] of refusals) {
      const answer = await reset(token, password);
      expect([password, answer.status, answer.body.type, answer.body.because]).toEqual([
        password,
        400,
        '/problems/password-refused',
        because,
      ]);
    }
    expect((await reset(token)).status).toBe(204);
  });
});
