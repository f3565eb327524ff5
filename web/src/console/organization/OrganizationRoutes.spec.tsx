import { screen, waitFor, within } from '@testing-library/react';
import { Link, Route, Routes, useLocation } from 'react-router-dom';
import { answering, NORTHWIND, people, sampleEntitlements } from '../../../../test/journeys/pages/samples';
import { type ConsoleReply, renderConsole, type SentRequest } from '../open.testing';
import { OrganizationRoutes } from './OrganizationRoutes';

const answer = ({ method, url, params }: SentRequest): ConsoleReply => {
  const query = new URLSearchParams(params).toString();
  const { status, body } = answering(people.ada)({ method, path: `${url}?${query}`, body: undefined, xsrf: '' }) as {
    status: number;
    body: object;
  };
  return { status, data: body };
};

const OTHER = '7c1e52f0-0000-4000-8000-000000000000';
const unavailable: ConsoleReply = { status: 503, data: { type: '/problems/unavailable' } };

type Reply = ConsoleReply | Promise<ConsoleReply> | undefined;

const opened = (path: string, but: (request: SentRequest) => Reply = () => undefined) =>
  renderConsole(
    <>
      <Address />
      <Link to={`/org/${OTHER}/overview`}>another organization</Link>
      <Link to={`/org/${NORTHWIND}/overview?asOf=1190`}>another moment</Link>
      <Routes>
        <Route path="/org/:id/*" element={<OrganizationRoutes />} />
      </Routes>
    </>,
    { answer: (request) => but(request) ?? answer(request), path: `/org/${NORTHWIND}${path}` },
  );

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{`${pathname.replace(`/org/${NORTHWIND}`, '')}${search}`}</output>;
}

/** The sample entitlements with these numbers of domains in the two lists. */
const withDomains = (qualityAssurance: number, webAnalytics: number) => {
  const { qualityAssuranceDomains, webAnalyticsDomains, ...others } = sampleEntitlements.limits;
  return {
    ...sampleEntitlements,
    limits: {
      ...others,
      qualityAssuranceDomains: { ...qualityAssuranceDomains, used: qualityAssurance },
      webAnalyticsDomains: { ...webAnalyticsDomains, used: webAnalytics },
    },
  };
};

const address = () => screen.getByRole('status', { name: 'address' });
const nav = () => within(screen.getByRole('navigation', { name: 'Pages of the organization' }));

