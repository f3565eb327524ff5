// Jest for the whole repository. The web project joins with the sign-in pages.
const { existsSync } = require('node:fs');
const path = require('node:path');

// Packages that ship ES modules only, with the parts of them that tests load. Jest runs CommonJS, so it must translate
// these and leave all others alone. "Must use import to load ES Module: …/node_modules/NAME/…" means: add NAME here.
const esmOnly = [
  '@borewit',
  '@nestjs',
  '@tokenizer',
  'canonicalize',
  'file-type',
  'kysely',
  'strtok3',
  'token-types',
  'uint8array-extras',
];

/** The SWC transform: TypeScript or ES modules in, CommonJS out. */
const swc = [
  '@swc/jest',
  {
    swcrc: false,
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

/** Jest refuses to start when a root is missing, so only the folders that exist are named. */
const existing = (folders) =>
  folders.filter((folder) => existsSync(path.join(__dirname, folder))).map((folder) => `<rootDir>/${folder}`);

module.exports = {
  displayName: 'server',
  testEnvironment: 'node',
  roots: existing(['libs', 'apps', 'test']),
  testMatch: ['**/*.spec.ts'],
  testTimeout: 30_000,
  moduleNameMapper: {
    '^@charter/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  transform: {
    '^.+\\.ts$': swc,
    '^.+\\.m?js$': swc,
  },
};
