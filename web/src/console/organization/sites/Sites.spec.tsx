import { screen, waitFor, within } from '@testing-library/react';
import { Link, Route, Routes } from 'react-router-dom';
import {
  NORTHWIND,
  people,
  rightsOf,
  sampleDocument,
  sampleEntitlements,
} from '../../../../../test/journeys/pages/samples';
import { presentLists, SHOP } from '../../../../../test/journeys/pages/samples/lists';
import { ScrubbedContext } from '../../moment/scrubbing';
import { answeringAs, type ConsoleReply, nextFrames, renderConsole, saying } from '../../open.testing';
import { openOrganization } from '../open-organization.testing';
import { OrganizationRoutes } from '../OrganizationRoutes';

const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr')!);
const asMember = {
  status: 200,
  data: { organization: 'x', roles: ['member'], may: [], reads: ['document'], grants: [] },
};

describe('The sites page', () => {
  it('shows the limit, and each site with both forms of its hostname', async () => {
    await openOrganization('/sites');
    expect(await screen.findByText('4 of 3: over by 1. Nothing was removed; no more can be added.')).toBeVisible();
    const row = await rowOf('Northwind München');
    expect(row.getByText('münchen.example')).toBeVisible();
    expect(row.getByText('xn--mnchen-3ya.example')).toBeVisible();
    expect(row.getByText('weekly and monthly')).toBeVisible();
  });

  it('shows the switches of each site that differ from the plan as sold', async () => {
    await openOrganization('/sites');
    expect(await screen.findByText('Logo: Off')).toBeVisible();
    expect((await rowOf('Help Center')).getByText('nothing')).toBeVisible();
  });

  it('shows no comparison with the plan to a member without the right to read the event of the sale', async () => {
    await openOrganization('/sites', ({ url }) => (url.endsWith('/standing') ? asMember : undefined));
    expect(await screen.findByText('Help Center')).toBeVisible();
    expect(screen.queryByText('Differs from the plan')).toBeNull();
  });

  it('shows the sites with a note while their list is unavailable, and requests the list again after a press', async () => {
    let isFailing = true;
    const { user } = await openOrganization('/sites', ({ url }) =>
      url.endsWith('/sites') && isFailing ? { status: 500 } : undefined,
    );
    const note = await screen.findByText('The order of the sites is unavailable right now.');
    expect(screen.getByText('Help Center')).toBeVisible();
    isFailing = false;
    await user.click(within(note).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(note).not.toBeInTheDocument());
    expect(screen.getByText('Help Center')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Content sections' })).toHaveFocus();
  });

  it('keeps the sites while the page requests their unavailable list again', async () => {
    let answer: ConsoleReply | Promise<ConsoleReply> = { status: 500 };
    const { user } = await openOrganization('/sites', ({ url }) => (url.endsWith('/sites') ? answer : undefined));
    const note = await screen.findByText('The order of the sites is unavailable right now.');
    const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
    answer = promise;
    await user.click(within(note).getByRole('button', { name: 'Try again' }));
    await nextFrames();
    expect(screen.getByText('Help Center')).toBeVisible();
    resolve({ status: 500 });
  });

  it('names no order while the person moves the time bar, because the rows have the order of the document', async () => {
    await renderConsole(
      <ScrubbedContext value={{ revision: 1283, document: sampleDocument, entitlements: sampleEntitlements }}>
        <Routes>
          <Route path="/org/:id/*" element={<OrganizationRoutes />} />
        </Routes>
      </ScrubbedContext>,
      { answer: answeringAs(people.ada), path: `/org/${NORTHWIND}/sites?sort=-since` },
    );
    await screen.findByText('Help Center');
    expect(screen.getByRole('columnheader', { name: 'Since' })).not.toHaveAttribute('aria-sort');
  });

  it('shows all sites without a button for more sites after the next page of their list has failed', async () => {
    const { sites } = presentLists;
    const { user } = await openOrganization('/sites', ({ url, params }) => {
      if (!url.endsWith('/sites')) return undefined;
      return 'cursor' in params
        ? { status: 500 }
        : { status: 200, data: { sites: sites.slice(0, 1), next: 'c', inAll: sites.length } };
    });
    await user.click(await screen.findByRole('button', { name: /^Show more rows/ }));
    expect(await screen.findByText('The order of the sites is unavailable right now.')).toBeVisible();
    expect(screen.getByText('Help Center')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Show more rows/ })).toBeNull();
  });

  it('filters the sites by name and hostname', async () => {
    const { user, address, sent } = await openOrganization('/sites');
    await user.type(await screen.findByRole('searchbox'), 'MÜNCHEN.ex');
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
    expect(address()).toBe(`/sites#q=${encodeURIComponent('MÜNCHEN.ex')}`);
    await user.type(screen.getByRole('searchbox'), '!');
    expect(await screen.findByText('No site is called “MÜNCHEN.ex!”.')).toBeVisible();
    expect(sent.filter(({ url }) => url.endsWith('/sites')).map(({ params }) => params)).toContainEqual({
      ...{ q: 'MÜNCHEN.ex', limit: '100' },
    });
  });

  it("marks what differs between the page's moment and the present", async () => {
    await openOrganization('/sites?asOf=1191');
    expect((await rowOf('Old Catalogue')).getByText('removed since')).toBeVisible();
    expect((await rowOf('Help Center')).getByText('added later')).toBeVisible();
    expect((await rowOf('Northwind Shop')).getByText('changed since')).toBeVisible();
  });

  it('compares with a moment that the address names', async () => {
    const { sent } = await openOrganization('/sites?asOf=1191&vs=1280');
    expect((await rowOf('Old Catalogue')).getByText('removed in between')).toBeVisible();
    expect((await rowOf('Help Center')).getByText('added in between')).toBeVisible();
    const lists = sent.filter(({ url }) => url.endsWith('/sites'));
    expect(lists.map(({ params }) => params['asOf'])).toEqual(['1191', '1280']);
  });
});

