import type { Answer, Called } from '../../support/pages/built-pages';
import { alsoInFinnish, inConsole, type PageState } from './page-state';
import { answering, NORTHWIND, people } from './samples';

const entitlements = `/api/v1/organizations/${NORTHWIND}/entitlements`;
/**
 * Whether the request asks for live updates. Such a request has no `to`, and `from` is the newest event on the page.
 */
const isFeed = ({ path }: Called) => path.endsWith(`/${NORTHWIND}/events?from=1283`);
const feed = (answer: Answer) => (called: Called) => (isFeed(called) ? answer : undefined);

const restored = feed({ status: 409, body: { type: '/problems/unknown-checkpoint' } });
const busy = feed({ status: 503, headers: { 'retry-after': '3600' } });
/** A feed with one new event. After this feed, the other answers of the service also contain the event. */
const growing = () => {
  let isGrown = false;
  return (called: Called): Answer | undefined => {
    if (isFeed(called)) {
      isGrown = true;
      const text = 'id: a-cursor\ndata: {"revision":1284}\n\n';
      return { status: 200, headers: { 'Content-Type': 'text/event-stream' }, begun: text };
    }
    if (called.path !== entitlements || !isGrown) return undefined;
    const usual = answering(people.ada)(called) as Readonly<{ body: object }>;
    return { status: 200, body: { ...usual.body, revision: 1284 } };
  };
};
/** The answer of `GET …/standing` says that the organization is parked. */
const parked = (called: Called): Answer | undefined => {
  if (!called.path.endsWith('/standing')) return undefined;
  const usual = answering(people.ada)(called) as Readonly<{ body: object }>;
  return { status: 200, body: { ...usual.body, parked: true } };
};
const forMember =
  (others: (called: Called) => Answer | undefined) =>
  (called: Called): Answer | undefined =>
    called.path.endsWith('/standing')
      ? { status: 200, body: { organization: NORTHWIND, roles: ['member'], may: [], reads: ['document'], grants: [] } }
      : others(called);
/**
 * A member may not read the feed, so the page asks for the entitlements again. Each answer to such a request has the
 * next revision.
 */
const grownOnFocus = () => {
  let asked = 0;
  return forMember((called) => {
    if (called.path !== entitlements) return undefined;
    asked += 1;
    const usual = answering(people.ada)(called) as Readonly<{ body: object }>;
    return { status: 200, body: { ...usual.body, revision: 1282 + asked } };
  });
};

type Of = Pick<PageState, 'name' | 'seen' | 'act'> &
  Readonly<{ page?: string; but: () => (called: Called) => Answer | undefined }>;
const state = ({ name, page = 'overview', seen, act, but }: Of): PageState => ({
  ...{ name: `console-live-${name}`, path: `/org/${NORTHWIND}/${page}`, seen },
  wish: () => inConsole(people.ada, but()),
  ...(act && { act }),
});

const states: readonly PageState[] = [
  state({ name: 'new-event', but: growing, seen: '1 new event ↑' }),
  state({
    name: 'new-event-member',
    page: 'members',
    but: grownOnFocus,
    act: async (page) => {
      await page.getByText('checks every 15 s').waitFor();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.evaluate("dispatchEvent(new Event('focus'))");
    },
    seen: '1 new event ↑',
  }),
  state({ name: 'reconnecting', but: () => busy, seen: 'reconnecting' }),
  state({
    name: 'parked',
    but: () => parked,
    seen: 'The service cannot update the stored answers of this organization. Its pages use its events instead. Lists of organizations may be out of date.',
  }),
  state({ name: 'restored', but: () => restored, seen: 'This store was restored to an earlier state.' }),
];

/** By the name of each state: a Finnish text that the page shows in this state. */
const finnish: Readonly<Record<string, string>> = {
  'console-live-new-event': '1 uusi tapahtuma ↑',
  'console-live-reconnecting': 'yhdistää uudelleen',
  'console-live-parked':
    'Palvelu ei voi päivittää tämän organisaation tallennettuja vastauksia. Sivut käyttävät organisaation tapahtumia. Organisaatioluettelot voivat olla vanhentuneita.',
  'console-live-restored': 'Tämä tietovarasto palautettiin aiempaan tilaan.',
};

/** The states of live updates, in English and Finnish. */
export const liveStates: readonly PageState[] = alsoInFinnish(states, finnish);
