// `npm run test:nightly`: specs that take longer than a commit should wait (`acceptance.md` 1, stage n). By default
// they are shortened to some minutes; LONG=1 runs the full counts, for up to two hours. SEED=… repeats a random run.
const {
  projects: [server],
} = require('./jest.config.cjs');

module.exports = {
  testTimeout: process.env.LONG === '1' ? 7_200_000 : 600_000,
  projects: [
    { ...server, displayName: 'nightly', testMatch: ['**/*.nightly.ts'] },
    {
      // the HTTP interface again, with its tables in PostgreSQL
      ...server,
      displayName: 'postgres',
      testMatch: ['**/test/api/**/*.spec.ts'],
      // embedded only
      testPathIgnorePatterns: [...server.testPathIgnorePatterns, '/test/api/(start|eventstore).spec.ts'],
      setupFiles: ['<rootDir>/test/support/stores/on-postgres.cjs'],
    },
  ],
};
