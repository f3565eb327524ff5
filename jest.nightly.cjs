// What takes longer than a commit should wait for (`acceptance.md` 1, stage n): `npm run test:nightly`. By default shortened
// to some minutes; LONG=1 runs the full counts, for up to two hours. SEED=… repeats a random run.
const {
  projects: [server],
} = require('./jest.config.cjs');

module.exports = {
  testTimeout: process.env.LONG === '1' ? 7_200_000 : 600_000,
  projects: [
    { ...server, displayName: 'nightly', testMatch: ['**/*.nightly.ts'] },
    {
      // the interface once more, with its tables in a PostgreSQL
      ...server,
      displayName: 'postgres',
      testMatch: ['**/test/api/**/*.spec.ts'],
      testPathIgnorePatterns: [...server.testPathIgnorePatterns, '/test/api/(start|eventstore).spec.ts'], // of files alone
      setupFiles: ['<rootDir>/test/support/stores/on-postgres.cjs'],
    },
  ],
};
