import { act, screen } from '@testing-library/react';
import { renderConsole, type SentRequest } from './open.testing';
import { useEventQuery, useEventsQuery, useOrganizationQuery, useReadersQuery } from './api';

const ID = '7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d10';

function At({ asOf }: Readonly<{ asOf: string }>) {
  useOrganizationQuery({ id: ID, moment: { asOf } });
  return null;
}

/**
 * A page that requests an organization at four past moments and at present, its readers, and events from its history.
 */
function Past() {
  useEventsQuery({ id: ID, filter: { about: '/name' } });
  useEventQuery({ id: ID, revision: 7 });
  useReadersQuery({ id: ID, filter: {} });
  const { data } = useOrganizationQuery({ id: ID, moment: {} });
  return (
    <>
      <p>{data?.name ?? 'nothing'}</p>
      {['1', '2', '3', '4'].map((asOf) => (
        <At key={asOf} asOf={asOf} />
      ))}
    </>
  );
}

describe('A page that sends requests about the history', () => {
  it('sends at most two requests that read the history at the same time, and sends all other requests without waiting', async () => {
    const ends: (() => void)[] = [];
    const isPast = ({ url, params }: SentRequest) => 'asOf' in params || /[/](events|readers)$/.test(url);
    const { sent } = await renderConsole(<Past />, {
      answer: (request) =>
        isPast(request)
          ? new Promise((resolve) => ends.push(() => resolve({ status: 200, data: { name: 'Past', events: [] } })))
          : { status: 200, data: { name: 'Northwind' } },
    });
    expect(await screen.findByText('Northwind')).toBeVisible();
    const reads = () => sent.filter(isPast).length;
    for (const expected of [2, 3, 4, 5, 6, 7, 7]) {
      expect(reads()).toBe(expected);
      await act(async () => ends.shift()!());
    }
  });
});
