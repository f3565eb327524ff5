// Makes two bundles: the command line with its packages, and the server with its packages. Node then reads one file
// instead of more than 1,000, and a start needs half of the processor time.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

/**
 * Packages that stay outside the bundles. Some are loaded only on demand, and some contain files other than JavaScript.
 * Others would cause warnings, which Node hides only for files in `node_modules`.
 */
const externalPackages = [
  '@eventstore/db-client',
  '@node-rs/argon2',
  '@sentry/node',
  'passport-google-oauth20',
  'pg-native',
  'swagger-ui-dist',
];
/** Packages that Nest loads only if an application uses them. Charter does not use or install them. */
const notInstalled = [
  '@fastify/static',
  '@fastify/view',
  '@mikro-orm/core',
  '@nestjs/microservices',
  '@nestjs/platform-fastify',
  '@nestjs/websockets',
  'class-transformer',
  'class-validator',
];

const built = path.resolve(process.argv[2]);
const programs = ['apps/cli/src/main.js', 'apps/api/src/process/start.js'].map((file) => path.join(built, file));

await Promise.all(programs.map(bundle));

function bundle(program) {
  return build({
    configFile: false,
    logLevel: 'warn',
    root: built,
    plugins: [{ name: 'as-built', load: (id) => load(id, program) }],
    ssr: { noExternal: true, external: [...externalPackages, ...notInstalled] },
    build: {
      ssr: program,
      outDir: path.dirname(program),
      emptyOutDir: false,
      sourcemap: true,
      rolldownOptions: {
        output: {
          format: 'cjs',
          entryFileNames: path.basename(program),
          codeSplitting: false,
          // Removes comments and white space, because Node would keep them in memory. Keeps the names of classes and
          // functions, because logs and Nest use them.
          minify: { compress: false, mangle: false, codegen: true },
          keepNames: true,
          comments: false,
          sourcemapExcludeSources: true,
        },
      },
    },
  });
}

/**
 * Reads a file of the bundle. Charter's own files keep their source maps. Their `__dirname` is corrected, because the
 * code uses it to find the files of workers, of the product catalogue and of the server. Packages get no source map,
 * because their maps would need memory.
 */
function load(id, program) {
  if (!id.startsWith(built))
    return isScript(id) ? { code: readFileSync(id, 'utf8'), map: { mappings: '' } } : undefined;
  const folder = path.relative(path.dirname(program), path.dirname(id));
  const code = readFileSync(id, 'utf8');
  return {
    code: code.replaceAll('__dirname', `require("node:path").join(__dirname, ${JSON.stringify(folder)})`),
    map: readFileSync(`${id}.map`, 'utf8'),
  };
}

function isScript(id) {
  return path.isAbsolute(id) && /[.][cm]?js$/.test(id);
}
