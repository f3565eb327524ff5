import { browserOf } from './browser-of';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IOS = 'CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

describe('The names in a user agent', () => {
  it.each([
    ['Chrome', 'Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`],
    ['Chrome', 'Android', `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/131.0.0.0 Mobile Safari/537.36`],
    ['Chrome', 'ChromeOS', `Mozilla/5.0 (Wayland; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`],
    ['Chrome', 'Linux', `Mozilla/5.0 (Wayland; Linux x86_64) ${WEBKIT} HeadlessChrome/131.0.0.0 Safari/537.36`],
    ['Chrome', 'iPhone', `Mozilla/5.0 (iPhone; ${IOS} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`],
    ['Edge', 'Windows', `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`],
    [
      'Opera',
      'macOS',
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/130.0 Safari/537.36 OPR/115.0`,
    ],
    [
      'Samsung Internet',
      'Android',
      `Mozilla/5.0 (Linux; Android 14) ${WEBKIT} SamsungBrowser/26.0 Chrome/122.0 Safari/537.36`,
    ],
    ['Firefox', 'Linux', 'Mozilla/5.0 (Wayland; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'],
    ['Firefox', 'iPhone', `Mozilla/5.0 (iPhone; ${IOS} FxiOS/132.0 Mobile/15E148 Safari/605.1.15`],
    ['Safari', 'macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.1 Safari/605.1.15`],
    ['Safari', 'iPhone', `Mozilla/5.0 (iPhone; ${IOS} Version/17.4 Mobile/15E148 Safari/604.1`],
    ['Safari', 'iPad', 'Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Safari/604.1'],
  ])('are %s and %s', (browser, system, agent) => {
    expect(browserOf(agent)).toEqual({ browser, system });
  });

  it.each(['', 'curl/8.5.0', 'a program of my own'])('are unknown in %j', (agent) => {
    expect(browserOf(agent)).toEqual({ browser: undefined, system: undefined });
  });
});
