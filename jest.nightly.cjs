// `npm run test:nightly`: specs that take too long to run for every commit (`acceptance.md` 1, stage n). By default
// these specs take only some minutes; with LONG=1 they run in full length, up to two hours. SEED=… repeats a random
// run.
const {
  projects: [server],
} = require('./jest.config.cjs');

module.exports = {
  testTimeout: process.env.LONG === '1' ? 7_200_000 : 600_000,
  projects: [
    {
      ...server,
      displayName: 'nightly',
      // The journeys of the console that `npm test` runs also run at night, with the other journeys.
      testMatch: ['**/*.nightly.ts', '**/test/journeys/{demo,drafts,looking-back,members,proof}.spec.ts'],
    },
    {
      // the HTTP interface again, with its tables in PostgreSQL
      ...server,
      displayName: 'postgres',
      testMatch: ['**/test/api/**/*.spec.ts', '**/test/history/**/*.spec.ts'],
      // These specs damage or open the files of the embedded stores.
      testPathIgnorePatterns: [
        ...server.testPathIgnorePatterns,
        '/test/api/(start|eventstore).spec.ts',
        '/test/history/files/signed-exports.spec.ts',
      ],
      setupFiles: ['<rootDir>/test/support/stores/on-postgres.cjs'],
    },
  ],
};
