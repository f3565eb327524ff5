import { type Reply, answerCalls, arrivals, fields, answerLater, logIn } from '../browser/page-actions';
import { expectSeen, expectUnseen } from '../browser/visible-text';
import { eventually } from '../browser/eventually';
import { staged } from '../browser/stage';

const stage = staged();
const LOGIN_ERROR = 'Incorrect username or password.';
const SENT = 'Password reset link has been sent to your email.';

describe('Login (specification 4)', () => {
  it('The form is idle; on submit it becomes processing (the button is disabled and shows a busy indicator)', async () => {
    const visit = await stage.visit('/login');
    const { page } = visit;
    const { logIn: button } = fields(page);
    await eventually(async () => expect(await button.isEnabled()).toBe(true));
    expect([null, 'false']).toContain(await button.getAttribute('aria-busy'));
    const idle = await button.boundingBox();
    const reply = answerLater<Reply>();
    await answerCalls(visit, '/login', reply.value);

    await logIn(page, 'ada', 'correct horse');

    await eventually(async () => expect(await button.getAttribute('aria-busy')).toBe('true'));
    expect(await button.isDisabled()).toBe(true);
    expect((await button.innerText()).trim()).toBe('Log in');
    expect((await button.boundingBox())!.width).toBe(idle!.width);
    expect(await fields(page).username.isEnabled()).toBe(true);
    reply.settle({ status: 401 });
  });

  it('On success the browser loads the address in the query value redirect, or / if there is none', async () => {
    for (const [query, wanted] of [
      ['?redirect=/sites', '/sites'],
      ['', '/'],
    ] as const) {
      const visit = await stage.visit(`/login${query}`);
      await visit.page.evaluate('window.same = true');
      await answerCalls(visit, '/login', { status: 204 });
      await logIn(visit.page, 'ada', 'correct horse');
      await eventually(() => expect(visit.page.url()).toBe(`${stage.service.url}${wanted}`));
      await visit.page.waitForLoadState();
      expect(await visit.page.evaluate('window.same')).toBeUndefined();
    }
  });

  it('On failure the form returns to idle and shows the error message', async () => {
    const visit = await stage.visit('/login');
    const { page } = visit;
    await answerCalls(visit, '/login', { status: 401 });
    await logIn(page, 'ada', 'correct horse');
    await expectSeen(page, LOGIN_ERROR);
    const { logIn: button, username, password, alert } = fields(page);
    expect(await button.isEnabled()).toBe(true);
    expect([null, 'false']).toContain(await button.getAttribute('aria-busy'));
    expect((await alert.allTextContents()).join('').trim()).toBe(LOGIN_ERROR);
    expect([await username.inputValue(), await password.inputValue()]).toEqual(['ada', 'correct horse']);
    await eventually(async () => expect(await page.evaluate('document.activeElement.name')).toBe('password'));
    expect(await page.title()).toBe('Error: Log in · Pulse');
  });

  it('After a failure the person can try again, and the message disappears', async () => {
    const visit = await stage.visit('/login');
    const sent = await answerCalls(visit, '/login', { status: 401 });
    await logIn(visit.page, 'ada', 'wrong');
    await expectSeen(visit.page, LOGIN_ERROR);
    const reply = answerLater<Reply>();
    const again = await answerCalls(visit, '/login', reply.value);
    await logIn(visit.page, 'ada', 'correct horse');
    await eventually(() => expect(again).toHaveLength(1));
    await expectUnseen(visit.page, LOGIN_ERROR);
    reply.settle({ status: 204 });
    await eventually(() => expect(visit.page.url()).toBe(`${stage.service.url}/`));
    expect(sent).toHaveLength(1);
  });

  it.each(['the button', 'username', 'password'] as const)(
    'Pressing Enter on %s also submits the form',
    async (where) => {
      const visit = await stage.visit('/login');
      const { page } = visit;
      const sent = await answerCalls(visit, '/login', { status: 401 });
      const form = fields(page);
      await form.username.fill('ada');
      await form.password.fill('correct horse');
      await eventually(async () => expect(await form.logIn.isEnabled()).toBe(true));
      await { 'the button': form.logIn, username: form.username, password: form.password }[where].press('Enter');
      await expectSeen(page, LOGIN_ERROR);
      expect(sent.map((request) => request.postDataJSON() as unknown)).toEqual([
        { username: 'ada', password: 'correct horse' },
      ]);
    },
  );
});

