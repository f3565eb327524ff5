import { loadFirstLanguage } from './languages';

const english = () => Promise.resolve({ messages: { hello: 'hello' } });

/** A page in this language, whose Finnish messages the browser can or cannot fetch. */
async function started(lang: string, isFetched: boolean) {
  const page = document.implementation.createHTMLDocument();
  page.documentElement.lang = lang;
  const fi = () =>
    isFetched ? Promise.resolve({ messages: { hello: 'hei' } }) : Promise.reject(new TypeError('Failed to fetch'));
  const i18n = await loadFirstLanguage({ en: english, fi }, page);
  return [i18n._('hello'), i18n.locale, page.documentElement.lang];
}

describe('The first language of a page', () => {
  it('is the language of its document', async () => {
    expect(await started('fi', true)).toEqual(['hei', 'fi', 'fi']);
    expect(await started('en', true)).toEqual(['hello', 'en', 'en']);
  });

  it('is English if the document has an unknown language, or if the browser cannot fetch the messages', async () => {
    expect(await started('', true)).toEqual(['hello', 'en', '']);
    expect(await started('fi', false)).toEqual(['hello', 'en', 'en']);
  });
});
