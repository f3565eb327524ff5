/** Whether `npm run test:nightly` runs this spec. In `npm test`, some tests check fewer cases. */
export const isNight = process.env['NIGHTLY'] === '1';

/**
 * Registers tests that only `npm run test:nightly` runs. Other specs of `npm test` check the same behaviour without a
 * browser, in less processor time.
 */
export function atNight(register: () => void): void {
  if (isNight) register();
}