describe('Forgot password (specification 4)', () => {
  it('The form is first entering, is processing after the submit of a valid email, and then is sent', async () => {
    const visit = await stage.visit('/forgot');
    const { page } = visit;
    const { email, send } = fields(page);
    const reply = answerLater<Reply>();
    const sent = await answerCalls(visit, '/forgot', reply.value);
    expect(await send.isDisabled()).toBe(true);

    await email.fill('ada@northwind.example');
    await eventually(async () => expect(await send.isEnabled()).toBe(true));
    await send.click();
    await eventually(async () => expect(await send.getAttribute('aria-busy')).toBe('true'));
    expect(await send.isDisabled()).toBe(true);
    await expectUnseen(page, SENT);

    reply.settle({ status: 204 });
    await expectSeen(page, SENT);
    expect(await send.count()).toBe(0);
    expect(sent).toHaveLength(1);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
  });

  it('A person cannot submit the form again once it is sent', async () => {
    const visit = await stage.visit('/forgot');
    const { page } = visit;
    const reply = answerLater<Reply>();
    const sent = await answerCalls(visit, '/forgot', reply.value);
    await fields(page).email.fill('ada@northwind.example');
    await fields(page).email.press('Enter');
    await fields(page).email.press('Enter'); // the first call is still pending
    reply.settle({ status: 204 });
    await expectSeen(page, SENT);
    expect(await page.locator('form').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.waitForLoadState('networkidle');
    expect(sent).toHaveLength(1);
  });

  const replies = [
    { status: 500 },
    'no network',
    { status: 400 },
    { status: 403 },
    { status: 429 },
    'aborted',
  ] as const;
  it.each(replies)(
    'The page sends the request and ignores its failure, so the user sees the success text regardless: %j',
    async (reply) => {
      const visit = await stage.visit('/forgot');
      const sent = await answerCalls(visit, '/forgot', reply);
      await fields(visit.page).email.fill('ada@northwind.example');
      await fields(visit.page).send.click();
      await expectSeen(visit.page, SENT);
      expect(sent).toHaveLength(1);
      expect((await fields(visit.page).alert.allTextContents()).join('').trim()).toBe('');
    },
  );
});

describe('Google sign-in (specification 4)', () => {
  const meta = 'document.querySelector("meta[name=charter-google-token]").content';

  it('The browser navigates to /auth/go/ followed by an optional token', async () => {
    const visit = await stage.visit('/login?redirect=/sites');
    const { page } = visit;
    const gone = await arrivals(visit, ({ pathname }) => pathname.startsWith('/auth/go'));
    const token = await page.evaluate<string>(meta);
    await fields(page).google.click();
    await eventually(() => expect(gone).toEqual([`${stage.service.url}/auth/go/${token}`]));
  });

  it('The token comes from the surrounding page setup, and is empty by default', async () => {
    for (const token of ['signed.value-1', '']) {
      const visit = await stage.visit('/login', {
        before: ({ page }) =>
          page.route('**/login', async (route) => {
            const response = await route.fetch();
            const body = (await response.text()).replace(
              /(<meta name="charter-google-token" content=")[^"]*/,
              (_, begun: string) => `${begun}${token}`,
            );
            await route.fulfill({ response, body });
          }),
      });
      expect(await visit.page.evaluate(meta)).toBe(token);
      const gone = await arrivals(visit, ({ pathname }) => pathname.startsWith('/auth/go'));
      await fields(visit.page).google.click();
      await eventually(() => expect(gone).toEqual([`${stage.service.url}/auth/go/${token}`]));
    }
  });
});

describe('Forgot password (specification 5)', () => {
  it('An email is valid with at least 4 characters, "@" and "."; Send is disabled while the email is invalid', async () => {
    const { page } = await stage.visit('/forgot');
    const { email, send } = fields(page);
    const matrix = [
      ['', false],
      ['a@b', false],
      ['a@b.', true],
      ['@.', false],
      ['@.a', false],
      ['@.ab', true],
      ['abcd', false],
      ['a@bc', false],
      ['a.bc', false],
      ['ada@northwind.example', true],
      ['a@b', false], // this address is invalid, so Send is disabled again
    ] as const;
    for (const [text, isValid] of matrix) {
      await email.fill(text);
      await eventually(async () => expect([text, await send.isEnabled()]).toEqual([text, isValid]));
    }
  });

  it('Submitting with an invalid email does nothing, and shows no message', async () => {
    const visit = await stage.visit('/forgot');
    const { page } = visit;
    const sent = await answerCalls(visit, '/forgot', { status: 204 });
    await page.waitForLoadState('networkidle');
    for (const text of ['', 'a@b', 'abcd']) {
      await fields(page).email.fill(text);
      await fields(page).email.press('Enter');
      await page.evaluate('document.querySelector("form").requestSubmit()');
    }
    await expectUnseen(page, 'Password reset link has been sent to your email.');
    expect(sent).toEqual([]);
    expect((await fields(page).alert.allTextContents()).join('').trim()).toBe('');
    expect(new URL(page.url()).pathname).toBe('/forgot');
  });
});

describe('Login (specification 5)', () => {
  it('The page validates nothing: both fields accept any text, and the page also sends empty fields', async () => {
    for (const [username, password] of [
      ['', ''],
      ['not an address', ''],
      ['  @@ \u{1f480} <b>', ' '],
    ] as const) {
      const visit = await stage.visit('/login');
      const { page } = visit;
      const sent = await answerCalls(visit, '/login', { status: 401 });
      await fields(page).username.pressSequentially(username);
      await fields(page).password.fill(password);
      await fields(page).logIn.click();
      await expectSeen(page, 'Incorrect username or password.');
      const [body] = sent.map((request) => request.postDataJSON() as { username: string; password: string });
      expect([body!.username.trim(), body!.password]).toEqual([username.trim(), password]);
    }
  });

  it('The email input is of type email', async () => {
    const { page } = await stage.visit('/login');
    expect(await fields(page).username.getAttribute('type')).toBe('email');
    expect(await page.locator('form').getAttribute('novalidate')).not.toBeNull();
    expect(await page.locator('[required], [pattern], [minlength]').count()).toBe(0);
  });
});
