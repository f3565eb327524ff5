import { expectSeen, expectUnseen } from '../browser/visible-text';
import { answerCalls, fields, texts } from '../browser/page-actions';
import { eventually } from '../browser/eventually';
import { type Visit, staged } from '../browser/stage';

const stage = staged();

describe('Page /forgot (specification 2)', () => {
  it("has the heading 'Forgot your password?'", async () => {
    const { page } = await stage.visit('/forgot');
    expect(await page.locator('h1').allTextContents()).toEqual(['Forgot your password?']);
  });

  it("has the sub-heading 'Enter your email address and we'll send you a link to reset your password.'", async () => {
    const { page } = await stage.visit('/forgot');
    await expectSeen(page, "Enter your email address and we'll send you a link to reset your password.");
  });

  it("has one email input with placeholder 'your e-mail address' and a Send button", async () => {
    const { page } = await stage.visit('/forgot');
    expect(await page.locator('input').count()).toBe(1);
    expect(await fields(page).email.getAttribute('type')).toBe('email');
    expect(await fields(page).email.getAttribute('placeholder')).toBe('your e-mail address');
    expect(await fields(page).send.innerText()).toBe('Send');
  });

  it("hides the form after a successful submit, and the sub-heading reads 'Password reset link has been sent to your email.'", async () => {
    const visit = await stage.visit('/forgot');
    const { page } = visit;
    await answerCalls(visit, '/forgot', { status: 204 });
    await fields(page).email.fill('ada@northwind.example');
    await fields(page).send.click();
    await expectSeen(page, 'Password reset link has been sent to your email.');
    await expectUnseen(page, "Enter your email address and we'll send you a link to reset your password.");
    expect(await page.locator('form:visible, input:visible').count()).toBe(0);
    expect(await fields(page).send.count()).toBe(0);
    expect(await page.locator('h1').allTextContents()).toEqual(['Forgot your password?']);
  });

  it('appears with any query string, because the query does not change the route', async () => {
    const { page } = await stage.visit('/forgot?error=google&redirect=/login&from_rns');
    expect(await page.locator('h1').allTextContents()).toEqual(['Forgot your password?']);
    expect(await fields(page).password.count()).toBe(0);
  });
});

describe('Login screen at / (specification 2)', () => {
  it("has the heading 'Welcome back to {product},' (the product's name)", async () => {
    const { page } = await stage.visit('/');
    expect(await page.locator('h1').allTextContents()).toEqual(['Welcome back to Pulse,']);
  });

  it("has the sub-heading 'enter your details to log in!'", async () => {
    const { page } = await stage.visit('/');
    await expectSeen(page, 'enter your details to log in!');
  });

  it("has a text input for e-mail or username (placeholder 'e-mail or username'), and a password input", async () => {
    const { page } = await stage.visit('/');
    expect(await page.locator('input').count()).toBe(2);
    expect(await fields(page).username.getAttribute('placeholder')).toBe('e-mail or username');
    expect(await fields(page).password.getAttribute('type')).toBe('password');
  });

  it("has a link 'Forgot your password?' to /forgot", async () => {
    const { page } = await stage.visit('/');
    expect(await fields(page).forgotten.getAttribute('href')).toBe('/forgot');
    await fields(page).forgotten.click();
    await eventually(() => expect(new URL(page.url()).pathname).toBe('/forgot'));
    expect(await page.locator('h1').allTextContents()).toEqual(['Forgot your password?']);
  });

  it("has a 'Log in' button", async () => {
    const { page } = await stage.visit('/');
    expect((await fields(page).logIn.innerText()).trim()).toBe('Log in');
  });

  it("has a divider reading '- or - '", async () => {
    const { page } = await stage.visit('/');
    expect(await texts(page)).toContain('- or - ');
  });

  it("has a 'Sign in with Google' button", async () => {
    const { page } = await stage.visit('/');
    expect((await fields(page).google.innerText()).trim()).toBe('Sign in with Google');
  });

  it('also appears at any other path, because the route requires no exact match', async () => {
    for (const path of ['/welcome', '/some/where/else', '/index.html']) {
      const { page } = await stage.visit(path);
      expect([path, await page.locator('h1').allTextContents()]).toEqual([path, ['Welcome back to Pulse,']]);
    }
  });

  it('has the heading in the left pane, and one illustration in the right pane', async () => {
    const { page } = await stage.visit('/');
    const heading = await page.locator('h1').boundingBox();
    const drawings = await page.locator('[aria-hidden=true] > svg:visible').all();
    const boxes = await Promise.all(drawings.map((drawing) => drawing.boundingBox()));
    expect(heading!.x + heading!.width).toBeLessThan(640);
    expect(boxes.filter((box) => box!.x > 480 && box!.width > 200)).toHaveLength(1);
  });
});

