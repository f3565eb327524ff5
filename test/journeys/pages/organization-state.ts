import type { Answer, Called } from '../../support/pages/built-pages';
import type { PageState } from './page-state';

/** A state of a page of the sample organization. */
export type OrganizationStateRow = Readonly<{
  /** The last part of the state's name, after `console-` and the name of the page. */
  is?: string;
  /** The path below `/org/:id/`. */
  at: string;
  seen: string;
  /** A text of the page in Finnish. */
  finnish?: string;
  but?: (called: Called) => Answer | undefined;
  act?: PageState['act'];
}>;

/** Answers the requests whose path ends with this text. */
export const onPath = (end: string, answer: Answer) => (called: Called) =>
  new URL(called.path, 'http://pages').pathname.endsWith(end) ? answer : undefined;
