// What takes longer than a commit should wait for (`acceptance.md` 1, stage n): `npm run test:nightly`. By default shortened
// to some minutes; LONG=1 runs the full counts, for up to two hours. SEED=… repeats a random run.
const {
  projects: [server],
} = require('./jest.config.cjs');

module.exports = {
  ...server,
  displayName: 'nightly',
  testMatch: ['**/*.nightly.ts'],
  testTimeout: process.env.LONG === '1' ? 7_200_000 : 600_000,
};
