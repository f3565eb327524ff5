import type { Steps } from '@charter/client';
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { Link, Route, Routes, useLocation, useNavigate } from 'react-router-dom';
import { answering, NORTHWIND, people } from '../../../../../test/journeys/pages/samples';
import { type ConsoleReply, renderConsole, type SentRequest } from '../../open.testing';
import { OrganizationFrame } from '../../organization/OrganizationFrame';
import { PlanCard } from '../../overview/PlanCard';
import { useWords } from '../../words';
import { OtherSide } from '../OtherSide';
import { type Scrubbed, ScrubbedContext } from '../scrubbing';
import { TimeBarPlace } from './TimeBarPlace';

export const organization = `/api/v1/organizations/${NORTHWIND}`;
const present = answering(people.ada);
const body = (path: string) => (present({ method: 'GET', path, body: undefined, xsrf: '' }) as { body: object }).body;
const document = body(organization) as { name: string };
export const presentEntitlements = body(`${organization}/entitlements`) as { limits: { users: object } };

export const hash = (revision: number) => String(revision).padStart(4, '0').repeat(16);
export const at = (revision: number) => new Date(Date.UTC(2026, 0, 1) + revision * 60_000).toISOString();
const step = (revision: number): Steps['steps'][number] => ({
  ...{ revision, at: at(revision), type: 'OrganizationRenamed', about: ['name'], hash: hash(revision) },
  actor: { kind: 'billing', id: 'stripe' },
  document: [{ op: 'replace', path: '/name', before: `Name ${revision - 1}`, value: `Name ${revision}` }],
  entitlements: [],
});
const documentAt = (revision: number) => ({
  ...document,
  revision,
  at: at(revision),
  name: `Name ${revision}`,
  ...lists,
});
const lists = { members: [], sites: [], addOns: [], qualityAssurance: { domains: [] }, webAnalytics: { domains: [] } };
const entitlementsAt = (revision: number) => ({ ...presentEntitlements, revision, at: at(revision) });
const keyed = { members: {}, sites: {}, addOns: {}, qualityAssurance: { domains: {} }, webAnalytics: { domains: {} } };

const HEAD = 1283;
/** The events that changed the list of domains. */
const ABOUT_DOMAINS = [40, 700, 1250];
const marks = [
  { revision: 700, at: at(700), type: 'PlanAssigned', group: 'plan', backDated: true },
  { revision: 800, at: at(800), type: 'AddOnPurchased', group: 'add-ons' },
  { revision: 900, at: at(900), type: 'LimitsConfigured', group: 'limits' },
  { revision: 1000, at: at(1000), type: 'HardLimitsOverridden', group: 'limits' },
  { revision: 1100, at: at(1100), type: 'OrganizationClosed', group: 'founding' },
];
export const timeline = {
  organization: NORTHWIND,
  first: { revision: 0, at: at(0) },
  last: { revision: HEAD, at: at(HEAD) },
  bins: [
    { first: 0, last: 641, from: at(0), to: at(641), events: 642, groups: { founding: 1, settings: 641 } },
    { first: 642, last: HEAD, from: at(642), to: at(HEAD), events: 642, groups: { plan: 1, settings: 641 } },
  ],
  marks,
  marksInAll: 5,
  over: [{ resource: 'users', from: { revision: 900, at: at(900) }, to: null, most: 3 }],
  overInAll: 1,
  signed: { at: at(HEAD), events: 1281 },
  ahead: [{ at: '2026-12-31T00:00:00.000Z', what: 'override-ends', event: 1190 }],
};
export const standing = {
  organization: NORTHWIND,
  roles: ['owner'],
  may: [],
  reads: ['document', 'history'],
  grants: [],
};

/** The last event at or before a moment, or the event with this number. */
const revisionOf = (asOf: string): number =>
  asOf.includes('T') ? Math.min(HEAD, Math.floor((Date.parse(asOf) - Date.parse(at(0))) / 60_000)) : Number(asOf);

