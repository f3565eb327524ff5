import type { Page } from 'playwright-core';
import type { PagesWish } from '../../support/pages/built-pages';
import { answering } from './samples';

/** A page in one of its states: how a test reaches the state, and a text that the page then shows. */
export type PageState = Readonly<{
  name: string;
  path: string;
  /** How the server answers. A function makes the answers of each visit, if earlier requests change later answers. */
  wish?: PagesWish | (() => PagesWish);
  act?: (page: Page) => Promise<unknown>;
  /** A text that is visible in this state, but in no earlier state. */
  seen: string;
}>;

export const wishOf = ({ wish = {} }: PageState): PagesWish => (typeof wish === 'function' ? wish() : wish);

export const opensAccountMenu = (page: Page) => page.locator('header [aria-haspopup=menu]').click();

/** Chooses Finnish in the account menu. */
const toFinnish = async (page: Page) => {
  await opensAccountMenu(page);
  await page.getByRole('menuitemradio', { name: 'Suomi' }).click();
  await page.keyboard.press('Escape');
};

/** The same state of a page of the console in Finnish. @param seen a text of the page in Finnish */
export const inFinnish = (state: PageState, seen: string): PageState => ({
  ...{ ...state, name: `${state.name}-finnish`, seen },
  act: async (page) => {
    await state.act?.(page);
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

/** The console of a signed-in person. An answer in `but` replaces the usual answer. */
export const inConsole = (me: object, but?: Parameters<typeof answering>[1]): PagesWish => ({
  signedIn: true,
  facts: { 'account-name': 'Ada Jansen' },
  answer: answering(me, but),
});
