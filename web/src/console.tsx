import { I18nProvider } from '@lingui/react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { BrowserRouter } from 'react-router-dom';
import './styles/index.css';
import { messages as english } from '../locales/console/en.po';
import { Console } from './console/Console';
import { restoreDraft } from './console/restore-draft';
import { ConsoleConfigContext } from './console/page-config-context';
import { newStore } from './console/store';
import { applyAccountChoices } from './choices/account-choices';
import { followTheme } from './choices/theme';
import { pageConfigOf } from './page-config';
import { hasFirstAnswers } from './console/requests/first-answers';
import { prepareFirstRendering } from './console/requests/first-rendering';
import { fetchWhenIdle, http } from './http';
import { type Catalogues, languageChanger, loadFirstLanguage } from './languages';
import { reportErrors } from './reporting/report';

const catalogues: Catalogues = {
  en: () => Promise.resolve({ messages: english }),
  fi: () => import('../locales/console/fi.po'),
};

async function start(): Promise<void> {
  // Loads axios early, unless the first answers are enough for the page. If axios does not load, the first request
  // reports the failure.
  if (hasFirstAnswers()) fetchWhenIdle();
  else void http().catch(() => undefined);
  const i18n = await loadFirstLanguage(catalogues, document);
  const store = newStore();
  if (hasFirstAnswers()) await prepareFirstRendering(store.dispatch, window.location.pathname, i18n);
  const facts = {
    facts: pageConfigOf(document),
    i18n,
    speak: languageChanger(catalogues, document, i18n),
  };
  createRoot(document.getElementById('root')!).render(
    <I18nProvider i18n={i18n}>
      <Provider store={store}>
        <ConsoleConfigContext value={facts}>
          <BrowserRouter>
            <Console />
          </BrowserRouter>
        </ConsoleConfigContext>
      </Provider>
    </I18nProvider>,
  );
}

reportErrors(document);
followTheme(document);
applyAccountChoices(document);
restoreDraft(window);
void start();
