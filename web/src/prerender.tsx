import { I18nProvider } from '@lingui/react';
import type { Messages } from '@lingui/core';
import { renderToString } from 'react-dom/server';
import { Provider } from 'react-redux';
import { StaticRouter } from 'react-router-dom';
import { messages as consoleEn } from '../locales/console/en.po';
import { messages as consoleFi } from '../locales/console/fi.po';
import { messages as firstEn } from '../locales/first/en.po';
import { messages as firstFi } from '../locales/first/fi.po';
import { messages as linksEn } from '../locales/links/en.po';
import { messages as linksFi } from '../locales/links/fi.po';
import { messages as proofEn } from '../locales/proof/en.po';
import { messages as proofFi } from '../locales/proof/fi.po';
import { messages as showcaseEn } from '../locales/showcase/en.po';
import { messages as showcaseFi } from '../locales/showcase/fi.po';
import { messages as signInEn } from '../locales/sign-in/en.po';
import { messages as signInFi } from '../locales/sign-in/fi.po';
import { Waiting } from './console/frame/Waiting';
import type { PageConfig } from './page-config';
import { type Language, languages, loadLanguage } from './languages';
import { LinkPages } from './sign-in/links/LinkPages';
import { VerifyPage } from './proof/VerifyPage';
import { FirstAccount } from './sign-in/frame/FirstAccount';
import { Showcase } from './sign-in/frame/Showcase';
import { SignIn } from './sign-in/SignIn';
import { createSignInStore } from './sign-in/store';
import { BrowserPortsContext } from './sign-in/browser-ports';
import './styles/index.css';

/** A page rendered to HTML without a script. `pages.mjs` writes this content into a document. */
export type PrerenderedPage = Readonly<{
  name: string;
  entry: 'sign-in' | 'console' | 'verify';
  language: Language;
  title: string;
  body: string;
}>;

/**
 * Placeholders in the HTML, which the server replaces by the values of its configuration. The script reads further
 * values from <meta> elements.
 */
const placeholders: PageConfig = {
  product: '{{product}}',
  productKey: '{{product-key}}',
  release: '{{release}}',
  demo: '{{demo}}',
  googleToken: '{{google-token}}',
  redirectOrigins: [],
  account: '{{account}}',
  accountName: '{{account-name}}',
  platformRole: '{{platform-role}}',
  checkpointEvery: '{{checkpoint-every}}',
  next: [],
};

const signInMessages: Readonly<Record<Language, Messages>> = {
  en: { ...signInEn, ...linksEn, ...showcaseEn, ...firstEn },
  fi: { ...signInFi, ...linksFi, ...showcaseFi, ...firstFi },
};
const proofMessages: Readonly<Record<Language, Messages>> = { en: proofEn, fi: proofFi };
const consoleMessages: Readonly<Record<Language, Messages>> = { en: consoleEn, fi: consoleFi };

const errors = [
  { name: '', query: '' },
  { name: 'google', query: 'error=google' },
  { name: 'sso', query: 'error=sso' },
  { name: 'account', query: 'error=account' },
  { name: 'account.limit', query: 'error=account&reason=limit-exceeded' },
];
const logins = errors.flatMap(({ name, query }) =>
  ['', 'from_rns'].map((migrated) => ({
    name: ['login', name, migrated && 'migrated'].filter(Boolean).join('.'),
    path: `/login?${[query, migrated].filter(Boolean).join('&')}`,
    title: 'login.title',
    failed: name !== '',
  })),
);
const signInPages = [
  ...logins,
  { name: 'forgot', path: '/forgot', title: 'forgot.title', failed: false },
  { name: 'reset', path: '/reset', title: 'reset.title', failed: false },
  { name: 'invitation', path: '/invitation', title: 'invitation.title', failed: false },
  { name: 'confirm', path: '/email/confirm', title: 'confirm.title', failed: false },
];

export async function pages(words = signInMessages): Promise<readonly PrerenderedPage[]> {
  const all = Object.keys(languages) as Language[];
  const of = await Promise.all(
    all.map(async (language) => [
      ...(await signInOf(language, words)),
      await consoleOf(language),
      await verifyOf(language),
    ]),
  );
  return of.flat();
}

async function signInOf(language: Language, words: typeof signInMessages): Promise<readonly PrerenderedPage[]> {
  const i18n = await loadLanguage(catalogueOf(words), language);
  const showcase = renderToString(
    <Showcase words={{ en: await showcaseWords(words, 'en'), fi: await showcaseWords(words, 'fi') }} />,
  );
  const ports = {
    facts: placeholders,
    post: () => Promise.reject(new Error('The prerendering sends no requests.')),
    go: () => undefined,
    prefetch: () => undefined,
    linkToken: '',
    wasSignedOut: false,
    speak: () => Promise.resolve(),
    carried: { email: '' },
  };
  return signInPages.map(({ name, path, title, failed }) => {
    const page = i18n._(title, { product: placeholders.product });
    const explanation = renderToString(
      <I18nProvider i18n={i18n}>
        <FirstAccount />
      </I18nProvider>,
    );
    const form = renderToString(
      <I18nProvider i18n={i18n}>
        <Provider store={createSignInStore(ports)}>
          <BrowserPortsContext value={ports}>
            <StaticRouter location={path}>
              <SignIn linkPages={LinkPages} />
            </StaticRouter>
          </BrowserPortsContext>
        </Provider>
      </I18nProvider>,
    );
    return {
      name: `${name}.${language}`,
      entry: 'sign-in',
      language,
      title: failed ? i18n._('title.error', { title: page }) : page,
      body: `${name.startsWith('login') ? explanation : ''}<div id="root">${form}</div>${showcase}`,
    };
  });
}

async function showcaseWords(words: typeof signInMessages, language: Language) {
  const i18n = await loadLanguage(catalogueOf(words), language);
  const text = (id: string, values = {}) => i18n._(id, values);
  return {
    limit: text('showcase.limit'),
    reason: text('showcase.reason'),
    record: text('showcase.record', { product: placeholders.product }),
    now: text('showcase.now', { used: 7, allowed: 8 }),
  };
}

async function consoleOf(language: Language): Promise<PrerenderedPage> {
  const i18n = await loadLanguage(catalogueOf(consoleMessages), language);
  const shell = renderToString(
    <I18nProvider i18n={i18n}>
      <Waiting facts={placeholders} />
    </I18nProvider>,
  );
  return {
    name: `console.${language}`,
    entry: 'console',
    language,
    title: placeholders.product,
    body: `<div id="root">${shell}</div>`,
  };
}

async function verifyOf(language: Language): Promise<PrerenderedPage> {
  const i18n = await loadLanguage(catalogueOf(proofMessages), language);
  const page = renderToString(
    <I18nProvider i18n={i18n}>
      <VerifyPage product={placeholders.product} fileAddress={VERIFY_FILE} />
    </I18nProvider>,
  );
  return {
    name: `verify.${language}`,
    entry: 'verify',
    language,
    title: `${i18n._('verify.title')} · ${placeholders.product}`,
    body: `<div id="root">${page}</div>`,
  };
}

/** `pages.mjs` replaces this text by the address of the copy of the page in a single file. */
const VERIFY_FILE = '[[verify-file]]';

const catalogueOf = (words: Readonly<Record<Language, Messages>>) => ({
  en: () => Promise.resolve({ messages: words.en }),
  fi: () => Promise.resolve({ messages: words.fi }),
});
