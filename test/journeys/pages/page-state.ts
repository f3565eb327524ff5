import type { Page } from 'playwright-core';
import type { PagesWish } from '../../support/pages/built-pages';
import { answering } from './samples';

/** A page in one of its states: how a test reaches the state, and a text that the page then shows. */
export type PageState = Readonly<{
  name: string;
  path: string;
  wish?: PagesWish;
  act?: (page: Page) => Promise<unknown>;
  /** A text that is visible in this state, but in no earlier state. */
  seen: string;
}>;

/** The console of a signed-in person. An answer in `but` replaces the usual answer. */
export const inConsole = (me: object, but?: Parameters<typeof answering>[1]): PagesWish => ({
  signedIn: true,
  facts: { 'account-name': 'Ada Jansen' },
  answer: answering(me, but),
});
