// Resolves module names for Jest. `@charter/NAME` is a folder in `libs`. The ES modules of libs/client import
// `./file.js` and mean `./file.ts`. Jest caches the results of a resolver, but not the results of `moduleNameMapper`.
const path = require('node:path');

const libs = path.join(__dirname, '..', '..', 'libs');
const client = path.join(libs, 'client', path.sep);

module.exports = (name, options) => {
  const [, library] = /^@charter\/([^/]+)$/.exec(name) ?? [];
  if (library) return options.defaultResolver(path.join(libs, library, 'src', 'index.ts'), options);
  const isClientImport = /^\.{1,2}\/.*\.js$/.test(name) && options.basedir.startsWith(client);
  return options.defaultResolver(isClientImport ? name.slice(0, -'.js'.length) : name, options);
};
