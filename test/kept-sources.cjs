// The runtime in which Jest runs the specs. After each spec file, Jest clears the texts of the files. Without this
// runtime, Jest would read about a thousand files again for the next spec file, and check whether each transformed file
// has changed. No file changes during a run, so each worker keeps the text and the transformed text of each file.
const { createRequire } = require('node:module');
const ofJest = createRequire(require.resolve('jest'));
const { default: Runtime } = createRequire(ofJest.resolve('jest-runner'))('jest-runtime');

class Kept extends Map {
  clear() {} // Jest calls this function after each spec file, and would clear the texts
}
const kept = new Kept();

module.exports = class KeptSources extends Runtime {
  constructor(config, environment, resolver, transformer, sources, coverage, spec, globalConfig) {
    // only with this option can a file change between two specs
    const isWatching = globalConfig.watch || globalConfig.watchAll;
    if (!isWatching) for (const [file, text] of sources) kept.set(file, text);
    if (!isWatching && !globalConfig.collectCoverage) keepTransformed(transformer, config.id);
    super(config, environment, resolver, transformer, isWatching ? sources : kept, coverage, spec, globalConfig);
  }
};

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
