// The runtime in which Jest runs the specs. Each worker keeps what does not change from one spec file to the next: the
// texts of files, their transformed texts and, for the server's specs, the packages.
const { createRequire } = require('node:module');
const { compileFunction } = require('node:vm');
const ofJest = createRequire(require.resolve('jest'));
const { default: Runtime } = createRequire(ofJest.resolve('jest-runner'))('jest-runtime');
const { sharedExports } = require('./packages.cjs');

class Kept extends Map {
  clear() {} // Jest calls this function after each spec file, and would clear the texts
}
const kept = new Kept();

module.exports = class KeepingRuntime extends Runtime {
  #sharesPackages;

  constructor(config, environment, resolver, transformer, sources, coverage, spec, globalConfig) {
    // only with this option can a file change between two specs
    const isWatching = globalConfig.watch || globalConfig.watchAll;
    if (!isWatching) for (const [file, text] of sources) kept.set(file, text);
    if (!isWatching && !globalConfig.collectCoverage) keepTransformed(transformer, config.id);
    super(config, environment, resolver, transformer, isWatching ? sources : kept, coverage, spec, globalConfig);
    this.#sharesPackages = environment.global === globalThis; // see test/jest/environment.cjs
    if (this.#sharesPackages) compileWithNodeGlobals(this.executor, environment);
  }

  requireModule(from, name, options, isActual) {
    const isNotInternal = this.#sharesPackages && !options?.isInternalModule; // Jest marks its own modules as internal
    const mayBePackage = isNotInternal && name && !/^[./]/.test(name) && !this._resolution.isCoreModule(name);
    const file = mayBePackage ? this._resolution.resolveCjs(from, name) : '';
    return sharedExports(file) ?? super.requireModule(from, name, options, isActual);
  }
};

/** Makes Jest compile modules so that they use Node's global objects. By default, they use those that Jest creates. */
function compileWithNodeGlobals(executor, environment) {
  executor.compile = (text, filename) =>
    environment.getVmContext() && compileFunction(text, executor.injectedModuleParameters, { filename });
}

/** The transformed files by path, for each project id. */
const transformedFiles = {};

function keepTransformed(transformer, projectId) {
  const files = (transformedFiles[projectId] ??= new Map());
  const transform = transformer.transform.bind(transformer);
  transformer.transform = (file, options, text) => {
    const result = files.get(file) ?? transform(file, options, text);
    files.set(file, result);
    return result;
  };
}
