// Builds the pages into the given folder (`README.md`). First, Vite builds scripts and styles. Then `writePages` writes
// a document for each page, state and language, and compressed copies of all files with a hash in their name.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { writePages } from './pages.mjs';

process.env.NODE_ENV = 'production';
const web = import.meta.dirname;
const into = path.resolve(process.argv[2] ?? path.join(web, '..', 'dist', 'web'));
// The build writes the compiled rendering code into node_modules, so that this code finds React.
const rendering = mkdtempSync(path.join(web, '..', 'node_modules', '.prerender-'));

const configFile = path.join(web, 'vite.config.mts');
const settings = { configFile, logLevel: 'warn' };
try {
  rmSync(into, { recursive: true, force: true });
  await build({
    ...settings,
    build: {
      outDir: into,
      emptyOutDir: true,
      manifest: '.vite.json',
      rolldownOptions: {
        input: ['sign-in.tsx', 'console.tsx', 'reference/reference.css', 'demo/demo.css'].map((entry) =>
          path.join(web, 'src', entry),
        ),
      },
    },
  });
  // The page that checks files loads only one script, so that a copy of the page in a single file also works.
  await build({
    ...settings,
    build: {
      outDir: into,
      emptyOutDir: false,
      manifest: '.verify.json',
      rolldownOptions: {
        input: path.join(web, 'src', 'verify.tsx'),
        output: { codeSplitting: false },
      },
    },
  });
  await build({
    ...settings,
    build: {
      outDir: rendering,
      emptyOutDir: true,
      ssr: path.join(web, 'src', 'prerender.tsx'),
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'prerender.mjs', codeSplitting: false } },
    },
  });
  const { pages } = await import(pathToFileURL(path.join(rendering, 'prerender.mjs')).href);
  await writePages(into, await pages());
} finally {
  rmSync(rendering, { recursive: true, force: true });
}
if (!existsSync(path.join(into, 'manifest.json'))) process.exitCode = 1;
