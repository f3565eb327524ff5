import { screen } from '@testing-library/react';
import { NORTHWIND, people } from '../../../../test/journeys/pages/samples';
import { Console } from '../Console';
import { answeringAs, renderConsole } from '../open.testing';

jest.mock('../organization/sites/Sites', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

describe('A page whose script cannot be loaded', () => {
  it('says so, offers to reload, reports the error, and leaves the other pages as they are', async () => {
    const reported = jest.fn();
    Object.assign(globalThis, { reportError: reported });
    jest.spyOn(console, 'error').mockImplementation(() => undefined); // hides the error that React logs
    const { user } = await renderConsole(<Console />, {
      path: `/org/${NORTHWIND}/sites`,
      answer: answeringAs(people.ada),
    });
    expect(await screen.findByText("We can't load this page.")).toBeVisible();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
    expect(reported).toHaveBeenCalledWith(
      expect.objectContaining({ message: expect.stringMatching(/^Failed to fetch/) }),
    );
    await user.click(screen.getByRole('link', { name: 'Members' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Members' })).toBeVisible();
    expect(screen.queryByText("We can't load this page.")).toBeNull();
  });
});
