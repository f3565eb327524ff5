import type { Page } from 'playwright-core';
import type { Answer, Called } from '../../support/pages/built-pages';
import { eventually } from '../browser/eventually';
import { draftService, draftState, ends, presses, refusal } from './draft-states';
import { alsoInFinnish, inConsole, type PageState } from './page-state';
import { fault, NORTHWIND, people, rightsOf } from './samples';
import {
  addErik,
  assignSolo,
  committed,
  draftOf,
  notAsShown,
  ownersPreview,
  pastPreview,
  previewWithTerms,
  refusedPreview,
  removalPreview,
  removeLastOwner,
  soloPreview,
} from './samples/previews';
import { BEN } from './samples/lists';

const tooMany = { status: 429, body: { type: '/problems/too-many-requests' }, headers: { 'Retry-After': '3600' } };

type PagesAnswer = (called: Called) => Answer | undefined;
const commits = presses('Commit exactly this');
const answersTo =
  (end: string, answer: Answer): PagesAnswer =>
  (called) =>
    ends(called, end) ? answer : undefined;
const never: Answer = { status: 204, delayMs: 60_000 };
const malformed: Answer = {
  status: 400,
  body: {
    type: '/problems/malformed',
    errors: [{ path: 'commands.1.data.plan', message: 'Invalid input: expected string, received number' }],
  },
};
const noFeatures = { gained: [], lost: [], terms: {} };
const sameTraffic = { before: soloPreview.traffic.before, after: soloPreview.traffic.before };
const past: Answer = { status: 200, body: pastPreview };
const asMember = answersTo('/standing', {
  status: 200,
  body: { organization: NORTHWIND, roles: ['member'], may: [], reads: ['document'], grants: [] },
});
const byOwner =
  'An owner can buy plans and add-ons if a payment provider is set up. An operator can apply each change. Send them this link.';
const wrongPlan = { type: 'AssignPlan', data: { line: 'second', plan: 7 } };
const notShown = [{ status: 409, body: notAsShown }];
/** The draft would record other events, although no event was recorded since the preview. */
const atSameRevision = { ...soloPreview, shown: 'b'.repeat(64) };
const undo = { revision: 1283, exact: true, preview: soloPreview, commands: [assignSolo], leaves: [], later: [] };
const undone =
  (fields: object): PagesAnswer =>
  (called) =>
    ends(called, '/undo') ? { status: 200, body: { ...undo, ...fields } } : draftService(soloPreview)(called);

/** The plan page on which a person tries a plan or an add-on. `search` is the query of the page's address. */
const planState = (name: string, search: string, seen: string, but: PagesAnswer): PageState => ({
  ...{ name: `console-plan-${name}`, path: `/org/${NORTHWIND}/plan?${search}`, seen },
  wish: inConsole(people.ada, but),
});
const asBuyer = answersTo('/standing', {
  status: 200,
  body: { ...rightsOf.owner, may: [...rightsOf.owner.may, 'StartCheckout'] },
});
const soldInPart = {
  ...soloPreview,
  notSold: [
    { index: 0, why: 'no-price' },
    { index: 1, why: 'paid-already' },
  ],
};

/** A service that answers the first request for a preview on each page, and no further request. */
function onlyFirstPreview(preview: object): PagesAnswer {
  let previews = 0;
  return (called) => {
    if (ends(called, '/me')) previews = 0; // each page begins with a request to `/me`
    if (!ends(called, '/preview')) return undefined;
    previews += 1;
    return previews === 1 ? { status: 200, body: preview } : never;
  };
}

/** Waits until the first line that is not sold has a bullet. */
const seesBullet = (page: Page) =>
  eventually(async () => expect(await page.evaluate<string | undefined>(styleOfUnsold)).toBe('disc'));
const styleOfUnsold = `[...document.querySelectorAll('main li')]
  .filter((line) => line.textContent.includes('no price'))
  .map((line) => getComputedStyle(line).listStyleType)[0]`;

