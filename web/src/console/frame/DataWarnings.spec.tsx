import { screen } from '@testing-library/react';
import { people } from '../../../../test/journeys/pages/samples';
import { renderConsole } from '../open.testing';
import { DataWarnings } from './DataWarnings';

jest.mock('./RareWarnings', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

it('A warning whose script cannot be loaded says only that warnings are unavailable, and offers to reload', async () => {
  Object.assign(globalThis, { reportError: jest.fn() });
  jest.spyOn(console, 'error').mockImplementation(() => undefined); // hides the error that React logs
  await renderConsole(
    <>
      <DataWarnings />
      <h1>Page</h1>
    </>,
    { answer: () => ({ status: 200, data: { ...people.ada, id: 'q' } }) },
  );
  expect(await screen.findByText('Warnings: unavailable right now.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Page' })).toBeVisible();
});
