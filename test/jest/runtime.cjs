// The runtime in which Jest runs the specs. Each worker keeps what does not change from one spec file to the next: the
// texts of files, their transformed texts and, for the server's specs, the packages.
const { createRequire } = require('node:module');
const { compileFunction } = require('node:vm');
const requireFromJest = createRequire(require.resolve('jest'));
const { default: Runtime } = createRequire(requireFromJest.resolve('jest-runner'))('jest-runtime');
const { sharedExports } = require('./packages.cjs');

class UnclearedMap extends Map {
  clear() {} // Jest calls `clear` after each spec file; the texts must remain for the next one
}
const sourceTexts = new UnclearedMap();

module.exports = class CachingRuntime extends Runtime {
  #sharesPackages;

  constructor(config, environment, resolver, transformer, sources, coverage, spec, globalConfig) {
    // A file can change between two spec files only in watch mode.
    const isWatching = globalConfig.watch || globalConfig.watchAll;
    if (!isWatching) for (const [file, text] of sources) sourceTexts.set(file, text);
    if (!isWatching && !globalConfig.collectCoverage) cacheTransforms(transformer, config.id);
    super(config, environment, resolver, transformer, isWatching ? sources : sourceTexts, coverage, spec, globalConfig);
    this.#sharesPackages = environment.global === globalThis; // see test/jest/environment.cjs
    if (this.#sharesPackages) compileWithNodeGlobals(this.executor, environment);
  }

  requireModule(from, name, options, isActual) {
    const isOfJest = options?.isInternalModule;
    const mayBePackage = name && !isOfJest && !/^[./]/.test(name) && !this._resolution.isCoreModule(name);
    const shared =
      this.#sharesPackages && mayBePackage ? sharedExports(this._resolution.resolveCjs(from, name)) : undefined;
    return shared ?? super.requireModule(from, name, options, isActual);
  }
};

/** Makes Jest compile modules so that they use Node's global objects. By default, they use those that Jest creates. */
function compileWithNodeGlobals(executor, environment) {
  executor.compile = (text, filename) =>
    environment.getVmContext() && compileFunction(text, executor.injectedModuleParameters, { filename });
}

/** The transformed files by path, for each project id. */
const transformedFiles = {};

function cacheTransforms(transformer, projectId) {
  const files = (transformedFiles[projectId] ??= new Map());
  const transform = transformer.transform.bind(transformer);
  transformer.transform = (file, options, text) => {
    const result = files.get(file) ?? transform(file, options, text);
    files.set(file, result);
    return result;
  };
}