const states: readonly PageState[] = [
  draftState('-foreign', '#top', 'The end of this address contains no draft.'),
  draftState(
    '-e-mail-address',
    draftOf({ type: 'RenameOrganization', data: { name: 'ben@northwind.example' } }),
    'The draft in this address contains an e-mail address. Links must not contain e-mail addresses, so the page does not show the draft.',
  ),
  draftState('-loading', draftOf(assignSolo), 'Loading: Preview', { but: answersTo('/preview', never) }),
  draftState('-old-preview', draftOf(assignSolo, removeLastOwner), 'One command', {
    but: onlyFirstPreview(refusedPreview),
    act: async (page) => {
      await page.getByText('Matomo integration').first().waitFor();
      await presses('Take out line 2')(page);
      await page.locator('section[aria-labelledby=preview][aria-busy=true]').waitFor();
    },
  }),
  draftState('-preview-failed', draftOf(assignSolo), 'Preview: unavailable right now.', {
    but: answersTo('/preview', fault),
  }),
  draftState(
    '-malformed',
    draftOf(assignSolo, wrongPlan),
    'The service does not understand this command. Invalid input: expected string, received number',
    { but: answersTo('/preview', malformed) },
  ),
  draftState('-changes-nothing', draftOf(assignSolo), 'These commands change nothing.', {
    but: draftService({
      ...soloPreview,
      events: [],
      limits: {},
      features: noFeatures,
      traffic: sameTraffic,
      state: [],
    }),
  }),
  draftState('-removal', draftOf({ type: 'RemoveMember', data: { member: BEN } }), 'Other changes (6)', {
    but: draftService(removalPreview),
  }),
  draftState('-two-refused', draftOf(assignSolo, removeLastOwner, addErik), 'This person is the last owner.', {
    but: draftService({
      ...refusedPreview,
      alsoRefused: [{ index: 2, problem: { type: '/problems/already-a-member', role: 'admin' } }],
    }),
  }),
  draftState(
    '-other-catalogue',
    draftOf(assignSolo),
    'The terms of Pulse Solo in the catalogue have changed since the preview.',
    {
      but: draftService(previewWithTerms(1), notShown, { ...previewWithTerms(3), shown: 'b'.repeat(64) }),
      act: commits,
    },
  ),
  draftState(
    '-other-time',
    draftOf(assignSolo),
    'No event was recorded since the preview. Another reason has changed the effect: the catalogue, or a time that has passed, such as the end of an override.',
    { but: draftService(soloPreview, notShown, atSameRevision), act: commits },
  ),
  draftState('-recorded-nothing', draftOf(assignSolo), 'Nothing was new, so no event was recorded.', {
    but: draftService(soloPreview, [{ status: 200, body: { revision: 1283, events: [] } }]),
    act: commits,
  }),
  draftState('-committed-earlier', draftOf(assignSolo), 'Look at event #1,284', {
    but: draftService(soloPreview, [{ status: 200, body: committed }]),
    act: async (page) => {
      await commits(page);
      await page.getByText('1 event, #1,284').waitFor();
      await page.reload();
    },
  }),
  draftState('-commit-too-many', draftOf(assignSolo), 'Too many attempts. Try again in 60 minutes.', {
    but: draftService(soloPreview, [tooMany]),
    act: commits,
  }),
  draftState('-undo-exact', '?undo=1191', 'These commands restore every value.', { but: undone({}) }),
  draftState('-undo-nothing', '?undo=1191', 'There is nothing to undo: the events changed no value.', {
    but: answersTo('/undo', refusal(409, 'nothing-to-undo')),
  }),
  draftState('-undo-impossible', '?undo=1191', 'No command undoes this.', {
    but: undone({ exact: false, commands: [], leaves: [{ path: '/members/p', why: 'erased' }] }),
  }),
  planState('tried-past', 'try=second/solo&asOf=1191', 'Assign Pulse Solo', answersTo('/preview', past)),
  {
    ...planState(
      'tried-not-sold',
      'try=second/solo,additionalUser:4',
      'Assign Pulse Solo: the payment provider has no price for this',
      (called) => asBuyer(called) ?? answersTo('/preview', { status: 200, body: soldInPart })(called),
    ),
    act: seesBullet,
  },
  planState(
    'tried-member',
    'try=second/solo',
    byOwner,
    (called) => asMember(called) ?? answersTo('/preview', { status: 200, body: ownersPreview })(called),
  ),
];

/** A text of each page in Finnish, by the name of the state. */
const finnish: Readonly<Record<string, string>> = {
  'console-draft-malformed': 'Palvelu ei ymmärrä tätä komentoa. Palvelu ei hyväksy kentän \u2068plan\u2069 arvoa.',
  'console-draft-other-catalogue': 'Valikoiman ehdot ovat muuttuneet esikatselun jälkeen: Pulse Solo.',
  'console-draft-undo-impossible': 'Mikään komento ei kumoa tätä.',
  'console-plan-tried-past': 'Aseta paketti Pulse Solo',
  'console-plan-tried-not-sold': 'Aseta paketti Pulse Solo: maksupalvelulla ei ole tälle hintaa',
};

/**
 * Rarer states of the draft page and of the plan page, in English and Finnish. Only `page-states.nightly.ts` opens
 * these states.
 */
export const furtherDraftStates: readonly PageState[] = alsoInFinnish(states, finnish);
