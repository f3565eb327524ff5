// The runtime in which Jest runs the specs. Each worker keeps what does not change from one spec file to the next: the
// texts of files, their transformed texts, the compiled scripts and, for the server's specs, the packages.
const { createRequire } = require('node:module');
const { Script, runInContext } = require('node:vm');
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
    compileEachFileOnce(this.executor, environment, this.#sharesPackages);
  }

  requireModule(from, name, options, isActual) {
    const isOfJest = options?.isInternalModule;
    const mayBePackage = name && !isOfJest && !/^[./]/.test(name) && !this._resolution.isCoreModule(name);
    const shared =
      this.#sharesPackages && mayBePackage ? sharedExports(this._resolution.resolveCjs(from, name)) : undefined;
    return shared ?? super.requireModule(from, name, options, isActual);
  }
};

/**
 * Global objects of the language that no spec replaces. In a context that Jest creates, each access to a global name
 * is slow. So in such a context, a function around the module passes these objects to the module.
 */
const languageObjectNames =
  'Array, Boolean, Error, JSON, Map, Math, Number, Object, Promise, Proxy, Reflect, RegExp, Set, String, Symbol, ' +
  'TypeError, WeakMap, WeakSet';

/** The compiled files by path and parameters, each with the text from which it was compiled. */
const compiledFiles = new Map();

/**
 * Makes Jest compile a file once for all spec files of a worker, instead of once for each spec file. With
 * `usesNodeGlobals`, the modules use Node's global objects. Otherwise they use those of the context that Jest creates.
 */
function compileEachFileOnce(executor, environment, usesNodeGlobals) {
  const parameters = executor.injectedModuleParameters.join();
  const [start, end] = usesNodeGlobals
    ? [`(function(${parameters}){`, '\n})']
    : [`(function(${languageObjectNames}){return function(${parameters}){`, '\n}})'];
  const compile = executor.compile.bind(executor);
  let contextObjects;
  executor.compile = (text, filename) => {
    const context = environment.getVmContext();
    if (!context) return null;
    const key = start + filename;
    let compiled = compiledFiles.get(key);
    if (compiled?.text !== text) {
      try {
        compiled = { text, script: new Script(start + text + end, { filename, columnOffset: -start.length }) };
      } catch {
        return compile(text, filename); // throws Jest's explanation of the syntax error
      }
      compiledFiles.set(key, compiled);
    }
    if (usesNodeGlobals) return compiled.script.runInThisContext();
    contextObjects ??= runInContext(`[${languageObjectNames}]`, context);
    return compiled.script.runInContext(context)(...contextObjects);
  };
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
