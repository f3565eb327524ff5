/**
 * Registers tests that only `npm run test:nightly` runs. `npm test` checks the same behaviour without a browser, in less
 * processor time.
 */
export function atNight(register: () => void): void {
  if (process.env['NIGHTLY'] === '1') register();
}
