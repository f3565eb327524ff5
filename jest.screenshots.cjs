// `npm run screenshots`: every page in every state, as people see it, into docs/screenshots. Not part of the tests.
const {
  projects: [server],
} = require('./jest.config.cjs');

module.exports = { ...server, displayName: 'screenshots', testMatch: ['**/*.screenshots.ts'], testTimeout: 300_000 };
