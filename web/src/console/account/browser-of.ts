/** The names of a browser and of its system; undefined for a name that the user agent does not show. */
type NamedBrowser = Readonly<{ browser: string | undefined; system: string | undefined }>;

/** Reads the names of the browser and of the system from a user agent. */
export const browserOf = (agent: string): NamedBrowser => ({
  browser: firstIn(browsers, agent),
  system: firstIn(systems, agent),
});

const firstIn = (names: readonly (readonly [string, RegExp])[], agent: string) =>
  names.find(([, pattern]) => pattern.test(agent))?.[0];

/** The order matters: Edge, Opera and Samsung Internet also name Chrome, and Chrome also names Safari. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?Chrome\/|\bCriOS\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
] as const;

/** The order matters: Android also names Linux, and an iPhone also names Mac OS X. */
const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const;
