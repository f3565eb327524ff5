import { setupI18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { act, render, screen } from '@testing-library/react';
import { emptyPageConfig } from '../../page-config.testing';
import { FailureBoundary } from '../frame/FailureBoundary';
import { ConsoleConfigContext } from '../page-config-context';
import { WithWords } from './later-words';

const mockNetwork = { isDown: true, fetches: 0 };
jest.mock('../../../locales/proof/en.po', () => {
  mockNetwork.fetches += 1;
  if (mockNetwork.isDown) throw new Error('Failed to fetch dynamically imported module');
  return { messages: {} };
});

describe('A page whose translated messages could not be loaded', () => {
  it('loads them again when the person opens the page again, and only then', async () => {
    Object.assign(globalThis, { reportError: jest.fn() });
    jest.spyOn(console, 'error').mockImplementation(() => undefined); // hides the error that React logs
    const i18n = setupI18n({ locale: 'en', messages: { en: { 'trouble.page': "We can't load this page." } } });
    const pageAt = (place: string) => (
      <I18nProvider i18n={i18n}>
        <ConsoleConfigContext value={{ facts: emptyPageConfig, i18n, speak: () => Promise.resolve(true) }}>
          <FailureBoundary place={place}>
            {place === 'proof' ? (
              <WithWords group="proof">
                <p>the proof</p>
              </WithWords>
            ) : (
              <p>another page</p>
            )}
          </FailureBoundary>
        </ConsoleConfigContext>
      </I18nProvider>
    );
    const { rerender } = await act(async () => render(pageAt('proof')));
    expect(await screen.findByText("We can't load this page.")).toBeVisible();
    expect(mockNetwork.fetches).toBe(1);
    mockNetwork.isDown = false;
    await act(async () => rerender(pageAt('members')));
    expect(screen.getByText('another page')).toBeVisible();
    await act(async () => rerender(pageAt('proof')));
    expect(await screen.findByText('the proof')).toBeVisible();
    expect(mockNetwork.fetches).toBe(2);
  });
});
