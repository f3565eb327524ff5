import { atNight } from '../support/at-night';
import { fields, logIn } from './browser/page-actions';
import { linkIn } from './mailbox';
import { expectSeen, expectUnseen } from './browser/visible-text';
import { eventually } from './browser/eventually';
import { type Visit, staged } from './browser/stage';

const stage = staged();
const OLD = 'lighthouse marmalade seventeen';
const NEW = 'umbrella harvest violin';
const LOGIN_ERROR = 'Incorrect username or password.';
const CHANGED = 'Your password has been changed. Log in with the new one.';
const INVALID = 'This link no longer works';

/** Creates a person who can sign in and read an organization. */
async function person(name: string) {
  const email = `${name}@northwind.example`;
  const id = await stage.service.settle({ email, password: OLD });
  await stage.service.organization({
    name: 'Northwind',
    commands: [{ type: 'AddMember', data: { member: id, role: 'member' } }],
  });
  return { id, email };
}

/** Requests a link on /forgot and reads it from mail number `count`. */
async function requestLink(email: string, count = 1): Promise<string> {
  const { page } = await stage.visit('/forgot');
  await fields(page).email.fill(email);
  await fields(page).send.click();
  await expectSeen(page, 'Password reset link has been sent to your email.');
  return linkIn(await stage.service.mailbox.mailTo(email, count));
}

async function save(visit: Visit, password: string): Promise<void> {
  await fields(visit.page).newPassword.fill(password);
  await fields(visit.page).save.click();
}

async function saveAndLogIn({ page }: Visit, password: string): Promise<void> {
  await fields(page).newPassword.fill(password);
  await fields(page).saveAndLogIn.click();
}

const status = async (visit: Visit) => (await visit.context.request.get('/api/v1/organizations?limit=1')).status();

async function signedIn(email: string, password: string): Promise<Visit> {
  const visit = await stage.visit('/login');
  await logIn(visit.page, email, password);
  await visit.page.waitForURL((url) => url.pathname !== '/login');
  expect(await status(visit)).toBe(200);
  return visit;
}

async function expectRefused(email: string, password: string): Promise<void> {
  const visit = await stage.visit('/login');
  visit.mayFail('/login');
  await logIn(visit.page, email, password);
  await expectSeen(visit.page, LOGIN_ERROR);
}

