import { screen } from '@testing-library/react';
import { NORTHWIND, people } from '../../../../test/journeys/pages/samples';
import { Console } from '../Console';
import { answeringAs, renderConsole } from '../open.testing';

jest.mock('./LiveUpdates', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

describe('Live updates', () => {
  it('say that they are unavailable if their script cannot be loaded, and the page stays', async () => {
    Object.assign(globalThis, { reportError: jest.fn() });
    jest.spyOn(console, 'error').mockImplementation(() => undefined); // hides the error that React logs
    const { user } = await renderConsole(<Console />, {
      path: `/org/${NORTHWIND}/overview`,
      answer: answeringAs(people.ada),
    });
    expect(
      await screen.findByText('This page does not show new events, because a part of the page did not load.'),
    ).toBeVisible();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
    expect(await screen.findByText('stopped')).toBeVisible();
    await user.click(await screen.findByRole('link', { name: 'Members' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Members' })).toBeVisible();
  });
});
