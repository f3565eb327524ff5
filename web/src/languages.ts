import { type I18n, type Messages, setupI18n } from '@lingui/core';

/** The available languages, each in its own name. */
export const languages = { en: 'English', fi: 'Suomi' } as const;
export type Language = keyof typeof languages;

export const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/**
 * The translated messages of an entry point (the sign-in pages or the console) in each language. The bundle contains
 * the English messages; the page fetches the messages of another language when the person uses this language.
 */
export type Catalogues = Readonly<Record<Language, () => Promise<{ messages: Messages }>>>;

type Words = Promise<{ messages: Messages }>;

export const mergedMessages = async (some: Words, others: Words): Words => ({
  messages: { ...(await some).messages, ...(await others).messages },
});

/** @throws if the browser cannot fetch the messages of the language */
export async function loadLanguage(catalogues: Catalogues, language: Language): Promise<I18n> {
  const { messages } = await catalogues[language]();
  const i18n = setupI18n();
  i18n.load(language, messages);
  i18n.activate(language);
  return i18n;
}

/**
 * Loads the messages in the language of the document. If the browser cannot fetch them, the page is in English.
 * @throws if the browser cannot fetch the English messages, which only the pages of mailed links fetch
 */
export async function loadFirstLanguage(catalogues: Catalogues, page: Document): Promise<I18n> {
  const { documentElement: root } = page;
  try {
    return await loadLanguage(catalogues, isLanguage(root.lang) ? root.lang : 'en');
  } catch {
    root.lang = 'en';
    return loadLanguage(catalogues, 'en');
  }
}

/**
 * Returns a function that shows the page in the language that the person chooses. The function returns false if the
 * choice has no effect, because the person chose another language before the messages arrived.
 * The function @throws if the browser cannot fetch the messages of the last choice
 */
export function languageChanger(catalogues: Catalogues, page: Document, i18n: I18n) {
  let last = '';
  return async (language: string): Promise<boolean> => {
    if (!isLanguage(language)) return false;
    last = language;
    const words = await catalogues[language]().catch((error: unknown) => {
      if (last === language) throw error;
    });
    if (!words || last !== language) return false;
    i18n.load(language, words.messages); // keeps the messages of other catalogues
    i18n.activate(language);
    rememberLanguage(page, language);
    return true;
  };
}

/** Stores the chosen language in a cookie for a year, and sets `lang` of the page for assistive software. */
function rememberLanguage(page: Document, language: Language): void {
  const secure = page.location.protocol === 'https:' ? '; Secure' : '';
  page.cookie = `charter-language=${language}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  page.documentElement.lang = language;
}
