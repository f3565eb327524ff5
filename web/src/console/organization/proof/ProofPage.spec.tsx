import { screen, within } from '@testing-library/react';
import { rightsOf } from '../../../../../test/journeys/pages/samples';
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
