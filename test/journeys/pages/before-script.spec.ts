import { answerCalls, fields } from '../browser/page-actions';
import { expectSeen } from '../browser/visible-text';
import { eventually } from '../browser/eventually';
import { type Visit, staged } from '../browser/stage';

const stage = staged();

/** `before` delays all scripts except the small first script, until the test calls `release`. */
function holding(): { before: (visit: Visit) => Promise<void>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return {
    release: () => resolve(undefined),
    before: async ({ page }) => {
      const document = await (await fetch(`${stage.service.url}/login`)).text();
      const first = [...document.matchAll(/<script(?![^>]*type="module")[^>]*\bsrc="([^"]+)"/g)].map(([, src]) => src);
      expect(first).toHaveLength(1);
      await page.route(/\.js$/, async (route) => {
        if (new URL(route.request().url()).pathname !== first[0]) await promise;
        await route.fallback();
      });
    },
  };
}

describe('A page before its script', () => {
  it('shows the whole log-in form, with a disabled button Log in, while scripts are blocked', async () => {
    const { page } = await stage.visit('/login?error=google&from_rns', { script: false });
    const form = fields(page);
    expect(await page.locator('h1').innerText()).toBe('Welcome back to Pulse,');
    expect(await form.username.isVisible()).toBe(true);
    expect(await form.password.isVisible()).toBe(true);
    expect(await form.logIn.isDisabled()).toBe(true);
    expect(await page.locator('form').getAttribute('method')).toBe('post');
    expect(await form.alert.first().innerText()).toBe('Google sign-in failed.');
    expect(await page.getByText('Please log in!').isVisible()).toBe(true);
  });

  it('shows /forgot, with a disabled Send, and /reset while scripts are blocked', async () => {
    const forgot = await stage.visit('/forgot', { script: false });
    expect(await forgot.page.locator('h1').innerText()).toBe('Forgot your password?');
    expect(await fields(forgot.page).send.isDisabled()).toBe(true);
    const reset = await stage.visit('/reset/some-token', { script: false });
    expect(await reset.page.locator('h1').innerText()).toBe('Set a new password');
  });

  it('has a first script of at most 1 KB', async () => {
    const document = await (await fetch(`${stage.service.url}/login`)).text();
    const [, src] = /<script(?![^>]*type="module")[^>]*\bsrc="([^"]+)"/.exec(document)!;
    const script = await (await fetch(`${stage.service.url}${src!}`)).text();
    expect(Buffer.byteLength(script)).toBeLessThanOrEqual(1024);
    expect(document).not.toMatch(/<script(?![^>]*\bsrc=)/);
  });

  it('remembers that a person has submitted the form early, shows that the form is busy, and sends the form when the code is loaded', async () => {
    const scripts = holding();
    const visit = await stage.visit('/login', { before: scripts.before, until: 'commit' });
    const { page } = visit;
    const form = fields(page);
    const sent = await answerCalls(visit, '/login', { status: 401 });
    await eventually(async () => expect(await form.logIn.isEnabled()).toBe(true));

    await form.username.fill('ada');
    await form.password.fill('correct horse');
    await form.logIn.click();
    await eventually(async () => expect(await form.logIn.getAttribute('aria-busy')).toBe('true'));
    await form.password.press('Enter');
    expect(sent).toEqual([]);
    expect(new URL(page.url()).search).toBe('');

    scripts.release();
    await expectSeen(page, 'Incorrect username or password.');
    await page.waitForLoadState('networkidle');
    expect(sent.map((request) => request.postDataJSON() as unknown)).toEqual([
      { username: 'ada', password: 'correct horse' },
    ]);
    expect(await form.logIn.isEnabled()).toBe(true);
  });

  it('keeps the typed text and the caret during hydration, and moves no element', async () => {
    const scripts = holding();
    const { page } = await stage.visit('/login?error=google&from_rns', { before: scripts.before, until: 'commit' });
    const form = fields(page);
    await form.username.fill('ada@northwind.example');
    await form.password.pressSequentially('correct ho');
    const places = async () =>
      Promise.all([form.username, form.password, form.logIn, form.google].map((one) => one.boundingBox()));
    const before = await places();

    scripts.release();
    await page.waitForLoadState('networkidle');
    await form.password.pressSequentially('rse'); // these letters appear where the caret was
    expect(await form.username.inputValue()).toBe('ada@northwind.example');
    expect(await form.password.inputValue()).toBe('correct horse');
    expect(await page.evaluate('document.activeElement.name')).toBe('password');
    expect(await places()).toEqual(before);
  });
});
