// `npm run test:nightly`: specs that take too long to run for every commit (`acceptance.md` 1, stage n). By default
// these specs take only some minutes; with LONG=1 they run in full length, up to two hours. SEED=… repeats a run with
// the same random input.
const { tmpdir } = require('node:os');
process.env.TMPDIR ??= tmpdir(); // some of these specs measure times, so their files are on a real disk
const {
  projects: [serverProject],
} = require('./jest.config.cjs');

const server = { ...serverProject };
delete server.runner; // extra workers would disturb the specs that measure times

// With this variable, some specs run more tests or more cases (`test/support/at-night.ts`).
process.env.NIGHTLY = '1';

module.exports = {
  testTimeout: process.env.LONG === '1' ? 7_200_000 : 600_000,
  projects: [
    {
      ...server,
      displayName: 'nightly',
      // `npm test` runs the browser tests in `test/journeys` in a short form, so they also run at night. With LONG=1
      // the spec of limits sends its requests to two processes, and then to three, and the spec of gaps writes more
      // events. At night, the spec of the documentation also runs the commands of its `NIGHTLY_PAGES`.
      testMatch: [
        '**/*.nightly.ts',
        '**/test/journeys/**/*.spec.ts',
        '**/test/processes/limits.spec.ts',
        '**/test/projections/gaps.spec.ts',
        '**/test/docs/pages.spec.ts',
      ],
      // With SPEC_OFFLINE=1 the specs that need a package registry do not run.
      testPathIgnorePatterns: [
        ...server.testPathIgnorePatterns,
        ...(process.env.SPEC_OFFLINE === '1' ? ['/package-versions.nightly.ts', '/image.nightly.ts'] : []),
      ],
    },
    {
      // runs the specs of the HTTP interface and of the history again, with the tables in PostgreSQL
      ...server,
      displayName: 'postgres',
      testMatch: ['**/test/api/**/*.spec.ts', '**/test/history/**/*.spec.ts'],
      // These specs open or damage SQLite files, so they cannot run with PostgreSQL.
      testPathIgnorePatterns: [
        ...server.testPathIgnorePatterns,
        '/test/api/(start|eventstore).spec.ts',
        '/test/history/files/signed-exports.spec.ts',
      ],
      setupFiles: ['<rootDir>/test/support/stores/on-postgres.cjs'],
    },
  ],
};