describe('The navigation of an organization', () => {
  afterEach(() => void Reflect.deleteProperty(window, 'matchMedia')); // jsdom has no such function

  it('marks the link to the open page', async () => {
    await opened('/domains');
    expect(await screen.findByRole('heading', { level: 1, name: 'Domains' })).toBeVisible();
    expect(nav().getByRole('link', { name: 'Domains' })).toHaveAttribute('aria-current', 'page');
    expect(nav().getByRole('link', { name: 'Overview' })).not.toHaveAttribute('aria-current');
  });

  it('keeps the moment in its links, and drops all other query parameters', async () => {
    await opened('/overview?asOf=1191&why=users');
    const href = `/org/${NORTHWIND}/domains?asOf=1191`;
    expect(nav().getByRole('link', { name: 'Domains' })).toHaveAttribute('href', href);
  });

  it('shows the number of entries beside the pages of lists, at the moment of the page', async () => {
    await opened('/settings?asOf=1191');
    const link = (name: string) => nav().getByRole('link', { name });
    await waitFor(() => expect(link('Members')).toHaveAccessibleDescription('5'));
    expect(link('Sites')).toHaveTextContent(/^Sites[0-9]+$/);
    expect(link('Plan')).toHaveTextContent(/^Plan$/);
  });

  it('adds up the domains of both lists', async () => {
    await opened('/settings', ({ url }) =>
      url.endsWith('/entitlements') ? { status: 200, data: withDomains(2, 3) } : undefined,
    );
    await waitFor(() => expect(nav().getByRole('link', { name: 'Domains' })).toHaveAccessibleDescription('5'));
  });

  it('shows no number if the service does not answer how many entries there are', async () => {
    await opened('/settings', ({ url }) => (url.endsWith('/entitlements') ? unavailable : undefined));
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    expect(nav().getByRole('link', { name: 'Members' })).toHaveTextContent(/^Members$/);
  });

  it('is a closed menu on a narrow screen, and closes after a choice', async () => {
    const media = { matches: true, addEventListener: () => undefined, removeEventListener: () => undefined };
    Object.assign(window, { matchMedia: () => media });
    const { user } = await opened('/overview');
    const menu = () => screen.getByRole('navigation', { name: 'Pages of the organization' }).querySelector('details')!;
    expect(menu().open).toBe(false);
    await user.click(nav().getByText('Overview', { selector: 'summary' }));
    expect(menu().open).toBe(true);
    await user.click(nav().getByRole('link', { name: 'Domains' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Domains' })).toBeVisible();
    expect(menu().open).toBe(false);
    expect(nav().getByText('Domains', { selector: 'summary' })).toBeVisible();
  });

  it('opens the overview at the same moment if the address names an organization but no page', async () => {
    await opened('?asOf=1191');
    expect(address()).toHaveTextContent('/overview?asOf=1191');
  });
});

describe('The pages of an organization', () => {
  it('show nothing of the previous organization if the service does not answer', async () => {
    const { user } = await opened('/overview', ({ url }) => (url.includes(OTHER) ? unavailable : undefined));
    expect(await screen.findByText('7 of 8')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'another organization' }));
    expect(await screen.findByText("We can't load this page.")).toBeVisible();
    expect(screen.queryByText('7 of 8')).toBeNull();
    expect(document.title).not.toContain('Northwind GmbH');
  });

  it('show no value of the previous moment beside a message about a failure', async () => {
    const { user } = await opened('/overview?asOf=1191', ({ url, params }) =>
      url.endsWith('/entitlements') && params['asOf'] === '1190' ? unavailable : undefined,
    );
    expect(await screen.findByText('5 (now 7) of 8')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'another moment' }));
    expect(await screen.findByText('Limits: unavailable right now.')).toBeVisible();
    expect(screen.queryByText('5 (now 7) of 8')).toBeNull();
  });

  it('include a page for an unknown address, which says that there is no page', async () => {
    await opened('/no-such-page');
    expect(await screen.findByRole('heading', { level: 1, name: 'There is no page here' })).toBeVisible();
  });

  it('name the owners whom a member without the right to audit can ask, and have a button that leads to the present', async () => {
    const { user } = await opened('/overview?asOf=1191', ({ params }) =>
      params['asOf'] === undefined ? undefined : { status: 403, data: { type: '/problems/forbidden' } },
    );
    expect(await screen.findByText('The past is for owners and administrators. Ask Ada Jansen.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Back to now' }));
    expect(await screen.findByText('7 of 8')).toBeVisible();
    expect(address()).toHaveTextContent('/overview');
  });

  it('say on which day the organization was founded, if the moment is before the founding', async () => {
    await opened('/overview?asOf=2001-01-01T00:00:00Z', ({ params }) =>
      params['asOf'] === undefined ? undefined : { status: 404, data: { type: '/problems/not-found' } },
    );
    expect(await screen.findByText('The organization was founded on Mar 4, 2019.')).toBeVisible();
  });

  it('show the number of the event that the service cannot read, and have a button that leads to the event before it', async () => {
    const { user } = await opened('/overview', ({ url, params }) =>
      url.includes(NORTHWIND) && params['asOf'] === undefined
        ? { status: 500, data: { type: '/problems/unreadable-history', instance: 'a-request', revision: 1_192 } }
        : undefined,
    );
    expect(await screen.findByRole('alert')).toHaveTextContent('Charter cannot read event #1,192 of this organization');
    await user.click(screen.getByRole('button', { name: 'Look at event #1,191' }));
    expect(await screen.findByText('5 of 8')).toBeVisible();
    expect(address()).toHaveTextContent('/overview?asOf=1191');
  });
});

describe('The heading of a page', () => {
  it('contains the number of the event at the shown moment if the page shows the past', async () => {
    await opened('/domains?asOf=1191');
    expect(await screen.findByRole('heading', { level: 1, name: 'Domains at #1,191' })).toBeVisible();
    await waitFor(() => expect(document.title).toBe('Domains at #1,191 · Northwind GmbH · Pulse'));
  });

  it('contains the moment in force if the page shows the state in force then', async () => {
    await opened(`/domains?valid=${encodeURIComponent('2026-05-02T00:00:00.000Z')}`);
    const heading = await screen.findByRole('heading', { level: 1, name: /^Domains in force at May 2, 2026/ });
    expect(heading).toBeVisible();
  });

  it('contains no moment if the page shows the same at every moment', async () => {
    await opened('/proof?asOf=1191');
    expect(await screen.findByRole('heading', { level: 1, name: 'Proof' })).toBeVisible();
  });

  it('contains no event number if the page shows the present', async () => {
    await opened('/domains');
    expect(await screen.findByRole('heading', { level: 1, name: 'Domains' })).toBeVisible();
  });
});

describe('A moment that the service refuses', () => {
  it('leads to no message about a missing organization before the service has answered for the present', async () => {
    const document = `/api/v1/organizations/${NORTHWIND}`;
    const present = Promise.withResolvers<ConsoleReply>();
    const refused: ConsoleReply = { status: 400, data: { type: '/problems/unknown-revision' } };
    await opened('/domains?asOf=9999', ({ url, params }) => {
      if (url !== document) return undefined;
      return params['asOf'] === undefined ? present.promise : refused;
    });
    expect(await screen.findByText('The chosen moment is loading.')).toBeInTheDocument();
    expect(screen.queryByText(/There is no organization here/)).toBeNull();
    present.resolve(answer({ method: 'GET', url: document, params: {}, body: undefined }));
    expect(await screen.findByText('The history has no such event yet.')).toBeVisible();
  });
});