describe('Route /login/:error? (specification 2)', () => {
  it('shows the same login screen as /', async () => {
    for (const path of ['/login', '/login/google', '/login/anything%20else']) {
      const { page } = await stage.visit(path);
      expect([path, await page.locator('h1').allTextContents()]).toEqual([path, ['Welcome back to Pulse,']]);
      expect(await fields(page).logIn.count()).toBe(1);
    }
  });

  it('shows the error of the query string parameter error, not of the path parameter', async () => {
    const path = await stage.visit('/login/google');
    expect((await fields(path.page).alert.allTextContents()).join('').trim()).toBe('');
    await expectUnseen(path.page, 'Google sign-in failed.');
    const query = await stage.visit('/login/sso?error=google');
    await expectSeen(query.page, 'Google sign-in failed.');
    await expectUnseen(query.page, 'Single sign-on (SSO) failed.');
  });
});

describe('Query parameters on the login screen (specification 2)', () => {
  it('error: the page shows nothing for a value other than google, sso and account, and never inserts the value as markup', async () => {
    for (const value of ['other', 'GOOGLE', '', '<img src=x onerror=alert(1)>', 'constructor', '__proto__']) {
      const { page } = await stage.visit(`/login?error=${encodeURIComponent(value)}`);
      await fields(page).logIn.waitFor();
      expect([value, (await fields(page).alert.allTextContents()).join('').trim()]).toEqual([value, '']);
      expect(await page.locator('img[src=x]').count()).toBe(0);
    }
  });

  it('redirect: the browser opens this address after login', async () => {
    const visit = await stage.visit('/login?redirect=%2Fsites%3Ftab%3D1%23members');
    const { page } = visit;
    await answerCalls(visit, '/login', { status: 204 });
    await fields(page).logIn.click();
    await eventually(() => expect(page.url()).toBe(`${stage.service.url}/sites?tab=1#members`));
  });

  it('redirect: without this parameter, the browser opens / after login', async () => {
    const visit = await stage.visit('/login');
    await answerCalls(visit, '/login', { status: 204 });
    await fields(visit.page).logIn.click();
    await eventually(() => expect(visit.page.url()).toBe(`${stage.service.url}/`));
  });

  it('E6: from_rns is a marker that counts if it appears anywhere in the query string', async () => {
    for (const query of ['?from_rns', '?x=from_rns', '?a=1&from_rns=0', '?error=google&not_from_rns_at_all']) {
      const { page } = await stage.visit(`/login${query}`);
      await expectSeen(page, 'Please log in!', query);
    }
    for (const query of ['', '?from=rns', '?FROM_RNS']) {
      const { page } = await stage.visit(`/login/from_rns${query}#from_rns`);
      await expectUnseen(page, 'Please log in!');
    }
  });

  it("from_rns: the info box says 'Your organization has been migrated from {product} Classic to {product}.' 'Same credentials can be used here.' 'Please log in!'", async () => {
    const { page } = await stage.visit('/login?from_rns');
    await expectSeen(page, 'Your organization has been migrated from Pulse Classic to Pulse.');
    await expectSeen(page, 'Same credentials can be used here.');
    await expectSeen(page, 'Please log in!');
  });
});

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

  it('shows the heading of /forgot with a disabled button Send, and the heading of /reset, while scripts are blocked', async () => {
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

  it('remembers a form that a person submits early, shows that the form is busy, and sends it when the code is loaded', async () => {
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
    expect(await page.evaluate('document.activeElement.type')).toBe('submit');
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

  it.each([
    ['the script of the document', /\/sign-in-.*\.js$/, 0],
    ['a script that this script imports', /\/react-.*\.js$/, 0],
    ['a script that this script loads later', /\/LinkPages-.*\.js$/, 1],
  ])(
    'keeps the token of a mailed link after %s did not load: the next press of the button loads the page again',
    async (_, lost, uncaught) => {
      const pressed = Promise.withResolvers<undefined>();
      let isLost = true;
      const before = ({ page, mayFail }: Visit) =>
        page.route(lost, async (route) => {
          mayFail(new URL(route.request().url()).pathname);
          await pressed.promise;
          return isLost ? route.abort() : route.fallback();
        });
      const visit = await stage.visit('/reset/a-token', { before, until: 'commit' });
      const { page } = visit;
      const { newPassword, save } = fields(page);
      const sent = await answerCalls(visit, '/reset', { status: 204 });
      await eventually(async () => expect(await save.isEnabled()).toBe(true));
      await newPassword.fill('umbrella harvest violin');
      await save.click();
      await eventually(async () => expect(await save.getAttribute('aria-busy')).toBe('true'));
      pressed.resolve(undefined);
      await eventually(async () => expect(await save.getAttribute('aria-busy')).not.toBe('true'));
      await eventually(() => expect(visit.complaints).toHaveLength(uncaught)); // for the error report
      visit.complaints.splice(0);

      isLost = false;
      await Promise.all([page.waitForEvent('load'), save.click()]);
      await newPassword.fill('umbrella harvest violin');
      await save.click();
      await expectSeen(page, 'Your password has been changed. Log in with the new one.');
      expect(sent.map((request) => request.postDataJSON() as unknown)).toEqual([
        { token: 'a-token', password: 'umbrella harvest violin' },
      ]);
    },
  );

  it('keeps the typed text and the caret during hydration, and moves neither the fields nor the buttons', async () => {
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
