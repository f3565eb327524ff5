/**
 * Registers tests that only `npm run test:nightly` runs. Other specs of `npm test` check the same behaviour without a
 * browser, in less processor time.
 */
export function atNight(register: () => void): void {
  if (process.env['NIGHTLY'] === '1') register();
}
