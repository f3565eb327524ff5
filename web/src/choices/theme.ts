import { createStoredChoice } from './stored-choice';

/** The colours of the pages: those of the system, light, or dark. `theme.js` reads the stored value first. */
export const theme = createStoredChoice('charter-theme', ['system', 'light', 'dark']);

/** Shows a page in the chosen colours, now and after each change. */
export function followTheme(page: Document): void {
  const show = () => {
    const chosen = theme.current();
    if (chosen === 'system') delete page.documentElement.dataset['theme'];
    else page.documentElement.dataset['theme'] = chosen;
  };
  theme.listen(show);
  show();
}
