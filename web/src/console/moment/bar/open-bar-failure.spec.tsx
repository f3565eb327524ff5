import { screen } from '@testing-library/react';
import { openBar } from './renamed-history.testing';

let mockFails = true;
jest.mock('./OpenBar', () => {
  if (mockFails) throw new Error('Failed to fetch dynamically imported module');
  return jest.requireActual('./OpenBar');
});

describe('The open bar', () => {
  it('says that its script could not be loaded, and loads the script again at the next opening', async () => {
    const { user } = await openBar('?asOf=1191');
    const button = await screen.findByRole('button', { name: 'Look back' });
    await user.click(button);
    expect(await screen.findByText('Look back: unavailable right now.')).toBeVisible();
    mockFails = false;
    await user.click(button);
    expect(screen.queryByText('Look back: unavailable right now.')).toBeNull();
    await user.click(button);
    expect(await screen.findByRole('slider')).toBeVisible();
  });
});
