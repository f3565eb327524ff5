import { act, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { answering, NORTHWIND, people } from '../../../../../../test/journeys/pages/samples';
import { BEN } from '../../../../../../test/journeys/pages/samples/lists';
import { type ConsoleReply, renderConsole, saying, type SentRequest } from '../../../open.testing';
import ValuePage from '../values/ValuePage';
import ComparePage from './ComparePage';

const present = ({ method, url, params }: SentRequest): ConsoleReply => {
  const path = `${url}?${new URLSearchParams(params).toString()}`;
  const { status, body } = answering(people.ada)({ method, path, body: undefined, xsrf: '' }) as {
    status: number;
    body: object;
  };
  return { status, data: body };
};
function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{`${pathname.replace(`/org/${NORTHWIND}`, '')}${search}`}</output>;
}
const opened = (path: string, answer = present) =>
  renderConsole(
    <>
      <Address />
      <Routes>
        <Route path="/org/:id/compare" element={<ComparePage />} />
        <Route path="/org/:id/changes" element={<ValuePage />} />
      </Routes>
    </>,
    { answer, path: `/org/${NORTHWIND}${path}` },
  );
const address = () => screen.getByLabelText('address').textContent;
const compared = (sent: readonly SentRequest[]) =>
  sent.filter(({ url }) => url.endsWith('/diff')).map(({ params }) => params);
const group = (name: string) => within(screen.getByRole('region', { name }));

