import type { Page } from 'playwright-core';
import type { PagesWish } from '../../support/pages/built-pages';
import { expectSeen } from '../browser/visible-text';
import { answering, people } from './samples';

/** A page in one of its states: how a test reaches the state, and a text that the page then shows. */
export type PageState = Readonly<{
  name: string;
  path: string;
  /**
   * The answers of the server. If earlier requests change later answers, a function that returns fresh answers for each
   * visit.
   */
  wish?: PagesWish | (() => PagesWish);
  act?: (page: Page) => Promise<unknown>;
  /** A text that is visible in this state, but not before the page has reached this state. */
  seen: string;
}>;

/** The name of the signed-in person, which the header shows in every language. */
const ACCOUNT_NAME = 'Ada Jansen';

export const wishOf = ({ wish = {} }: PageState): PagesWish => (typeof wish === 'function' ? wish() : wish);

export const opensAccountMenu = (page: Page) => page.locator('header [aria-haspopup=menu]').click();

/**
 * Chooses Finnish in the account menu. A script presses the buttons, so that an open dialog or menu stays open. A
 * person could not press the buttons behind a dialog.
 */
const toFinnish = async (page: Page) => {
  await page.evaluate(`(() => {
    const button = document.querySelector('header [aria-haspopup=menu]');
    if (button.getAttribute('aria-expanded') !== 'true') button.click();
  })()`);
  await page.locator('header [role=menuitemradio][lang=fi]').waitFor();
  await page.evaluate("document.querySelector('header [role=menuitemradio][lang=fi]').click()");
  await page.locator('header button[aria-label="Etsi tai tee"]').waitFor();
  await page.evaluate("document.querySelector('header [aria-haspopup=menu]').click()"); // closes the menu
};

/**
 * The same state of a console page, in Finnish.
 * @param seen the Finnish text for which the test waits; by default the name of the signed-in person
 */
export const inFinnish = (state: PageState, seen: string = ACCOUNT_NAME): PageState => ({
  ...{ ...state, name: `${state.name}-finnish`, seen },
  act: async (page) => {
    await state.act?.(page);
    await expectSeen(page, state.seen);
    await toFinnish(page);
  },
});

/** The states, each followed by the same state in Finnish if `finnish` has a text for the name of the state. */
export const alsoInFinnish = (
  states: readonly PageState[],
  finnish: Readonly<Record<string, string>>,
): readonly PageState[] =>
  states.flatMap((one) => {
    const seen = finnish[one.name];
    return seen === undefined ? [one] : [one, inFinnish(one, seen)];
  });

/** How the server answers the console of a signed-in person. An answer from `but` replaces the usual answer. */
export const inConsole = (me: object, but?: Parameters<typeof answering>[1]): PagesWish => ({
  signedIn: true,
  facts: { account: people.ada.id, 'account-name': ACCOUNT_NAME, 'checkpoint-every': '3600' },
  answer: answering(me, but),
});
