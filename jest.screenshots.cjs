// `npm run screenshots` writes a picture of every page in every state into the ignored folder `screenshots`. It asserts
// nothing.
const {
  projects: [server],
} = require('./jest.config.cjs');

module.exports = { ...server, displayName: 'screenshots', testMatch: ['**/*.screenshots.ts'], testTimeout: 300_000 };
