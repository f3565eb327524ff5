import { screen, waitFor } from '@testing-library/react';
import { rightsOf } from '../../../../test/journeys/pages/samples';
import { openOrganization } from '../organization/open-organization.testing';
import type * as appendedDraft from './appended-draft';

const mockScript = { isMissing: true };
jest.mock('./appended-draft', () => {
  if (mockScript.isMissing) throw new Error('Failed to fetch dynamically imported module');
  return jest.requireActual<typeof appendedDraft>('./appended-draft');
});

describe('A control while a draft is open', () => {
  it('says that it added nothing if its script could not be loaded, and the next press adds the change', async () => {
    const { user, address } = await openOrganization('/members#draft=', ({ url }) =>
      url.endsWith('/standing') ? { status: 200, data: rightsOf.operator } : undefined,
    );
    const choosesRole = async () => {
      await user.click(await screen.findByRole('button', { name: 'Change Ben Okafor' }));
      await user.click(screen.getByRole('menuitemradio', { name: 'Owner' }));
    };
    await screen.findByRole('complementary', { name: 'Draft' });
    await choosesRole();
    expect(await screen.findByText(/^The draft does not contain this change, because/)).toBeVisible();
    mockScript.isMissing = false;
    await choosesRole();
    await waitFor(() => expect(address()).toMatch(/^\/members#draft=./));
    expect(screen.queryByText(/^The draft does not contain this change/)).toBeNull();
  });
});