describe('The comparison of two moments', () => {
  it('shows each change in its group, with the values before and after', async () => {
    const { sent } = await opened('/compare?from=1190&to=1283');
    await screen.findByRole('region', { name: 'Limits' });
    expect(group('Limits').getByText('7 of 8')).toBeVisible();
    expect(group('Limits').getByText('6 of 5')).toBeVisible();
    expect(await group('Members').findByText(/Ben Okafor/)).toBeVisible();
    expect(compared(sent)).toEqual([{ from: '1190', to: '1283' }]);
  });

  it('shows the causing events with their actors, and marks events that are back-dated and overrides that ended by themselves', async () => {
    await opened('/compare?from=1190&to=1283');
    await screen.findByRole('region', { name: 'Plan' });
    expect(group('Plan').getByText(/Add-on purchased by billing/)).toBeVisible();
    expect(group('Plan').getByText(saying('back-dated: in force from Apr 28, 2026, 12:00:00 AM UTC'))).toBeVisible();
    expect(group('Limits').getByText(saying('ended by itself on Oct 31, 2026, 12:00:00 AM UTC'))).toBeVisible();
    expect(group('Settings').getByText(/1 of 31 causes shown/)).toBeVisible();
    expect(group('Settings').getByRole('link', { name: 'All values' })).toHaveAttribute(
      'href',
      `/org/${NORTHWIND}/changes?path=%2Fname`,
    );
  });

  it('compares the state in force at one moment, as recorded at each end of the comparison', async () => {
    const { sent } = await opened('/compare?from=1190&to=1283&valid=2026-05-02T00:00:00.000Z');
    expect(await screen.findByText(/In force at/)).toHaveTextContent('In force at May 2, 2026, 12:00:00 AM UTC');
    expect(compared(sent)).toEqual([{ from: '1190', to: '1283', valid: '2026-05-02T00:00:00.000Z' }]);
  });

  it('shows what the last event changed if the address contains no ends, and accepts typed moments', async () => {
    const { sent, user } = await opened('/compare');
    await screen.findByRole('region', { name: 'Limits' });
    expect(compared(sent)).toEqual([{ from: '1282', to: '1283' }]);
    const from = screen.getByLabelText('From (moment or #event)');
    await user.clear(from);
    await user.type(from, '2 May 2026{Enter}');
    await waitFor(() => expect(address()).toBe('/compare?from=2026-05-02T00%3A00%3A00.000Z&to=1283'));
    expect(from).toHaveFocus();
    expect(from).toHaveValue('2026-05-02T00:00:00.000Z');
  });

  it('does not change while the person reads, even if the address contains no ends and an event is recorded', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    let revision = 1283;
    const { sent } = await opened('/compare', (request) => {
      const { status, data } = present(request);
      return { status, data: request.url.endsWith('/entitlements') ? { ...data, revision } : data! };
    });
    await screen.findByRole('region', { name: 'Limits' });
    revision = 1284;
    const before = sent.length;
    await act(() => jest.advanceTimersByTimeAsync(16_000)); // the page asks for new events every 15 seconds
    expect(sent.slice(before).some(({ url }) => url.endsWith('/entitlements'))).toBe(true);
    expect(compared(sent)).toEqual([{ from: '1282', to: '1283' }]);
    jest.useRealTimers();
  });

  it('compares nothing while the order of its ends is unknown, because the service does not answer', async () => {
    const { sent } = await opened('/compare?from=1170&to=2026-05-02T00:00:00.000Z', (request) =>
      request.params['asOf'] === undefined ? present(request) : { status: 500 },
    );
    expect(await screen.findByText('Compare: unavailable right now.')).toBeVisible();
    expect(compared(sent)).toEqual([]);
  });

  it('ignores single-key shortcuts while a dialog is open', async () => {
    const { user } = await opened('/compare?from=1190&to=1283');
    await screen.findByRole('region', { name: 'Limits' });
    const dialog = document.body.appendChild(document.createElement('dialog'));
    dialog.open = true;
    await user.keyboard('[[x');
    expect(address()).toBe('/compare?from=1190&to=1283');
    dialog.remove();
    await user.keyboard('[[');
    await waitFor(() => expect(address()).toBe('/compare?from=1190&to=1282'));
  });

  it('swaps its ends when the person presses x; the keys [ and ] move the later end', async () => {
    const { user, sent } = await opened('/compare?from=1190&to=1283');
    await screen.findByRole('region', { name: 'Limits' });
    await user.keyboard('[[');
    await waitFor(() => expect(address()).toBe('/compare?from=1190&to=1282'));
    await user.keyboard('x');
    await waitFor(() => expect(address()).toBe('/compare?from=1282&to=1190'));
    await screen.findByRole('region', { name: 'Limits' });
    expect(group('Features').getByText('on').closest('del')).not.toBeNull();
    expect(compared(sent).at(-1)).toEqual({ from: '1190', to: '1282' });
    await user.keyboard('[[');
    await waitFor(() => expect(address()).toBe('/compare?from=1281&to=1190'));
    await user.keyboard(']');
    await waitFor(() => expect(address()).toBe('/compare?from=1282&to=1190'));
  });

  it('moves the later end also if both ends are moments and the later moment comes first', async () => {
    const [early, late] = ['2026-05-02T21:33:20.000Z', '2026-11-20T09:00:00.000Z'];
    const { user } = await opened(`/compare?from=${late}&to=${early}`);
    await screen.findByRole('region', { name: 'Limits' });
    await user.keyboard('[[');
    await waitFor(() => expect(address()).toMatch(/^\/compare\?from=\d+&to=2026-05-02T21%3A33%3A20\.000Z$/));
  });

  it('keeps the moment of the page in the address when the person changes an end', async () => {
    const { user } = await opened('/compare?from=1190&to=1283&asOf=1200');
    await screen.findByRole('region', { name: 'Limits' });
    await user.keyboard('x');
    await waitFor(() => expect(address()).toBe('/compare?from=1283&to=1190&asOf=1200'));
  });

  it.each(['from=2026-02-30T00:00:00Z&to=7', 'from=nonsense&to=7'])(
    'says that an address with %s does not contain two moments, and sends no request for a comparison',
    async (search) => {
      const { sent } = await opened(`/compare?${search}`);
      expect(await screen.findByText('The address contains no two moments that exist.')).toBeVisible();
      expect(compared(sent)).toEqual([]);
    },
  );

  it.each([
    [400, /cannot be compared between these two/],
    [404, /founded later than one of the two moments/],
  ])('explains a refusal with status %i', async (status, words) => {
    await opened('/compare?from=1&to=9999', (request) =>
      request.url.endsWith('/diff') ? { status, data: { type: '/problems/refused' } } : present(request),
    );
    expect(await screen.findByText(words)).toBeVisible();
  });

  it('can be copied as Markdown and as JSON Patch', async () => {
    const { user } = await opened('/compare?from=1190&to=1283');
    await screen.findByRole('region', { name: 'Limits' });
    await user.click(screen.getByRole('button', { name: 'Copy as Markdown' }));
    const markdown = await navigator.clipboard.readText();
    expect(markdown).toContain('- Users: 7 of 8 → 6 of 5\n');
    expect(markdown).toContain('back-dated: in force from 2026-04-28T00:00:00.000Z');
    await user.click(screen.getByRole('button', { name: 'Copy as JSON Patch' }));
    expect(JSON.parse(await navigator.clipboard.readText())).toContainEqual({
      ...{ op: 'replace', path: '/name', value: 'Northwind GmbH' },
    });
  });
});

