import { sendChecked } from '../requests/checked-answers';
import type { Answer } from '../requests/http';

/**
 * A browser that follows redirects between origins. The browser keeps separate cookies for each port, because all
 * origins are on loopback.
 */
export type HttpBrowser = Readonly<{
  get: (address: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  /**
   * Follows redirects until a wanted address, which it does not request, or until an answer that does not redirect.
   * Resolves with the last address.
   */
  go: (address: string, isWanted: (address: string) => boolean) => Promise<string>;
  cookies: (address: string) => Map<string, string>;
}>;

export function newHttpBrowser(): HttpBrowser {
  const jars = new Map<string, Map<string, string>>();
  const cookies = (address: string) => {
    const { port } = new URL(address);
    const jar = jars.get(port) ?? new Map<string, string>();
    jars.set(port, jar);
    return jar;
  };
  const get: HttpBrowser['get'] = async (address, headers = {}) => {
    const jar = cookies(address);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await sendChecked(address.replace('//localhost:', '//127.0.0.1:'), 'GET', {
      headers: { ...(cookie && { cookie }), ...headers },
    });
    for (const line of answer.headers['set-cookie'] ?? []) storeCookie(jar, line);
    return answer;
  };
  return {
    get,
    cookies,
    go: async (address, isWanted) => {
      let at = address;
      for (let hops = 0; hops < HOPS_MAX; hops += 1) {
        if (isWanted(at)) return at;
        const { headers } = await get(at);
        if (headers.location === undefined) return at;
        at = new URL(headers.location, at).href;
      }
      throw new Error(`Too many redirects, the last one to ${at}`);
    },
  };
}
const HOPS_MAX = 12;

function storeCookie(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';');
  const name = pair.slice(0, pair.indexOf('='));
  const isGone = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute));
  if (isGone) jar.delete(name);
  else jar.set(name, pair.slice(pair.indexOf('=') + 1));
}
