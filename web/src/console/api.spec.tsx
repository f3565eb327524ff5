import { act, screen } from '@testing-library/react';
import { type ConsoleReply, renderConsole, type SentRequest } from './open.testing';
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
