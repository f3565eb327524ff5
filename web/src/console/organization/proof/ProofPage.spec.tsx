import { screen, within } from '@testing-library/react';
import { rightsOf } from '../../../../../test/journeys/pages/samples';
import { announcements } from '../../announcements.testing';
import { openOrganization } from '../open-organization.testing';

const signature = async () => within(await screen.findByRole('region', { name: 'Signature' }));
const withSigned = (signed: object | null) =>
  openOrganization('/proof', ({ url }) =>
    url.endsWith('/timeline')
      ? { status: 200, data: { organization: 'o', last: { revision: 9, at: '2026-11-21T09:00:00.000Z' }, signed } }
      : undefined,
  );

describe('The signature on the proof page, before the server verifies', () => {
  it('shows when the last checkpoint was signed, and how many events it covers and does not cover', async () => {
    await withSigned({ at: '2026-11-20T09:00:00.000Z', events: 7 });
    const line = /^Signed on Nov 20, 2026, .*, over the first 7 events\. 3 newer events are not covered yet\.$/;
    expect(await (await signature()).findByText(/^Signed on /)).toHaveTextContent(line);
    expect((await signature()).getByText('Not checked')).toBeVisible();
  });

  it('says when the first checkpoint comes if no checkpoint covers the events yet', async () => {
    await withSigned(null);
    const line = 'Not signed yet. The first checkpoint comes within 1 hour.';
    expect(await (await signature()).findByText(line)).toBeVisible();
  });
});

/** Opens the page, starts the verification on the server, and answers it with this verdict on six events. */
async function verifiedWith(verdict: object) {
  const lines = [{ done: 0, total: 6 }, { done: 6, total: 6 }, verdict].map((line) => `${JSON.stringify(line)}\n`);
  const { user } = await openOrganization('/proof');
  const [start] = await screen.findAllByRole('button', { name: 'Verify on the server' });
  await screen.findByText(/^Signed on |^Not signed yet/);
  const announced = announcements();
  jest.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(answerIn(lines)));
  await user.click(start!);
  return announced;
}

describe('The verification on the server (U10)', () => {
  it('announces the verdict on the chain once and the verdict on the read model once, and no progress', async () => {
    const head = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
    const readModel = { ok: false, reason: 'it is not what a replay of its stream gives' };
    const verdict = { ok: false, at: null, reason: 'the read model differs', events: 6, head, signed: null, readModel };
    const announced = await verifiedWith(verdict);
    await screen.findByText(/not what a replay/);
    expect(announced).toEqual([expect.stringMatching(/^6 events form one chain/), expect.stringMatching(/replay/)]);
    expect(within(screen.getByRole('region', { name: 'Chain of events' })).getByText('Verified')).toBeVisible();
  });

  it('shows the reason of a failure that names no revision, and shows no signature', async () => {
    const reason = 'The last signed checkpoint is invalid: its stored heads were changed after it was signed.';
    await verifiedWith({ ok: false, at: null, reason });
    expect(await screen.findByText(reason)).toBeVisible();
    expect(within(screen.getByRole('region', { name: 'Chain of events' })).getByText('Broken')).toBeVisible();
    expect((await signature()).getByText('Not checked')).toBeVisible();
    expect(screen.queryByText(/^Signed on |^Not signed yet/)).toBeNull();
  });
});

/** A successful answer whose body arrives in these pieces. The environment of the specs has no `Response`. */
function answerIn(pieces: readonly string[]): Response {
  const left = pieces.map((piece) => new TextEncoder().encode(piece));
  const read = () => Promise.resolve({ done: left.length === 0, value: left.shift() });
  return { ok: true, status: 200, headers: new Map(), body: { getReader: () => ({ read }) } } as unknown as Response;
}

describe('The proof page of a member who may not read the history', () => {
  it('says which roles may see the proof, and offers no verification', async () => {
    await openOrganization('/proof', ({ url }) =>
      url.endsWith('/standing') ? { status: 200, data: { ...rightsOf.owner, reads: ['document'] } } : undefined,
    );
    expect(await screen.findByText('The history and its proof are for owners and administrators.')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Verify/ })).toBeNull();
    expect(screen.queryByRole('link', { name: /Proof|Readers/ })).toBeNull();
  });
});
