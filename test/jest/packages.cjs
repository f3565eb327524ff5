// Loads the packages in `node_modules` for the server's specs. Each worker loads a package once, as Node does. By
// default, Jest loads each package again for each spec file, which takes half a second in a spec that starts a service.
//
// `jest.mock` of a package replaces the package in Charter's code and in specs, but not in other packages.

/** The global names that packages have defined. They remain after a spec file, because the packages remain loaded. */
const globalsOfPackages = new Set();

/** Packages that store settings, strategies or metrics. Each spec file loads its own copy with its own state. */
const unsharedPackages = /\/node_modules\/(?:@nestjs\/passport|passport|prom-client|zod)\//;

const exportsByFile = new Map();

/** Returns the exports of a shared package's file. Returns undefined for any other file, which Jest then loads. */
function sharedExports(file) {
  if (!file.includes('/node_modules/') || unsharedPackages.test(file)) return undefined;
  if (!exportsByFile.has(file)) exportsByFile.set(file, requireAndNoteGlobals(file));
  return exportsByFile.get(file);
}

function requireAndNoteGlobals(file) {
  const before = new Set(Reflect.ownKeys(globalThis));
  const exports = require(file);
  for (const name of Reflect.ownKeys(globalThis)) if (!before.has(name)) globalsOfPackages.add(name);
  return exports;
}

module.exports = { globalsOfPackages, sharedExports };