describe('A forgotten password', () => {
  it('B10: can be replaced on a page that sends the link to no other server and removes the token from the address bar', async () => {
    const { email } = await person('edna');
    const link = await requestLink(email);
    const token = link.split('/').at(-1)!;
    const visit = await stage.visit('/forgot');
    const response = await visit.page.goto(link);
    expect(response!.headers()).toMatchObject({ 'referrer-policy': 'no-referrer' });
    expect(response!.headers()['cache-control']).toContain('no-store');
    await eventually(() => expect(visit.page.url()).toBe(`${stage.service.url}/reset`));
    await visit.page.waitForLoadState('networkidle');
    const leaked = visit.requests.filter((request) => request.url() !== link && request.url().includes(token));
    expect(leaked.map((request) => request.url())).toEqual([]);
    expect(visit.requests.map((request) => request.headers()['referer'] ?? '').join()).not.toContain(token);
    expect(await visit.page.content()).not.toContain(token);
    await save(visit, NEW);
    await expectSeen(visit.page, CHANGED);
    expect(JSON.stringify(await visit.context.storageState())).not.toContain(token);
  });

  atNight(() => {
    it('can be replaced once with the link in the mail; the new password ends every session, and no session begins', async () => {
      const { email } = await person('ada');
      const sessions = [await signedIn(email, OLD), await signedIn(email, OLD)];
      // An open console would ask the service after its session has ended, and the browser would log the 401.
      for (const { page } of sessions) await page.goto('about:blank');
      const link = await requestLink(email);
      expect(link).toMatch(new RegExp(`^${stage.service.url}/reset/[\\w-]{43,}$`));

      const visit = await stage.visit(link);
      await save(visit, NEW);
      await expectSeen(visit.page, CHANGED);
      expect(new URL(visit.page.url()).pathname).toBe('/login');
      expect(await status(visit)).toBe(401); // the link has changed the password, and has not signed the person in
      for (const session of sessions) expect(await status(session)).toBe(401);

      await expectRefused(email, OLD);
      await signedIn(email, NEW);

      const again = await stage.visit(link);
      again.mayFail('/reset');
      await save(again, 'another harvest violin');
      await expectSeen(again.page, INVALID);
      await signedIn(email, NEW);
    });

    it('causes, after its replacement, a mail to its owner with neither the new password nor a link', async () => {
      const { email } = await person('bea');
      const visit = await stage.visit(await requestLink(email));
      await save(visit, NEW);
      await expectSeen(visit.page, CHANGED);
      const notice = await stage.service.mailbox.mailTo(email, 2);
      expect(notice.to).toEqual([email]);
      expect(notice.subject).not.toBe('');
      for (const part of [notice.text, notice.html]) {
        expect(part).toMatch(/password/i);
        expect(part).not.toContain(NEW);
        expect(part).not.toMatch(/\/reset\/[\w-]{20,}/);
      }
    });

    it('A6: cannot be replaced by 11 characters (the page refuses them), a common password or the e-mail address (the service refuses them)', async () => {
      const { email } = await person('celia.thorngate');
      const visit = await stage.visit(await requestLink(email));
      visit.mayFail('/reset');
      const { page, requests } = visit;
      const posts = () => requests.filter((request) => request.method() === 'POST').length;

      await save(visit, 'elevenchars');
      await eventually(async () =>
        expect((await fields(page).alert.allTextContents()).join('')).toMatch(/12 characters/),
      );
      expect(posts()).toBe(0);
      expect(await page.evaluate('document.activeElement.name')).toBe('new-password');

      await save(visit, 'password1234');
      await expectSeen(page, 'This password is one of the most common. Choose another one.');
      await save(visit, 'celia.thorngate@northwind.example');
      await eventually(() => expect(posts()).toBe(2));
      await eventually(async () => expect(await fields(page).newPassword.getAttribute('aria-invalid')).toBe('true'));
      await expectUnseen(page, CHANGED);

      await save(visit, 'twelve chars');
      await expectSeen(page, CHANGED);
      await signedIn(email, 'twelve chars');
    });

    it('B7: can be replaced only with the newest link, because a new link makes the earlier link invalid', async () => {
      const { email } = await person('dorothy');
      const [older, newer] = [await requestLink(email), await requestLink(email, 2)];
      const visit = await stage.visit(older);
      visit.mayFail('/reset');
      await save(visit, NEW);
      await expectSeen(visit.page, INVALID);
      const fresh = await stage.visit(newer);
      await save(fresh, NEW);
      await expectSeen(fresh.page, CHANGED);
    });

    it('causes no mail to an unknown address, although the page shows the same text as for a known address', async () => {
      const { page } = await stage.visit('/forgot');
      await fields(page).email.fill('unknown@northwind.example');
      await fields(page).send.click();
      await expectSeen(page, 'Password reset link has been sent to your email.');
      // a wrong mail to the unknown address would come within 1.5 s, before the mail for which this test waits
      await page.waitForTimeout(2_000);
      const { email } = await person('flora');
      await requestLink(email);
      const receivers = stage.service.mailbox.mails().flatMap(({ to }) => to);
      expect(receivers).toContain(email);
      expect(receivers).not.toContain('unknown@northwind.example');
    });
  });
});

describe('An invitation', () => {
  atNight(() => {
    it('by mail: an admin enters an address, the person sets a password with the link, and then sees the organization', async () => {
      const { service } = stage;
      const admin = { email: 'alice@northwind.example', password: OLD };
      const id = await service.organization({ name: 'Northwind' });
      const member = await service.settle(admin);
      await service.organization({ id, commands: [{ type: 'AddMember', data: { member, role: 'admin' } }] });
      const alice = await signedIn(admin.email, OLD);
      const xsrf = (await alice.context.cookies()).find(({ name }) => name === 'XSRF-TOKEN')!.value;
      const invited = await alice.context.request.post(`/api/v1/organizations/${id}/members`, {
        headers: { 'X-XSRF-TOKEN': decodeURIComponent(xsrf), Origin: service.url },
        data: { email: 'gus@northwind.example', role: 'member' },
      });
      expect(invited.status()).toBe(201);

      const mail = await service.mailbox.mailTo('gus@northwind.example');
      expect(mail.text).toContain('Northwind');
      const visit = await stage.visit(linkIn(mail));
      await expectSeen(visit.page, 'You are invited to Northwind.'); // the admin has not accepted the membership
      await saveAndLogIn(visit, NEW);
      await visit.page.waitForURL((url) => url.pathname === `/org/${id}/overview`);
      expect(await status(visit)).toBe(200);
      const gus = await signedIn('gus@northwind.example', NEW);
      await expectSeen(gus.page, 'Northwind');
    });

    it('by the command line: a person can set a password once with the printed link', async () => {
      const { link } = await stage.service.invite({ email: 'hugo@northwind.example', role: 'auditor' });
      await expectRefused('hugo@northwind.example', NEW);
      const visit = await stage.visit(link);
      await expectSeen(visit.page, 'An account on Pulse has been created for you.');
      await saveAndLogIn(visit, NEW);
      await visit.page.waitForURL((url) => url.pathname === '/');
      expect(await status(visit)).toBe(200);
      await signedIn('hugo@northwind.example', NEW);
      const again = await stage.visit(link);
      again.mayFail('/invitation');
      await expectSeen(again.page, 'This invitation no longer works');
    });
  });
});
