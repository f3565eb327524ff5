import { screen, within } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { answering, NORTHWIND, people } from '../../../../test/journeys/pages/samples';
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

const opened = (path: string) =>
  renderConsole(
    <>
      <Address />
      <Routes>
        <Route path="/org/:id/*" element={<OrganizationRoutes />} />
      </Routes>
    </>,
    { answer, path: `/org/${NORTHWIND}${path}` },
  );

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{`${pathname.replace(`/org/${NORTHWIND}`, '')}${search}`}</output>;
}

const address = () => screen.getByRole('status', { name: 'address' });
const nav = () => within(screen.getByRole('navigation', { name: 'Pages of the organization' }));

describe('The navigation of an organization', () => {
  it('marks the page that is open', async () => {
    await opened('/domains');
    expect(await screen.findByRole('heading', { level: 1, name: 'Domains' })).toBeVisible();
    expect(nav().getByRole('link', { name: 'Domains' })).toHaveAttribute('aria-current', 'page');
    expect(nav().getByRole('link', { name: 'Overview' })).not.toHaveAttribute('aria-current');
  });

  it('keeps the moment, and drops the rest of the query', async () => {
    await opened('/overview?asOf=1191&why=users');
    const href = `/org/${NORTHWIND}/domains?asOf=1191`;
    expect(nav().getByRole('link', { name: 'Domains' })).toHaveAttribute('href', href);
  });

  it('leads from the address of an organization to its overview, at the same moment', async () => {
    await opened('?asOf=1191');
    expect(address()).toHaveTextContent('/overview?asOf=1191');
  });
});
