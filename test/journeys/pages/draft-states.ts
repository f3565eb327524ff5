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
  pastPreview,
  refusedPreview,
  removeLastOwner,
  soloPreview,
} from './samples/previews';
import { BEN } from './samples/lists';

const NAME = '\u2068Northwind GmbH\u2069';
/** Presses the button with this name. */
export const presses = (name: string) => (page: Page) => page.getByRole('button', { name }).click();
export const ends = ({ path }: Called, end: string) => new URL(path, 'http://pages').pathname.endsWith(end);

/**
 * Answers previews and commits. After a commit, previews get the answer `later`, and further commits get the last
 * answer of `commits`.
 */
export const draftService = (preview: object, commits: readonly Answer[] = [], later: object = preview) => {
  let sent = 0;
  return (called: Called): Answer | undefined => {
    if (ends(called, '/me')) sent = 0; // each page begins with a request to `/me`
    if (ends(called, '/preview')) return { status: 200, body: sent > 0 ? later : preview };
    if (!ends(called, '/commands')) return undefined;
    sent += 1;
    return commits[Math.min(sent, commits.length) - 1];
  };
};
/**
 * The answer of a busy service, which asks the page to wait for a minute. Whether the service executed the commit is
 * then unknown.
 */
const busy = { status: 503, body: { type: '/problems/busy' }, headers: { 'Retry-After': '60' } };
export const refusal = (status: number, type: string): Answer => ({ status, body: { type: `/problems/${type}` } });

/** Answers a request for an undo with one value for each reason why an undo cannot restore a value. */
const undone = (called: Called): Answer | undefined =>
  ends(called, '/undo')
    ? {
        status: 200,
        body: {
          ...{ revision: 1283, exact: false, preview: soloPreview, more: 3 },
          commands: [{ type: 'RemoveMember', data: { member: BEN } }, assignSolo],
          leaves: [
            { path: '/traffic', why: 'fact-from-outside' },
            { path: '/singleSignOn', why: 'no-command' },
            { path: `/members/p`, why: 'erased' },
          ],
          later: [{ path: `/members/${BEN}`, revision: 1204, type: 'MemberRoleChanged' }],
        },
      }
    : draftService(soloPreview)(called);

type Of = Readonly<{ but?: (called: Called) => Answer | undefined; act?: (page: Page) => Promise<unknown> }>;
/** A state of the draft page. `address` is the end of the page's address: the query and the fragment. */
export const draftState = (name: string, address: string, seen: string, { but, act }: Of = {}): PageState => ({
  ...{ name: `console-draft${name}`, path: `/org/${NORTHWIND}/draft${address}`, seen },
  wish: inConsole(people.ada, but),
  ...(act && { act }),
});

const states: readonly PageState[] = [
  draftState('', draftOf(assignSolo), `Commit exactly this to ${NAME}`, { but: draftService(soloPreview) }),
  draftState('-for-operator', draftOf(assignSolo), 'Copy link for: Operator', { but: draftService(ownersPreview) }),
  draftState('-refused', draftOf(assignSolo, removeLastOwner), 'Make another member an owner first.', {
    but: draftService(refusedPreview),
  }),
  draftState('-full', draftOf(assignSolo, addErik), 'Insert before this line: Buy User × 1', {
    but: draftService(fullPreview),
  }),
  draftState(
    '-broken',
    '#draft=AAAA',
    'The draft in this address cannot be read. Perhaps a part of the link is missing. Ask for the link again.',
  ),
  draftState('-not-as-shown', draftOf(assignSolo), `Commit the new effect to ${NAME}`, {
    but: draftService(soloPreview, [{ status: 409, body: notAsShown }], laterPreview),
    act: presses('Commit exactly this'),
  }),
  draftState('-done', draftOf(assignSolo), '1 event, #1,284', {
    but: draftService(soloPreview, [{ status: 200, body: committed }]),
    act: presses('Commit exactly this'),
  }),
  draftState('-unknown', draftOf(assignSolo), 'We do not know whether it happened.', {
    but: draftService(soloPreview, [busy]),
    act: presses('Commit exactly this'),
  }),
  draftState(
    '-undo',
    '?undo=to:1190&only=/members',
    '3 further commands do not fit. Commit this draft, and undo again.',
    {
      but: undone,
    },
  ),
];

/** These states differ from a state above only in their sentences, so `npm test` does not open them. */
const statesAtNight: readonly PageState[] = [
  draftState('-empty', '', 'This draft has no command yet. Try a plan on the plan page, for example.'),
  draftState('-too-many', draftOf(...Array.from({ length: 21 }, () => assignSolo)), 'A draft has at most 20 commands.'),
  draftState('-past', `?asOf=1191${draftOf(assignSolo)}`, 'This page shows the past, where nothing can be committed.', {
    but: draftService(pastPreview),
  }),
  draftState(
    '-commit-refused',
    draftOf(assignSolo),
    'Nothing was executed. The organization is closed. An operator can reopen the organization.',
    { but: draftService(soloPreview, [refusal(409, 'organization-closed')]), act: presses('Commit exactly this') },
  ),
  draftState(
    '-never-known',
    draftOf(assignSolo),
    'We do not know whether the commands were executed, and you no longer have permission to see the result. Ask an owner to look at the history.',
    {
      but: draftService(soloPreview, [busy, refusal(404, 'not-found')]),
      act: async (page) => {
        await presses('Commit exactly this')(page);
        await presses('Ask again now')(page);
      },
    },
  ),
];

/** By the name of each state: a Finnish text that the page shows in this state. */
const finnish: Readonly<Record<string, string>> = {
  'console-draft': `Toteuta täsmälleen tämä: ${NAME}`,
  'console-draft-full': 'Lisää tämän rivin eteen: Osta Käyttäjä × 1',
  'console-draft-refused': 'Tee ensin toisesta jäsenestä omistaja.',
};
const finnishAtNight: Readonly<Record<string, string>> = {
  'console-draft-empty':
    'Tässä luonnoksessa ei ole vielä yhtään komentoa. Voit esimerkiksi kokeilla pakettia sivulla Paketti.',
  'console-draft-past': 'Tämä sivu näyttää menneisyyden, jossa mitään ei voi toteuttaa.',
  'console-draft-unknown': 'Emme tiedä, toteutuiko se.',
  'console-draft-undo': '3 komentoa ei mahdu mukaan. Toteuta tämä luonnos, ja kumoa uudelleen.',
};

/** The draft page in its states, in English and Finnish. */
export const draftStates: readonly PageState[] = alsoInFinnish(states, finnish);
/** Further states of the draft page, which only `page-states.nightly.ts` opens. */
export const draftStatesAtNight: readonly PageState[] = [
  ...alsoInFinnish(statesAtNight, finnishAtNight),
  ...alsoInFinnish(states, finnishAtNight).filter(({ name }) => name.endsWith('-finnish')),
];
