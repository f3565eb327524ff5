import { answerCalls, fields } from '../browser/page-actions';
import { expectSeen, expectUnseen } from '../browser/visible-text';
import { eventually } from '../browser/eventually';
import { staged } from '../browser/stage';

const stage = staged();

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
      ['a@b', false], // disables Send again
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