describe('The page of a site', () => {
  it('shows for each of ten switches whether its value comes from the site or from the plan, and the event that set the value', async () => {
    await openOrganization(`/sites/${SHOP}`);
    expect(await screen.findAllByText('As the plan says')).toHaveLength(9);
    const logo = await rowOf('Logo');
    expect(logo.getByText('Its own value')).toBeVisible();
    expect(logo.getByText(saying('#1,210 · Jul 1, 2026'))).toBeInTheDocument();
  });

  it('shows the changes of the site, with the values of the changed switches before and after', async () => {
    await openOrganization(`/sites/${SHOP}`);
    expect(await screen.findByText('Switches: Logo: On → Logo: Off')).toBeVisible();
    expect(screen.getAllByText(/ by \u2068Ada Jansen\u2069/)).toHaveLength(2);
  });

  it('shows the switches without the reasons for their values if the reasons are unavailable', async () => {
    await openOrganization(`/sites/${SHOP}`, ({ url }) => (url.endsWith(SHOP) ? { status: 503 } : undefined));
    expect(await screen.findByText('Time filter')).toBeVisible();
    expect(screen.queryByText('As the plan says')).toBeNull();
  });

  it('says that the switches are unavailable, and loads them again after a press of the button', async () => {
    let isFailing = true;
    const { user } = await openOrganization(`/sites/${SHOP}`, ({ url }) => {
      if (url.endsWith('/standing')) return { status: 200, data: rightsOf.owner };
      return url.endsWith(SHOP) && isFailing ? { status: 500 } : undefined;
    });
    expect(await screen.findByText('Switches: unavailable right now.')).toBeVisible();
    isFailing = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findAllByRole('radio')).not.toEqual([]);
    expect(screen.queryByText('Switches: unavailable right now.')).toBeNull();
  });

  it('has no switches to change with the values of a past moment if the present values are unavailable', async () => {
    const { user } = await openOrganization(
      `/sites/${SHOP}?asOf=1191`,
      ({ url, params }) => {
        if (url.endsWith('/standing')) return { status: 200, data: rightsOf.owner };
        return url.endsWith(SHOP) && params['asOf'] === undefined ? { status: 500 } : undefined;
      },
      <Link to={`/org/${NORTHWIND}/sites/${SHOP}`}>to now</Link>,
    );
    expect(await screen.findAllByText('As the plan says')).not.toEqual([]);
    await user.click(screen.getByText('to now'));
    expect(await screen.findByRole('button', { name: 'Rename' })).toBeVisible(); // the page is of now
    await waitFor(() => expect(screen.queryAllByText('As the plan says')).toEqual([]));
    expect(screen.queryAllByRole('radio')).toEqual([]);
  });

  it('says so if no site has the id in the address', async () => {
    await openOrganization('/sites/7c1e52f0-0000-4000-8000-000000000099');
    expect(await screen.findByText('No site with this id at this moment.')).toBeVisible();
  });
});
