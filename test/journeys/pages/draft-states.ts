import type { Page } from 'playwright-core';
import type { Answer, Called } from '../../support/pages/built-pages';
import { alsoInFinnish, inConsole, type PageState } from './page-state';
import { NORTHWIND, people } from './samples';
import {
  addErik,
  assignSolo,
  committed,
  draftOf,
  fullPreview,
  laterPreview,
  notAsShown,
  ownersPreview,
  refusedPreview,
  removeLastOwner,
  soloPreview,
} from './samples/previews';

const NAME = '\u2068Northwind GmbH\u2069';
const presses = (name: string) => (page: Page) => page.getByRole('button', { name }).click();
const ends = ({ path }: Called, end: string) => new URL(path, 'http://pages').pathname.endsWith(end);

/** Answers previews and commits. After a commit, previews get the answer `later`. */
const service = (preview: object, commit?: Answer, later: object = preview) => {
  let isLater = false;
  return (called: Called): Answer | undefined => {
    if (ends(called, '/me')) isLater = false; // each page begins with this request
    if (ends(called, '/preview')) return { status: 200, body: isLater ? later : preview };
    if (!ends(called, '/commands')) return undefined;
    isLater = true;
    return commit;
  };
};

type Of = Readonly<{ but?: ReturnType<typeof service>; act?: (page: Page) => Promise<unknown> }>;
const state = (name: string, fragment: string, seen: string, { but, act }: Of = {}): PageState => ({
  ...{ name: `console-draft${name}`, path: `/org/${NORTHWIND}/draft${fragment}`, seen },
  wish: inConsole(people.ada, but),
  ...(act && { act }),
});

const states: readonly PageState[] = [
  state('', draftOf(assignSolo), `Commit exactly this to ${NAME}`, { but: service(soloPreview) }),
  state('-for-operator', draftOf(assignSolo), 'Copy link for: Operator', { but: service(ownersPreview) }),
  state('-refused', draftOf(assignSolo, removeLastOwner), 'Make another member an owner first.', {
    but: service(refusedPreview),
  }),
  state('-full', draftOf(assignSolo, addErik), 'Insert before this line: Buy User × 1', {
    but: service(fullPreview),
  }),
  state(
    '-broken',
    '#draft=AAAA',
    'The draft in this address cannot be read. Perhaps a part of the link is missing. Ask for the link again.',
  ),
  state('-not-as-shown', draftOf(assignSolo), `Commit the new effect to ${NAME}`, {
    but: service(soloPreview, { status: 409, body: notAsShown }, laterPreview),
    act: presses('Commit exactly this'),
  }),
  state('-done', draftOf(assignSolo), '1 event, #1,284', {
    but: service(soloPreview, { status: 200, body: committed }),
    act: presses('Commit exactly this'),
  }),
];

/** A text of each page in Finnish, by the name of the state. */
const finnish: Readonly<Record<string, string>> = {
  'console-draft': `Toteuta täsmälleen tämä: ${NAME}`,
  'console-draft-full': 'Lisää tämän rivin eteen: Osta Käyttäjä × 1',
  'console-draft-refused': 'Tee ensin toisesta jäsenestä omistaja.',
};

/** The draft page in its states, in English and Finnish. */
export const draftStates: readonly PageState[] = alsoInFinnish(states, finnish);
