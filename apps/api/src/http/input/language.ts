import type { IncomingMessage } from 'node:http';
import { cookieOf } from './cookies';

/** The languages in which Charter is available (`design.md` 4). */
export const shippedLanguages = ['en', 'fi'] as const;
const LANGUAGE_COOKIE = 'charter-language';

/**
 * Returns the language of a page. Tries, in this order, the account's language, the language chosen in this browser,
 * the browser's preferences, and English.
 */
export function requestLanguage(
  request: IncomingMessage,
  account?: string | null,
  known: readonly string[] = shippedLanguages,
): string {
  const chosen = [account, cookieOf(request, LANGUAGE_COOKIE)].find((code) => code != null && known.includes(code));
  return chosen ?? preferred(request.headers['accept-language'] ?? '', known) ?? known[0] ?? 'en';
}

/**
 * The available language that the `Accept-Language` header (RFC 9110 §12.5.4) prefers. `*` states no preference, so
 * `fi;q=0.5, *` gives Finnish. Express would choose English for `fi;q=0.5, *`
 * (`docs/adr/0017-own-code-beside-libraries.md`).
 */
function preferred(header: string, known: readonly string[]): string | undefined {
  const preferences = header
    .slice(0, HEADER_LENGTH_READ_MAX)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((word) => word.trim());
      const quality = Number(parameters.find((word) => word.startsWith('q='))?.slice(2) ?? 1);
      return { code: tag.toLowerCase().split('-')[0] ?? '', quality: Number.isFinite(quality) ? quality : 0 };
    })
    .filter(({ quality }) => quality > 0);
  return preferences.sort((one, other) => other.quality - one.quality).find(({ code }) => known.includes(code))?.code;
}
const HEADER_LENGTH_READ_MAX = 500;