/** A service with a history in which each event renames the organization. */
export function service({ method, url, params }: SentRequest): ConsoleReply {
  const revision = revisionOf(params['asOf'] ?? params['from'] ?? '');
  if (url === `${organization}/standing`) return { status: 200, data: standing };
  if (params['asOf'] === '9999') return { status: 400, data: { type: '/problems/unknown-revision' } };
  if (params['asOf']?.startsWith('1999')) return { status: 404, data: { type: '/problems/no-such-organization' } };
  if (url === `${organization}/timeline`) return { status: 200, data: timeline };
  if (params['about'] !== undefined) {
    const found = ABOUT_DOMAINS.filter((one) =>
      params['order'] === 'oldest' ? one >= revision : one <= Number(params['to']),
    );
    const nearest = params['order'] === 'oldest' ? found[0] : found.at(-1);
    const isWebAnalytics = params['about'] === '/webAnalytics/domains';
    const events = nearest !== undefined && isWebAnalytics ? [{ ...step(nearest), metadata: step(nearest) }] : [];
    return { status: 200, data: { events, next: null } };
  }
  if (url === `${organization}/events` && params['from'] === undefined)
    return { status: 200, data: { events: [], next: null } };
  if (url === `${organization}/events`) {
    const { type, actor } = step(revision);
    const metadata = { actor, at: at(revision), hash: hash(revision) };
    return { status: 200, data: { events: [{ revision, type, metadata }], next: null } };
  }
  if (url === `${organization}/steps`) {
    const to = Math.min(HEAD, revision + 200);
    const steps = Array.from({ length: to - revision }, (_, index) => step(revision + 1 + index));
    const base = { document: { ...documentAt(revision), ...keyed }, entitlements: entitlementsAt(revision) };
    return { status: 200, data: { organization: NORTHWIND, from: revision, to, base, steps } };
  }
  if (params['asOf'] !== undefined && url === organization) return { status: 200, data: documentAt(revision) };
  if (params['asOf'] !== undefined) return { status: 200, data: entitlementsAt(revision) };
  const { status, body: data } = present({ method, path: url, body: undefined, xsrf: '' }) as {
    status: number;
    body: object;
  };
  return { status, data };
}

/**
 * The parts of the overview that show the moment of the page. The other parts of the overview would send additional
 * requests.
 */
function Page() {
  const [scrubbed, setScrubbed] = useState<Scrubbed>();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const { compared } = useWords();
  return (
    <ScrubbedContext value={scrubbed}>
      <TimeBarPlace id={NORTHWIND} onScrub={setScrubbed} />
      <OrganizationFrame
        title="Overview"
        heading={({ organization: { data }, other }) => data && compared(data.name, other?.document?.name)}
      >
        {({ organization: { data }, other }) =>
          data && <PlanCard id={NORTHWIND} organization={data} other={other?.document} entitlements={undefined} />
        }
      </OrganizationFrame>
      <output title={pathname}>{search}</output>
      <button type="button" data-testid="back" hidden onClick={() => void navigate(-1)} />
      <Link to={`/org/${NORTHWIND}/plan`}>Another page</Link>
      <Link to="/">Another organization</Link>
    </ScrubbedContext>
  );
}
type Answer = (request: SentRequest) => ConsoleReply | Promise<ConsoleReply>;

export async function openBar(search = '', answer: Answer = service, place = 'overview') {
  const page = (
    <Routes>
      <Route
        path="/org/:id/*"
        element={
          <OtherSide>
            <Page />
          </OtherSide>
        }
      />
      <Route path="/" element={null} />
    </Routes>
  );
  return renderConsole(page, { answer, path: `/org/${NORTHWIND}/${place}${search}` });
}
export const heading = () => screen.findByRole('heading', { level: 1 });
export const address = () => window.document.querySelector('output')!.textContent;
export const settled = () => act(() => new Promise((resolve) => setTimeout(resolve, 250)));
export const asksFor = (sent: readonly SentRequest[], rest: string) =>
  sent.filter(({ url }) => url.endsWith(rest)).length;

export async function opensSlider(): Promise<HTMLElement> {
  fireEvent.keyDown(window.document.body, { key: 't' });
  return screen.findByRole('slider');
}
