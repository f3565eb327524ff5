import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import type { ConsoleReply, SentRequest } from '../../open.testing';
import { hash, heading, openBar, opensSlider, organization, service, settled } from './renamed-history.testing';

const SAME = 'This is the history with which the link was made.';
const OTHER = 'This is not the history with which the link was made.';
const UNKNOWN = 'This page cannot compare the history with the link, because a hash is not readable.';

type Events = Readonly<{ events: readonly Readonly<{ metadata: object }>[] }>;

/** A service whose history is as long as the history with which the link was made, but has other hashes. */
function otherHistory(request: SentRequest): ConsoleReply {
  const reply = service(request);
  if (request.url !== `${organization}/events`) return reply;
  const events = (reply.data as Events).events.map((event) => ({
    ...event,
    metadata: { ...event.metadata, hash: 'f'.repeat(64) },
  }));
  return { ...reply, data: { events, next: null } };
}

/** A service whose history ends before the event in the link. */
const shorterHistory =
  (last: number) =>
  (request: SentRequest): ConsoleReply => {
    const { url, params } = request;
    if (Number(params['asOf']) > last) return { status: 400, data: { type: '/problems/unknown-revision' } };
    if (url === `${organization}/events` && Number(params['from']) > last)
      return { status: 200, data: { events: [], next: null } };
    const reply = service(request);
    const isPresent = url === `${organization}/entitlements` && params['asOf'] === undefined;
    return isPresent ? { ...reply, data: { ...reply.data, revision: last } } : reply;
  };

