import { screen } from '@testing-library/react';
import type * as Http from '../http';
import { openOrganization } from './organization/open-organization.testing';

const mockScript = { loads: 0, isMissing: true };
jest.mock('../http', () => {
  const { http } = jest.requireActual<typeof Http>('../http');
  return {
    http: () => {
      mockScript.loads += 1;
      const isOfSpec = mockScript.loads === 1; // the spec itself replaces the network
      return isOfSpec || !mockScript.isMissing ? http() : Promise.reject(new TypeError('Failed to fetch'));
    },
  };
});

describe('A page of the console', () => {
  it('can be loaded again if the script that sends requests could not be loaded', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined); // hides the error that Redux Toolkit logs
    const { user } = await openOrganization('/members');
    expect(await screen.findByText("We can't load this page.")).toBeVisible();
    expect(screen.queryByText(/Request id/)).toBeNull();
    expect(console.error).not.toHaveBeenCalled();
    mockScript.isMissing = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'List of members' })).toBeVisible();
  });
});
