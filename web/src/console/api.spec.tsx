import { act, screen } from '@testing-library/react';
import { type ConsoleReply, renderConsole, type SentRequest } from './open.testing';
import { useEventsQuery, useOrganizationQuery } from './api';
import { useOrganizationAnswers } from './moment/scrubbing';

const ID = '7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d10';
const POLLING_MS = 15_000;

function Name() {
  const { organization } = useOrganizationAnswers(ID);
  return <p>{organization.data?.name ?? 'nothing'}</p>;
}

/** Opens a part of a page that asks for changes every 15 seconds. */
async function opened(answer: (request: SentRequest) => ConsoleReply) {
  jest.useFakeTimers();
  const visit = await renderConsole(<Name />, { answer });
  await act(() => jest.advanceTimersByTimeAsync(100));
  return { ...visit, documents: () => visit.sent.filter(({ url }) => url.endsWith(ID)) };
}
const pass = () => act(() => jest.advanceTimersByTimeAsync(POLLING_MS));

const show = (visibility: DocumentVisibilityState) => {
  Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
  act(() => void window.dispatchEvent(new Event('visibilitychange')));
};

describe('A page that asks for changes', () => {
  afterEach(() => {
    show('visible');
    jest.useRealTimers();
  });

  it('sends the entity tag of the known answer, and keeps this answer after 304', async () => {
    let name = 'Northwind';
    const { documents } = await opened(({ ifNoneMatch }) => {
      const etag = `"${name}"`;
      return ifNoneMatch === etag ? { status: 304 } : { status: 200, data: { name }, headers: { etag } };
    });
    expect(screen.getByText('Northwind')).toBeVisible();
    await pass();
    expect(documents().map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([undefined, '"Northwind"']);
    expect(screen.getByText('Northwind')).toBeVisible();
    name = 'Northwind GmbH';
    await pass();
    expect(screen.getByText('Northwind GmbH')).toBeVisible();
  });

  it('asks nothing while its tab is hidden', async () => {
    const { documents } = await opened(() => ({ status: 200, data: { name: 'Northwind' } }));
    show('hidden');
    const before = documents().length;
    await pass();
    await pass();
    expect(documents()).toHaveLength(before);
    show('visible');
    await pass();
    expect(documents().length).toBeGreaterThan(before);
  });
});

function At({ asOf }: Readonly<{ asOf: string }>) {
  useOrganizationQuery({ id: ID, moment: { asOf } });
  return null;
}

/** Asks about four past moments, about the events of a history, and about the present. */
function Past() {
  useEventsQuery({ id: ID, filter: { about: '/name' } });
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

describe('A page that reads a history', () => {
  it('sends at most two of these requests at a time, and other requests at once', async () => {
    const ends: (() => void)[] = [];
    const isPast = ({ url, params }: SentRequest) => 'asOf' in params || url.endsWith('/events');
    const { sent } = await renderConsole(<Past />, {
      answer: (request) =>
        isPast(request)
          ? new Promise((resolve) => ends.push(() => resolve({ status: 200, data: { name: 'Past', events: [] } })))
          : { status: 200, data: { name: 'Northwind' } },
    });
    expect(await screen.findByText('Northwind')).toBeVisible();
    const reads = () => sent.filter(isPast).length;
    for (const expected of [2, 3, 4, 5, 5]) {
      expect(reads()).toBe(expected);
      await act(async () => ends.shift()!());
    }
  });
});
