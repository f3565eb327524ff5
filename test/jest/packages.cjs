// Loads the packages in `node_modules` for the server's specs. Each worker loads a package once, as Node does. By
// default, Jest loads the packages again for each spec file. For specs that start a service, this takes half a second.

/** The global names that packages have defined. They remain after a spec file, because the packages remain loaded. */
const namesOfPackages = new Set();

/** Packages that store settings, strategies or metrics. Each spec file loads them again, and so sees only its own. */
const loadedForEachFile = /\/node_modules\/(?:@nestjs\/passport|passport|prom-client|zod)\//;

const loaded = new Map();

/** Returns the exports of the file of a package, or undefined if each spec file loads this package again. */
function packageFile(file) {
  if (!file.includes('/node_modules/') || loadedForEachFile.test(file)) return undefined;
  if (!loaded.has(file)) loaded.set(file, loadedPackage(file));
  return loaded.get(file);
}

function loadedPackage(file) {
  const before = new Set(Reflect.ownKeys(globalThis));
  const exports = require(file);
  for (const name of Reflect.ownKeys(globalThis)) if (!before.has(name)) namesOfPackages.add(name);
  return exports;
}

module.exports = { namesOfPackages, packageFile };
