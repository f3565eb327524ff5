import { I18nProvider } from '@lingui/react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { messages as english } from '../locales/proof/en.po';
import { messages as finnish } from '../locales/proof/fi.po';
import { type Catalogues, isLanguage, loadLanguage } from './languages';
import { VerifyPage } from './proof/VerifyPage';
import './styles/index.css';

// The public page `/verify`, which also exists as a copy in a single file. The script contains the messages of all
// languages, because the copy has no server from which it could load them.

const catalogues: Catalogues = {
  en: () => Promise.resolve({ messages: english }),
  fi: () => Promise.resolve({ messages: finnish }),
};

async function start(): Promise<void> {
  const root = document.getElementById('root')!;
  const fact = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="charter-${name}"]`)?.content;
  const isServed = fact('verify-file') !== undefined;
  const wanted = isServed ? document.documentElement.lang : navigator.language.slice(0, 2);
  const language = isLanguage(wanted) ? wanted : 'en';
  const i18n = await loadLanguage(catalogues, language);
  const page = (
    <I18nProvider i18n={i18n}>
      <VerifyPage product={fact('product') ?? 'Charter'} fileAddress={fact('verify-file')} />
    </I18nProvider>
  );
  if (isServed) {
    hydrateRoot(root, page);
    return;
  }
  document.documentElement.lang = language;
  document.title = i18n._('verify.title');
  createRoot(root).render(page);
}

void start();
