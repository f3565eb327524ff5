import { languageChanger, loadFirstLanguage, loadLanguage } from './languages';

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

describe('A chosen language', () => {
  /** A page whose Finnish messages arrive when the spec says so. */
  async function opened() {
    const finnish = Promise.withResolvers<Awaited<ReturnType<typeof english>>>();
    const catalogues = { en: english, fi: () => finnish.promise };
    const i18n = await loadLanguage(catalogues, 'en');
    const change = languageChanger(catalogues, document, i18n);
    return { change, finnish, shown: () => [i18n._('hello'), document.documentElement.lang, document.cookie] };
  }

  it('takes effect when its messages arrive', async () => {
    const { change, finnish, shown } = await opened();
    const isSet = change('fi');
    finnish.resolve({ messages: { hello: 'hei' } });
    expect(await isSet).toBe(true);
    expect(shown()).toEqual(['hei', 'fi', 'charter-language=fi']);
    await expect(change('sv')).resolves.toBe(false);
  });

  it.each([
    ['arrive later', ({ resolve }) => resolve({ messages: { hello: 'hei' } })],
    ['never arrive', ({ reject }) => reject(new TypeError('Failed to fetch'))],
  ] satisfies [string, (finnish: Awaited<ReturnType<typeof opened>>['finnish']) => void][])(
    'takes no effect after the choice of another language, even if its messages %s',
    async (_, end) => {
      const { change, finnish, shown } = await opened();
      const isSet = change('fi');
      expect(await change('en')).toBe(true);
      end(finnish);
      expect(await isSet).toBe(false);
      expect(shown()).toEqual(['hello', 'en', 'charter-language=en']);
    },
  );
});
