import { screen } from '@testing-library/react';
import { NORTHWIND, people } from '../../../../../test/journeys/pages/samples';
import { Console } from '../../Console';
import { answeringAs, renderConsole } from '../../open.testing';

jest.mock('./TimeBar', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

describe('The time bar, if its script cannot be loaded', () => {
  it('is named in the message that replaces it, and the page stays', async () => {
    Object.assign(globalThis, { reportError: jest.fn() });
    jest.spyOn(console, 'error').mockImplementation(() => undefined); // hides the error that React logs
    await renderConsole(<Console />, { path: `/org/${NORTHWIND}/members`, answer: answeringAs(people.ada) });
    expect(await screen.findByText('Time: unavailable right now.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
    expect(await screen.findByRole('heading', { level: 1, name: 'Members' })).toBeVisible();
  });
});
