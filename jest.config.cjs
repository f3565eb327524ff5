// The Jest configuration of the repository: specs in `libs`, `apps` and `test` run in Node, specs in `web` run in
// jsdom.
const { existsSync, readFileSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const path = require('node:path');
require('./test/jest/compiled-once.cjs');
require('./test/jest/memory-disk.cjs');

// Packages and scopes that contain only ES modules and that Jest itself loads: those of the specs in jsdom, and those
// that `test/jest/packages.cjs` does not share. Jest runs CommonJS, so it must translate these packages. If a test
// fails with "Must use import to load ES Module: …/node_modules/NAME/…", add NAME here.
const esmOnly = ['@lingui', '@messageformat', '@nestjs', '@noble', 'canonicalize'];

// The version of JavaScript for which the build of the server compiles. Specs run the same code as the server.
const { target } = JSON.parse(readFileSync(path.join(__dirname, '.swcrc'), 'utf8')).jsc;

/** The SWC transform, which translates TypeScript and ES modules to CommonJS. */
const swc = ({ tsx }) => [
  '@swc/jest',
  {
    swcrc: false,
    jsc: {
      target,
      parser: { syntax: 'typescript', decorators: true, tsx },
      transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

/** Returns only the folders that exist, because Jest refuses to start if a folder in `roots` is missing. */
const existing = (folders) =>
  folders.filter((folder) => existsSync(path.join(__dirname, folder))).map((folder) => `<rootDir>/${folder}`);

const both = {
  runner: '<rootDir>/test/jest/extra-workers.cjs',
  runtime: '<rootDir>/test/jest/runtime.cjs',
  resolver: '<rootDir>/test/jest/resolver.cjs',
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
};

const server = {
  ...both,
  displayName: 'server',
  testEnvironment: '<rootDir>/test/jest/environment.cjs',
  // If a spec file logs after it has finished, Jest then fails the run. Without this setting, the message would appear
  // in the next spec file.
  sandboxInjectedGlobals: ['console'],
  roots: existing(['libs', 'apps', 'test']),
  testMatch: ['**/*.spec.ts'],
  transform: {
    '^.+\\.ts$': swc({ tsx: false }),
    '^.+\\.m?js$': swc({ tsx: false }),
  },
};

const web = {
  ...both,
  displayName: 'web',
  testEnvironment: '<rootDir>/web/jsdom-env.cjs',
  roots: existing(['web']),
  testMatch: ['**/*.spec.ts', '**/*.spec.tsx'],
  setupFilesAfterEnv: ['<rootDir>/web/jest.setup.ts'],
  moduleNameMapper: { '\\.css$': 'identity-obj-proxy' }, // styles.button reads as "button"
  transform: {
    '^.+\\.tsx?$': swc({ tsx: true }),
    '^.+\\.m?js$': swc({ tsx: false }),
    '^.+\\.po$': '<rootDir>/web/catalogues.cjs',
  },
};

module.exports = {
  // Even with two processor cores, two specs run at once. A third spec would make all three slower, unless it mostly
  // waits: see test/jest/extra-workers.cjs. With two specs at once, both cores are busy during the whole run.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  testTimeout: 30_000,
  testSequencer: '<rootDir>/test/jest/longest-first.cjs',
  projects: [server, web].filter((project) => project.roots.length > 0),
};
