import { I18nProvider } from '@lingui/react';
import { hydrateRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { BrowserRouter } from 'react-router-dom';
import { messages as english } from '../locales/sign-in/en.po';
import { pageConfigOf } from './page-config';
import { fetchWhenIdle, http } from './http';
import { mergedMessages, type Catalogues, loadFirstLanguage, languageChanger } from './languages';
import { reportErrors } from './reporting/report';
import { SignIn } from './sign-in/SignIn';
import { createSignInStore } from './sign-in/store';
import { takeLinkToken, takeSignedOut } from './sign-in/arrival';
import { type BrowserPorts, BrowserPortsContext } from './sign-in/browser-ports';
import { openDocument } from './sign-in/redirect';
// the styles of the parts that only the prerendered document contains
import './sign-in/frame/FirstAccount.css';
import './sign-in/frame/Showcase.css';
import './styles/index.css';

const catalogues: Catalogues = {
  en: () => Promise.resolve({ messages: english }),
  fi: () => import('../locales/sign-in/fi.po'),
};

/** The pages of mailed links are in a separate chunk, and their translated messages are in separate files. */
const withLinks = (): Catalogues => {
  const links: Catalogues = {
    en: () => import('../locales/links/en.po'),
    fi: () => import('../locales/links/fi.po'),
  };
  return {
    en: () => mergedMessages(catalogues.en(), links.en()),
    fi: () => mergedMessages(catalogues.fi(), links.fi()),
  };
};

/** Hydrates the HTML from the server, so that the person's input stays and the layout does not shift. */
async function start(): Promise<void> {
  if (location.hash) void import('./sign-in/keep-draft').then(({ keepDraft }) => keepDraft(window));
  const isLink = /^\/(reset|invitation|email)\b/.test(location.pathname);
  const words = isLink ? withLinks() : catalogues;
  const [i18n, pages] = await Promise.all([
    loadFirstLanguage(words, document),
    isLink ? import('./sign-in/links/LinkPages') : undefined,
  ]);
  const ports: BrowserPorts = {
    facts: pageConfigOf(document),
    post: async (path, body) => (await http()).post(path, body),
    go: (address) => openDocument(location, address),
    prefetch: (addresses) => addresses.forEach(prefetch),
    linkToken: takeLinkToken(window),
    wasSignedOut: takeSignedOut(window),
    speak: languageChanger(words, document, i18n),
    carried: { email: '' },
  };
  hydrateRoot(
    document.getElementById('root')!,
    <I18nProvider i18n={i18n}>
      <Provider store={createSignInStore(ports)}>
        <BrowserPortsContext value={ports}>
          <BrowserRouter>
            <SignIn {...(pages && { linkPages: pages.LinkPages })} />
          </BrowserRouter>
        </BrowserPortsContext>
      </Provider>
    </I18nProvider>,
  );
  fetchWhenIdle();
}

function prefetch(href: string): void {
  document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href }));
}

reportErrors(document);
start().catch((error: unknown) => {
  document.querySelector('script[type=module]')?.dispatchEvent(new Event('error')); // for `early.js`
  throw error; // for the error report
});
