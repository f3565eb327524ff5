import type { Account } from '@charter/identity';
import { type Browser, browser, mailsOf, person, SESSION, signedIn, tokenIn } from '../../support/sign-in/people';
import { type Served, serving } from '../../support/serving';

const DEVICE = 'charter-device';
const NEW_PASSWORD = 'a whole new password 42';
const QUARTER = 15 * 60_000;

let served: Served;
beforeAll(async () => {
  served = await serving({ environment: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => served.close());

let next = 0;
/** A browser with its own client address. */
const fresh = (from = served) => browser(from, `198.51.${(next += 1) >> 8}.${next & 255}`);
/** A browser that has signed in and out before. */
async function known(account: Account, from = served): Promise<Browser> {
  const here = await fresh(from);
  expect((await here.logIn(account.email!)).status).toBe(204);
  expect((await here.send('POST', '/logout')).status).toBe(204);
  return here;
}
/**
 * Ten wrong guesses, each from a browser and an address of its own. The guesses lock the account for unknown browsers.
 */
async function lockOut({ email }: Account): Promise<void> {
  for (let round = 0; round < 10; round += 1) await (await fresh()).logIn(email!, `guess number ${round}`);
  expect((await (await fresh()).logIn(email!)).status).toBe(429);
}
const statusesOf = async (here: Browser, { email }: Account, count: number) => {
  const statuses: number[] = [];
  for (let round = 0; round < count; round += 1) statuses.push((await here.logIn(email!, 'a guess')).status);
  return statuses;
};

describe('A13: A locked account', () => {
  it('lets the owner sign in from a known browser, use a session and get mailed links during an attack of two hours', async () => {
    const ada = await person(served);
    const hers = await known(ada);
    const inside = await signedIn(served, ada);
    for (let quarter = 0; quarter < 8; quarter += 1) {
      await lockOut(ada);
      expect([quarter, (await hers.logIn(ada.email!)).status]).toEqual([quarter, 204]);
      expect((await hers.send('POST', '/logout')).status).toBe(204);
      expect([quarter, (await inside.get('/api/v1/me')).status]).toEqual([quarter, 200]);
      const mails = (await mailsOf(served, ada)).length;
      expect((await (await fresh()).send('POST', '/forgot', { email: ada.email })).status).toBe(204);
      expect([quarter, (await mailsOf(served, ada)).length]).toEqual([quarter, mails + 1]);
      served.clock.advance(QUARTER);
    }
    expect((await (await fresh()).logIn(ada.email!)).status).toBe(204);
  });

  it('lets every browser sign in after the owner has set a new password with a mailed link', async () => {
    const ada = await person(served);
    await lockOut(ada);
    const hers = await fresh();
    expect((await hers.send('POST', '/forgot', { email: ada.email })).status).toBe(204);
    const token = tokenIn((await mailsOf(served, ada)).at(-1)!);
    expect((await hers.send('POST', '/reset', { token, password: NEW_PASSWORD })).status).toBe(204);
    expect((await (await fresh()).logIn(ada.email!, NEW_PASSWORD)).status).toBe(204);
    await lockOut(ada); // the attack continues; the browser that used the link is now known
    expect((await hers.logIn(ada.email!, NEW_PASSWORD)).status).toBe(204);
  });
});

describe('A10: A browser that has signed in to the account before', () => {
  it('has its own limit of failed sign-ins, which it shares with another browser that sends the same cookie', async () => {
    const ada = await person(served);
    const hers = await known(ada);
    const stolen = await fresh();
    stolen.cookies.set(DEVICE, hers.cookies.get(DEVICE)!);
    expect(await statusesOf(stolen, ada, 12)).toEqual([...Array<number>(10).fill(401), 429, 429]);
    // the service counts both browsers as one, because they send the same cookie
    expect((await hers.logIn(ada.email!)).status).toBe(429);
    // these failures did not count against the account itself
    expect((await (await fresh()).logIn(ada.email!)).status).toBe(204);
    served.clock.advance(QUARTER);
    expect((await hers.logIn(ada.email!)).status).toBe(204);
  });

  it('is no longer throttled after the person has set a new password in this browser with a mailed link', async () => {
    const ada = await person(served);
    const hers = await known(ada);
    expect(await statusesOf(hers, ada, 11)).toEqual([...Array<number>(10).fill(401), 429]);
    expect((await hers.send('POST', '/forgot', { email: ada.email })).status).toBe(204);
    const token = tokenIn((await mailsOf(served, ada)).at(-1)!);
    expect((await hers.send('POST', '/reset', { token, password: NEW_PASSWORD })).status).toBe(204);
    expect((await hers.logIn(ada.email!, NEW_PASSWORD)).status).toBe(204);
  });

  it('is recognised only by the cookie that the browser got when this account signed in', async () => {
    const [ada, eve] = [await person(served), await person(served)];
    const [hers, eves] = [await known(ada), await known(eve)];
    const [id] = eves.cookies.get(DEVICE)!.split('.');
    const [, proof] = hers.cookies.get(DEVICE)!.split('.');
    await lockOut(ada);
    for (const cookie of [eves.cookies.get(DEVICE)!, `${id}.${proof}`, `${hers.cookies.get(DEVICE)!}x`, '']) {
      const foreign = await fresh();
      foreign.cookies.set(DEVICE, cookie);
      expect([cookie, (await foreign.logIn(ada.email!)).status]).toEqual([cookie, 429]);
    }
  });

  it('is recognised after a restart, by a cookie that scripts cannot read', async () => {
    const folder = await serving({ environment: { TRUST_PROXY: '127.0.0.1' } });
    const ada = await person(folder);
    const page = await fresh(folder);
    const { headers } = await page.logIn(ada.email!);
    const set = headers['set-cookie']!.find((line) => line.startsWith(`${DEVICE}=`));
    expect(set).toMatch(/^charter-device=[\w.-]+; Max-Age=31536000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    expect(set).not.toContain(ada.id);
    await folder.stop();
    const again = await serving({ folder: folder.folder, environment: { TRUST_PROXY: '127.0.0.1' } });
    for (let round = 0; round < 10; round += 1) await (await fresh(again)).logIn(ada.email!, 'a guess');
    const hers = await fresh(again);
    expect((await hers.logIn(ada.email!)).status).toBe(429);
    hers.cookies.set(DEVICE, page.cookies.get(DEVICE)!);
    expect((await hers.logIn(ada.email!)).status).toBe(204);
    expect(hers.cookies.get(SESSION)).not.toBe(page.cookies.get(SESSION));
    await again.close();
  });
});
