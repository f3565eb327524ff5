import { createStoredChoice } from './stored-choice';

/**
 * The colour theme of the pages: light, dark, or the theme of the system. `theme.js` already reads the stored value
 * before the first paint.
 */
export const theme = createStoredChoice('charter-theme', ['system', 'light', 'dark']);

/** Shows a page in the chosen colour theme, now and after each change of the choice. */
export function followTheme(page: Document): void {
  const show = () => {
    const chosen = theme.current();
    if (chosen === 'system') delete page.documentElement.dataset['theme'];
    else page.documentElement.dataset['theme'] = chosen;
  };
  theme.listen(show);
  show();
}
