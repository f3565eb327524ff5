import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { I18nProvider } from '@lingui/react';
import { setupI18n } from '@lingui/core';
import { Search } from '../chooser/Search';

/**
 * A page whose address changes later than its search field. Each call of `arrive` applies the oldest waiting change to
 * the address.
 */
function renderSearch() {
  const changes: string[] = [];
  let set: (text: string) => void = () => undefined;
  function Page() {
    const [value, setValue] = useState('');
    set = setValue;
    return <Search label="Search" value={value} onChange={(text) => changes.push(text)} />;
  }
  render(
    <I18nProvider i18n={setupI18n({ locale: 'en', messages: { en: {} } })}>
      <MemoryRouter>
        <Page />
      </MemoryRouter>
    </I18nProvider>,
  );
  return { changes, arrive: () => act(() => set(changes.shift()!)), go: (text: string) => act(() => set(text)) };
}
const field = () => screen.getByRole('searchbox');
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });

describe('A search field whose text the address contains', () => {
  it('keeps each letter of a person who types faster than the address changes', () => {
    const { changes, arrive } = renderSearch();
    for (const text of ['b', 'be']) type(text);
    expect(field()).toHaveValue('be');
    arrive();
    expect(field()).toHaveValue('be');
    type('ben');
    expect(changes).toEqual(['be', 'ben']);
    for (let left = 0; left < 2; left += 1) arrive();
    expect(field()).toHaveValue('ben');
  });

  it('shows the new text if the address changes without typing, for example with Back', () => {
    const { arrive, go } = renderSearch();
    type('ben');
    arrive();
    go('');
    expect(field()).toHaveValue('');
    go('ada');
    expect(field()).toHaveValue('ada');
  });

  it('shows a text from the address after the person has typed the same text and deleted it', () => {
    const { go } = renderSearch();
    for (const text of ['b', '']) type(text);
    go('b');
    expect(field()).toHaveValue('b');
  });
});
