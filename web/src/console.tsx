import { I18nProvider } from '@lingui/react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { BrowserRouter } from 'react-router-dom';
import './styles/index.css';
import { messages as english } from '../locales/console/en.po';
import { Console } from './console/Console';
import { FactsContext } from './console/page-config-context';
import { newStore } from './console/store';
import { factsOf } from './page-config';
import { http } from './http';
import { type Catalogues, choose, isLanguage, speak } from './languages';
import { reportErrors } from './reporting/report';

const catalogues: Catalogues = {
  en: () => Promise.resolve({ messages: english }),
  fi: () => import('../locales/console/fi.po'),
};

async function start(): Promise<void> {
  void http().catch(() => undefined); // wanted at once; who needs it first says what went wrong
  const { lang } = document.documentElement;
  const i18n = await speak(catalogues, isLanguage(lang) ? lang : 'en');
  const facts = {
    facts: factsOf(document),
    speak: async (language: string) => {
      if (!isLanguage(language)) return;
      await speak(catalogues, language, i18n);
      choose(document, language);
    },
  };
  createRoot(document.getElementById('root')!).render(
    <I18nProvider i18n={i18n}>
      <Provider store={newStore()}>
        <FactsContext value={facts}>
          <BrowserRouter>
            <Console />
          </BrowserRouter>
        </FactsContext>
      </Provider>
    </I18nProvider>,
  );
}

reportErrors(document);
void start();
