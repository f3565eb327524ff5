import type { Page } from 'playwright-core';
import {
  commitButton,
  committed,
  eventNumber,
  expectBack,
  expectStop,
  mainOf,
  pressed,
  query,
  seen,
  signedIn as signedInAt,
  tabTo,
  typed,
  typedInto,
} from './browser/stops';
import { inFormOfPreview, type PrintedEvent, type RecordedEvent } from '../support/requests/printed-events';
import { atNight } from '../support/at-night';
import { call, fields, logIn } from './browser/page-actions';
import { expectSeen } from './browser/visible-text';
import { eventually } from './browser/eventually';
import { type Visit, staged } from './browser/stage';
import { violationsOn } from './browser/violations';
import { printedPeople, printedPerson, startDemo } from './demo-service';

const stage = staged(startDemo);
const person = (what: RegExp) => printedPerson(stage.service.printed(), what);
const people = () => printedPeople(stage.service.printed());

async function signedIn(what: RegExp): Promise<Visit> {
  const { email, password } = person(what);
  const visit = await stage.visit('/');
  await logIn(visit.page, email, password);
  await visit.page.waitForURL((url) => url.pathname.startsWith('/org'));
  return visit;
}

describe('npm start in a fresh folder', () => {
  it('prints the URL of the service, and one person for each role', async () => {
    await eventually(() => expect(stage.service.printed()).toContain(`Sign in at ${stage.service.url}`));
    for (const role of [/owner/i, /admin/i, /member/i, /auditor/i, /operator/i]) person(role);
    expect(new Set(people().map(({ password }) => password)).size).toBe(people().length);
  });

  it('marks the sign-in pages and the overview as a demo', async () => {
    const { page } = await stage.visit('/');
    for (const path of ['/', '/forgot', '/reset/abc']) {
      await page.goto(path);
      await page.getByText(/demo/i).first().waitFor();
    }
    const visit = await signedIn(/owner/i);
    await visit.page.getByText(/demo/i).first().waitFor();
  });

  atNight(() => {
    it.each([/owner/i, /admin/i, /member/i])(
      'lets the printed person sign in, and shows the overview: %s',
      async (role) => {
        const { page } = await signedIn(role);
        await page.getByRole('heading', { level: 1, name: /Northwind/ }).waitFor();
        for (const text of ['Users', 'Content sections', 'Quality assurance domains', 'Web analytics domains'])
          await expectSeen(page, text);
      },
    );
  });

  it.each([
    [1280, 'light'],
    [320, 'dark'],
  ] as const)('signs in with the stand-in for Google, %i px wide and %s', async (width, theme) => {
    await eventually(() => expect(stage.service.printed()).toContain(`Sign in at ${stage.service.url}`));
    const visit = await stage.visit('/login?redirect=/me', { width, theme });
    const { page } = visit;
    const look = await lookOf(page);
    await fields(page).google.click();
    await page.getByRole('heading', { level: 1, name: 'Choose a person' }).waitFor();
    await expectSeen(page, "This is the demo's stand-in for Google. It needs no password.");
    await expectLook(page, look);
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expectSeen(page, 'Google sign-in failed.');
    await fields(page).google.click();
    await page.getByRole('link', { name: 'Olga Berg' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/org'));
    await page.getByRole('heading', { level: 1, name: /Northwind/ }).waitFor();
  });

  it('signs in with the stand-in for Google also after a person has gone back, and then opens the requested page', async () => {
    const { page } = await stage.visit('/login?redirect=/me');
    const atGoogle = page.getByRole('heading', { level: 1, name: 'Choose a person' });
    for (const isFirst of [true, false]) {
      await fields(page).google.click();
      await atGoogle.waitFor();
      if (isFirst) await page.goBack();
    }
    await page.getByRole('link', { name: 'Olga Berg' }).click();
    await page.waitForURL((url) => url.pathname === '/me');
  });

  it.each([
    [1280, 'dark'],
    [320, 'light'],
  ] as const)('lists and shows mails with the look of the sign-in pages, %i px wide and %s', async (width, theme) => {
    const visit = await stage.visit('/forgot', { width, theme });
    const { page } = visit;
    const look = await lookOf(page);
    await fields(page).email.fill(person(/admin/i).email);
    await fields(page).send.click();
    await expectSeen(page, 'Password reset link has been sent to your email.');
    const mail = page.getByRole('link', { name: 'Set a new password for Pulse' }).first();
    await eventually(async () => {
      await page.goto('/dev/mail');
      expect(await mail.count()).toBe(1);
    });
    await expectLook(page, look);
    await mail.click();
    await page.getByRole('heading', { level: 1, name: 'Set a new password for Pulse' }).waitFor();
    await expectLook(page, look);
  });

  it('shows the sent mails on a page, so a person can replace a forgotten password with the link in the mail', async () => {
    const { email } = person(/member/i);
    const visit = await stage.visit('/');
    const { page } = visit;
    await fields(page).forgotten.click();
    await fields(page).email.fill(email);
    await fields(page).send.click();
    await expectSeen(page, 'Password reset link has been sent to your email.');

    await eventually(async () => {
      await page.goto('/dev/mail');
      expect(await page.getByText(email).count()).toBeGreaterThan(0);
    });
    const link = page.locator('a[href*="/reset/"]').first();
    if ((await link.count()) === 0) await page.locator('a[href*="/dev/mail/"]').first().click();
    await page.locator('a[href*="/reset/"]').first().click();

    await fields(page).newPassword.fill('umbrella harvest violin');
    await fields(page).save.click();
    await expectSeen(page, 'Your password has been changed. Log in with the new one.');
    await logIn(page, email, 'umbrella harvest violin');
    await page.waitForURL((url) => url.pathname.startsWith('/org'));
  });
});

/** Expects the look of a sign-in page, no violation that axe finds, and no horizontal scrolling. */
async function expectLook(page: Page, look: unknown): Promise<void> {
  expect(await lookOf(page)).toEqual(look);
  expect(await violationsOn(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
}

/** Returns the colours and fonts of the parts of each sign-in page, and the backgrounds of the bar and the pane. */
const lookOf = (page: Page) =>
  page.evaluate(`['body', 'aside:not([data-first])', 'header', 'h1', 'h1 + p', 'main a:not(.people a)'].map((part) => {
    const element = document.querySelector(part);
    const { color, font } = getComputedStyle(element);
    const { backgroundColor } = getComputedStyle(element.closest('aside, body, div:has(> header)'));
    return { part, color, backgroundColor, font: part.startsWith('main a') ? undefined : font };
  })`);

describe('Auditor of the demo', () => {
  /** Opens the organization from the list of all organizations. */
  async function opened(name: string) {
    await eventually(() => expect(stage.service.printed()).toContain(`Sign in at ${stage.service.url}`));
    const { email, password } = person(/auditor/);
    const visit = await signedInAt(stage, email, '/', password);
    await pressed(visit.page, visit.page.getByRole('link', { name: new RegExp(name) }));
    await visit.page.getByRole('heading', { level: 1, name }).waitFor();
    return visit;
  }

  atNight(() => {
    it('6: sees the recorded limit and the limit in force, opens the event that changed the limit, and copies a link for a second browser', async () => {
      const visit = await opened('Old Mill Bakery');
      const { page, context } = visit;
      await seen(page, /^Now · #9/);
      await typed(page, '#6');
      await seen(page, '4 of 5 (now 1)');
      await seen(page, /^As recorded by #6, Site added by /);
      expect(query(page)).toBe('?asOf=6');
      await expectStop(visit);

      // The correction #9 was recorded after the first site, but it was in force before the first site.
      await tabTo(page, page.getByRole('radio', { name: 'Recorded' }));
      await page.keyboard.press('ArrowRight');
      await seen(page, /^4 of 1: over by 3/);
      await seen(page, /^In force at .*, as recorded by #9, Plan assigned by /);
      expect(query(page)).toMatch(/^\?valid=20\d\d-/);
      await expectStop(visit);
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.keyboard.press('c');
      await eventually(async () => expect(await copied(page)).toMatch(/[?&]valid=20\d\d-.*head=9\.[0-9a-f]{16}$/));
      const link = new URL(await copied(page));

      await pressed(page, page.locator('li', { hasText: 'Users' }).locator('summary').first());
      await pressed(page, page.locator('details[open]').getByRole('link', { name: '#9' }));
      await page.getByRole('heading', { level: 1, name: 'Event #9' }).waitFor();
      await seen(page, '(before it was recorded)');
      await expectStop(visit);
      await expectBack(visit);

      const { email, password } = person(/operator/);
      const { page: other } = await signedInAt(stage, email, link.pathname + link.search, password);
      await seen(other, /^4 of 1: over by 3/);
      await seen(other, 'This is the history with which the link was made.');
    });
  });

  atNight(() => {
    it('moves the overview to early and late events of Lakeside Outfitters, an organization with a history of three years', async () => {
      const { page } = await opened('Lakeside Outfitters');
      await page.getByText(/^Now · #[12],\d\d\d/).waitFor();
      await page.keyboard.press('t');
      await page.getByRole('slider').waitFor();
      for (const revision of ['1,000', '3', '1,700']) {
        await page.keyboard.type(`#${revision.replace(',', '')}`);
        await page.keyboard.press('Enter');
        await seen(page, new RegExp(`^As recorded by #${revision}, `));
      }
    });

    it('drags the slider with the mouse from the middle to its left end, the founding', async () => {
      const { page } = await opened('Lakeside Outfitters');
      await page.getByRole('button', { name: 'Look back' }).click();
      await page.getByText('Legend').waitFor();
      const { x, y, width, height } = (await page.getByRole('slider').boundingBox())!;
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x, y + height / 2, { steps: 5 });
      await page.mouse.up();
      await seen(page, /^As recorded by #0, Organization founded/);
      await eventually(() => expect(query(page)).toBe('?asOf=0'));
    });
  });
});

describe('Journey 21: people of the demo at the keyboard', () => {
  it('21: the owner of Northwind tries the plan Solo and sends a link to the operator, who commits exactly this draft and undoes it', async () => {
    const { email, password } = person(/owner of Northwind/);
    const owner = await signedInAt(stage, email, '/', password);
    const ownersPage = owner.page;
    await ownersPage.getByRole('heading', { level: 1, name: 'Northwind Feedback' }).waitFor();
    await ownersPage.keyboard.press('g');
    await ownersPage.keyboard.press('p');
    await ownersPage.evaluate('window.isSamePage = true');
    await typedInto(ownersPage, ownersPage.getByLabel('Second line'), 'Pulse Solo');
    await ownersPage.getByText('7 → 2').waitFor();
    await ownersPage.getByText(/^6 are here: over by 4\. All of them stay/).waitFor();
    await expectStop(owner);
    await owner.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await pressed(ownersPage, ownersPage.getByRole('button', { name: 'Copy link', exact: true }).last());
    await ownersPage.getByText('Copied.').waitFor();
    const link = new URL(await copied(ownersPage));
    const [, , id] = link.pathname.split('/');
    expect(link.pathname + link.search).toBe(`/org/${id}/draft`);

    const { email: operatorsEmail, password: operatorsPassword } = person(/operator/);
    const operator = await signedInAt(stage, operatorsEmail, link.pathname + link.hash, operatorsPassword);
    const { page } = operator;
    await page.getByText(/^6 are here: over by 4\. All of them stay/).waitFor();
    await expectStop(operator);
    const [preview] = await Promise.all([
      page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/preview')),
      page.reload(),
    ]);
    const { revision, events } = (await preview.json()) as { revision: number; events: readonly PrintedEvent[] };
    const printed = events.map(({ type, data }) => ({ type, data }));
    await committed(page);
    await eventNumber(page, revision + 1).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    const { body } = await call(page, 'GET', `/api/v1/organizations/${id}/events?from=${revision + 1}`);
    expect(inFormOfPreview(body.events as readonly RecordedEvent[], printed)).toEqual(printed);

    await pressed(ownersPage, ownersPage.getByRole('button', { name: /1 new event/ }));
    await ownersPage.getByRole('heading', { name: 'Pulse Solo' }).waitFor();
    expect(await ownersPage.evaluate('window.isSamePage')).toBe(true);

    await pressed(page, page.getByRole('link', { name: 'Undo…' }));
    await page.getByText('Assign Pulse Teams on the terms of event #2').waitFor();
    await page.getByText('These commands restore every value.').waitFor();
    await commitButton(page).waitFor();
    await expectStop(operator);
    await committed(page);
    await eventNumber(page, revision + 2).waitFor();
    await pressed(ownersPage, ownersPage.getByRole('button', { name: /1 new event/ }));
    await ownersPage.getByRole('heading', { name: 'Pulse Teams' }).waitFor();
    expect(await ownersPage.evaluate('window.isSamePage')).toBe(true);
    await expectStop(owner);
    await expectBack(operator);

    await ownersPage.keyboard.press('g');
    await ownersPage.keyboard.press('h');
    for (const [below, plan, users] of [
      [0, 'Pulse Teams', /before:\s+6 of 2\s+after:\s+6 of 7/],
      [1, 'Pulse Solo', /before:\s+6 of 7\s+after:\s+6 of 2/],
    ] as const) {
      const number = revision + 2 - below;
      const rows = ownersPage.locator('tbody tr');
      await rows
        .filter({ hasText: `#${number}` })
        .getByText(plan)
        .waitFor();
      await expectStop(owner);
      await tabTo(ownersPage, rows);
      if (below > 0) await ownersPage.keyboard.press('j');
      await ownersPage.keyboard.press('Enter');
      await ownersPage.getByRole('heading', { level: 1, name: `Event #${number}` }).waitFor();
      await eventually(async () => expect(await mainOf(ownersPage)).toMatch(users));
      await ownersPage.getByText('Plan assigned by Operator').first().waitFor();
      await expectStop(owner);
      await ownersPage.goBack();
    }
  });
});

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

// This test adds a member to Northwind, so it comes after the tests that count the members.
describe('An invitation in the demo', () => {
  atNight(() => {
    it('lets a person whom an owner invites open the mail, choose a password, and arrive in the organization', async () => {
      const owner = await signedIn(/owner/i);
      const overview = new URL(owner.page.url()).pathname.replace(/(\/org\/[^/]+).*/, '$1/overview');
      await owner.page.goto(overview.replace('overview', 'members'));
      await owner.page.getByRole('button', { name: 'Invite…' }).click();
      await owner.page.keyboard.type('nina@northwind.example');
      await owner.page.keyboard.press('Enter');
      await owner.page.getByText('\u2068nina@northwind.example\u2069 is invited.').waitFor();

      const { page } = await stage.visit('/dev/mail');
      await page.getByRole('link', { name: /^You are invited to Northwind/ }).click();
      await page.getByText(/ has invited you to Northwind/).waitFor();
      await page.getByRole('link', { name: /\/invitation\// }).click();
      await page.getByText(/^[\p{L} ]+ has invited you to Northwind[\p{L} ]*\.$/u).waitFor();
      expect(await violationsOn(page)).toEqual([]);
      expect(new URL(page.url()).pathname).toBe('/invitation');
      await typedInto(page, fields(page).name, 'Nina Simone');
      await typedInto(page, fields(page).newPassword, 'umbrella harvest violin');
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname === overview);
      await page.getByRole('heading', { level: 1, name: /Northwind/ }).waitFor();
    });
  });
});
