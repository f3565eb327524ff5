import { act, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Route, Routes, useLocation, useNavigate } from 'react-router-dom';
import { NORTHWIND, people } from '../../../../test/journeys/pages/samples';
import { answeringAs, type ConsoleReply, renderConsole, type SentRequest } from '../open.testing';
import { OrganizationRoutes } from './OrganizationRoutes';

/**
 * Opens a page of the sample organization. `but` answers some requests; if it returns undefined, the request gets the
 * sample answer. `beside` is rendered above the page.
 * @param path the path below `/org/:id`, with query string and fragment
 */
export async function openOrganization(
  path: string,
  but: (request: SentRequest) => ConsoleReply | Promise<ConsoleReply> | undefined = () => undefined,
  beside?: ReactNode,
) {
  const answer = (request: SentRequest) => but(request) ?? answeringAs(people.ada)(request);
  const opened = await renderConsole(
    <>
      <Address />
      {beside}
      <Routes>
        <Route path="/org/:id/*" element={<OrganizationRoutes />} />
        <Route path="*" element={null} />
      </Routes>
    </>,
    { answer, path: `/org/${NORTHWIND}${path}` },
  );
  await act(() => Promise.resolve());
  return {
    ...opened,
    address: () => screen.getByTestId('address').textContent,
    back: () =>
      act(
        () =>
          new Promise((arrived) => {
            window.addEventListener('popstate', arrived, { once: true });
            screen.getByTestId('back').click();
          }),
      ),
  };
}

function Address() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  return (
    <>
      <output data-testid="address" hidden>{`${pathname.replace(`/org/${NORTHWIND}`, '')}${search}${hash}`}</output>
      <button type="button" data-testid="back" hidden onClick={() => void navigate(-1)} />
    </>
  );
}
