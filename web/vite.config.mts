import { createRequire } from 'node:module';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const { moduleOf } = createRequire(import.meta.url)('./catalogues.cjs') as { moduleOf: (po: string) => string };

/** Compiles translators' files on import, so that no compiled copy can be out of date. */
const catalogues: Plugin = {
  name: 'catalogues',
  transform: (code, id) => (id.endsWith('.po') ? { code: moduleOf(code), map: null, moduleType: 'js' } : undefined),
};

/**
 * The router names its components for developer tools. This plugin removes these names, and marks the calls that create
 * the components as free of side effects. So the build leaves out the components that no page uses, such as `Form`.
 */
const removeUnusedComponents: Plugin = {
  name: 'remove-unused-components',
  transform: {
    filter: { id: /node_modules[\\/]react-router[\\/]/ },
    handler: (code) => ({
      code: code
        .replace(/^\w+\.displayName = "\w+";$/gm, '')
        .replace(/(?<== )(?=\w+\.forwardRef\()/g, '/* @__PURE__ */ '),
      map: null,
    }),
  },
};

/**
 * The code that nearly every page of the console uses. Beside packages and each other, these files import only files
 * that the sign-in pages use, too, such as `http.ts` and `text.ts`.
 */
const parts = [
  'node_modules/(@reduxjs/toolkit/dist/query|@standard-schema/utils|reselect|lucide-react/dist/esm/(Icon|context|createLucideIcon|shared|icons/(copy|check)[.]))',
  'src/choices/(time-zone|cached-formats|single-keys|stored-choice)',
  'src/console/(api|document-lists|page-config-context|problem|sign-out-redirect|words)[.]',
  'src/console/(page-parts|requests/(call-service|entity-tags|first-answers|places|request-log|send-logged)|frame/network)',
  'src/console/moment/(event-words|evidence|page-moment|past-problem|same-json|usePageMoment)',
  'src/console/organization/(later-words|lists/(EventDay|List|MomentLink|ValuesLink|useFocusOfLink)|plan/try/TryLink)',
  'src/console/(overview/(limit-terms|Why[.]module)|organization/history/wording/typed-text)',
].map((path) => path.replaceAll('/', '[\\\\/]'));

/** `build.mjs` sets the output folder and the part to build. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), catalogues, removeUnusedComponents],
  // React itself has this hook since version 18. The package contains an implementation only for older versions.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  css: { modules: { generateScopedName: '[name]_[local]_[hash:base64:4]' } },
  // the worker loads a part of its code only in some browsers
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Reading a property of these packages, or loading a module, has no side effect.
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          // The sign-in pages load these packages with React. A chunk of their own would exceed the size budget.
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store|@lingui[\\/]react)[\\/]/,
            },
            {
              // One chunk, because many small chunks would be larger in all.
              name: 'parts',
              test: new RegExp(parts.join('|')),
            },
          ],
        },
      },
    },
  },
  ssr: { noExternal: ['@lingui/react', '@lingui/core'] },
});