/** The query string of the link that a person copies while the page shows event 1,191. */
async function copiedLink(): Promise<string> {
  const { user } = await openBar('?asOf=1191');
  await screen.findByText(/^As recorded by #1,191, /);
  await opensSlider();
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  await screen.findByText('Copied.');
  const { search } = new URL(await navigator.clipboard.readText());
  cleanup();
  return search;
}

describe('A copied link', () => {
  it('makes the page confirm that the history is the same as when the link was made', async () => {
    const link = await copiedLink();
    expect(link).toBe(`?asOf=1191&head=1191.${hash(1191).slice(0, 16)}`);
    await openBar(link);
    expect(await screen.findByText(SAME)).toHaveRole('status');
  });

  const inLink = hash(1191).slice(0, 16);
  it.each([
    [
      'another history of the same length',
      otherHistory,
      `Event #1,191 has the hash ffffffffffffffff…; the link names ${inLink}…. See the event`,
    ],
    [
      'another, shorter history',
      shorterHistory(900),
      `The link names event #1,191 with the hash ${inLink}…, but this history ends at #900.`,
    ],
    [
      'another history of a single event',
      shorterHistory(0),
      `The link names event #1,191 with the hash ${inLink}…, but this history ends at #0.`,
    ],
  ])('makes the page warn after %s has replaced the history, and say what differs', async (_, answer, difference) => {
    const link = await copiedLink();
    await openBar(link, answer);
    await screen.findByText(OTHER);
    expect(screen.getByRole('alert')).toHaveTextContent(`${OTHER}${difference}`);
    cleanup();
    await openBar(link.replace('asOf=1191&', ''), answer, 'history/1191');
    await screen.findByText(OTHER);
    expect(screen.getByRole('alert')).toHaveTextContent(`${OTHER}${difference}`);
  });

  it('shows a warning with a link to the event whose hash differs from the hash in the copied link', async () => {
    await openBar(`?head=1191.${'0'.repeat(16)}`);
    await screen.findByText(OTHER);
    expect(within(screen.getByRole('alert')).getByRole('link', { name: 'See the event' })).toHaveAttribute(
      'href',
      expect.stringMatching(/\/history\/1191$/),
    );
  });

  it.each([0, 7, 15])('makes the page warn if only digit %i of its hash differs', async (digit) => {
    const inHash = hash(1191).slice(0, 16);
    const changed = inHash[digit] === 'a' ? 'b' : 'a';
    await openBar(`?head=1191.${inHash.slice(0, digit)}${changed}${inHash.slice(digit + 1)}`);
    expect(await screen.findByText(OTHER)).toBeVisible();
  });

  it('is compared with the event at the revision in the link, even if the page shows the present', async () => {
    await openBar(`?head=1191.${hash(1191).slice(0, 16)}`);
    expect(await screen.findByText(SAME)).toBeVisible();
    expect(await screen.findByText(/^Now · #1,283/)).toBeVisible();
  });

  it.each([
    ['no text', ''],
    ['a revision alone', '1191'],
    ['four digits of a hash', '1191.9f2c'],
    ['a hash in capitals', '1191.9F2C81D0A1E4C07B'],
    ['a revision of 16 digits', `${'9'.repeat(16)}.9f2c81d0a1e4c07b`],
    ['10,000 characters', 'x'.repeat(10_000)],
  ])('makes the page say that it cannot compare the history if `head` contains %s', async (_, head) => {
    await openBar(`?asOf=1191&head=${head}`);
    expect(await screen.findByText(UNKNOWN)).toHaveRole('alert');
  });

  it('makes the page say that it cannot compare the history if the event is not readable', async () => {
    await openBar(`?head=1191.${hash(1191).slice(0, 16)}`, (request) =>
      request.url === `${organization}/events`
        ? { status: 200, data: { events: [{ revision: 1191, unreadable: true }], next: null } }
        : service(request),
    );
    expect(await screen.findByText(UNKNOWN)).toHaveRole('alert');
  });

  it('makes the page offer to try again, without a warning, if the service answers with an error', async () => {
    let fails = true;
    const { user } = await openBar(`?head=1191.${hash(1191).slice(0, 16)}`, (request) =>
      fails && request.params['from'] === '1191' ? { status: 500, data: {} } : service(request),
    );
    expect(await screen.findByText('The comparison with the link: unavailable right now.')).toBeVisible();
    expect(screen.queryByText(OTHER)).toBeNull();
    fails = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(SAME)).toBeVisible();
  });
});

describe('A comparison in the address', () => {
  it('with the present is shown', async () => {
    await openBar('?asOf=1191&vs=now');
    expect(await screen.findByText('Name 1191 (now Northwind GmbH)')).toBeVisible();
  });

  const ELSEWHERE = /^The address asks for a comparison with another moment than now\./;
  const UNKNOWN_MOMENT = /^The address asks for a comparison with a moment that this history does not have\./;
  const linkTo = (from: string, to: string) =>
    `/org/${organization.split('/').at(-1)}/compare?${new URLSearchParams({ from, to }).toString()}`;

  it.each([
    ['1190', 'Name 1191 (at #1,190: Name 1190)'],
    ['1200', 'Name 1191 (at #1,200: Name 1200)'],
    ['2026-01-01T00:05:00Z', 'Name 1191 (at Jan 1, 2026, 12:05:00 AM UTC: Name 5)'],
  ])('with %s is shown in place; a link leads to all differences', async (vs, name) => {
    const { sent } = await openBar(`?asOf=1191&vs=${vs}`);
    expect(await screen.findByText(name)).toBeVisible();
    expect(screen.queryByText(ELSEWHERE)).toBeNull();
    expect(await screen.findByRole('link', { name: 'Compare the two moments' })).toHaveAttribute(
      'href',
      linkTo(vs, '1191'),
    );
    const documents = sent.filter(({ url }) => url === organization);
    expect(new Set(documents.map(({ params }) => params['asOf']))).toEqual(new Set(['1191', vs, undefined]));
  });

  it.each([
    ['on a page that has no comparison', 'history', '?asOf=1191&vs=1190', linkTo('1190', '1191')],
    ['on a page of the present', 'overview', '?vs=1190', linkTo('1190', '1283')],
  ])('with another moment is not shown %s; the bar says so', async (_, place, search, link) => {
    await openBar(search, service, place);
    expect(await screen.findByText(ELSEWHERE)).toBeVisible();
    expect(await screen.findByRole('link', { name: 'Compare the two moments' })).toHaveAttribute('href', link);
  });

  it('with a revision that does not exist is not shown; the bar says so', async () => {
    await openBar('?asOf=1191&vs=9999');
    expect(await screen.findByText(UNKNOWN_MOMENT)).toBeVisible();
    await settled();
    expect(await heading()).toHaveTextContent(/^Name 1191 at #1,191$/);
    expect(screen.queryByRole('link', { name: 'Compare the two moments' })).toBeNull();
  });

  it('with a text that is not a moment is not shown; the bar says so', async () => {
    await openBar('?asOf=1191&vs=nonsense');
    expect(await screen.findByText(UNKNOWN_MOMENT)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Compare the two moments' })).toBeNull();
    fireEvent.keyDown(window.document.body, { key: 'd' });
    expect(await screen.findByText('Name 1191 (now Northwind GmbH)')).toBeVisible();
    expect(screen.queryByText(UNKNOWN_MOMENT)).toBeNull();
  });
});
