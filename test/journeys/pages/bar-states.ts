import type { Page } from 'playwright-core';
import type { Answer, Called } from '../../support/pages/built-pages';
import { alsoInFinnish, inConsole, type PageState } from './page-state';
import { fault, NORTHWIND, people } from './samples';

const atPath = (end: string, query: string, answer: Answer) => (called: Called) => {
  const { pathname, search } = new URL(called.path, 'http://pages');
  return pathname.endsWith(end) && search.includes(query) ? answer : undefined;
};
const tooMany: Answer = {
  status: 429,
  body: { type: '/problems/too-many-at-once', instance: 'a-request' },
  headers: { 'retry-after': '3600' },
};
const minute = (moment: string) => String(Date.parse(moment) / 60_000);
const opensBar = (page: Page) => page.getByRole('button', { name: 'Look back' }).click();
const opensLegend = (page: Page) => page.getByText('Legend').click();

type Of = Pick<PageState, 'name' | 'seen' | 'act'> &
  Readonly<{ at?: string; but?: (called: Called) => Answer | undefined }>;
const state = ({ name, at = '?asOf=1191', seen, act, but }: Of): PageState => ({
  ...{ name: `console-bar-${name}`, path: `/org/${NORTHWIND}/overview${at}`, seen },
  wish: inConsole(people.ada, but),
  ...(act && { act }),
});

const states: readonly PageState[] = [
  state({
    name: 'waits',
    but: atPath('', 'asOf=1100', tooMany),
    act: async (page) => {
      await opensBar(page);
      await page.getByRole('slider').fill('1100');
    },
    seen: 'The service has asked this page to wait. The page asks again in 60 minutes.',
  }),
  state({
    name: 'page-waits',
    but: atPath('', 'asOf=1191', tooMany),
    seen: 'The service has asked this page to wait. The page asks again in 60 minutes.',
  }),
  state({
    name: 'timeline-failed',
    but: atPath('/timeline', '', fault),
    act: opensBar,
    seen: 'The picture of the history: unavailable right now.',
  }),
  state({
    name: 'other-history',
    at: '?asOf=1191&head=1191.0000000000000000',
    seen: 'This is not the history with which the link was made.',
  }),
  state({
    name: 'shorter-history',
    at: '?asOf=1300&head=1300.0000000000000000',
    but: atPath('', 'asOf=1300', { status: 400, body: { type: '/problems/unknown-revision' } }),
    seen: 'This is not the history with which the link was made.',
  }),
  state({
    name: 'unreadable-evidence',
    at: '?asOf=1191&head=1191',
    seen: 'This page cannot compare the history with the link, because a hash is not readable.',
  }),
  state({ name: 'other-comparison', at: '?asOf=1191&vs=1280', seen: '5 (at #1,280: 7) of 8' }),
  state({
    name: 'unknown-comparison',
    at: '?asOf=1191&vs=yesterday',
    seen: 'The address asks for a comparison with a moment that this history does not have. This page compares nothing.',
  }),
  state({
    name: 'by-time',
    act: async (page) => {
      await opensBar(page);
      await page.getByLabel('By time').check();
      await page.getByRole('slider', { name: 'Moment of recording' }).fill(minute('2026-05-09T21:33:00Z'));
    },
    seen: 'Charter recorded no event at exactly May 9, 2026, 9:33:00 PM UTC. The last event before this moment counts.',
  }),
  state({
    name: 'highlight',
    act: async (page) => {
      await opensBar(page);
      await page.getByLabel('Highlight').selectOption('Members');
      await opensLegend(page);
    },
    seen: 'in force from before it was recorded',
  }),
  state({
    name: 'future',
    at: '?valid=2026-12-01T00:00:00.000Z',
    act: async (page) => {
      await opensBar(page);
      await opensLegend(page);
    },
    seen: 'Signed up to #1,280. The override ends at Dec 31, 2026, 9:00:00 AM UTC. Nothing else is scheduled.',
  }),
  state({
    name: 'table',
    act: async (page) => {
      await opensBar(page);
      await page.getByText('Show as table').click();
    },
    seen: 'Groups',
  }),
  state({ name: 'both', at: '?asOf=1191&valid=2026-05-02T00:00:00.000Z', act: opensBar, seen: 'Both' }),
];

/** By the name of each state: a Finnish text that the page shows in this state. */
const finnish: Readonly<Record<string, string>> = {
  'console-bar-other-history': 'Tämä ei ole se historia, jolla linkki tehtiin.',
  'console-bar-both': 'Nykyhetkeen',
  'console-bar-page-waits': 'Palvelu pyysi tätä sivua odottamaan. Sivu kysyy uudelleen 60 minuutin kuluttua.',
};

/** The states of the time bar, some also in Finnish. */
export const barStates: readonly PageState[] = alsoInFinnish(states, finnish);
