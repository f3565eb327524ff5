// Puts the command line, with what it needs of other people's packages, into the one file that it is started by: Node then
// reads one file instead of 1,100, and a command answers in a third of the time. `charter serve` still loads the server's
// files as they were built.
import path from 'node:path';
import { build } from 'vite';

/** Loaded only where they are needed, or not JavaScript alone. */
const packagesOfTheirOwn = ['@eventstore/db-client', '@node-rs/argon2', '@sentry/node', 'pg-native'];

const built = path.resolve(process.argv[2] ?? 'dist/apps/api');
const entry = path.join(built, 'apps/cli/src/main.js');

await build({
  configFile: false,
  logLevel: 'warn',
  root: built,
  plugins: [{ name: 'folders', transform: { filter: { code: '__dirname' }, handler: whereItWas } }],
  ssr: { noExternal: true, external: packagesOfTheirOwn },
  build: {
    ssr: entry,
    outDir: path.dirname(entry),
    emptyOutDir: false,
    minify: false,
    sourcemap: true,
    rolldownOptions: { output: { format: 'cjs', entryFileNames: 'main.js', codeSplitting: false } },
  },
});

/** Workers, the catalogue and the server are found beside the module that asks for them. */
function whereItWas(code, id) {
  const folder = path.relative(path.dirname(entry), path.dirname(id));
  return id.startsWith(built)
    ? code.replaceAll('__dirname', `require("node:path").join(__dirname, ${JSON.stringify(folder)})`)
    : code;
}