describe('The comparison of an event and a moment', () => {
  const MOMENT = '2026-05-02T00:00:00.000Z';
  /** A service for which event #1,180 is the last event at or before the moment. */
  const at1180 = (request: SentRequest): ConsoleReply => {
    const { status, data } = present(request);
    if (request.params['asOf'] === MOMENT) return { status, data: { ...data, revision: 1180 } };
    if (!request.url.endsWith('/diff')) return { status, data: data! };
    const end = (given = '') => ({ revision: given === MOMENT ? 1180 : Number(given), at: MOMENT, moment: MOMENT });
    return { status, data: { ...data, from: end(request.params['from']), to: end(request.params['to']) } };
  };

  it.each([
    [`from=1283&to=${MOMENT}`, { from: MOMENT, to: '1283' }],
    [`from=1170&to=${MOMENT}`, { from: '1170', to: MOMENT }],
    [`from=${MOMENT}&to=1170`, { from: '1170', to: MOMENT }],
  ])('asks the service for the changes from the earlier end to the later end: %s', async (search, asked) => {
    const { sent } = await opened(`/compare?${search}`, at1180);
    await screen.findByRole('region', { name: 'Limits' });
    expect(compared(sent)).toEqual([asked]);
  });

  it('moves an end that is a moment to an event when the person presses [', async () => {
    const { user } = await opened(`/compare?from=1170&to=${MOMENT}`, at1180);
    await screen.findByRole('region', { name: 'Limits' });
    await user.keyboard('[[');
    await waitFor(() => expect(address()).toBe('/compare?from=1170&to=1179'));
  });
});

describe('The JSON Patch of swapped moments', () => {
  it('turns the first shown state into the second', async () => {
    const { user } = await opened('/compare?from=1283&to=1190');
    await screen.findByRole('region', { name: 'Limits' });
    await user.click(screen.getByRole('button', { name: 'Copy as JSON Patch' }));
    expect(JSON.parse(await navigator.clipboard.readText())).toEqual([
      { op: 'replace', path: '/name', value: 'Northwind' },
      { op: 'add', path: `/members/${BEN}`, value: { role: 'member', productUser: false } },
      { op: 'remove', path: '/addOns/si_webAnalytics' },
    ]);
  });
});

describe('The link to a comparison', () => {
  it('contains both ends, and the later event with the beginning of its hash', async () => {
    const { user } = await opened('/compare');
    await screen.findByRole('region', { name: 'Limits' });
    const button = await screen.findByRole('button', { name: 'Copy link' });
    await waitFor(async () => {
      await user.click(button);
      expect(await navigator.clipboard.readText()).toMatch(
        /\/org\/[0-9a-f-]+\/compare\?from=1282&to=1283&head=1283\.[0-9a-f]{16}$/,
      );
    });
  });
});

it('The link to a comparison contains no hash of another event if the later event is unavailable', async () => {
  const { user } = await opened('/compare?from=1190&to=1282', (request) =>
    request.url.endsWith('/events') && request.params['to'] === '1283' ? { status: 500 } : present(request),
  );
  const link = async () => {
    await user.click(await screen.findByRole('button', { name: 'Copy link' }));
    return (await navigator.clipboard.readText()).replace(/.*(?=\/compare)/, '');
  };
  await waitFor(async () => expect(await link()).toMatch(/^\/compare\?from=1190&to=1282&head=1282\.[0-9a-f]{16}$/));
  await user.keyboard(']');
  await waitFor(() => expect(address()).toBe('/compare?from=1190&to=1283'));
  await waitFor(async () => expect(await link()).toBe('/compare?from=1190&to=1283'));
});

it('The comparison says so if the newest revision is unavailable, and loads it again', async () => {
  let isBroken = true;
  const { user } = await opened('/compare', (request) =>
    isBroken && request.url.endsWith('/entitlements') ? { status: 500 } : present(request),
  );
  expect(await screen.findByText('Compare: unavailable right now.')).toBeVisible();
  isBroken = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Swap (x)' })).toBeVisible();
});

describe('The changes of one value', () => {
  it('show each value with its event, newest first', async () => {
    await opened(`/changes?path=/members/${BEN}`);
    expect(await screen.findByRole('link', { name: '#1,204' })).toHaveAttribute(
      'href',
      `/org/${NORTHWIND}/history/1204`,
    );
    expect(screen.getByRole('link', { name: '#1,120' })).toBeVisible();
    expect(screen.getAllByRole('link', { name: 'Look at that moment' })[0]).toHaveAttribute(
      'href',
      `/org/${NORTHWIND}/overview?asOf=1204`,
    );
  });

  it('have a heading with the name of the value in words, and links that keep the moment of the page', async () => {
    await opened(`/changes?path=/members/${BEN}&asOf=1210`);
    expect(await screen.findByRole('heading', { level: 2, name: /Ben Okafor/ })).toBeVisible();
    expect(screen.getByText(`/members/${BEN}`)).toBeVisible();
    expect(await screen.findByRole('link', { name: '#1,204' })).toHaveAttribute(
      'href',
      `/org/${NORTHWIND}/history/1204?asOf=1210`,
    );
  });

  it('include a message if the document has no value at the path in the address', async () => {
    await opened('/changes?path=/nonsense', (request) =>
      request.url.endsWith('/changes')
        ? { status: 400, data: { type: '/problems/invalid-request' } }
        : present(request),
    );
    expect(await screen.findByText('No document has a value with this path.')).toBeVisible();
  });
});
