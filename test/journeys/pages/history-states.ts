import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Answer, Called } from '../../support/pages/built-pages';
import { eventually } from '../browser/eventually';
import { alsoInFinnish, inConsole, type PageState } from './page-state';
import { fault, NORTHWIND, people, sampleEntitlements } from './samples';
import { BEN } from './samples/lists';

const answers = (end: string, answer: Answer) => (called: Called) =>
  new URL(called.path, 'http://pages').pathname.endsWith(end) ? answer : undefined;
const asMember = answers('/standing', {
  status: 200,
  body: { organization: NORTHWIND, roles: ['member'], may: [], reads: ['document'], grants: [] },
});

type Of = Readonly<{ but?: (called: Called) => Answer | undefined; act?: (page: Page) => Promise<unknown> }>;
const state = (name: string, at: string, seen: string, { but, act }: Of = {}): PageState => ({
  ...{ name: `console-${name}`, path: `/org/${NORTHWIND}/${at}`, seen },
  wish: inConsole(people.ada, but),
  ...(act && { act }),
});

/** Waits until the pages around the event in the address have loaded, and the list has its row in view. */
const namedInView = async (page: Page) => {
  await page.locator('[role=grid][aria-busy=false] [role=row][aria-current=true]').waitFor();
  await pause(300); // another page of events may still arrive, and then the list moves its rows
  await eventually(async () => {
    const [row, list] = await Promise.all(
      ['[role=row][aria-current=true]', '*:has(> [role=grid])'].map((part) => page.locator(part).boundingBox()),
    );
    expect(row!.y).toBeGreaterThanOrEqual(list!.y);
    expect(row!.y + row!.height).toBeLessThanOrEqual(list!.y + list!.height);
  });
};

const states: readonly PageState[] = [
  state('history', 'history', 'MemberRemoved'),
  state('history-event', 'history?event=640', '#640', { act: namedInView }),
  state('history-filter', 'history?type=AddOnPurchased,AddOnCancelled&actor=billing', 'type:members', {
    act: async (page) => {
      await page.getByRole('combobox', { name: 'Filter' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type(' type:mem');
    },
  }),
  state('history-nothing-found', 'history?type=OrganizationClosed', 'No event of this kind. Clear filter'),
  state('history-refused', 'history', 'History is for owners and administrators. Ask Ada Jansen.', { but: asMember }),
  state('history-failed', 'history', 'History: unavailable right now.', { but: answers('/events', fault) }),
  state('history-past', 'history?asOf=1191', '92 later events are not recorded yet at this moment.'),
  state(
    'history-window',
    'history?event=640',
    'The list shows the events #0 to #199,999 of 250,001 events. Later events',
    {
      but: answers('/entitlements', { status: 200, body: { ...sampleEntitlements, revision: 250_000 } }),
      act: namedInView,
    },
  ),
  state('event', 'history/1191', 'computed here: the same', {
    act: (page) => page.getByText('Event as JSON').click(),
  }),
  state(
    'compare',
    'compare?from=1190&to=1283&valid=2026-05-02T00:00:00.000Z',
    'back-dated: in force from Apr 28, 2026, 12:00:00 AM UTC',
  ),
  state(
    'compare-unreadable',
    'compare?from=2026-02-30T00:00:00Z&to=7',
    'The address contains no two moments that exist.',
  ),
  state('changes', `changes?path=/members/${BEN}`, 'Look at that moment'),
  state('changes-limit', 'changes?path=/limits/users', 'after: used: 7'),
  state('event-beyond', 'history/9999', 'The history has no such event yet.'),
];

/** By the name of each state: a Finnish text that the page shows in this state. */
const finnish: Readonly<Record<string, string>> = {
  'console-history-past': '92 myöhempää tapahtumaa ei ollut vielä kirjattu tällä hetkellä.',
  'console-history-window':
    'Luettelo näyttää tapahtumat #0–#199\u00a0999. Tapahtumia on kaikkiaan 250\u00a0001. Myöhemmät tapahtumat',
  'console-event': 'laskettu täällä: sama',
  'console-compare': 'Rajat',
  'console-changes': 'Katso sitä hetkeä',
  'console-changes-limit': 'jälkeen: käytössä: 7',
};

/** The console pages about an organization's history, each in its states, in English and Finnish. */
export const historyStates: readonly PageState[] = alsoInFinnish(states, finnish);
