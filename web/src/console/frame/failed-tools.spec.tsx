import { screen } from '@testing-library/react';
import { NORTHWIND, people } from '../../../../test/journeys/pages/samples';
import { Console } from '../Console';
import { answeringAs, renderConsole } from '../open.testing';

jest.mock('../find/Find', () => {
  throw new Error('Failed to fetch dynamically imported module');
});
jest.mock('../live/LiveSign', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

describe('The tools of the header', () => {
  const reported = jest.fn();

  beforeEach(() => {
    Object.assign(globalThis, { reportError: reported });
    jest.spyOn(console, 'error').mockImplementation(() => undefined); // hides the errors that React logs
  });

  it('say that a dialog is unavailable if its script cannot be loaded, and the page stays', async () => {
    const { user } = await renderConsole(<Console />, {
      path: `/org/${NORTHWIND}/members`,
      answer: answeringAs(people.ada),
    });
    expect(await screen.findByRole('heading', { level: 1, name: 'Members' })).toBeVisible();
    await user.keyboard('{Control>}k{/Control}');
    expect(await screen.findByText('Find or do: unavailable right now.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Members' })).toBeVisible();
    await user.keyboard('{Control>}.{/Control}');
    expect(await screen.findByRole('complementary', { name: 'Requests' })).toBeVisible();
    expect(screen.queryByText('Find or do: unavailable right now.')).toBeNull();
    expect(reported).toHaveBeenCalledWith(
      expect.objectContaining({ message: expect.stringMatching(/^Failed to fetch/) }),
    );
  });
});
