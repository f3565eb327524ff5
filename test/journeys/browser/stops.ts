import type { Locator, Page } from 'playwright-core';
import { isNight } from '../../support/at-night';
import { eventually } from './eventually';
import { fields } from './page-actions';
import type { Place, Stage, Visit } from './stage';
import { violationsOn } from './violations';

export const PASSWORD = 'lighthouse marmalade seventeen';

/** Opens a path, and signs a person in by keyboard. The window counts each use of a mouse or of a touch screen. */
export async function signedIn(
  stage: Pick<Stage<Place>, 'visit'>,
  email: string,
  path: string,
  password = PASSWORD,
): Promise<Visit> {
  const visit = await stage.visit(path, { before: ({ context }) => context.addInitScript(countPointers) });
  await signInByKeyboard(visit.page, email, password);
  return visit;
}
/**
 * Types the e-mail address and the password of a person into the log-in form, presses Enter, and waits for the next
 * page.
 */
export async function signInByKeyboard(page: Page, email: string, password = PASSWORD): Promise<void> {
  await typedInto(page, fields(page).username, email);
  await typedInto(page, fields(page).password, password);
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => !/^\/login/.test(pathname));
}
/**
 * Counts the uses of a mouse or a touch screen. The count is in the session storage, because a reload deletes the
 * variables of the page.
 */
const countPointers = `(() => {
  if (window.isCounting || !location.protocol.startsWith('http')) return;
  window.isCounting = true;
  const count = () => Number(sessionStorage.getItem('pointers')) + 1;
  addEventListener('pointerdown', ({ isTrusted }) => { if (isTrusted) sessionStorage.setItem('pointers', count()); }, { capture: true });
})()`;
/** How often a person has used a mouse or a touch screen in this window. */
export const pointers = (page: Page) => page.evaluate<number>("Number(sessionStorage.getItem('pointers'))");

/** Presses Tab until this element has the focus. */
export async function tabTo(page: Page, target: Locator, presses = 120): Promise<void> {
  await target.first().waitFor();
  for (let press = 0; press <= presses; press += 1) {
    if (await target.first().evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${presses} presses of Tab do not reach ${String(target)}.`);
}

/** Moves the focus to a field with Tab, and types a text. */
export async function typedInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}

/** Moves the focus to a link or a button with Tab, and presses Enter. */
export async function pressed(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/**
 * Opens the menu of a member, and chooses the item with this first letter. A new list of members from the service can
 * close the menu between two key presses. So each key press waits for the effect of the previous one.
 */
export async function chosenFor(page: Page, row: Locator, letter: string): Promise<void> {
  const focused = page.getByRole('menu').locator(':focus');
  await eventually(async () => {
    if ((await focused.count()) === 0) await pressed(page, row.getByRole('button', { name: /^Change/ }));
    await focused.waitFor({ timeout: 1_000 });
    await page.keyboard.press(letter);
    expect(await focused.innerText({ timeout: 1_000 })).toMatch(new RegExp(`^${letter}`, 'i'));
  });
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

/** Shows the page at another moment: opens the field for moments with the key `t`, types the text and presses Enter. */
export async function typed(page: Page, text: string): Promise<void> {
  await page.keyboard.press('t');
  await page.getByLabel('Moment, or #event').waitFor();
  await eventually(() => page.evaluate<boolean>("document.activeElement.matches('form input')").then(must));
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}
const must = (holds: boolean): void => expect(holds).toBe(true);

/**
 * Checks the page that a journey has reached. Axe finds nothing, and the person has used only the keyboard. A second
 * page at the same address shows the same main region. `npm test` saves processor time: there, axe checks each kind of
 * page once in a spec file, and the second page opens only addresses with a query or a fragment. The specs of the night
 * check everything at each stop.
 */
export async function expectStop({ page, context }: Visit): Promise<void> {
  await atRest(page);
  const { pathname, search, hash } = new URL(page.url());
  const kind = pathname.replaceAll(IDS, 'ID');
  if (isNight || !checkedKinds.has(kind)) expect(await violationsOn(page)).toEqual([]);
  checkedKinds.add(kind);
  if (isNight || search + hash !== '') {
    const other = await context.newPage();
    await other.goto(page.url());
    await eventually(async () => expect(await mainOf(other)).toBe(await mainOf(page)));
    await other.close();
  }
  expect(await pointers(page)).toBe(0);
  ways.set(page, [...(ways.get(page) ?? []), page.url()]);
}
/** For each browser page, the addresses that `expectStop` has checked, in the order of the checks. */
const ways = new WeakMap<Page, readonly string[]>();
/** The kinds of pages that axe has checked in this spec file: paths without ids and numbers. */
const checkedKinds = new Set<string>();
const IDS = /[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g;

/**
 * Checks at the end of a journey that the browser's Back leads to each earlier stop, the last one first. At each stop,
 * the page shows the same main region as a second page that opens the stop's address. `npm test` goes back only to the
 * last one of the earlier stops.
 */
export async function expectBack({ page, context }: Visit): Promise<void> {
  const way = (ways.get(page) ?? []).filter((url, index, all) => url !== all[index - 1]);
  const stops = way.at(-1) === page.url() ? way.slice(0, -1) : way;
  expect(stops).not.toEqual([]);
  const other = await context.newPage();
  for (const url of isNight ? stops.toReversed() : stops.slice(-1)) {
    await backTo(page, url);
    await other.goto(url);
    await eventually(async () => expect(await mainOf(page)).toBe(await mainOf(other)));
    expect(page.url()).toBe(url);
  }
  await other.close();
}

/**
 * Presses the browser's Back until the page shows this address, because the history can contain addresses between two
 * stops.
 */
async function backTo(page: Page, url: string, presses = 12): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < presses; press += 1) {
    await page.goBack({ waitUntil: 'commit' }).catch(() => undefined); // the browser has no page before the first one
    if (page.url() === url) return;
    passed.push(page.url());
  }
  throw new Error(`${presses} presses of Back do not lead to ${url}, but to:\n${passed.join('\n')}`);
}

/** Waits until the page has loaded everything and shows it. */
export const atRest = (page: Page) =>
  eventually(async () => {
    expect(await page.locator('main :is([aria-busy=true], [data-waits])').count()).toBe(0);
    expect(await page.locator('main h1').count()).toBe(1);
  });

/**
 * The text of the main region without three parts that can differ between two pages. These parts are the time of the
 * request, the newest signed checkpoint, and the note about a commit that only this tab remembers.
 */
export const mainOf = async (page: Page): Promise<string> =>
  (await page.locator('main').innerText())
    .replaceAll(/\d{1,2}:\d\d:\d\d [AP]M/g, 'TIME')
    .replaceAll(/^(Not signed yet\.|Signed ).*$/gm, 'SIGNED')
    .replaceAll(/^This tab has already committed this draft:.*\n*/gm, '');

export const query = (page: Page) => new URL(page.url()).search;
/** Waits until the page shows this text. */
export const seen = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
/** The button that commits a draft. The name of the button ends with the name of the organization. */
export const commitButton = (page: Page, name = 'Commit exactly this to') => page.getByRole('button', { name });
/** Commits a draft with Control and Enter, after its preview has arrived. */
export async function committed(page: Page): Promise<void> {
  await commitButton(page).waitFor();
  await page.keyboard.press('Control+Enter');
}
/** The link whose text is the number of an event, such as `#4`. */
export const eventNumber = (page: Page, number: number) => page.getByRole('link', { name: `#${number}`, exact: true });
